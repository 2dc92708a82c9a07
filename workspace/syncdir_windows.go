package workspace

// flushDir has nothing to do: Windows keeps the names of a folder by itself.
func flushDir(string) error { return nil }
