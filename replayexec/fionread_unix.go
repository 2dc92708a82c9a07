//go:build unix && !linux

package replayexec

// fionread is FIONREAD, the same number on macOS and the BSDs; x/sys lacks it.
const fionread = 0x4004667f
