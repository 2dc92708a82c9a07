package workspace

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// defaultConfig is what `init` writes: every knob is at its default, so that a
// later default reaches workspaces that did not choose otherwise.
const defaultConfig = `# The knobs of this workspace. What is not set here has its default;
# ` + "`pandaprobe-harness config`" + ` prints all of them and where each value came from.

# rule_trial_min_sessions = 5
# rule_promote_margin = 0.05
# rule_regress_margin = 0.05
# replay_timeout_s = 300
# reliability_threshold = 0.5
# consistency_threshold = 0.5

# The command that runs your agent again for one captured case.
# [replay]
# command = ["python3", "replay.py"]
`

const (
	ignoreLines = RenderedName + "\nstate/local/\n" + tempPrefix + "*\n"
	attrLines   = "state/sessions/*.jsonl merge=union\n" +
		"state/trials/*.jsonl merge=union\n" +
		"state/journal/*.jsonl merge=union\n"

	// Git may take a new case for a similar one that was removed, renamed, and
	// would mix the two.
	caseAttrLine = "state/evalset/*.json -merge\n"
)

var stateFolders = []string{
	rulesDir, retiredDir, trialsDir, casesDir, sessionsDir, journalDir, pendingDir, processedDir, "state/local",
}

// Init makes a workspace in dir, and dir itself where it is missing. It is an
// error (CodeExists) when dir holds a harness.toml or a state folder with
// anything in it; one that a crash left unfinished is finished. On any error
// nothing of it is left, but a whole one that could not be taken back.
func Init(ctx context.Context, dir string) (*Workspace, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, ioError("cannot find the folder", dir, err)
	}
	w := newWorkspace(root)
	for name, there := range map[string]bool{ConfigName: exists(w.path(ConfigName)), "state": w.hasState()} {
		if there {
			return nil, &Error{Code: CodeExists, File: dir, Message: "is a workspace already (it holds " + name + "); nothing was changed"}
		}
	}
	missing := missingFolders(root)
	ours, err := w.claim(dir)
	if err == nil {
		if err = w.fill(ctx); err != nil && ours && !exists(w.path(ConfigName)) {
			os.RemoveAll(w.path("state"))
		}
	}
	if err != nil {
		for _, folder := range missing {
			os.Remove(folder) // only when it is empty
		}
		return nil, err
	}
	return w, nil
}

// hasState tells a state folder from one that an init did not come to fill.
func (w *Workspace) hasState() bool {
	if !isDir(w.path("state")) {
		return exists(w.path("state"))
	}
	for _, folder := range stateFolders {
		entries, err := os.ReadDir(w.path(folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return true
		}
		for _, entry := range entries {
			if folder != "state/local" && !entry.IsDir() && !strings.HasPrefix(entry.Name(), ".") {
				return true
			}
		}
	}
	return exists(w.path(historyPath))
}

// claim makes the state folder. ours tells that nobody else had.
func (w *Workspace) claim(dir string) (ours bool, err error) {
	err = faultAt("mkdir", w.Root)
	if err == nil {
		err = os.MkdirAll(w.Root, 0o777)
	}
	if err == nil {
		err = os.Mkdir(w.path("state"), 0o777)
	}
	switch {
	case errors.Is(err, fs.ErrExist) && isDir(w.path("state")):
		return false, nil
	case err != nil:
		return false, ioError("cannot make the folder", dir, err)
	}
	return true, nil
}

func (w *Workspace) fill(ctx context.Context) error {
	for _, folder := range stateFolders {
		if err := w.makeDir(folder); err != nil {
			return err
		}
	}
	return w.Update(ctx, func(tx *Tx) error { return tx.Atomically(tx.writeSkeleton) })
}

// missingFolders are those of the path that are not there, the innermost first.
func missingFolders(path string) (missing []string) {
	for ; !exists(path) && path != filepath.Dir(path); path = filepath.Dir(path) {
		missing = append(missing, path)
	}
	return missing
}

// writeSkeleton writes harness.toml last: with it the folder is a workspace.
func (tx *Tx) writeSkeleton() error {
	if err := tx.addLines(".gitignore", ignoreLines); err != nil {
		return err
	}
	if err := tx.addLines(".gitattributes", attrLines+caseAttrLine); err != nil {
		return err
	}
	if err := tx.keepPending(); err != nil {
		return err
	}
	return tx.replace(ConfigName, []byte(defaultConfig))
}

// addLines adds the lines to a file that are not in it yet.
func (tx *Tx) addLines(rel, lines string) error {
	old, err := tx.w.readOptional(rel)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.Write(old)
	if len(old) > 0 && !bytes.HasSuffix(old, []byte("\n")) {
		b.WriteByte('\n')
	}
	for line := range strings.Lines(lines) {
		if !strings.Contains("\n"+string(old)+"\n", "\n"+line) {
			b.WriteString(line)
		}
	}
	return tx.replace(rel, b.Bytes())
}

// PutConfig writes harness.toml.
func (tx *Tx) PutConfig(content []byte) error { return tx.replace(ConfigName, content) }
