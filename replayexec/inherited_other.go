//go:build unix && !linux

package replayexec

func markCloseOnExec() bool { return false }
