package platform

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestDiagnose(t *testing.T) {
	for _, test := range []struct {
		name, scenario string
		env            []string
		want           Diagnosis
		fault          Class
		calls          int
	}{
		{
			"all is well", `{"version": {"version": "0.2.0"}}`, nil,
			Diagnosis{Found: true, Version: "0.2.0", SignedIn: true, KeyAccepted: true, Endpoint: "http://platform.example", Project: "demo-project"},
			"", 3,
		},
		{
			"no key", `{}`, []string{"PANDAPROBE_API_KEY="},
			Diagnosis{Found: true, Version: "dev", Endpoint: "http://platform.example", Project: "demo-project"}, Auth, 2,
		},
		{
			"key refused", `{"api_keys": ["sk_pp_another"]}`, nil,
			Diagnosis{Found: true, Version: "dev", SignedIn: true, Endpoint: "http://platform.example", Project: "demo-project"}, Auth, 3,
		},
		{
			"no project", `{}`, []string{"PANDAPROBE_PROJECT_NAME="},
			Diagnosis{Found: true, Version: "dev", SignedIn: true, Endpoint: "http://platform.example"}, Settings, 3,
		},
		{
			"platform away, asked once", `{"faults": [{"status": 503, "times": -1}]}`, []string{"PANDAPROBE_ENDPOINT=https://me:secret@platform.example/"},
			Diagnosis{Found: true, Version: "dev", SignedIn: true, Endpoint: "https://platform.example/", Project: "demo-project"}, Unavailable, 3,
		},
		{"broken settings", `{}`, []string{"PANDAPROBE_ENDPOINT=platform.example"}, Diagnosis{Found: true}, Settings, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, fake, _ := newClient(t, test.scenario)
			c.Env = append(c.Env, test.env...)
			got, err := c.Diagnose(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			test.want.Binary = c.Binary
			if diff := cmp.Diff(test.want, got, cmpopts.IgnoreFields(Diagnosis{}, "Fault")); diff != "" {
				t.Errorf("want - got +:\n%s", diff)
			}
			if (got.Fault == nil) != (test.fault == "") || got.Fault != nil && got.Fault.Class != test.fault {
				t.Errorf("fault %v, want %q", got.Fault, test.fault)
			}
			if calls := fake.Count(t, ""); calls != test.calls {
				t.Errorf("%d calls, want %d", calls, test.calls)
			}
		})
	}
}

func TestDiagnoseBinary(t *testing.T) {
	c := &Client{Binary: "no-such-pandaprobe"}
	got, err := c.Diagnose(t.Context())
	if err != nil || got.Found || got.Fault == nil || got.Fault.Class != Missing {
		t.Errorf("a missing program: %+v, %v", got, err)
	}
	if runtime.GOOS == "windows" {
		return // the script below is for a Unix shell
	}
	other := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, []byte("#!/bin/sh\necho another program 1.0\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	got, err = (&Client{Binary: other}).Diagnose(t.Context())
	if err != nil || !got.Found || got.Fault == nil || got.Fault.Class != Usage {
		t.Errorf("another program: %+v, %v", got, err)
	}
}
