package platformtest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

const contract = "../../../fixtures/contract"

// recording is one line of scenarios/recordings.json: how a call of the real program was recorded. The recordings of one session
// follow each other on the same state.
type recording struct {
	File     string                    `json:"file"`
	Session  int                       `json:"session"`
	Scenario string                    `json:"scenario"`
	Merge    map[string]jsontext.Value `json:"merge"`
	Faults   jsontext.Value            `json:"faults"`
	Env      map[string]*string        `json:"env"`
}

// outcome is what a recording holds.
type outcome struct {
	Argv     []string `json:"argv"`
	ExitCode int      `json:"exit_code"`
	Stdout   string   `json:"stdout"`
	Stderr   string   `json:"stderr"`
}

func TestRecordings(t *testing.T) {
	var all []recording
	read(t, filepath.Join(contract, "scenarios", "recordings.json"), &all)
	files, err := filepath.Glob(filepath.Join(contract, "*.json"))
	if err != nil || len(files) != len(all) || len(all) == 0 {
		t.Fatalf("%d recordings, %d of them described, %v", len(files), len(all), err)
	}
	session, folder := -1, ""
	for _, r := range all {
		if r.Session != session {
			session, folder = r.Session, t.TempDir()
			r.writeScenario(t, folder)
		}
		t.Run(strings.TrimSuffix(r.File, ".json"), func(t *testing.T) {
			var want outcome
			read(t, filepath.Join(contract, r.File), &want)
			if diff := cmp.Diff(want, r.replay(want.Argv, folder)); diff != "" {
				t.Errorf("real program - stand-in +:\n%s", diff)
			}
		})
	}
}

func read(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (r recording) writeScenario(t *testing.T, folder string) {
	scenario := map[string]jsontext.Value{}
	read(t, filepath.Join(contract, "scenarios", r.Scenario), &scenario)
	for key, value := range r.Merge {
		scenario[key] = value
	}
	scenario["faults"] = r.Faults
	text, err := json.Marshal(scenario)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "scenario.json"), text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (r recording) replay(argv []string, folder string) outcome {
	env := map[string]string{
		"HOME": "/home/user", "PANDAPROBE_ENDPOINT": "http://platform.example", "PANDAPROBE_API_KEY": "sk_pp_example_0001",
		"PANDAPROBE_PROJECT_NAME": "demo-project", EnvScenario: filepath.Join(folder, "scenario.json"), EnvState: folder,
	}
	for name, value := range r.Env {
		switch {
		case value == nil:
			delete(env, name)
		case strings.HasPrefix(*value, "+"): // added to the usual endpoint
			env[name] += (*value)[1:]
		default:
			env[name] = *value
		}
	}
	var stdout, stderr bytes.Buffer
	p := &program{args: argv[1:], stdout: &stdout, stderr: &stderr, sleep: func(time.Duration) {}}
	for name, value := range env {
		p.env = append(p.env, name+"="+value)
	}
	code := p.run()
	return outcome{argv, code, stdout.String(), stderr.String()}
}
