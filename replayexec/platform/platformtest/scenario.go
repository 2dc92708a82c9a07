package platformtest

import (
	"bytes"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Scenario is the content of a scenario file, every part of it optional. Score values are decimal strings or null, as the
// platform gives them.
type Scenario struct {
	Project      *string             `json:"project"`       // accepted project; another one is empty
	APIKeys      []string            `json:"api_keys"`      // accepted keys; another one is a 401
	ProjectID    string              `json:"project_id"`    // in all records
	Clock        string              `json:"clock"`         // "now"; run n starts n hours later
	DefaultLimit int                 `json:"default_limit"` // of a page; 0 = 50
	StrictIDs    bool                `json:"strict_ids"`    // run and trace ids must be UUIDs, else a 422
	Metrics      map[string][]string `json:"metrics"`       // by target; others are a 422 in a batch
	Sessions     Targets             `json:"sessions"`
	Traces       Targets             `json:"traces"`
	Runs         map[string]RunSpec  `json:"runs"`     // there from the start; their scores are those with that eval_run_id
	NewRuns      RunSpecs            `json:"new_runs"` // one per created run, the last repeats
	Faults       []Fault             `json:"faults"`
	Version      jsontext.Value      `json:"version"` // members that replace those of `version`
}

// Target is a session or a trace: what it holds, and under each metric the results of its next evaluations: "0.81", null for a
// failed one, an object like a score, or a list of these, one per evaluation, the last repeats. A metric not named gives "0.5".
type Target struct {
	ID     string                    `json:"-"`
	Scores []scoreSpec               `json:"scores"`
	Next   map[string]jsontext.Value `json:"next"`
	Trace  jsontext.Value            `json:"trace"`
}

// Targets are sessions or traces by their ids, in the order of the file.
type Targets []Target

// UnmarshalJSONFrom reads an object and keeps the order of its members, from which scores get their ids.
func (t *Targets) UnmarshalJSONFrom(in *jsontext.Decoder) error {
	if _, err := in.ReadToken(); err != nil {
		return err
	}
	for in.PeekKind() == '"' {
		var next Target
		if err := json.UnmarshalDecode(in, &next.ID); err != nil {
			return err
		}
		if err := json.UnmarshalDecode(in, &next); err != nil {
			return err
		}
		*t = append(*t, next)
	}
	_, err := in.ReadToken()
	return err
}

func (t Targets) find(id string) *Target {
	for i := range t {
		if t[i].ID == id {
			return &t[i]
		}
	}
	return nil
}

// RunSpec says how a run goes. It is over once it was read more often than Polls, by `runs get` or `runs scores` (0: at once,
// negative: never), and meanwhile shows its scores session by session ("partial", the default), not ("empty") or as "pending".
type RunSpec struct {
	ID           string   `json:"id"`
	Polls        int      `json:"polls"`
	End          string   `json:"end"` // COMPLETED, the default, or FAILED
	WhileRunning string   `json:"while_running"`
	ErrorMessage string   `json:"error_message"`
	Target       string   `json:"target"`
	IDs          []string `json:"ids"`
	Metrics      []string `json:"metrics"`
	Name         *string  `json:"name"`
	Model        *string  `json:"model"`
	CreatedAt    string   `json:"created_at"`
}

// RunSpecs is one RunSpec for every run, or a list.
type RunSpecs struct {
	listed bool
	specs  []RunSpec
}

// UnmarshalJSON reads both forms.
func (r *RunSpecs) UnmarshalJSON(text []byte) error {
	if r.listed = bytes.HasPrefix(text, []byte("[")); r.listed {
		return json.Unmarshal(text, &r.specs)
	}
	r.specs = make([]RunSpec, 1)
	return json.Unmarshal(text, &r.specs[0])
}

// of gives the description of run number n, from 1.
func (r RunSpecs) of(n int) RunSpec {
	if len(r.specs) == 0 {
		return RunSpec{}
	}
	spec := r.specs[min(n, len(r.specs))-1]
	if !r.listed && n > 1 {
		spec.ID = ""
	}
	return spec
}

func (p *program) scenario() (*Scenario, error) {
	path := p.getenv(EnvScenario)
	if path == "" {
		return nil, cannotf("%s is not set", EnvScenario)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, cannotf("scenario: %v", err)
	}
	s := &Scenario{Clock: "2026-01-31T12:00:00+00:00", DefaultLimit: 50, ProjectID: "0a000000-0000-4000-8000-000000000001"}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, cannotf("scenario %s: %v", path, err)
	}
	return s, nil
}
