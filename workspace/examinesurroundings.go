package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// config reads harness.toml and the environment as every command does.
func (x *examiner) config() {
	data, ok := x.read(ConfigName)
	if !ok {
		data = nil
		if _, err := fs.Stat(x.tree, ConfigName); errors.Is(err, fs.ErrNotExist) {
			x.add(Finding{Kind: KindNoConfig, File: ConfigName, Severity: SeverityNote,
				Message: "is not there: every knob has its default, and commands find the workspace only when it is named",
				Mend:    "make an empty one"})
		}
	}
	_, _, warnings, err := LoadConfig(LoadOptions{File: ConfigName, Data: data, Env: x.o.Env})
	for _, warning := range warnings {
		x.add(Finding{Kind: KindUnknownVariable, Severity: SeverityNote, Message: warning})
	}
	var bad *Error
	if errors.As(err, &bad) {
		what, how, ok := strings.Cut(withField(bad.Field, bad.Message), "; ")
		if !ok {
			how = "correct it; `pandaprobe-harness config` prints the knobs"
		}
		x.add(Finding{Kind: KindConfig, File: bad.File, Line: bad.Line, Severity: SeverityError, Message: what, Mend: how})
	}
}

// surroundings looks at what is no record: the folders, this clone's own files,
// and what git needs.
func (x *examiner) surroundings() {
	x.root()
	x.folder("state", "", "rules", "trials", "evalset", "sessions", "journal", "mailbox", baseName(historyPath), "local")
	x.folder("state/mailbox", "", "pending", "processed")
	if x.staged() {
		x.localStaged()
	} else {
		x.noState()
		x.inTheWay()
		x.writer()
	}
	if x.inGit() {
		x.gitLines(".gitignore", ignoreLines, KindGitIgnore, "what belongs to this clone could be committed")
		x.gitLines(".gitattributes", attrLines, KindGitAttributes, "evidence of two branches of one clone would conflict in a merge")
	}
}

// root looks for what broken writes left beside what is not the harness's own,
// and among this clone's own files.
func (x *examiner) root() {
	fs.WalkDir(x.tree, "state/local", func(rel string, _ fs.DirEntry, _ error) error {
		if isLeftover(path.Base(rel)) {
			x.leftover(rel)
		}
		return nil
	})
	for _, name := range []string{ConfigName, RenderedName, ".gitignore", ".gitattributes"} {
		matches, _ := fs.Glob(x.tree, tempPrefix+name+"-*")
		for _, rel := range matches {
			if isLeftover(rel) {
				x.leftover(rel)
			}
		}
	}
	if st, err := fs.Lstat(x.tree, "state"); err == nil && st.Mode()&fs.ModeSymlink != 0 {
		x.link("state")
	}
}

// writer looks at the id of this clone.
func (x *examiner) writer() {
	if x.w.Writer != "" {
		if err := CheckWriter(x.w.Writer); err != nil {
			x.add(Finding{Kind: KindWriter, Severity: SeverityError, Message: err.Error(), Mend: "correct or unset HARNESS_WRITER"})
		}
		return
	}
	data, err := fs.ReadFile(x.tree, writerFile)
	if id := strings.TrimSpace(string(data)); err != nil || len(id) == 6 && allIn(id, hexDigits) {
		return
	}
	x.addRepairable(Finding{Kind: KindWriter, File: writerFile, Severity: SeverityWarning,
		Message: "holds no writer id of 6 hex digits", Mend: "make a fresh one"},
		func(tx *Tx) (string, error) { return "made the writer id " + tx.writer, nil })
}

// localStaged tells of files that are for this clone only.
func (x *examiner) localStaged() {
	tell := func(rel string) {
		x.add(Finding{Kind: KindLocalStaged, File: rel, Severity: SeverityError,
			Message: "belongs to this clone and is to be committed", Mend: "`git rm -r --cached " + rel + "`"})
	}
	if _, err := fs.Lstat(x.tree, "state/local"); err == nil {
		tell("state/local")
	}
	if _, err := fs.Lstat(x.tree, RenderedName); err == nil {
		tell(RenderedName)
	}
}

// inGit tells whether the workspace lies in a git repository.
func (x *examiner) inGit() bool {
	if x.staged() {
		return true
	}
	for at := x.w.Root; ; at = filepath.Dir(at) {
		if exists(filepath.Join(at, ".git")) {
			return true
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}

// gitLines wants a file of git to have the lines that init writes, in these or
// other words.
func (x *examiner) gitLines(rel, lines, kind, without string) {
	data, err := fs.ReadFile(x.tree, rel)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		x.unreadable(rel, err)
		return
	}
	var missing []string
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); !hasGitLine(data, line) {
			missing = append(missing, line)
		}
	}
	if len(missing) == 0 {
		return
	}
	x.addRepairable(Finding{Kind: kind, File: rel, Severity: SeverityWarning,
		Message: fmt.Sprintf("lacks the line %q, without which %s", missing[0], without), Mend: "add it"},
		func(tx *Tx) (string, error) {
			added := strings.Join(missing, "\n") + "\n"
			return "added " + strings.Join(missing, ", "), tx.addLines(rel, added)
		})
}

// hasGitLine tells whether a line says the same for all files that want is
// about: the same pattern, one anchored to the folder, or one of the ending.
func hasGitLine(data []byte, want string) bool {
	pattern, attribute, _ := strings.Cut(want, " ")
	for line := range bytes.Lines(TrimBOM(data)) {
		own, rest, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		if attribute != "" && !containsWord(rest, attribute) {
			continue
		}
		own = strings.TrimPrefix(own, "/")
		sameEnding := attribute != "" && !strings.Contains(own, "/") && own == path.Base(pattern)
		if own == pattern || own == strings.TrimSuffix(pattern, "/") || sameEnding {
			return true
		}
	}
	return false
}

func containsWord(text, word string) bool {
	for _, own := range strings.Fields(text) {
		if own == word {
			return true
		}
	}
	return false
}
