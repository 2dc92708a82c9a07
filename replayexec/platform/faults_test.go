package platform

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// faults are the ways in which a question fails, how often it is then asked when three tries are allowed, and a part of what a
// person reads.
var faults = []struct {
	name, fault string
	class       Class
	calls       int
	says        string
}{
	{"401", `"status": 401`, Auth, 1, "Invalid or revoked API key. (HTTP 401); set PANDAPROBE_API_KEY"},
	{"403", `"status": 403`, Auth, 1, "Insufficient permissions. (HTTP 403)"},
	{"404", `"status": 404`, NotFound, 1, "check the id and the endpoint"},
	{"400", `"status": 400`, Invalid, 1, "refused as invalid: Bad request. (HTTP 400)"},
	{"422", `"status": 422`, Invalid, 1, "Validation error (HTTP 422)"},
	{"422 list", `"status": 422, "body": {"detail": [{"loc": ["body", "metrics", 0], "msg": "Field required"}]}`, Invalid, 1, "[body metrics 0]: Field required"},
	{"429", `"status": 429`, RateLimited, 3, "too many calls: "},
	{"429 quota", `"status": 429, "body": {"detail": "Usage quota exceeded for your current plan."}`, Quota, 1, "quota is used up"},
	{"402", `"status": 402`, Other, 1, "Payment required."},
	{"500", `"status": 500`, Unavailable, 3, "Internal Server Error (HTTP 500) (after 3 tries); try again later"},
	{"501", `"status": 501`, Other, 1, "HTTP 501"},
	{"502", `"status": 502`, Unavailable, 3, "HTTP 502"},
	{"503", `"status": 503`, Unavailable, 3, "503 Service Temporarily Unavailable"},
	{"504", `"status": 504`, Unavailable, 3, "HTTP 504"},
	{"dropped", `"kind": "drop"`, Network, 3, "the platform cannot be reached"},
	{"reset", `"kind": "reset"`, Network, 3, "connection reset"},
	{"refused", `"kind": "refused"`, Network, 3, "connection refused"},
	{"truncated", `"kind": "truncated"`, Network, 3, "unexpected EOF"},
	{"own time-out", `"kind": "body", "client_message": "request to GET /x failed: context deadline exceeded (Client.Timeout exceeded)"`, Timeout, 3, "raise cli_timeout_s"},
	{"malformed", `"kind": "malformed"`, Malformed, 3, "a proxy may stand in between"},
	{"empty body", `"kind": "empty"`, Malformed, 3, "unexpected end of JSON input"},
	{"empty object", `"kind": "body", "body": {}`, Malformed, 3, "not a usable answer"},
	{"no output", `"kind": "output"`, Malformed, 3, "nothing on standard output"},
	{"help text", `"kind": "output", "stdout": "Usage:\n  pandaprobe [command]\n"`, Malformed, 3, "not a usable answer"},
	{"cut output", `"kind": "output", "stdout": "{\"id\": \"e-1\""`, Malformed, 3, "unexpected EOF"},
	{"crash with 2", `"kind": "output", "stderr": "SIGQUIT: quit\ngoroutine 1\n", "exit_code": 2`, Other, 1, "exit status 2: SIGQUIT: quit goroutine 1"},
	{"no error document", `"kind": "output", "stderr": "boom\n", "exit_code": 1`, Other, 1, "exit status 1: boom"},
	{"error without code", `"kind": "output", "stderr": "{\"error\": {}}", "exit_code": 5`, Other, 1, "exit status 5"},
	{"mistake in the call", `"kind": "body", "client_message": "unknown flag: --target"`, Usage, 1, "unknown flag: --target; check its version"},
}

func TestFaultsOfReading(t *testing.T) {
	for _, test := range faults {
		t.Run(test.name, func(t *testing.T) {
			c, fake, _ := newClient(t, faulty("scores.list", test.fault))
			got, err := c.NewestScores(t.Context())
			if e := asError(t, err); e.Class != test.class || e.Tries != test.calls || !strings.Contains(e.Error(), test.says) {
				t.Errorf("class %q after %d tries: %v; want %q after %d, saying %q", e.Class, e.Tries, e, test.class, test.calls, test.says)
			}
			if calls := fake.Count(t, "evals scores list"); calls != test.calls {
				t.Errorf("%d calls, want %d", calls, test.calls)
			}
			if got.Scores != nil {
				t.Errorf("scores %v of a list that failed", got.Scores)
			}
		})
	}
}

