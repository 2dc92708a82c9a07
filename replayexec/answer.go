package replayexec

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxSessionID is the most bytes of a session id.
const maxSessionID = 512

// parseAnswer reads what a replay command printed: its last non-empty line, or
// all of it, is an object with "session_id", else that line is the id. The
// error is an *Inconclusive with code and detail.
func parseAnswer(stdout []byte) (Answer, error) {
	text, line := lastLine(stdout)
	if len(line) == 0 {
		return Answer{}, &Inconclusive{Code: NoSessionID, Detail: "nothing was printed on standard output"}
	}
	var object struct {
		SessionID jsontext.Value `json:"session_id"`
		Scores    jsontext.Value `json:"scores"`
	}
	err := decodeObject(text, line, &object)
	switch {
	case err == nil:
		return answerOf(object.SessionID, object.Scores)
	case looksLikeJSON(line):
		return Answer{}, &Inconclusive{Code: BadAnswer, Detail: fmt.Sprintf("the last line looks like JSON but is no answer: %v", strings.TrimPrefix(err.Error(), "jsontext: "))}
	}
	id := string(line)
	if err := checkSessionID(id); err != nil {
		return Answer{}, err
	}
	return Answer{SessionID: id}, nil
}

func answerOf(id, scores jsontext.Value) (answer Answer, err error) {
	if answer.SessionID, err = sessionIDOf(id); err != nil {
		return Answer{}, err
	}
	if kindOf(scores) == 'n' {
		return answer, nil
	}
	answer.HasScores = true
	answer.Scores, err = parseScores(scores, nullIsFault)
	return answer, err
}

func sessionIDOf(value jsontext.Value) (string, error) {
	switch kindOf(value) {
	case 'n':
		return "", &Inconclusive{Code: NoSessionID, Detail: `the answer has no "session_id"`}
	case '"':
	default:
		return "", &Inconclusive{Code: BadAnswer, Detail: `"session_id" must be a text, not ` + nameOfKind(value)}
	}
	var id string
	if err := json.Unmarshal(value, &id); err != nil {
		return "", &Inconclusive{Code: BadAnswer, Detail: fmt.Sprintf(`"session_id": %v`, err)}
	}
	return id, checkSessionID(id)
}

// checkSessionID keeps out what is no id but a stray line of a log.
func checkSessionID(id string) error {
	detail := ""
	switch {
	case strings.TrimSpace(id) == "":
		return &Inconclusive{Code: NoSessionID, Detail: `"session_id" is empty`}
	case len(id) > maxSessionID:
		detail = fmt.Sprintf("the session id has %d bytes; at most %d are allowed", len(id), maxSessionID)
	case !utf8.ValidString(id):
		detail = "the session id is not valid UTF-8"
	case strings.IndexFunc(id, unicode.IsControl) >= 0:
		detail = fmt.Sprintf("the session id %q holds a control character", id)
	default:
		return nil
	}
	return &Inconclusive{Code: BadAnswer, Detail: detail}
}

// lastLine gives all of stdout, and its last non-empty line, both trimmed.
func lastLine(stdout []byte) (text, line []byte) {
	text = trim(stdout)
	return text, trim(text[bytes.LastIndexByte(text, '\n')+1:])
}

func trim(text []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(text), []byte("\uFEFF")))
}

// decodeObject decodes line, or else text, into target. Without an object in
// either, the error is about the line unless all of it was meant to be one.
func decodeObject(text, line []byte, target any) error {
	err := errNoObject
	for _, candidate := range [][]byte{line, text} {
		if len(candidate) == 0 || candidate[0] != '{' {
			continue
		}
		if err = json.Unmarshal(withoutNonFinite(candidate), target); err == nil {
			return nil
		}
	}
	return err
}

var errNoObject = fmt.Errorf("it is not one JSON object on a line of its own")

// looksLikeJSON tells a broken or misplaced document from a session id.
func looksLikeJSON(line []byte) bool {
	first, last := line[0], line[len(line)-1]
	return bytes.IndexByte([]byte("{}[]"), first) >= 0 || first == '"' && (last == '}' || last == ']')
}

// kindOf takes a name that is absent as null.
func kindOf(value jsontext.Value) jsontext.Kind {
	if len(value) == 0 {
		return 'n'
	}
	return value.Kind()
}

func nameOfKind(value jsontext.Value) string {
	switch kindOf(value) {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case '0':
		return "a number"
	case 'n':
		return "null"
	default:
		return "a boolean"
	}
}
