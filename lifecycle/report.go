package lifecycle

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// Report is the outcome of one session after one turn, as it comes in
// (docs/closed-loop.md, "Reports"). Scores lie between 0 and 1, higher is
// better; a null score was asked for and is not there.
type Report struct {
	SessionID     string
	Scores        []Score
	HasScores     bool // scores were given, even none
	TurnIndex     *int64
	Signatures    []string // added to those that the scores show
	HasSignatures bool     // signatures were given, even none
	FlaggedTraces []string
	ReplayInput   jsontext.Value
	RunID         string
	TS            *workspace.Time // when it was scored
	Warnings      []string        // what of it was not understood
}

// Score is one metric's part of a report.
type Score struct {
	Name     string         `json:"name"`
	Value    *float64       `json:"value"`
	Reason   string         `json:"reason"`
	Metadata jsontext.Value `json:"metadata"`
}

// ParseReport reads a report and refuses what could be mistaken: a score that
// is text, out of range or not finite, a metric given twice, a session without
// a usable id. Fields that it does not know are left out with a warning.
func ParseReport(source string, data []byte) (Report, error) {
	var doc struct {
		SessionID     string          `json:"session_id"`
		Scores        jsontext.Value  `json:"scores"`
		TurnIndex     *int64          `json:"turn_index"`
		Signatures    []string        `json:"signatures"`
		FlaggedTraces []string        `json:"flagged_traces"`
		ReplayInput   jsontext.Value  `json:"replay_input"`
		RunID         *string         `json:"run_id"`
		TS            *workspace.Time `json:"ts"`
		Unknown       map[string]any  `json:",embed"`
	}
	if err := workspace.DecodeInput(source, data, &doc); err != nil {
		return Report{}, err
	}
	r := Report{
		SessionID: doc.SessionID, TurnIndex: doc.TurnIndex, ReplayInput: doc.ReplayInput, TS: doc.TS,
		Signatures: doc.Signatures, HasSignatures: doc.Signatures != nil, FlaggedTraces: doc.FlaggedTraces,
		Warnings: unknownFields(doc.Unknown),
	}
	if doc.RunID != nil {
		r.RunID = *doc.RunID
	}
	err := r.setScores(doc.Scores)
	if err == nil {
		err = r.check()
	}
	return r, placed(err, source)
}

func placed(err error, source string) error {
	if e, ok := err.(*workspace.Error); ok && e.File == "" {
		e.File = source
	}
	return err
}

func unknownFields(unknown map[string]any) []string {
	known := []string{"session_id", "scores", "turn_index", "signatures", "flagged_traces", "replay_input", "run_id", "ts"}
	var warnings []string
	for _, name := range sortedKeys(unknown) {
		hint := ""
		if near, ok := workspace.Nearest(name, known); ok {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		warnings = append(warnings, fmt.Sprintf("the field %q is not known and was left out%s", name, hint))
	}
	return warnings
}

// setScores takes an object metric -> score, or a list of scores with reasons.
func (r *Report) setScores(raw jsontext.Value) error {
	switch raw.Kind() {
	case 'n', 0:
		return nil
	case '[':
		if err := json.Unmarshal(raw, &r.Scores); err != nil {
			return scoresError(err)
		}
	default:
		var byName map[string]*float64
		if err := json.Unmarshal(raw, &byName); err != nil {
			return scoresError(err)
		}
		for _, name := range sortedKeys(byName) {
			r.Scores = append(r.Scores, Score{Name: name, Value: byName[name]})
		}
	}
	r.HasScores = true
	return nil
}

func scoresError(err error) error {
	var at string
	if semantic, ok := err.(*json.SemanticError); ok {
		at = strings.ReplaceAll(string(semantic.JSONPointer), "/", ".")
	}
	return &workspace.Error{Code: workspace.CodeBadInput, Field: "scores" + at,
		Message: "must be a number between 0 and 1, or null, for each metric, or a list of {name, value, reason, metadata}", Err: err}
}

func (r *Report) check() error {
	wrong := func(field, message string) error {
		return &workspace.Error{Code: workspace.CodeBadInput, Field: field, Message: message}
	}
	if err := workspace.CheckSessionID(r.SessionID); err != nil {
		return wrong("session_id", err.Error())
	}
	if !r.HasScores && !r.HasSignatures {
		return wrong("scores", "are missing, and there are no signatures either; give one of them")
	}
	seen := map[string]bool{}
	for _, s := range r.Scores {
		if seen[s.Name] {
			return wrong("scores."+s.Name, "is given twice")
		}
		seen[s.Name] = true
		value := 0.0
		if s.Value != nil {
			value = *s.Value
		}
		if err := workspace.CheckScore(s.Name, value); err != nil {
			return wrong("scores."+s.Name, err.Error())
		}
	}
	return r.checkSignatures(wrong)
}

const maxSignature = 256

func (r *Report) checkSignatures(wrong func(field, message string) error) error {
	for i, s := range r.Signatures {
		s = strings.TrimSpace(s)
		if s == "" || len(s) > maxSignature || strings.ContainsFunc(s, unicode.IsControl) {
			return wrong(fmt.Sprintf("signatures.%d", i), "must be a text of 1 to 256 bytes without control characters, such as breach:agent_reliability")
		}
		r.Signatures[i] = s
	}
	return nil
}

// resolved tells whether the report says anything of the session.
func (r Report) resolved() bool {
	if len(r.Scores) == 0 {
		return r.HasSignatures
	}
	return slices.ContainsFunc(r.Scores, func(s Score) bool { return s.Value != nil })
}

// values returns the scores that are there.
func (r Report) values() map[string]float64 {
	values := map[string]float64{}
	for _, s := range r.Scores {
		if s.Value != nil {
			values[s.Name] = *s.Value
		}
	}
	return values
}

// signals takes the per-trace signals out of the scores' metadata, where a
// platform keeps them: {"per_trace_signals": {trace: {signal: value}}}, redacted.
func (r Report) signals(redact workspace.Redactor) map[string]map[string]jsontext.Value {
	all := map[string]map[string]jsontext.Value{}
	for _, s := range r.Scores {
		if !bytes.Contains(s.Metadata, []byte("per_trace_signals")) {
			continue
		}
		clean, err := redact.JSON(s.Metadata)
		if err != nil {
			continue
		}
		var metadata struct {
			Signals map[string]map[string]jsontext.Value `json:"per_trace_signals"`
		}
		if json.Unmarshal(clean, &metadata) != nil {
			continue
		}
		for trace, signals := range metadata.Signals {
			if all[trace] == nil {
				all[trace] = map[string]jsontext.Value{}
			}
			for name, value := range signals {
				all[trace][name] = value
			}
		}
	}
	return all
}
