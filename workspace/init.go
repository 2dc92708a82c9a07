package workspace

import (
	"bytes"
	"context"
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
	ignoreLines = RenderedName + "\nstate/local/\n"
	attrLines   = "state/sessions/*.jsonl merge=union\n" +
		"state/trials/*.jsonl merge=union\n" +
		"state/journal/*.jsonl merge=union\n"
)

var stateFolders = []string{
	rulesDir, retiredDir, trialsDir, casesDir, sessionsDir, journalDir, pendingDir, processedDir, "state/local",
}

// Init makes a workspace in dir, and dir itself where it is missing. It is an
// error (CodeExists) when dir holds a harness.toml or a state folder.
func Init(ctx context.Context, dir string) (*Workspace, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, ioError("cannot find the folder", dir, err)
	}
	for _, name := range []string{ConfigName, "state"} {
		if exists(filepath.Join(root, name)) {
			return nil, &Error{Code: CodeExists, File: dir, Message: "is a workspace already (it holds " + name + "); nothing was changed"}
		}
	}
	if err := os.MkdirAll(root, 0o777); err != nil {
		return nil, ioError("cannot make the folder", dir, err)
	}
	w := newWorkspace(root)
	for _, folder := range stateFolders {
		if err := w.makeDir(folder); err != nil {
			return nil, err
		}
	}
	return w, w.Update(ctx, func(tx *Tx) error { return tx.writeSkeleton() })
}

// writeSkeleton writes harness.toml last: with it the folder is a workspace.
func (tx *Tx) writeSkeleton() error {
	if err := tx.addLines(".gitignore", ignoreLines); err != nil {
		return err
	}
	if err := tx.addLines(".gitattributes", attrLines); err != nil {
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
