package main

import (
	"go/build"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/pandaprobe/pandaprobe-harness"

// layers says which packages of this module each one may import, tests
// excepted; x/... are those below x. Imports point one way, from the command
// down.
var layers = map[string]struct{ may, why string }{
	"cmd/pandaprobe-harness": {
		"cmd/pandaprobe-harness/internal/... lifecycle lifecycle/... replayexec replayexec/... workspace calibrate",
		"the command joins the packages",
	},
	"cmd/pandaprobe-harness/internal/...": {"lifecycle workspace calibrate", "a part of the command knows nothing of the command"},
	"lifecycle/...":                       {"lifecycle replayexec/... workspace", "a part of lifecycle builds on it, never the other way"},
	"lifecycle":                           {"replayexec replayexec/... workspace", "it decides over files and runs, and knows nothing of who asks"},
	"replayexec/...":                      {"replayexec", "a program of its own is run, whatever it is for"},
	"replayexec":                          {"", "a command is run without knowing of rules, rounds or the files of a workspace"},
	"workspace":                           {"", "files know nothing of what they mean, nor of how commands are run"},
	"calibrate":                           {"", "calibration is pure: scores in, report out, for any Go program"},
}

// TestImportsPointOneWay holds the order of the packages on every system that
// the program is built for.
func TestImportsPointOneWay(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := 0
	for _, pkg := range packageFolders(t, root) {
		layer := layerOf(pkg)
		if layer == "" {
			t.Errorf("package %s has no place in the order of packages; give it one in this test", pkg)
			continue
		}
		for _, system := range []string{"linux", "darwin", "windows"} {
			for _, imported := range importsOf(t, filepath.Join(root, pkg), system) {
				seen++
				if !slices.ContainsFunc(strings.Fields(layers[layer].may), func(p string) bool { return matches(p, imported) }) {
					t.Errorf("%s imports %s on %s: %s", pkg, imported, system, layers[layer].why)
				}
			}
		}
	}
	if seen == 0 {
		t.Fatal("no import within the module was found")
	}
}

// TestCalibrateTouchesNoFile holds what makes calibrate fit for any program.
func TestCalibrateTouchesNoFile(t *testing.T) {
	pkg, err := build.ImportDir(filepath.Join("..", "..", "calibrate"), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, imported := range pkg.Imports {
		if slices.Contains([]string{"os", "os/exec", "io/ioutil", "net", "net/http", "syscall"}, imported) {
			t.Errorf("calibrate imports %s: scores in, report out, no files and no processes", imported)
		}
	}
}

// packageFolders is every folder of the module that holds Go code beside
// tests, with slashes.
func packageFolders(t *testing.T, root string) []string {
	t.Helper()
	var folders []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if name != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
				return filepath.SkipDir
			}
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			folder, _ := filepath.Rel(root, filepath.Dir(name))
			if folder = filepath.ToSlash(folder); !slices.Contains(folders, folder) {
				folders = append(folders, folder)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return folders
}

// importsOf is what a package imports of this module.
func importsOf(t *testing.T, dir, system string) []string {
	t.Helper()
	context := build.Default
	context.GOOS, context.CgoEnabled = system, false
	pkg, err := context.ImportDir(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	var own []string
	for _, imported := range pkg.Imports {
		if rest, ok := strings.CutPrefix(imported, module+"/"); ok {
			own = append(own, rest)
		}
	}
	return own
}

// layerOf finds the entry of a package: its own, else that of a folder above.
func layerOf(pkg string) string {
	if _, ok := layers[pkg]; ok {
		return pkg
	}
	for above := path.Dir(pkg); above != "."; above = path.Dir(above) {
		if _, ok := layers[above+"/..."]; ok {
			return above + "/..."
		}
	}
	return ""
}

func matches(pattern, pkg string) bool {
	if above, ok := strings.CutSuffix(pattern, "/..."); ok {
		return strings.HasPrefix(pkg, above+"/")
	}
	return pattern == pkg
}
