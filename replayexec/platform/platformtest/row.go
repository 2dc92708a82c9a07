package platformtest

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// scoreSpec is one score in a scenario.
type scoreSpec struct {
	ID           string         `json:"id"`
	Name         string         `json:"name"`
	Value        *string        `json:"value"`
	Status       string         `json:"status"` // SUCCESS, or FAILED without a value
	DataType     string         `json:"data_type"`
	Source       string         `json:"source"`
	EvalRunID    *string        `json:"eval_run_id"`
	AuthorUserID *string        `json:"author_user_id"`
	Reason       *string        `json:"reason"`
	Metadata     jsontext.Value `json:"metadata"`
	CreatedAt    string         `json:"created_at"`
	UpdatedAt    string         `json:"updated_at"`
	Environment  *string        `json:"environment"`
	ConfigID     *string        `json:"config_id"`
}

// row is one score that the platform holds, of the session or trace id.
type row struct {
	id   string
	when time.Time
	traceScore
}

func (w *world) put(target, id string, given scoreSpec, scoreID string) error {
	when, err := parseTime(given.CreatedAt)
	if err != nil {
		return err
	}
	status := "SUCCESS"
	if given.Value == nil {
		status = "FAILED"
	}
	metadata := given.Metadata
	if metadata == nil {
		metadata = jsontext.Value("{}")
	}
	w.rows[target] = append(w.rows[target], row{id: id, when: when, traceScore: traceScore{
		ID: or(given.ID, scoreID), TraceID: id, Name: given.Name, Value: given.Value, Status: or(given.Status, status),
		Source: or(given.Source, "AUTOMATED"), CreatedAt: given.CreatedAt, ProjectID: w.ProjectID,
		DataType: or(given.DataType, "NUMERIC"), EvalRunID: given.EvalRunID, AuthorUserID: given.AuthorUserID,
		Reason: given.Reason, Environment: given.Environment, ConfigID: given.ConfigID, Metadata: metadata,
		UpdatedAt: or(given.UpdatedAt, given.CreatedAt),
	}})
	return nil
}

func (r row) forSession() sessionScore {
	t := r.traceScore
	return sessionScore{
		ID: t.ID, SessionID: r.id, ProjectID: t.ProjectID, Name: t.Name, DataType: t.DataType, Value: t.Value, Source: t.Source,
		Status: t.Status, EvalRunID: t.EvalRunID, AuthorUserID: t.AuthorUserID, Reason: t.Reason, Metadata: t.Metadata,
		CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt,
	}
}

// meets says whether the platform lists the score for this query.
func (s row) meets(query url.Values) bool {
	own := map[string]string{
		"name": s.Name, "source": s.Source, "status": s.Status, "session_id": s.id, "trace_id": s.id, "data_type": s.DataType,
		"eval_run_id": text(s.EvalRunID), "environment": text(s.Environment),
	}
	for field, value := range own {
		if query.Has(field) && query.Get(field) != value {
			return false
		}
	}
	if from, err := parseTime(query.Get("date_from")); err == nil && s.when.Before(from) {
		return false
	}
	to, err := parseTime(query.Get("date_to"))
	return err != nil || s.when.Before(to)
}

func text(given *string) string {
	if given == nil {
		return ""
	}
	return *given
}

func only(rows []row, keep func(row) bool) []row {
	return slices.DeleteFunc(rows, func(s row) bool { return !keep(s) })
}

func forSessions(rows []row) []sessionScore {
	list := make([]sessionScore, len(rows))
	for i, s := range rows {
		list[i] = s.forSession()
	}
	return list
}

func forTraces(rows []row) []traceScore {
	list := make([]traceScore, len(rows))
	for i, s := range rows {
		list[i] = s.traceScore
	}
	return list
}

// nextResult gives the score of the next evaluation of a metric; see Target.
func (w *world) nextResult(target, id, metric string) (scoreSpec, error) {
	entry := w.targets(target).find(id)
	choice := entry.Next[metric]
	if choice == nil {
		choice = jsontext.Value(`"0.5"`)
	}
	key := strings.Join([]string{target, id, metric}, "\x00")
	turn := w.turns[key]
	w.turns[key]++
	if choice.Kind() == '[' {
		var list []jsontext.Value
		if err := json.Unmarshal(choice, &list); err != nil || len(list) == 0 {
			return scoreSpec{}, cannotf("scenario: next of %q %q: %v", id, metric, err)
		}
		choice = list[min(turn, len(list)-1)]
	}
	result, err := scoreSpec{}, error(nil)
	switch choice.Kind() {
	case 'n':
		reason := "Session metric failed: judge model did not answer"
		result.Reason = &reason
	case '{':
		err = json.Unmarshal(choice, &result)
	default:
		err = json.Unmarshal(choice, &result.Value)
	}
	if err != nil {
		return scoreSpec{}, cannotf("scenario: next of %q %q: %v", id, metric, err)
	}
	return result, nil
}
