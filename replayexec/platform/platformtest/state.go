package platformtest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/gofrs/flock"
)

// state is what the stand-in remembers between calls: the runs ordered, how often each run was read, and for each fault how
// often it was met and how often it struck.
type state struct {
	Orders []order           `json:"orders"`
	Reads  map[string]int    `json:"reads"`
	Faults map[string][2]int `json:"faults"`
}

// order is one `evals runs batch`.
type order struct {
	Target  string         `json:"target"`
	IDs     []string       `json:"ids"`
	Metrics []string       `json:"metrics"`
	Name    *string        `json:"name"`
	Model   *string        `json:"model"`
	Weights jsontext.Value `json:"weights,omitzero"`
}

// withState hands the remembered state to work and keeps what work made of it; calls at the same time take turns.
func (p *program) withState(work func(*state) error) error {
	s := &state{Reads: map[string]int{}, Faults: map[string][2]int{}}
	if p.folder == "" {
		return work(s)
	}
	if err := os.MkdirAll(p.folder, 0o755); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(p.folder, "lock"))
	if err := lock.Lock(); err != nil {
		return err
	}
	defer lock.Unlock()
	path := filepath.Join(p.folder, "state.json")
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, s)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cannotf("state: %v", err)
	}
	failed := work(s)
	if text, err = json.Marshal(s); err != nil {
		return err
	}
	// A caller may kill this process at any moment; the next one needs a whole file.
	if err := os.WriteFile(path+".new", text, 0o644); err != nil {
		return err
	}
	return errors.Join(failed, os.Rename(path+".new", path))
}

// Call is one line of calls.jsonl in the state folder.
type Call struct {
	Argv     []string `json:"argv"`      // Argv[0] is always "pandaprobe"
	ExitCode int      `json:"exit_code"` // -1 for a call that hangs until it is killed
	Env      []string `json:"env"`       // names, sorted, of the PANDAPROBE_* variables that were set
	PID      int      `json:"pid"`
}

// note appends the call to calls.jsonl, once.
func (p *program) note(code int) error {
	if p.folder == "" || p.noted {
		return nil
	}
	p.noted = true
	call := Call{Argv: append([]string{Name}, p.args...), ExitCode: code, Env: []string{}, PID: os.Getpid()}
	for _, entry := range p.env {
		name, value, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "PANDAPROBE_") && value != "" {
			call.Env = append(call.Env, name)
		}
	}
	slices.Sort(call.Env)
	text, err := json.Marshal(call, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(p.folder, 0o755); err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(p.folder, "calls.jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = log.Write(append(text, '\n'))
	return errors.Join(err, log.Close())
}
