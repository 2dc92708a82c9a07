package gitindex

import (
	"io/fs"
	"testing"
)

// FuzzStaged reads what git says is staged. What is refused is an error; what is
// taken is a tree that can be walked.
func FuzzStaged(f *testing.F) {
	f.Add([]byte("100644 aaaa 0\tstate/rules/r.toml\x00120000 bbbb 0\tlink\x00"))
	f.Add([]byte("100644 aaaa 1\tx\x00100644 bbbb 2\tx\x00100644 cccc 3\tx\x00160000 d 0\tmodule\x00"))
	f.Add([]byte("100644 aaaa 0\t../x\x00100644 a 0\t/etc/passwd\x00100644 a 0\ta//b/./c\x00"))
	f.Fuzz(func(t *testing.T, staged []byte) {
		tree := &Tree{entries: map[string]entry{}, folders: map[string][]string{".": nil}, changed: map[string]bool{}}
		if tree.addAll(staged) != nil {
			return
		}
		fs.WalkDir(tree, ".", func(_ string, _ fs.DirEntry, err error) error { return err })
	})
}
