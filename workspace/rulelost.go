package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
)

// LostRules tells of the files among the retired rules that a merge left there
// beside another decision: in conflict; with a rule that ought to be in force and
// is not; or with one that is among the live rules as well (docs/git.md, "When
// two branches decide differently"). Of one that cannot be read nobody knows.
func (w *Workspace) LostRules() (broken []error, err error) {
	names, err := w.names(retiredDir, ruleEnding)
	if err != nil {
		return nil, err
	}
	live, err := w.names(rulesDir, ruleEnding)
	if err != nil {
		return nil, err
	}
	isLive := map[string]bool{}
	for _, name := range live {
		isLive[name] = true
	}
	for _, name := range names {
		if err := w.lost(name, isLive[name]); err != nil {
			w.Warn(err)
			broken = append(broken, err)
		}
	}
	return broken, nil
}

func (w *Workspace) lost(name string, isLive bool) error {
	data, err := readFile(w.path(retiredDir + "/" + name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !isLive && conflictLine(data) == 0 && bytes.Contains(data, []byte(`"`+Retired+`"`)) {
		return nil // there are many of them, and decoding takes longest
	}
	dir := retiredDir
	if isLive {
		dir = rulesDir
	}
	rule, err := w.readRule(dir, name)
	switch {
	case err != nil && isLive:
		return nil // LiveRules tells it
	case err != nil:
		return err
	}
	return w.inOnePlace(rule, dir)
}

// inOnePlace refuses a live rule that lies among the retired ones, where it is
// not in force, or that lies there a second time.
func (w *Workspace) inOnePlace(r Rule, dir string) error {
	file, retired := dir+"/"+r.ID+ruleEnding, retiredDir+"/"+r.ID+ruleEnding
	switch {
	case !r.Status.Live():
		return nil
	case dir == retiredDir:
		return &Error{Code: CodeBrokenFile, File: file, Field: "status", Message: fmt.Sprintf(
			"is %s, but the file lies among the retired rules, where it is not in force; move it to %s (`pandaprobe-harness doctor --repair` does it)", r.Status, rulesDir)}
	case exists(w.path(retired)) && exists(w.path(file)): // in this order: it may be retired just now
		return &Error{Code: CodeBrokenFile, File: file, Message: "is there a second time as " + retired + ", as a merge leaves it; remove the one that is not to hold"}
	}
	return nil
}
