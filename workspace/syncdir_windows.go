package workspace

// syncDir does nothing: Windows has no such call for folders.
func syncDir(dir string) error { return faultAt("syncdir", dir) }
