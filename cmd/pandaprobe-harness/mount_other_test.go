//go:build unix && !linux

package main

import "errors"

func mountMemory(string, string) error { return errors.ErrUnsupported }
