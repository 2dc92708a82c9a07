package platform

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var bothMetrics = []string{"agent_reliability", "agent_consistency"}

func TestEvaluate(t *testing.T) {
	const run = "e7000000-0000-4000-8000-000000000001"
	for _, test := range []struct {
		name, scenario string
		want           Evaluation
		class          Class
		polls          int
	}{
		{
			"done at once", `{"sessions": {"s-1": {"next": {"agent_reliability": "0.81", "agent_consistency": "1.0"}}}}`,
			Evaluation{run, map[string]float64{"agent_reliability": 0.81, "agent_consistency": 1}, map[string]string{}}, "", 1,
		},
		{
			"done at the last look", `{"sessions": {"s-1": {"next": {"agent_reliability": "0"}}}, "new_runs": {"polls": 19}}`,
			Evaluation{run, map[string]float64{"agent_reliability": 0, "agent_consistency": 0.5}, map[string]string{}}, "", 20,
		},
		{"one look too late", `{"sessions": {"s-1": {}}, "new_runs": {"polls": 20}}`, Evaluation{RunID: run}, NotFinished, 20},
		{"never", `{"sessions": {"s-1": {}}, "new_runs": {"polls": -1}}`, Evaluation{RunID: run}, NotFinished, 20},
		{
			"scores pending meanwhile", `{"sessions": {"s-1": {}}, "new_runs": {"polls": 2, "while_running": "pending"}}`,
			Evaluation{run, map[string]float64{"agent_reliability": 0.5, "agent_consistency": 0.5}, map[string]string{}}, "", 3,
		},
		{
			"failed", `{"sessions": {"s-1": {}}, "new_runs": {"polls": 1, "end": "FAILED", "error_message": "judge away"}}`,
			Evaluation{RunID: run}, RunFailed, 2,
		},
		{
			"one metric failed", `{"sessions": {"s-1": {"next": {"agent_reliability": null}}}}`,
			Evaluation{
				run, map[string]float64{"agent_consistency": 0.5},
				map[string]string{"agent_reliability": "failed: Session metric failed: judge model did not answer"},
			}, "", 1,
		},
		{
			"every metric failed", `{"sessions": {"s-1": {"next": {"agent_reliability": null, "agent_consistency": {"value": "NaN"}}}}}`,
			Evaluation{run, map[string]float64{}, map[string]string{
				"agent_reliability": "failed: Session metric failed: judge model did not answer", "agent_consistency": "not_a_number",
			}}, NoScores, 1,
		},
		{
			"session without traces", `{}`,
			Evaluation{run, map[string]float64{}, map[string]string{"agent_reliability": "no score", "agent_consistency": "no score"}},
			NoScores, 1,
		},
		{
			"no list", `{"sessions": {"s-1": {}}, "faults": [{"endpoint": "runs.scores", "kind": "body", "body": "null"}]}`,
			Evaluation{run, map[string]float64{}, map[string]string{"agent_reliability": "no score", "agent_consistency": "no score"}},
			NoScores, 1,
		},
		{
			"unknown status is not the end", `{"sessions": {"s-1": {}},
			"faults": [{"endpoint": "runs.get", "kind": "body", "body": {"id": "` + run + `", "status": "QUEUED"}, "times": 3}]}`,
			Evaluation{run, map[string]float64{"agent_reliability": 0.5, "agent_consistency": 0.5}, map[string]string{}}, "", 4,
		},
		{
			"outage while it runs", `{"sessions": {"s-1": {}}, "new_runs": {"polls": 1}, "faults": [
			{"endpoint": "runs.get", "status": 503, "times": 2}, {"endpoint": "runs.get", "status": 429, "skip": 1},
			{"endpoint": "runs.scores", "kind": "drop", "times": 2}]}`,
			Evaluation{run, map[string]float64{"agent_reliability": 0.5, "agent_consistency": 0.5}, map[string]string{}}, "", 5,
		},
		{
			"outage that lasts", `{"sessions": {"s-1": {}}, "faults": [{"endpoint": "runs.get", "status": 503, "times": -1}]}`,
			Evaluation{RunID: run}, Unavailable, 3,
		},
		{
			"another run's answer", `{"sessions": {"s-1": {}},
			"faults": [{"endpoint": "runs.get", "kind": "body", "body": {"id": "other", "status": "COMPLETED"}, "times": -1}]}`,
			Evaluation{RunID: run}, Malformed, 3,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, fake, _ := newClient(t, test.scenario)
			got, err := c.Evaluate(t.Context(), "s-1", bothMetrics)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("want - got +:\n%s", diff)
			}
			if (err != nil) != (test.class != "") {
				t.Fatalf("error %v, want class %q", err, test.class)
			}
			if err != nil {
				if e := asError(t, err); e.Class != test.class || e.RunID != run || IsSetup(err) {
					t.Errorf("class %q, run %q: %v; want %q", e.Class, e.RunID, e, test.class)
				}
			}
			if polls := fake.Count(t, "evals runs get"); polls != test.polls || fake.Count(t, "evals runs batch") != 1 {
				t.Errorf("%d looks, want %d; %d runs started", polls, test.polls, fake.Count(t, "evals runs batch"))
			}
		})
	}
}

