package workspace

// SetFault lets tests of whole commands, which live above this package, fail a
// step that changes a file; nil ends it.
func SetFault(fault func(op, path string) error) { testOnlyFault = fault }
