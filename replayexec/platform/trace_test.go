package platform

import (
	"os"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

const traceID = "7a000000-0000-4000-8000-000000000001"

// basic is the scenario of the recordings, with faults.
func basic(t *testing.T, faults string) string {
	t.Helper()
	text, err := os.ReadFile("../../fixtures/contract/scenarios/basic.json")
	if err != nil {
		t.Fatal(err)
	}
	members := map[string]jsontext.Value{}
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatal(err)
	}
	members["faults"] = jsontext.Value(faults)
	if text, err = json.Marshal(members); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// shape says what is in the parts of a trace: names of the tool spans and of the scores.
func shape(t *testing.T, trace Trace) (id string, tools, scores []string, missing map[string]Class) {
	t.Helper()
	var whole struct {
		ID string `json:"trace_id"`
	}
	var spans, rated []struct {
		Name string `json:"name"`
	}
	for part, into := range map[*jsontext.Value]any{&trace.Trace: &whole, &trace.ToolSpans: &spans, &trace.Scores: &rated} {
		if *part == nil {
			continue
		}
		if err := json.Unmarshal(*part, into); err != nil {
			t.Error(err)
		}
	}
	for _, s := range spans {
		tools = append(tools, s.Name)
	}
	for _, s := range rated {
		scores = append(scores, s.Name)
	}
	missing = map[string]Class{}
	for _, part := range trace.Missing {
		missing[part.Part] = part.Err.Class
	}
	return whole.ID, tools, scores, missing
}

func TestTrace(t *testing.T) {
	allTools, allScores := []string{"look_up_order", "send_mail"}, []string{"reviewed", "task_completion", "tool_correctness", "verdict"}
	for _, test := range []struct {
		name, faults  string
		id            string
		tools, scores []string
		missing       map[string]Class
		calls         int
	}{
		{"whole", `[]`, traceID, allTools, allScores, map[string]Class{}, 3},
		{
			"no trace", `[{"endpoint": "traces.get", "status": 404}]`,
			"", allTools, allScores, map[string]Class{PartTrace: NotFound}, 3,
		},
		{
			"no spans", `[{"endpoint": "traces.get", "status": 503, "skip": 1, "times": -1}]`,
			traceID, nil, allScores, map[string]Class{PartToolSpans: Unavailable}, 5,
		},
		{
			"no scores", `[{"endpoint": "scores.get", "kind": "malformed", "times": -1}]`,
			traceID, allTools, nil, map[string]Class{PartScores: Malformed}, 5,
		},
		{
			"hollow trace", `[{"endpoint": "traces.get", "kind": "body", "body": {}, "times": 3}]`,
			"", allTools, allScores, map[string]Class{PartTrace: Malformed}, 5,
		},
		{
			"key refused", `[{"status": 401, "times": -1}]`,
			"", nil, nil, map[string]Class{PartTrace: Auth, PartToolSpans: Auth, PartScores: Auth}, 1,
		},
		{
			"lists are null", `[{"endpoint": "scores.get", "kind": "body", "body": "null"}]`,
			traceID, allTools, nil, map[string]Class{}, 3,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, fake, _ := newClient(t, basic(t, test.faults))
			got, err := c.Trace(t.Context(), traceID)
			if err != nil {
				t.Fatal(err)
			}
			id, tools, scores, missing := shape(t, got)
			if id != test.id || !cmp.Equal(tools, test.tools) || !cmp.Equal(scores, test.scores) {
				t.Errorf("trace %q, tools %q, scores %q", id, tools, scores)
			}
			if diff := cmp.Diff(test.missing, missing); diff != "" {
				t.Errorf("missing: want - got +:\n%s", diff)
			}
			if calls := fake.Count(t, ""); calls != test.calls {
				t.Errorf("%d calls, want %d", calls, test.calls)
			}
		})
	}
}

func TestTraceRefusesIDs(t *testing.T) {
	for _, id := range []string{"", "a/b", "a\nb"} {
		c, fake, _ := newClient(t, `{}`)
		_, err := c.Trace(t.Context(), id)
		if e := asError(t, err); e.Class != Invalid || fake.Count(t, "") != 0 {
			t.Errorf("%q: %v", id, err)
		}
	}
	c, fake, _ := newClient(t, `{"traces": {"-t-1": {}}}`)
	if got, err := c.Trace(t.Context(), "-t-1"); err != nil || got.Missing != nil || fake.Count(t, "") != 3 {
		t.Errorf("an id that begins with a dash: %v, %v", got.Missing, err)
	}
}
