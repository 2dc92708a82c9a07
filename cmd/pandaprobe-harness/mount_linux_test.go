package main

import (
	"strings"
	"syscall"
)

// mountMemory mounts a file system in memory with the options of mount(8):
// size=N, or remount with ro or rw.
func mountMemory(folder, options string) error {
	var flags uintptr
	var data []string
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "remount":
			flags |= syscall.MS_REMOUNT
		case "ro":
			flags |= syscall.MS_RDONLY
		case "rw":
		default:
			data = append(data, option)
		}
	}
	return syscall.Mount("tmpfs", folder, "tmpfs", flags, strings.Join(data, ","))
}
