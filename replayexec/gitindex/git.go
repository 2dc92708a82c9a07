package gitindex

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/pandaprobe/pandaprobe-harness/replayexec"
)

// git runs git in one folder.
type git struct {
	dir string
	env []string
}

// newGit makes the variables that git gives to a hook independent of the
// folder: they are relative to the hook's own.
func newGit(dir string, env []string) (git, error) {
	here, err := os.Getwd()
	if err != nil {
		return git{}, err
	}
	g := git{dir: dir}
	hasDir, hasTree := false, false
	for _, variable := range env {
		name, value, _ := strings.Cut(variable, "=")
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY":
			if !filepath.IsAbs(value) {
				variable = name + "=" + filepath.Join(here, value)
			}
			hasDir, hasTree = hasDir || name == "GIT_DIR", hasTree || name == "GIT_WORK_TREE"
		}
		g.env = append(g.env, variable)
	}
	if hasDir && !hasTree {
		g.env = append(g.env, "GIT_WORK_TREE="+here) // so git itself takes it
	}
	return g, nil
}

func (g git) command(ctx context.Context, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = g.dir, append(g.env[:len(g.env):len(g.env)], "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
	return cmd
}

func (g git) run(ctx context.Context, args []string) ([]byte, error) {
	var stderr bytes.Buffer
	cmd := g.command(ctx, args)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, explain(ctx, err, args[0], stderr.String())
	}
	return out, nil
}

func explain(ctx context.Context, err error, command, stderr string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return &replayexec.StartError{Name: "git", Err: err}
	}
	said, _, _ := strings.Cut(strings.TrimSpace(stderr), "\n")
	if said == "" {
		said = err.Error()
	}
	return fmt.Errorf("git %s: %s", command, strings.TrimPrefix(said, "fatal: "))
}

// blobs reads objects through one git process.
type blobs struct {
	mu    sync.Mutex
	cmd   *exec.Cmd
	ask   io.WriteCloser
	reply *bufio.Reader
}

func (g git) startBlobs(ctx context.Context) (*blobs, error) {
	b := &blobs{cmd: g.command(ctx, []string{"cat-file", "--batch"})}
	ask, err := b.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	reply, err := b.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := b.cmd.Start(); err != nil {
		return nil, explain(ctx, err, "cat-file", "")
	}
	b.ask, b.reply = ask, bufio.NewReaderSize(reply, 64<<10)
	return b, nil
}

// read returns the content of an object.
func (b *blobs) read(name string) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, err := io.WriteString(b.ask, name+"\n"); err != nil {
		return nil, err
	}
	head, err := b.reply.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("git cat-file: no answer: %w", err)
	}
	var got, kind string
	var size int64
	if n, _ := fmt.Sscanf(head, "%s %s %d", &got, &kind, &size); n != 3 || kind != "blob" {
		return nil, fmt.Errorf("git cat-file: %s", strings.TrimSpace(head))
	}
	content := make([]byte, size+1) // and the line end behind it
	if _, err := io.ReadFull(b.reply, content); err != nil {
		return nil, err
	}
	return content[:size], nil
}

func (b *blobs) close() error {
	b.ask.Close()
	return b.cmd.Wait()
}
