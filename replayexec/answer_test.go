package replayexec

import (
	"errors"
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

const bom = "\xef\xbb\xbf"

func TestParseAnswer(t *testing.T) {
	id := func(id string) Answer { return Answer{SessionID: id} }
	scored := func(scores map[string]float64) Answer {
		return Answer{SessionID: "s9", Scores: scores, HasScores: true}
	}
	for _, test := range []struct {
		name, stdout string
		want         Answer
		code         string // "" = want is the answer
	}{
		{"bare id", "s9\n", id("s9"), ""},
		{"no newline", "s9", id("s9"), ""},
		{"carriage returns", "log\r\ns9\r\n\r\n", id("s9"), ""},
		{"blanks and empty lines around", "\n\n  s9 \t\n  \n", id("s9"), ""},
		{"last line counts", "first\nsecond\ns9\n", id("s9"), ""},
		{"byte-order mark", bom + "s9\n", id("s9"), ""},
		{"byte-order mark after a log", "log\n" + bom + "s9\n", id("s9"), ""},
		{"id with blanks and letters of all kinds", "r\u00fcn 7 [3] {a}\n", id("r\u00fcn 7 [3] {a}"), ""},
		{"number as text", "42\n", id("42"), ""},
		{"object", `{"session_id":"s9"}`, id("s9"), ""},
		{"object after a log", "log {\n" + `{"session_id":"s9"}` + "\n\n", id("s9"), ""},
		{"object with byte-order mark", bom + `{"session_id":"s9"}`, id("s9"), ""},
		{"object over several lines", "{\n  \"session_id\": \"s9\",\n  \"scores\": {\n    \"m\": 0.5\n  }\n}\n", scored(map[string]float64{"m": 0.5}), ""},
		{"object whose last line is one too", "{\"session_id\": \"s9\", \"scores\":\n{\"m\": 0.5}}\n", scored(map[string]float64{"m": 0.5}), ""},
		{"an id after a broken object", "{\"a\":\ns9\n", id("s9"), ""},
		{"unknown members", `{"session_id":"s9","cost":NaN,"Session_ID":7,"note":"a NaN \" NaN"}`, id("s9"), ""},
		{"escapes", `{"session_id":"\u0073\u00fc9"}`, id("s\u00fc9"), ""},
		{"512 bytes", strings.Repeat("x", 512), id(strings.Repeat("x", 512)), ""},

		{"scores", `{"session_id":"s9","scores":{"m":0.9,"n":0,"o":1}}`, scored(map[string]float64{"m": 0.9, "n": 0, "o": 1}), ""},
		{"no scores are final", `{"session_id":"s9","scores":{}}`, scored(map[string]float64{}), ""},
		{"null is as absent", `{"session_id":"s9","scores":null}`, id("s9"), ""},
		{"too small to tell from 0", `{"session_id":"s9","scores":{"m":1e-999,"n":-0.0}}`, scored(map[string]float64{"m": 0, "n": 0}), ""},

		{"nothing", "", Answer{}, NoSessionID},
		{"only blanks", " \n\t\r\n", Answer{}, NoSessionID},
		{"only a byte-order mark", bom, Answer{}, NoSessionID},
		{"no session_id", `{"scores":{"m":0.5}}`, Answer{}, NoSessionID},
		{"other case", `{"Session_ID":"s9"}`, Answer{}, NoSessionID},
		{"null session_id", `{"session_id":null}`, Answer{}, NoSessionID},
		{"empty session_id", `{"session_id":""}`, Answer{}, NoSessionID},
		{"blank session_id", `{"session_id":" \t"}`, Answer{}, NoSessionID},

		{"session_id is a number", `{"session_id":9}`, Answer{}, BadAnswer},
		{"session_id is a list", `{"session_id":["s9"]}`, Answer{}, BadAnswer},
		{"session_id twice", `{"session_id":"s9","session_id":"s8"}`, Answer{}, BadAnswer},
		{"torn object", `{"session_id":"s9"`, Answer{}, BadAnswer},
		{"torn object over lines", "{\n\"session_id\": \"s9\",\n\"scores\": {\"m\": 1}\n", Answer{}, BadAnswer},
		{"Python's dict", `{'session_id': 's9'}`, Answer{}, BadAnswer},
		{"list", `["s9"]`, Answer{}, BadAnswer},
		{"object after a log, over lines", "log\n{\n\"session_id\": \"s9\"\n}\n", Answer{}, BadAnswer},
		{"two objects on a line", `{"session_id":"s8"}{"session_id":"s9"}`, Answer{}, BadAnswer},
		{"513 bytes", strings.Repeat("x", 513), Answer{}, BadAnswer},
		{"513 bytes in an object", `{"session_id":"` + strings.Repeat("x", 513) + `"}`, Answer{}, BadAnswer},
		{"not UTF-8", "s\xff9\n", Answer{}, BadAnswer},
		{"not UTF-8 in an object", "{\"session_id\":\"s\xff9\"}\n", Answer{}, BadAnswer},
		{"progress bar", "50%\r100%\rs9\n", Answer{}, BadAnswer},
		{"colours", "\x1b[32ms9\x1b[0m\n", Answer{}, BadAnswer},
		{"newline in session_id", `{"session_id":"s\n9"}`, Answer{}, BadAnswer},
		{"C1 control", "s\u0085x9\u009b", Answer{}, BadAnswer},

		{"score above 1", `{"session_id":"s9","scores":{"m":1.5}}`, Answer{}, BadScores},
		{"score just above 1", `{"session_id":"s9","scores":{"m":1.0000000000000003}}`, Answer{}, BadScores},
		{"score below 0", `{"session_id":"s9","scores":{"m":-0.01}}`, Answer{}, BadScores},
		{"score NaN", `{"session_id":"s9","scores":{"m":NaN}}`, Answer{}, BadScores},
		{"score Infinity", `{"session_id":"s9","scores":{"m":Infinity}}`, Answer{}, BadScores},
		{"score -Infinity", `{"session_id":"s9","scores":{"m":-Infinity}}`, Answer{}, BadScores},
		{"score too large for a float", `{"session_id":"s9","scores":{"m":1e999}}`, Answer{}, BadScores},
		{"score is a text", `{"session_id":"s9","scores":{"m":"0.5"}}`, Answer{}, BadScores},
		{"score is null", `{"session_id":"s9","scores":{"m":null}}`, Answer{}, BadScores},
		{"score is true", `{"session_id":"s9","scores":{"m":true}}`, Answer{}, BadScores},
		{"one bad of two", `{"session_id":"s9","scores":{"a":0.5,"m":2}}`, Answer{}, BadScores},
		{"no metric name", `{"session_id":"s9","scores":{"":0.5}}`, Answer{}, BadScores},
		{"scores are a list", `{"session_id":"s9","scores":[0.5]}`, Answer{}, BadScores},
		{"a metric twice", `{"session_id":"s9","scores":{"m":0.5,"m":0.6}}`, Answer{}, BadAnswer},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := parseAnswer([]byte(test.stdout))
			if code := codeOf(err); code != test.code {
				t.Fatalf("code %q, want %q: %v", code, test.code, err)
			}
			if diff := cmp.Diff(test.want, got); err == nil && diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseScorerAnswer(t *testing.T) {
	for _, test := range []struct {
		name, stdout string
		want         map[string]float64
		code         string
	}{
		{"scores", `{"m":0.5,"n":1}`, map[string]float64{"m": 0.5, "n": 1}, ""},
		{"none", `{}`, map[string]float64{}, ""},
		{"null is no score", `{"m":null,"n":0.25}`, map[string]float64{"n": 0.25}, ""},
		{"nothing but null", `{"m":null}`, map[string]float64{}, ""},
		{"last line", "log\n{\"a\":1}\n{\"m\":0.5}\n", map[string]float64{"m": 0.5}, ""},
		{"over several lines", "{\n\"m\":\n0.5\n}\n", map[string]float64{"m": 0.5}, ""},
		{"byte-order mark", bom + `{"m":0.5}`, map[string]float64{"m": 0.5}, ""},

		{"nothing printed", "\n", nil, ScorerFailed},
		{"text", "0.5\n", nil, ScorerFailed},
		{"list", "[0.5]\n", nil, ScorerFailed},
		{"torn", `{"m":0.5`, nil, ScorerFailed},
		{"a metric twice", `{"m":0.5,"m":0.6}`, nil, ScorerFailed},

		{"above 1", `{"m":1.5}`, nil, BadScores},
		{"NaN", `{"m":NaN}`, nil, BadScores},
		{"text as score", `{"m":"0.5"}`, nil, BadScores},
		{"an answer of a replay", `{"session_id":"s9","scores":{"m":0.5}}`, nil, BadScores},
		{"no metric name", `{"":0.5}`, nil, BadScores},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := parseScorerAnswer([]byte(test.stdout))
			if code := codeOf(err); code != test.code {
				t.Fatalf("code %q, want %q: %v", code, test.code, err)
			}
			if diff := cmp.Diff(test.want, got); err == nil && diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A fault names what is wrong and where.
func TestAnswerFaultsSayWhat(t *testing.T) {
	for stdout, want := range map[string]string{
		`{"session_id":9}`:                           `"session_id" must be a text, not a number`,
		`{"session_id":"s","scores":{"m":1.5}}`:      `score "m" is 1.5, outside [0, 1]`,
		`{"session_id":"s","scores":{"m":NaN}}`:      `score "m" is not finite`,
		`{"session_id":"s","scores":{"m":null}}`:     `score "m" must be a number, not null`,
		`{"session_id":"s","scores":"high"}`:         `scores must be an object of metric and number, not a text`,
		strings.Repeat("x", 600):                     `the session id has 600 bytes; at most 512 are allowed`,
		"log\n}\n":                                   `the last line looks like JSON but is no answer: it is not one JSON object on a line of its own`,
		`{"scores":{}}`:                              `the answer has no "session_id"`,
		"\x1b[1ms9":                                  `the session id "\x1b[1ms9" holds a control character`,
		"{\"session_id\":\"s9\",\n\"session_id\":1}": `duplicate object member name "session_id"`,
	} {
		if _, err := parseAnswer([]byte(stdout)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", stdout, err, want)
		}
	}
}

func codeOf(err error) string {
	var fault *Inconclusive
	if errors.As(err, &fault) {
		return fault.Code
	}
	if err != nil {
		return "untyped: " + err.Error()
	}
	return ""
}

func FuzzParseAnswer(f *testing.F) {
	for _, seed := range []string{
		"s9\n", "log\ns9\r\n", bom + "s9", `{"session_id":"s9","scores":{"m":0.5}}`, "{\n\"session_id\":\"s9\"\n}\n",
		`{"session_id":"s9","scores":{"m":NaN,"n":-Infinity}}`, `{"session_id":"\\\" NaN"}`, "{", "}", `"`, "\xff", "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stdout []byte) {
		answer, err := parseAnswer(stdout)
		if err != nil {
			mustBeFault(t, err, NoSessionID, BadAnswer, BadScores)
			return
		}
		id := answer.SessionID
		if strings.TrimSpace(id) == "" || len(id) > maxSessionID || !utf8.ValidString(id) || strings.ContainsFunc(id, unicode.IsControl) {
			t.Errorf("session id %q", id)
		}
		if strings.HasPrefix(id, "{") && !strings.Contains(string(stdout), "session_id") {
			t.Errorf("a piece of JSON became session id %q", id)
		}
		if answer.HasScores != (answer.Scores != nil) {
			t.Errorf("%+v", answer)
		}
		mustBeScores(t, answer.Scores)
	})
}

func FuzzParseScorerAnswer(f *testing.F) {
	for _, seed := range []string{`{"m":0.5}`, `{"m":null}`, "{}", "log\n{\"m\":1}", "{\n\"m\":NaN}", bom + "{}", "[]", "0.5", ""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stdout []byte) {
		scores, err := parseScorerAnswer(stdout)
		if err != nil {
			mustBeFault(t, err, ScorerFailed, BadScores)
		}
		mustBeScores(t, scores)
	})
}

func mustBeFault(t *testing.T, err error, codes ...string) {
	t.Helper()
	code := codeOf(err)
	for _, allowed := range codes {
		if code == allowed {
			return
		}
	}
	t.Errorf("code %q: %v", code, err)
}

func mustBeScores(t *testing.T, scores map[string]float64) {
	t.Helper()
	for metric, score := range scores {
		if strings.TrimSpace(metric) == "" || !(score >= 0 && score <= 1) || math.Signbit(score) {
			t.Errorf("score %q is %v", metric, score)
		}
	}
}
