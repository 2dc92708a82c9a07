package main

import (
	"os"

	"golang.org/x/term"
)

// isTerminal tells whether a stream is a terminal; pipes, files and the buffers
// of tests are none.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// widthOf is how many columns a terminal has, 0 when that is not known.
func widthOf(stream any) int {
	f, ok := stream.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}
