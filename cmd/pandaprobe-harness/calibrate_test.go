package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const bom = "\xef\xbb\xbf"

// historyOf is a score history with one metric.
func historyOf(scores map[string]float64) string {
	var entries []string
	for _, session := range slices.Sorted(maps.Keys(scores)) {
		entries = append(entries, fmt.Sprintf(`%q: {"series": [{"value": %v, "ts": "2026-01-01T00:00:00Z", "run_id": null}]}`, session+"::m", scores[session]))
	}
	return "{" + strings.Join(entries, ",\n") + "}"
}

func calibration(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "state"), 0o777); err != nil {
		t.Fatal(err)
	}
	history := historyOf(map[string]float64{"s-1": 0.1, "s-2": 0.3, "s-3": 0.7, "s-4": 0.9, "a,b": 0.2, "s;5": 0.8})
	if err := os.WriteFile(filepath.Join(root, "state", "score_history.json"), []byte(history), 0o666); err != nil {
		t.Fatal(err)
	}
	return root
}

// TestCalibrateReadsEveryFormOfLabels has each form with its quirks, in files
// whose names say nothing or the wrong thing, and on standard input.
func TestCalibrateReadsEveryFormOfLabels(t *testing.T) {
	root := calibration(t)
	forms := map[string]string{
		"object.json":         `{"s-1": true, "s-2": 1, "s-3": "No", "s-4": "pass"}`,
		"list.json":           `[{"session_id": "s-1", "failed": "FAIL"}, {"failed": true, "note": {"a": [1]}, "session_id": "s-2"}, {"session_id": "s-3", "failed": 0}, {"session_id": "s-4", "failed": "OK"}]`,
		"plain.csv":           "session_id,failed\ns-1,true\ns-2,1\ns-3,false\ns-4,0\n",
		"crlf.csv":            "session_id,failed\r\ns-1,True\r\ns-2,T\r\ns-3,FALSE\r\ns-4,f\r\n",
		"semicolons.csv":      "session_id;failed;score\ns-1;1.0;0,85\ns-2;yes;\ns-3;0.0;\ns-4;n;1,5\n",
		"tabs.txt":            "failed\tsession_id\ntrue\ts-1\ntrue\ts-2\nfalse\ts-3\nfalse\ts-4",
		"stated.csv":          "sep=;\nsession_id;failed\ns-1;true\ns-2;true\ns-3;false\ns-4;false\n",
		"reordered.csv":       "note,failed,session_id,more\n\"a; b; c\",y,s-1,\n,failed,s-2,\n,no,s-3,\n,passed,s-4,\n",
		"padded.csv":          " Session_ID , Failed \n s-1 , true \n s-2 , true \n s-3,false\ns-4,  false\n",
		"quoted.csv":          "\"session_id\",\"failed\"\n\"s-1\",\"true\"\n\"s-2\",\"true\"\n\"s-3\",\"false\"\n\"s-4\",\"false\"\n",
		"json-named.csv":      `{"s-1": true, "s-2": true, "s-3": false, "s-4": false}`,
		"csv-named.json":      "session_id,failed\ns-1,true\ns-2,true\ns-3,false\ns-4,false\n",
		"twice-alike.csv":     "session_id,failed\ns-1,true\ns-2,true\ns-1,1\ns-3,false\ns-4,false\n",
		"blank-lines-too.csv": "\nsession_id,failed\n\ns-1,true\ns-2,true\n\ns-3,false\ns-4,false\n\n",
	}
	for name, text := range forms {
		for _, front := range []string{"", bom} {
			file := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(file, []byte(front+text), 0o666); err != nil {
				t.Fatal(err)
			}
			for where, o := range map[string]outcome{
				"a file":         call(t, "", "calibrate", "--workspace", root, "--source", "history", "--json", "--labels", file),
				"standard input": call(t, front+text, "calibrate", "--workspace", root, "--source", "history", "--json", "--labels", "-"),
			} {
				if o.code != 0 || o.stderr != "" {
					t.Errorf("%s from %s (mark %q): exit %d, %s", name, where, front, o.code, o.stderr)
					continue
				}
				labeled := at(t, document(t, o), "metrics.0.labeled")
				if got := fmt.Sprint(labeled["tp"], labeled["fp"], labeled["fn"], labeled["tn"]); got != "2 0 0 2" {
					t.Errorf("%s from %s (mark %q): confusion %s", name, where, front, got)
				}
			}
		}
	}
}