// A second start may be a second run, and a second bill: it is dared only when the platform has surely not begun one.
func TestFaultsOfStartingARun(t *testing.T) {
	for _, test := range faults {
		t.Run(test.name, func(t *testing.T) {
			c, fake, _ := newClient(t, faulty("runs.batch", test.fault))
			got, err := c.Evaluate(t.Context(), "s-1", []string{"m"})
			want := 1
			if test.class == RateLimited {
				want = 3
			}
			if e := asError(t, err); e.Class != test.class || e.Tries != want {
				t.Errorf("class %q after %d tries: %v; want %q after %d", e.Class, e.Tries, e, test.class, want)
			}
			if calls := fake.Count(t, ""); calls != want || got.Scores != nil {
				t.Errorf("%d calls, want %d; scores %v", calls, want, got.Scores)
			}
		})
	}
}

func TestSetupFaults(t *testing.T) {
	setup := map[Class]bool{Auth: true, Usage: true}
	for _, test := range faults {
		if got := IsSetup(&Error{Class: test.class}); got != setup[test.class] {
			t.Errorf("IsSetup of %q is %v", test.class, got)
		}
	}
	if IsSetup(nil) || IsSetup(os.ErrNotExist) {
		t.Error("an error of another kind counts as a fault of the set-up")
	}
}

func TestSettingsRefused(t *testing.T) {
	for variable, class := range map[string]Class{
		"PANDAPROBE_API_KEY=": Auth, "PANDAPROBE_PROJECT_NAME=": Settings, "PANDAPROBE_ENDPOINT=platform.example": Settings,
		"PANDAPROBE_FORMAT=yaml": "", // we say --format json ourselves
	} {
		c, _, _ := newClient(t, `{}`)
		c.Env = append(c.Env, variable)
		_, err := c.NewestScores(t.Context())
		if class == "" {
			if err != nil {
				t.Errorf("%s: %v", variable, err)
			}
			continue
		}
		if e := asError(t, err); e.Class != class || !IsSetup(err) {
			t.Errorf("%s: class %q, want %q", variable, e.Class, class)
		}
	}
}

func TestBinaryMissing(t *testing.T) {
	folder := t.TempDir()
	plain := filepath.Join(folder, "plain")
	if err := os.WriteFile(plain, []byte("not a program\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, binary := range map[string]string{
		"no such name": "no-such-pandaprobe", "no such path": filepath.Join(folder, "none"), "not executable": plain, "a folder": folder,
	} {
		c := &Client{Binary: binary, Tries: 3}
		_, err := c.Evaluate(t.Context(), "s-1", []string{"m"})
		e := asError(t, err)
		if e.Class != Missing || !IsSetup(err) || e.Tries != 1 || !strings.Contains(e.Error(), "set cli_binary") {
			t.Errorf("%s: class %q after %d tries: %v", name, e.Class, e.Tries, e)
		}
		if !strings.Contains(e.Error(), filepath.Base(binary)) {
			t.Errorf("%s: %v does not name it", name, e)
		}
	}
}

func TestHang(t *testing.T) {
	c, fake, _ := newClient(t, faulty("scores.list", `"kind": "hang"`))
	c.Timeout, c.Tries = 50*time.Millisecond, 2
	began := time.Now()
	_, err := c.NewestScores(t.Context())
	if e := asError(t, err); e.Class != Timeout || e.Tries != 2 || !strings.Contains(e.Error(), "raise cli_timeout_s") {
		t.Errorf("class %q after %d tries: %v", e.Class, e.Tries, e)
	}
	if took := time.Since(began); took > c.CallBound()+5*time.Second {
		t.Errorf("took %v, bound %v", took, c.CallBound())
	}
	if calls := fake.Count(t, ""); calls != 2 {
		t.Errorf("%d calls, want 2", calls)
	}
}

func TestKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	c, fake, _ := newClient(t, faulty("scores.list", `"kind": "killed"`))
	_, err := c.NewestScores(t.Context())
	if e := asError(t, err); e.Class != Killed || fake.Count(t, "") != 1 {
		t.Errorf("class %q: %v", e.Class, e)
	}
}

// What fails may quote what was sent; the key must not get into a log by that way.
func TestMessagesAreShortAndShowNoKey(t *testing.T) {
	page := strings.Repeat("<p>X-API-Key: sk_pp_example_0001</p>\\n\\u001b[31m", 500)
	c, _, _ := newClient(t, faulty("scores.list", `"status": 503, "body": "`+page+`"`))
	_, err := c.NewestScores(t.Context())
	text := asError(t, err).Error()
	if strings.Contains(text, "sk_pp_example_0001") || strings.ContainsAny(text, "\n\x1b") || len(text) > 2*maxMessage {
		t.Errorf("%d bytes: %q", len(text), text)
	}
}
