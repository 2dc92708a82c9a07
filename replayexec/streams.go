package replayexec

import (
	"io"
	"os"
)

// streams are the three pipes of a command.
type streams struct {
	stdin         *os.File
	stdout        *bounded
	stderr        *tail
	ends          []*os.File // the command's own: standard input, output, error
	stdoutR, errR *os.File
	captures      []*capture
}

func openStreams(p Process) (s *streams, err error) {
	s = &streams{stdout: newBounded(p.MaxStdout), stderr: &tail{also: p.Stderr}}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	var end *os.File
	if end, s.stdin, err = os.Pipe(); err != nil {
		return s, err
	}
	s.ends = append(s.ends, end)
	if s.stdoutR, end, err = os.Pipe(); err != nil {
		return s, err
	}
	s.ends = append(s.ends, end)
	if s.errR, end, err = os.Pipe(); err != nil {
		return s, err
	}
	s.ends = append(s.ends, end)
	return s, nil
}

func (s *streams) child() []*os.File { return s.ends }

func (s *streams) overflow() <-chan struct{} { return s.stdout.full }

// begin is called once the command has its own copies of its ends.
func (s *streams) begin(stdin []byte) {
	for _, f := range s.ends {
		f.Close()
	}
	s.captures = []*capture{startCapture(s.stdoutR, s.stdout), startCapture(s.errR, s.stderr)}
	go func() {
		// A command that does not read its input breaks the pipe: no error.
		s.stdin.Write(stdin)
		s.stdin.Close()
	}()
}

// take is called when the command itself has ended: what is in the pipes now
// is its output.
func (s *streams) take() {
	for _, c := range s.captures {
		c.take()
	}
}

// finish is called when nothing of the command is left.
func (s *streams) finish() {
	for _, c := range s.captures {
		c.finish()
	}
}

func (s *streams) close() {
	for _, f := range append(s.ends, s.stdin, s.stdoutR, s.errR) {
		if f != nil {
			f.Close()
		}
	}
}

// bounded keeps at most max bytes and refuses what is more.
type bounded struct {
	data []byte
	max  int64
	over bool
	full chan struct{} // closed with the first byte too many
}

func newBounded(max int64) *bounded { return &bounded{max: max, full: make(chan struct{})} }

func (b *bounded) Write(p []byte) (int, error) {
	room := b.max - int64(len(b.data))
	if int64(len(p)) <= room {
		b.data = append(b.data, p...)
		return len(p), nil
	}
	b.data = append(b.data, p[:room]...)
	if !b.over {
		b.over = true
		close(b.full)
	}
	return int(room), io.ErrShortWrite
}