func TestEvaluateTakesOnlyTheSessionAndTheRun(t *testing.T) {
	c, _, _ := newClient(t, `{"sessions": {"s-1": {}}, "faults": [{"endpoint": "runs.scores", "kind": "body", "body": [
	{"id": "1", "session_id": "s-2", "name": "m", "data_type": "NUMERIC", "value": "0.9", "status": "SUCCESS", "created_at": "2026-01-01T00:00:00Z"},
	{"id": "2", "session_id": "s-1", "name": "m", "data_type": "NUMERIC", "value": "0.2", "status": "SUCCESS", "created_at": "2026-01-01T00:00:00Z"},
	{"id": "3", "session_id": "s-1", "name": "m", "data_type": "NUMERIC", "value": "0.3", "status": "SUCCESS", "created_at": "2026-01-01T01:00:00.1+01:00"},
	{"id": "4", "session_id": "s-1", "name": "m", "data_type": "NUMERIC", "value": null, "status": "FAILED", "created_at": "2026-01-02T00:00:00Z"},
	{"id": "6", "session_id": "s-1", "name": "m", "data_type": "NUMERIC", "value": "0.9", "status": "SUCCESS", "created_at": "2026-01-03T00:00:00Z", "eval_run_id": "another"},
	{"id": "7", "session_id": "s-1", "name": "n", "data_type": "NUMERIC", "value": "0.9", "status": "SUCCESS", "created_at": "2026-01-03T00:00:00Z", "eval_run_id": "another"},
	{"id": "5", "session_id": "s-1", "name": "word", "data_type": "CATEGORICAL", "value": "0.5", "status": "SUCCESS", "created_at": "2026-01-02T00:00:00Z"}]}]}`)
	got, err := c.Evaluate(t.Context(), "s-1", []string{"m"})
	if want := (map[string]float64{"m": 0.3}); err != nil || !cmp.Equal(want, got.Scores) {
		t.Errorf("scores %v, %v; want %v", got.Scores, err, want)
	}
	if want := (map[string]string{"word": LeftNotNumeric, "n": "of another run"}); !cmp.Equal(want, got.Absent) {
		t.Errorf("absent %v, want %v", got.Absent, want)
	}
}

func TestEvaluateQuotesIDs(t *testing.T) {
	for _, id := range []string{`s,1`, `s"1`, ` s-1 `, `-s-1`, `"`, `s/1`, `a,"b",c`} {
		c, fake, _ := newClient(t, `{}`)
		_, err := c.Evaluate(t.Context(), id, []string{"m,1", "m2"})
		if e := asError(t, err); e.Class != NoScores {
			t.Errorf("%q: %v", id, err)
		}
		argv := fake.Calls(t)[0].Argv
		if at := slices.Index(argv, "--session-ids"); at < 0 || argv[at+1] != csvList([]string{id}) || argv[at+3] != `"m,1",m2` {
			t.Errorf("%q: called %q", id, argv)
		}
	}
}

func TestEvaluateRefusesWhatCannotBePassedOn(t *testing.T) {
	for _, test := range []struct {
		id      string
		metrics []string
	}{{"", bothMetrics}, {"s\x001", bothMetrics}, {"s\n1", bothMetrics}, {"s-1", nil}, {"s-1", []string{""}}} {
		c, fake, _ := newClient(t, `{}`)
		_, err := c.Evaluate(t.Context(), test.id, test.metrics)
		if e := asError(t, err); e.Class != Invalid || fake.Count(t, "") != 0 {
			t.Errorf("%q %q: %v after %d calls", test.id, test.metrics, err, fake.Count(t, ""))
		}
	}
}

func TestPauses(t *testing.T) {
	second := time.Second
	for _, test := range []struct {
		fault string
		want  pauses
	}{
		{`{"endpoint": "runs.batch", "status": 429, "times": 2}`, pauses{60 * second, 60 * second, second}},
		{`{"endpoint": "runs.get", "status": 503, "times": 2}`, pauses{second, 2 * second, second}},
		{`{"endpoint": "runs.scores", "status": 503, "times": 2}`, pauses{second, second, 2 * second}},
	} {
		c, _, waited := newClient(t, `{"sessions": {"s-1": {}}, "new_runs": {"polls": 1}, "faults": [`+test.fault+`]}`)
		if _, err := c.Evaluate(t.Context(), "s-1", bothMetrics); err != nil {
			t.Errorf("%s: %v", test.fault, err)
		}
		if diff := cmp.Diff(test.want, *waited); diff != "" {
			t.Errorf("%s: want - got +:\n%s", test.fault, diff)
		}
	}
}

// The credentials are the program's business: they reach it, and only by the environment, which is passed on as it is.
func TestEnvironmentIsPassedOn(t *testing.T) {
	c, fake, _ := newClient(t, `{"api_keys": ["sk_pp_example_0001"], "sessions": {"s-1": {}}}`)
	if _, err := c.Evaluate(t.Context(), "s-1", bothMetrics); err != nil {
		t.Fatal(err)
	}
	want := []string{"PANDAPROBE_API_KEY", "PANDAPROBE_ENDPOINT", "PANDAPROBE_PROJECT_NAME"}
	for _, made := range fake.Calls(t) {
		if !cmp.Equal(want, made.Env) || strings.Contains(strings.Join(made.Argv, " "), "sk_pp") {
			t.Errorf("%q with the variables %q, want %q", made.Argv, made.Env, want)
		}
	}
}
