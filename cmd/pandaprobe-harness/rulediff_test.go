package main

import (
	"strings"
	"testing"
)

// What a reviewer sees of a rule's life: the status, its verdict, and nothing
// else (comments and keys of other tools stay).
func TestReadableDiff(t *testing.T) {
	t.Parallel()
	p := newProgram(t, replayConfig(better))
	p.addFailure("s-1")
	promoted := p.addRule("first line\nsecond line", "--metric", "m", "--tag", "x")
	retired := p.addRule("another", "--rationale", "why\nnot")
	for _, id := range []string{promoted, retired} {
		file := "state/rules/" + id + ".toml"
		text := strings.Replace(p.read(file), "status =", "# kept by hand\nowner = \"ann\"   # unknown to us\nstatus =", 1)
		p.write(file, text+"\n[other]\nkey = [1,2]\n")
	}
	p.commit()
	for range 2 {
		p.must("rule", "list", "--status", "all")
		p.must("rule", "show", retired)
		p.must("context")
		p.addRule("another") // is there already
	}
	if status := p.git("status", "--porcelain"); status != "" {
		t.Errorf("reading changed:\n%s", status)
	}

	p.must("validate")
	p.must("rule", "retire", retired, "--reason", "superseded")
	p.git("add", "-A")
	live := changedLines(p, "state/rules/"+promoted+".toml")
	checkStatusLines(t, live, "active", "promoted:")
	gone := changedLines(p, "state/rules/"+retired+".toml", "state/rules/retired/"+retired+".toml")
	checkStatusLines(t, gone, "retired", "retired:superseded")
	for _, line := range strings.Split(strings.TrimSpace(p.git("diff", "--cached", "-M", "--name-status")), "\n") {
		if name := strings.Fields(line)[1]; !strings.Contains(name, promoted) && !strings.Contains(name, retired) && !strings.HasPrefix(name, "state/journal/") {
			t.Errorf("also changed: %s", line)
		}
	}
}

// changedLines are those of the staged diff of the files, without its headers.
func changedLines(p *program, names ...string) (changed []string) {
	diff := p.git(append([]string{"diff", "--cached", "-M", "-U0", "--"}, names...)...)
	for line := range strings.Lines(diff) {
		if (line[0] == '+' || line[0] == '-') && !strings.HasPrefix(line, "+++") && !strings.HasPrefix(line, "---") {
			changed = append(changed, strings.TrimSpace(line))
		}
	}
	return changed
}

func checkStatusLines(t *testing.T, lines []string, status, verdict string) {
	t.Helper()
	if len(lines) != 4 || lines[0] != `-status = "candidate"` || lines[1] != `+status = "`+status+`"` ||
		lines[2] != `-verdict = ""` || !strings.HasPrefix(lines[3], `+verdict = "`+verdict) {
		t.Errorf("want the status and the verdict changed, got:\n%s", strings.Join(lines, "\n"))
	}
}
