package main

import (
	"strings"
	"testing"
)

// malformed are reports that are refused, and the field that is named.
var malformed = []struct{ name, report, field string }{
	{"no session id", `{"scores":{"m":0.7}}`, "session_id"},
	{"empty session id", `{"session_id":"","scores":{"m":0.7}}`, "session_id"},
	{"session id a number", `{"session_id":7,"scores":{"m":0.7}}`, "session_id"},
	{"session id twice", `{"session_id":"s","session_id":"t","scores":{"m":0.7}}`, "session_id"},
	{"score as text", `{"session_id":"s","scores":{"m":"0.7"}}`, "scores.m"},
	{"score above 1", `{"session_id":"s","scores":{"m":1.7}}`, "scores.m"},
	{"score below 0", `{"session_id":"s","scores":{"m":-0.1}}`, "scores.m"},
	{"score in a list as text", `{"session_id":"s","scores":[{"name":"m","value":"0.7"}]}`, "scores.0.value"},
	{"metric twice", `{"session_id":"s","scores":{"m":0.7,"m":0.8}}`, ""},
	{"metric twice in a list", `{"session_id":"s","scores":[{"name":"m","value":0.7},{"name":"m","value":0.8}]}`, "scores.m"},
	{"NaN", `{"session_id":"s","scores":{"m":NaN}}`, ""},
	{"Infinity", `{"session_id":"s","scores":{"m":Infinity}}`, ""},
	{"too large a number", `{"session_id":"s","scores":{"m":1e999}}`, ""},
	{"neither scores nor signatures", `{"session_id":"s"}`, "scores"},
	{"scores a number", `{"session_id":"s","scores":0.7}`, "scores"},
	{"not an object", `[1]`, ""},
	{"cut off", `{"session_id":"s","scores":{"m":0.7}`, ""},
	{"two documents", `{"session_id":"s","scores":{"m":0.7}} {"session_id":"t","scores":{"m":0.7}}`, ""},
	{"invalid UTF-8", "{\"session_id\":\"s\xff\",\"scores\":{\"m\":0.7}}", ""},
	{"bad time", `{"session_id":"s","scores":{"m":0.7},"ts":"yesterday"}`, "ts"},
}

// accepted are odd reports that are handled.
var accepted = []struct{ name, report string }{
	{"null score", `{"session_id":"a1","scores":{"m":null}}`},
	{"null beside a number", `{"session_id":"a2","scores":{"m":null,"n":0.7}}`},
	{"unknown field", `{"session_id":"a3","scores":{"m":0.7},"colour":"red"}`},
	{"no scores but signatures", `{"session_id":"a4","signatures":["breach:m"]}`},
	{"empty signatures", `{"session_id":"a5","signatures":[]}`},
	{"byte-order mark", "\ufeff" + `{"session_id":"a6","scores":{"m":0.7}}`},
	{"whole numbers", `{"session_id":"a7","scores":{"m":1,"n":0}}`},
	{"a list", `{"session_id":"a8","scores":[{"name":"m","value":0.7,"reason":"r","metadata":{"x":[1]}}]}`},
	{"carriage return", `{"session_id":"a9","scores":{"m":0.7}}` + "\r"},
}

func TestMalformedReports(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	for _, c := range malformed {
		var failed observation
		out := p.ask(&failed, c.report, []string{"observe"}, exitFailed)
		if out.code != exitFailed || failed.OK || failed.Error.Code != "bad_input" || failed.Error.Message == "" {
			t.Errorf("%s: exit code %d, %+v", c.name, out.code, failed)
		}
		if c.field != "" && failed.Error.Field != c.field {
			t.Errorf("%s: names the field %q, want %q", c.name, failed.Error.Field, c.field)
		}
		if strings.Count(out.stderr, "\n") != 1 {
			t.Errorf("%s: want one line on standard error, got:\n%s", c.name, out.stderr)
		}
	}
	if made := p.files("state/*/*.jsonl"); len(made) > 0 {
		t.Errorf("refused reports wrote %v", made)
	}
	for _, c := range accepted {
		var o observation
		p.ask(&o, c.report, []string{"observe"})
		if warned := len(o.Warnings) > 0; !o.OK || warned != (c.name == "unknown field") {
			t.Errorf("%s: %+v", c.name, o)
		}
	}
}

// In a stream each bad line is answered with its number, and the rest is
// handled.
func TestMalformedStream(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	var b strings.Builder
	refused := map[int]string{}
	line := 0
	add := func(text string) int { b.WriteString(text + "\n"); line++; return line }
	for i, c := range malformed {
		refused[add(c.report)] = c.name
		add(strings.TrimPrefix(accepted[i%len(accepted)].report, "\ufeff"))
		add("") // an empty line is none
	}
	refused[add(`{"session_id":"big","scores":{"m":0.7},"replay_input":"`+strings.Repeat("x", 50<<20)+`"}`)] = "50 MB"
	last := add(`{"session_id":"last","scores":{"m":0.7}}`)

	out := p.pipe(b.String(), "observe", "--stream", "--json")
	if out.code != exitFailed {
		t.Errorf("exit code %d, want %d", out.code, exitFailed)
	}
	answers := answersIn(p, out.stdout)
	if len(answers) != 2*len(malformed)+2 || answers[len(answers)-1].Line != last {
		t.Errorf("%d answers, the last of line %d", len(answers), answers[len(answers)-1].Line)
	}
	for _, a := range answers {
		if name, bad := refused[a.Line]; a.OK == bad || bad && a.Error.Code != "bad_input" {
			t.Errorf("line %d (%s): %+v", a.Line, name, a)
		}
	}
	if kept := p.sessionRecords(); len(kept) != len(malformed)+1 {
		t.Errorf("%d reports are kept, want %d", len(kept), len(malformed)+1)
	}

	text := p.pipe("{\"session_id\":\"s\",\"scores\":{\"m\":0.7}}\n{}\n", "observe", "--stream")
	if text.code != exitFailed || !strings.Contains(text.stdout, "line 2: refused: ") {
		t.Errorf("exit code %d\n%s", text.code, text.stdout)
	}
}
