package workspace

import (
	"bytes"
	"errors"
	"strings"

	"github.com/BurntSushi/toml"
)

// decodeTOML reads a whole file without its byte order mark. It returns the
// values and the keys in their order; its error has the code, the file and the
// line.
func decodeTOML(code Code, file string, data []byte) (map[string]any, []toml.Key, error) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return nil, nil, &Error{Code: code, File: file, Line: 1, Message: "is UTF-16; save it as UTF-8"}
	}
	values := map[string]any{}
	meta, err := toml.Decode(string(data), &values)
	if err != nil {
		return nil, nil, tomlError(code, file, data, err)
	}
	return values, meta.Keys(), nil
}

// tomlError tells in one sentence why the decoder gave up, and where.
func tomlError(code Code, file string, data []byte, err error) *Error {
	told := &Error{Code: code, File: file, Message: "cannot be read as TOML: " + err.Error(), Err: err}
	var parse toml.ParseError
	if !errors.As(err, &parse) {
		return told
	}
	// The decoder's own line is one too high when it ran into a line end.
	told.Line = lineAt(data, min(max(parse.Position.Start, 0), len(data)))
	message := strings.TrimSuffix(parse.Message, ".")
	if first, rest := message[:1], message[1:]; rest == strings.ToLower(rest[:1])+rest[1:] {
		message = strings.ToLower(first) + rest
	}
	told.Message = "cannot be read as TOML: " + lineEndNamed.Replace(message)
	return told
}

var lineEndNamed = strings.NewReplacer(`'\n'`, "the end of the line", `'\r'`, "the end of the line")
