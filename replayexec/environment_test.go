package replayexec

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChanged(t *testing.T) {
	env := []string{"A=1", "B=2", "A=3", "C=", "D=x=y", "=C:=kept", "EMPTY"}
	for _, test := range []struct {
		name    string
		changes []string
		want    []string
	}{
		{"nothing", nil, []string{"B=2", "A=3", "C=", "D=x=y", "=C:=kept"}},
		{"set", []string{"B=5", "N=6"}, []string{"A=3", "C=", "D=x=y", "=C:=kept", "B=5", "N=6"}},
		{"removed", []string{"A", "D", "ABSENT"}, []string{"B=2", "C=", "=C:=kept"}},
		{"removed, then set", []string{"A", "A=7"}, []string{"B=2", "C=", "D=x=y", "=C:=kept", "A=7"}},
		{"set, then removed", []string{"A=7", "A"}, []string{"B=2", "C=", "D=x=y", "=C:=kept"}},
	} {
		if diff := cmp.Diff(test.want, changed(env, test.changes...)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
	if value, set := variable(env, "A"); value != "3" || !set {
		t.Errorf("A is %q, %v", value, set)
	}
	if value, set := variable(env, "C"); value != "" || !set {
		t.Errorf("C is %q, %v", value, set)
	}
	if _, set := variable(env, "EMPTY"); set {
		t.Error("a name without a value is set")
	}
}
