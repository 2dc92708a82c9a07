package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"testing"
	"time"
)

// process is one call of the program that has not started yet, or is under way.
type process struct {
	*exec.Cmd
	t              testing.TB
	stdout, stderr bytes.Buffer
}

// longest protects the tests from a process that hangs.
const longest = 60 * time.Second

func (p *program) command(args ...string) *process {
	c := &process{Cmd: exec.Command(p.exe, args...), t: p.t}
	c.Dir, c.Env = p.dir, p.env
	c.Stdout, c.Stderr = &c.stdout, &c.stderr
	// Whoever keeps our pipes open after the program has ended is found out.
	c.WaitDelay = 10 * time.Second
	return c
}

func (c *process) begin() *process {
	c.t.Helper()
	if err := c.Start(); err != nil {
		c.t.Fatal(err)
	}
	return c
}

// wait is what the process came to.
func (c *process) wait() ending {
	c.t.Helper()
	hangs := time.AfterFunc(longest, func() { c.Process.Kill() })
	err := c.Wait()
	if !hangs.Stop() {
		c.t.Errorf("%q was killed: it had not ended after %s", c.Args, longest)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		c.t.Errorf("%q: %v", c.Args, err)
	}
	return ending{c.stdout.String(), c.stderr.String(), c.ProcessState.ExitCode()}
}

func (c *process) mustRun(dir string) string {
	c.t.Helper()
	c.Dir = dir
	out := c.begin().wait()
	if out.code != 0 {
		c.t.Fatalf("%q: exit code %d\n%s", c.Args, out.code, out.stderr)
	}
	return out.stdout
}

// conversation is a process that answers each line of its input with a line.
type conversation struct {
	*process
	in      io.WriteCloser
	answers *bufio.Reader
}

func (p *program) converse(args ...string) *conversation {
	p.t.Helper()
	c := p.command(args...)
	c.Stdout = nil
	in, err := c.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	return &conversation{c.begin(), in, bufio.NewReader(out)}
}

func (c *conversation) say(format string, args ...any) {
	fmt.Fprintf(c.in, format+"\n", args...)
}

func (c *conversation) hear() string {
	c.t.Helper()
	line, err := c.answers.ReadString('\n')
	if err != nil {
		c.t.Fatalf("%q: no answer: %v", c.Args, err)
	}
	return line
}

// end closes the input and waits for the process.
func (c *conversation) end() ending {
	c.t.Helper()
	c.in.Close()
	return c.ended()
}

// ended waits for a process that ends by itself.
func (c *conversation) ended() ending {
	c.t.Helper()
	io.Copy(io.Discard, c.answers)
	return c.wait()
}
