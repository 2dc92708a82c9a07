// Command release packs what `make release` has built. Each folder becomes one
// archive beside it, a zip when it holds a program for Windows and a tar.gz
// otherwise, and SHA256SUMS names them all. The same folders give the same bytes
// on every machine: neither the order of files nor their times, owners and masks
// go into an archive.
//
//	release -time SECONDS FOLDER...
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	seconds := flag.Int64("time", 0, "the time of every file in an archive, in `SECONDS` since 1970")
	flag.Parse()
	if err := release(flag.Args(), time.Unix(*seconds, 0).UTC()); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release packs the folders, which stand beside each other, and writes the sums.
func release(folders []string, at time.Time) error {
	if len(folders) == 0 {
		return fmt.Errorf("no folder is given")
	}
	var sums []string
	for _, folder := range folders {
		archive, err := pack(folder, at)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(archive)
		if err != nil {
			return err
		}
		sums = append(sums, fmt.Sprintf("%x  %s\n", sha256.Sum256(content), filepath.Base(archive)))
	}
	slices.SortFunc(sums, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	return os.WriteFile(filepath.Join(filepath.Dir(folders[0]), "SHA256SUMS"), []byte(strings.Join(sums, "")), 0o666)
}

// pack writes the archive of a folder and returns its path.
func pack(folder string, at time.Time) (string, error) {
	files, err := filesOf(folder)
	if err != nil {
		return "", err
	}
	write, path := writeTarGz, folder+".tar.gz"
	if slices.ContainsFunc(files, func(f file) bool { return strings.HasSuffix(f.name, ".exe") }) {
		write, path = writeZip, folder+".zip"
	}
	out, err := os.Create(path)
	if err != nil {
		return "", err
	}
	err = write(out, files, at)
	if closed := out.Close(); err == nil {
		err = closed
	}
	return path, err
}
