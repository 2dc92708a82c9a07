package workspace

import "os"

func readWhole(path string, _ []byte) ([]byte, error) { return os.ReadFile(path) }
