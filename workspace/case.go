package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	casesDir   = "state/evalset"
	jsonEnding = ".json"
)

// Kinds of eval cases.
const (
	Failure = "failure"
	Win     = "win"
)

// Case is a captured session that is worth running again (docs/workspace.md,
// "Eval cases").
type Case struct {
	ID             string         `json:"id"`
	CreatedAt      Time           `json:"created_at"`
	SessionID      string         `json:"session_id"`
	Kind           string         `json:"kind"` // Failure or Win
	Signature      []string       `json:"signature"`
	BaselineScores Baseline       `json:"baseline_scores"` // metric -> score in [0, 1]
	ReplayInput    jsontext.Value `json:"replay_input"`    // any JSON value; null = cannot be replayed
	Notes          string         `json:"notes"`
	Unknown        jsontext.Value `json:",embed"` // what another writer added
}

// Baseline is the scores that a case is compared with, by metric. A null is an
// error: read as a number it would be 0, the worst score there is.
type Baseline map[string]float64

// UnmarshalJSON refuses a null score.
func (b *Baseline) UnmarshalJSON(data []byte) error {
	var scores map[string]*float64
	if err := json.Unmarshal(data, &scores); err != nil {
		return err
	}
	if scores == nil {
		*b = nil
		return nil
	}
	*b = Baseline{}
	for metric, score := range scores {
		if score == nil {
			return fmt.Errorf("the score of %q is null; leave the metric out", clip(metric))
		}
		(*b)[metric] = *score
	}
	return nil
}

// Replayable tells whether the case has an input to run again.
func (c Case) Replayable() bool { return len(c.ReplayInput) > 0 && c.ReplayInput.Kind() != 'n' }

// Identity is equal for cases of one session, kind and set of signatures,
// which count once.
func (c Case) Identity() string {
	set := slices.Clone(c.Signature)
	slices.Sort(set)
	set = slices.Compact(set)
	return c.SessionID + "\x00" + c.Kind + "\x00" + strings.Join(set, "\x00")
}

// Case returns the case with the id.
func (w *Workspace) Case(id string) (Case, error) {
	if err := CheckCaseID(id); err != nil {
		return Case{}, err
	}
	c, err := w.readCase(id + jsonEnding)
	if errors.Is(err, fs.ErrNotExist) {
		return Case{}, Errorf(CodeNotFound, "no case %s; `pandaprobe-harness case list` names the cases", id)
	}
	return c, err
}

// Cases returns the eval set, oldest first; of cases of one identity only the
// oldest. Broken files are told to Warn, returned, and passed over.
func (w *Workspace) Cases() (cases []Case, broken []error, err error) {
	names, err := w.names(casesDir, jsonEnding)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		c, err := w.readCase(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			w.Warn(err)
			broken = append(broken, err)
			continue
		}
		cases = append(cases, c)
	}
	sortByTimeID(cases, func(c *Case) (Time, string) { return c.CreatedAt, c.ID })
	return oncePerIdentity(cases), broken, nil
}

func oncePerIdentity(cases []Case) []Case {
	seen := map[string]bool{}
	return slices.DeleteFunc(cases, func(c Case) bool {
		known := seen[c.Identity()]
		seen[c.Identity()] = true
		return known
	})
}

func (w *Workspace) readCase(name string) (Case, error) {
	rel := casesDir + "/" + name
	data, err := readFile(w.path(rel))
	if err != nil {
		return Case{}, ioError("cannot read", rel, err)
	}
	var c Case
	if err := decodeDocument(rel, data, &c); err != nil {
		return Case{}, err
	}
	if want := strings.TrimSuffix(name, jsonEnding); c.ID != want {
		return Case{}, &Error{Code: CodeBrokenFile, File: rel, Field: "id", Message: "is \"" + clip(c.ID) + "\" but the file is named " + name + "; make them equal"}
	}
	if err := c.Check(); err != nil {
		err.File, err.Code = rel, CodeBrokenFile
		return Case{}, err
	}
	return c, nil
}

// Check says what is wrong with the content of a case, or nil.
func (c Case) Check() *Error {
	wrong := func(field, message string) *Error {
		return &Error{Code: CodeBadInput, Field: field, Message: message}
	}
	if err := CheckCaseID(c.ID); err != nil {
		return wrong("id", err.Error())
	}
	if c.CreatedAt.IsZero() {
		return wrong("created_at", "is missing; give an RFC 3339 time")
	}
	if err := CheckSessionID(c.SessionID); err != nil {
		return wrong("session_id", err.Error())
	}
	if c.Kind != Failure && c.Kind != Win {
		return wrong("kind", "is \""+clip(c.Kind)+"\"; it must be failure or win")
	}
	for metric, score := range c.BaselineScores {
		if err := CheckScore(metric, score); err != nil {
			return wrong("baseline_scores."+clip(metric), err.Error())
		}
	}
	return nil
}

// PutCase writes the case, new or changed.
func (tx *Tx) PutCase(c Case) error {
	if err := c.Check(); err != nil {
		return err
	}
	c.Signature = orEmpty(c.Signature)
	if c.BaselineScores == nil {
		c.BaselineScores = map[string]float64{}
	}
	doc, err := encodeDocument(c)
	if err != nil {
		return Errorf(CodeBadInput, "cannot write case %s: %v", c.ID, err)
	}
	return tx.replace(casesDir+"/"+c.ID+jsonEnding, doc)
}

// RemoveCase removes the case's file.
func (tx *Tx) RemoveCase(id string) error {
	if err := CheckCaseID(id); err != nil {
		return err
	}
	return tx.remove(casesDir + "/" + id + jsonEnding)
}

// encodeDocument lays a JSON document out for git: two blanks, final newline.
func encodeDocument(v any) ([]byte, error) {
	var b bytes.Buffer
	err := json.MarshalWrite(&b, v, json.Deterministic(true), jsontext.WithIndent("  "))
	b.WriteByte('\n')
	return b.Bytes(), err
}

// decodeDocument reads one JSON document and says where it is broken.
func decodeDocument(rel string, data []byte, v any) error {
	data = TrimBOM(data)
	if line := conflictLine(data); line > 0 {
		return &Error{Code: CodeBrokenFile, File: rel, Line: line, Message: "holds git conflict markers; choose one side and remove them"}
	}
	err := json.Unmarshal(data, v)
	if err == nil {
		return nil
	}
	broken := &Error{Code: CodeBrokenFile, File: rel, Err: err}
	broken.Line, broken.Field, broken.Message = describeJSON(data, err)
	return broken
}