// Ids may hold the delimiters of other files.
func TestCalibrateReadsIdsWithDelimiters(t *testing.T) {
	root := calibration(t)
	for name, text := range map[string]string{
		"quoted comma":           "session_id,failed\n\"a,b\",true\ns;5,false\n",
		"comma under semicolons": "session_id;failed\na,b;true\n\"s;5\";false\n",
	} {
		o := call(t, text, "calibrate", "--workspace", root, "--source", "history", "--json", "--labels", "-")
		if o.code != 0 {
			t.Errorf("%s: %s", name, o.stderr)
			continue
		}
		labeled := at(t, document(t, o), "metrics.0.labeled")
		if got := fmt.Sprint(labeled["tp"], labeled["tn"]); got != "1 1" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestCalibrateRefusesBadLabels(t *testing.T) {
	root := calibration(t)
	for name, test := range map[string]struct {
		text string
		line int
		says string
	}{
		"unknown word":         {"session_id,failed\ns-1,true\ns-2,maybe\n", 3, `"maybe"`},
		"blank label":          {"session_id,failed\ns-1,true\ns-3,\n", 3, `"s-3"`},
		"number":               {`{"s-1": 2}`, 1, `"s-1"`},
		"null":                 {"{\n\"s-1\": null}", 2, `"s-1"`},
		"list of wrong type":   {"[\n{\"session_id\": \"s-1\", \"failed\": []}]", 2, `"s-1"`},
		"missing column":       {"session_id,label\ns-1,true\n", 1, "failed"},
		"one column":           {"session_id\ns-1\n", 1, "failed"},
		"cell missing":         {"session_id,failed\ns-1,true\ns-2\n", 3, ""},
		"no id":                {"[{\"failed\": true}]", 1, "session_id"},
		"conflict":             {"session_id,failed\ns-1,true\ns-2,false\ns-1,false\n", 4, "line 2"},
		"conflict of keys":     {"{\"s-1\": true,\n\"s-1\": false}", 2, `"s-1"`},
		"empty":                {"", 0, "empty"},
		"no labels":            {"session_id,failed\n", 1, "no labels"},
		"empty object":         {"{}", 1, "no labels"},
		"cut off":              {"{\"s-1\": true,\n\"s-2\"", 2, ""},
		"something behind":     {"{\"s-1\": true}\n{}", 1, "goes on"},
		"text of another kind": {"just some words\n", 1, "session_id"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "labels")
			if err := os.WriteFile(file, []byte(test.text), 0o666); err != nil {
				t.Fatal(err)
			}
			o := call(t, "", "calibrate", "--workspace", root, "--source", "history", "--labels", file)
			if o.code != 1 || o.stdout != "" {
				t.Fatalf("exit %d, standard output %q", o.code, o.stdout)
			}
			place := file
			if test.line > 0 {
				place = fmt.Sprintf("%s:%d: ", file, test.line)
			}
			if !strings.Contains(o.stderr, place) || !strings.Contains(o.stderr, test.says) {
				t.Errorf("got %s, want %s and %s", o.stderr, place, test.says)
			}
			o = call(t, "", "calibrate", "--workspace", root, "--source", "history", "--labels", file, "--json")
			if doc := document(t, o); doc["ok"] != false || at(t, doc, "error")["code"] != "bad_input" {
				t.Errorf("document: %s", o.stdout)
			}
		})
	}
}

