package workspace

import "strings"

const writerFile = "state/local/writer"

// CheckWriter says whether a word can name a writer: 1 to 32 lower-case
// letters, digits and inner hyphens.
func CheckWriter(word string) error {
	if len(word) <= 32 && allIn(word, hexDigits+"ghijklmnopqrstuvwxyz-") && !strings.HasPrefix(word, "-") && !strings.HasSuffix(word, "-") {
		return nil
	}
	return &Error{Code: CodeConfig, Field: "HARNESS_WRITER",
		Message: "\"" + clip(word) + "\" cannot name a writer; use 1 to 32 lower-case letters, digits and inner hyphens"}
}

// writerID returns the id under which this clone writes its evidence, made
// once. The caller has the write lock.
func (w *Workspace) writerID() (string, error) {
	if w.Writer != "" {
		return w.Writer, CheckWriter(w.Writer)
	}
	b, err := w.readOptional(writerFile)
	if err != nil {
		return "", err
	}
	if id := strings.TrimSpace(string(b)); len(id) == 6 && allIn(id, hexDigits) {
		return id, nil
	}
	id := randomHex(6)
	if err := replaceFile(w.path(writerFile), []byte(id+"\n")); err != nil {
		return "", ioError("cannot write", writerFile, err)
	}
	return id, nil
}

// splitEvidenceName takes "<base>.<writer>.jsonl" apart.
func splitEvidenceName(name string) (base, writer string, ok bool) {
	rest, ok := strings.CutSuffix(name, evidenceEnding)
	if !ok {
		return "", "", false
	}
	dot := strings.LastIndexByte(rest, '.')
	if dot <= 0 || dot == len(rest)-1 {
		return "", "", false
	}
	return rest[:dot], rest[dot+1:], true
}

const evidenceEnding = ".jsonl"
