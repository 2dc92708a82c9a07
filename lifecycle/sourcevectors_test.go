package lifecycle

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pandaprobe/pandaprobe-harness/calibrate"
	"github.com/pandaprobe/pandaprobe-harness/replayexec/platform"
	"github.com/pandaprobe/pandaprobe-harness/replayexec/platform/platformtest"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

type sourceVector struct {
	Name          string                        `json:"name"`
	ScoreHistory  jsontext.Value                `json:"score_history"`
	EvalSet       []jsontext.Value              `json:"evalset"`
	PlatformItems *[]platformItem               `json:"platform_items"`
	Scores        map[string]map[string]float64 `json:"expected_scores"`
	Sources       []string                      `json:"expected_sources"`
}

type platformItem struct {
	ID        string  `json:"id"`
	SessionID string  `json:"session_id,omitzero"`
	Name      string  `json:"name"`
	Value     *string `json:"value"`
	Status    string  `json:"status"`
	CreatedAt string  `json:"created_at"`
}

func TestSourceVectors(t *testing.T) {
	for _, v := range readVectors[sourceVector](t, "sources") {
		t.Run(v.Name, func(t *testing.T) {
			e := sourceEngine(t)
			if v.ScoreHistory.Kind() != 'n' {
				putFile(t, e, "state/score_history.json", v.ScoreHistory)
			}
			for _, c := range v.EvalSet {
				var id struct {
					ID string `json:"id"`
				}
				if err := json.Unmarshal(c, &id); err != nil {
					t.Fatal(err)
				}
				putFile(t, e, "state/evalset/"+id.ID+".json", c)
			}
			scores := calibrate.NewScores()
			got, err := e.GatherScores(t.Context(), scores, ScoreOptions{Platform: platformWith(t, v.PlatformItems)})
			if (err != nil) != (len(v.Sources) == 0) {
				t.Fatalf("error %v with sources %v", err, v.Sources)
			}
			if diff := cmp.Diff(v.Sources, append([]string{}, got.Sources...)); diff != "" {
				t.Errorf("sources: %s", diff)
			}
			if diff := cmp.Diff(v.Scores, scoreMap(scores), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
				t.Errorf("scores: %s", diff)
			}
		})
	}
}

func sourceEngine(t *testing.T) *Engine {
	t.Helper()
	ws, err := workspace.Init(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &Engine{Workspace: ws, Config: workspace.DefaultConfig()}
}

func putFile(t *testing.T, e *Engine, rel string, content []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(e.Workspace.Root, rel), content, 0o666); err != nil {
		t.Fatal(err)
	}
}

func scoreMap(scores *calibrate.Scores) map[string]map[string]float64 {
	all := map[string]map[string]float64{}
	for session := range scores.Sessions() {
		all[session] = map[string]float64{}
		for _, metric := range scores.Metrics() {
			if value, ok := scores.Get(session, metric); ok {
				all[session][metric] = value
			}
		}
	}
	return all
}

// platformWith is a platform that holds the items; nil cannot be reached.
func platformWith(t *testing.T, items *[]platformItem) ScoreLister {
	t.Helper()
	if items == nil {
		return &platform.Client{Binary: filepath.Join(t.TempDir(), "absent")}
	}
	type session struct {
		Scores []platformItem `json:"scores"`
	}
	scenario := struct {
		Sessions map[string]*session `json:"sessions"`
	}{map[string]*session{}}
	for _, item := range *items {
		at := item.SessionID
		item.SessionID = ""
		if scenario.Sessions[at] == nil {
			scenario.Sessions[at] = &session{}
		}
		scenario.Sessions[at].Scores = append(scenario.Sessions[at].Scores, item)
	}
	text, err := json.Marshal(scenario)
	if err != nil {
		t.Fatal(err)
	}
	fake := platformtest.New(t, string(text))
	return &platform.Client{Binary: fake.Binary, Env: fake.Env}
}

var errDown = errors.New("the platform is down")

type failingPlatform struct{}

func (failingPlatform) NewestScores(context.Context) (platform.Newest, error) {
	return platform.Newest{}, errDown
}

func TestSourcesFailOnTheirOwn(t *testing.T) {
	e := sourceEngine(t)
	putFile(t, e, "state/score_history.json", []byte(`{"s::m": {"series": [{"value": 0.5}, {"value": 7}]}, "broken": 1}`))
	putFile(t, e, "state/evalset/c-0000000001.json", []byte(`{`))
	scores := calibrate.NewScores()
	got, err := e.GatherScores(t.Context(), scores, ScoreOptions{Platform: failingPlatform{}})
	if err != nil {
		t.Fatal(err)
	}
	want := GatheredScores{
		Sources: []string{SourceHistory},
		LeftOut: map[string]int{workspace.LeftOutOfRange: 1, workspace.LeftEntry: 1},
		Warnings: []string{
			"evalset: state/evalset/c-0000000001.json:1: is cut off: the JSON does not end",
			"history: 2 left out: 1 outside 0 to 1, 1 without a usable key or series",
			"cli: the platform is down",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNoSourceHasAScore(t *testing.T) {
	e := sourceEngine(t)
	putFile(t, e, "state/score_history.json", []byte(`{"s::m": `))
	_, err := e.GatherScores(t.Context(), calibrate.NewScores(), ScoreOptions{Sources: []string{SourceHistory, SourcePlatform}, Platform: failingPlatform{}})
	if workspace.CodeOf(err) != CodeNoScores {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{"the platform (cli) failed: the platform is down", "score_history.json:1: is cut off", "(evalset, state/evalset/) was not asked"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
}

func TestOnlyTheSourcesThatWereChosenAreAsked(t *testing.T) {
	e := sourceEngine(t)
	putFile(t, e, "state/score_history.json", []byte(`{"s::m": {"series": [{"value": 0.5}]}}`))
	putFile(t, e, "state/evalset/c-0000000001.json", []byte(`{"id": "c-0000000001", "session_id": "t", "kind": "win", "baseline_scores": {"m": 1}}`))
	scores := calibrate.NewScores()
	got, err := e.GatherScores(t.Context(), scores, ScoreOptions{Sources: []string{SourceEvalSet}})
	if err != nil || !slices.Equal(got.Sources, []string{SourceEvalSet}) || len(got.Warnings) > 0 {
		t.Errorf("got %+v, %v", got, err)
	}
	if diff := cmp.Diff(map[string]map[string]float64{"t": {"m": 1}}, scoreMap(scores)); diff != "" {
		t.Error(diff)
	}
}

func TestGatheringEndsWithItsContext(t *testing.T) {
	e := sourceEngine(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errDown)
	if _, err := e.GatherScores(ctx, calibrate.NewScores(), ScoreOptions{Platform: failingPlatform{}}); !errors.Is(err, errDown) {
		t.Errorf("got %v", err)
	}
}
