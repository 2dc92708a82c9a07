package main

import (
	"fmt"
	"testing"
)

// Many processes that add at once: the cap holds, and one text is one rule.
func TestAddsAtOnce(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "max_active_rules = 5\n")
	var running []*process
	for i := range 16 {
		text := "the same text"
		if i%2 == 0 {
			text = fmt.Sprint("text ", i)
		}
		running = append(running, p.command("rule", "add", "--json", "--rule", text).begin())
	}
	created, refused := 0, 0
	for _, c := range running {
		out := c.wait()
		var answer ruleAnswer
		p.decode(out.stdout, &answer)
		switch {
		case answer.Created:
			created++
		case answer.Error.Code == "refused" && out.code == exitFailed:
			refused++
		case !answer.OK:
			t.Errorf("exit code %d\n%s", out.code, out.stderr)
		}
	}
	var list struct{ Rules []storedRule }
	p.ask(&list, "", []string{"rule", "list"})
	texts := map[string]bool{}
	for _, r := range list.Rules {
		texts[r.Rule] = true
	}
	if created != 5 || len(list.Rules) != 5 || len(texts) != 5 || refused < 3 {
		t.Errorf("%d rules were made and %d refused; there are %v", created, refused, texts)
	}
}
