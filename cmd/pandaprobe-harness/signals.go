package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// interruption is the cause of a context that a signal ended.
type interruption struct{ signal os.Signal }

func (i interruption) Error() string { return "interrupted by " + signalName(i.signal) }

// interrupter ends a context with the first signal that asks the program to
// stop, and remembers which it was. Later ones change nothing: what is under
// way then ends within the grace of a replay.
type interrupter struct {
	end  context.CancelCauseFunc
	once sync.Once
}

// catch makes signals end the context from now on. It is called by commands
// that write, wait or run something; a command that only reads is ended by the
// signal itself, which costs nothing at its start.
//
// A hang-up that the caller has set to be ignored (nohup) stays ignored. An
// interrupt is caught all the same: shells set it to be ignored for whatever
// they start with &, where nobody means that it shall not be stopped.
func (i *interrupter) catch() {
	i.once.Do(func() {
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		if !signal.Ignored(syscall.SIGHUP) {
			signal.Notify(signals, syscall.SIGHUP)
		}
		go func() { i.end(interruption{<-signals}) }()
	})
}

// caught returns the signal that ended ctx, or nil.
func caught(ctx context.Context) os.Signal {
	if i, ok := context.Cause(ctx).(interruption); ok {
		return i.signal
	}
	return nil
}

func signalNumber(s os.Signal) int {
	if number, ok := s.(syscall.Signal); ok {
		return int(number)
	}
	return int(syscall.SIGINT)
}

func signalName(s os.Signal) string {
	switch s {
	case os.Interrupt:
		return "SIGINT"
	case syscall.SIGTERM:
		return "SIGTERM"
	case syscall.SIGHUP:
		return "SIGHUP"
	}
	return s.String()
}