func TestCalibrateIsCalledWrongly(t *testing.T) {
	root := calibration(t)
	for _, line := range []string{
		"--labels x --from-evalset", "--labels=", "--target-precision 1.5", "--target-precision -0.1", "--target-precision x",
		"--threshold m", "--threshold m=2", "--threshold =0.5", "--threshold m=0.5 --threshold m=0.6",
		"--source all", "--source=", "--source cli,,history", "--apply", "--apply=best --from-evalset", "--plot report.pdf", "--plot=", "surplus",
	} {
		o := call(t, "", append([]string{"calibrate", "--workspace", root}, strings.Fields(line)...)...)
		if o.code != 2 || o.stdout != "" || o.stderr == "" {
			t.Errorf("%s: exit %d, %q, %s", line, o.code, o.stdout, o.stderr)
		}
	}
}

// The program's other name is the command alone.
func TestCalibrateUnderItsOwnName(t *testing.T) {
	root := calibration(t)
	var stdout, stderr bytes.Buffer
	environ := []string{"PATH=", "HOME=" + root}
	for _, name := range []string{"/usr/local/bin/" + calibrateName, calibrateName + ".exe"} {
		for _, line := range []string{"--source history --json", "--json --source=history --target-precision 0.5"} {
			stdout.Reset()
			args := append([]string{filepath.FromSlash(name), "--workspace", root}, strings.Fields(line)...)
			if code := run(context.Background(), args, environ, strings.NewReader(""), &stdout, &stderr); code != 0 {
				t.Fatalf("%s %s: exit %d, %s", name, line, code, stderr.String())
			}
			if !json.Valid(stdout.Bytes()) || !strings.Contains(stdout.String(), `"sources"`) {
				t.Errorf("%s %s: %s", name, line, stdout.String())
			}
		}
	}
	stdout.Reset()
	if code := run(context.Background(), []string{calibrateName, "--help"}, environ, strings.NewReader(""), &stdout, &stderr); code != 0 || !strings.Contains(stdout.String(), "--target-precision") {
		t.Errorf("--help: exit %d, %s", code, stdout.String())
	}
}

// The document has its keys in order, and those that the page promises.
func TestCalibrateDocument(t *testing.T) {
	root := calibration(t)
	if err := os.WriteFile(filepath.Join(root, "harness.toml"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, line := range [][]string{{"--labels", "-"}, {"--labels", "-", "--apply"}} {
		o := call(t, `{"s-1": true, "s-4": false}`, append([]string{"calibrate", "--workspace", root, "--source", "history", "--json"}, line...)...)
		if o.code != 0 {
			t.Fatal(o.stderr)
		}
		doc := document(t, o)
		for path, want := range map[string]string{
			"":          "agreement generated_at labels left_out metrics session_count sources",
			"metrics.0": "breach_count count histogram labeled maximum mean median metric minimum stdev sweep threshold",
			"metrics.0.labeled": `average_precision best_f1 best_f1_threshold f1 failed_histogram failed_labels fn fp labeled_sessions
				ok_histogram ok_labels precision precision_interval recall recall_interval roc_auc target_precision target_precision_threshold tn tp warnings`,
			"metrics.0.sweep.0": "breach_count f1 fn fp precision recall threshold tn tp",
		} {
			keys := strings.Fields(want)
			if path == "" && len(line) > 2 {
				keys = slices.Insert(keys, 1, "applied")
			}
			if diff := cmp.Diff(keys, slices.Sorted(maps.Keys(at(t, doc, path)))); diff != "" {
				t.Errorf("%v %q: %s", line, path, diff)
			}
		}
		var sorted bytes.Buffer
		again, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Indent(&sorted, again, "", "  "); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sorted.String()+"\n", o.stdout); diff != "" {
			t.Errorf("%v: not in order: %s", line, diff)
		}
	}
}
