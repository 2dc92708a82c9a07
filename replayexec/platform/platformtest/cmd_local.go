package platformtest

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

func (r *request) version() (any, error) {
	answer := struct {
		Version   string `json:"version"`
		Commit    string `json:"commit"`
		BuildDate string `json:"build_date"`
		GoVersion string `json:"go_version"`
		OS        string `json:"os"`
		Arch      string `json:"arch"`
	}{"dev", "none", "unknown", "go1.26.8", "linux", "amd64"}
	if scenario, err := r.scenario(); err == nil && scenario.Version != nil {
		if err := json.Unmarshal(scenario.Version, &answer); err != nil {
			return nil, cannotf("scenario: version: %v", err)
		}
	}
	return answer, nil
}

func (r *request) authStatus() (any, error) {
	return struct {
		APIKey      string `json:"api_key"`
		AuthURL     string `json:"auth_url"`
		Endpoint    string `json:"endpoint"`
		LoggedIn    bool   `json:"logged_in"`
		ProjectName string `json:"project_name"`
	}{masked(r.have.key), r.have.authURL, r.have.endpoint, strings.TrimSpace(r.have.key) != "", r.have.project}, nil
}

// target gives --target, whose default is trace.
func (r *request) target() (string, error) {
	target, ok := r.line.texts["target"]
	if !ok {
		target = "trace"
	}
	if target != "trace" && target != "session" {
		return "", failf(exitValidation, "invalid --target %q: must be \"trace\" or \"session\"", target)
	}
	return target, nil
}

// oneOf checks flags that take fixed words.
func (r *request) oneOf(flag string, allowed ...string) error {
	if value := r.line.texts[flag]; value != "" && !slices.Contains(allowed, value) {
		return failf(exitValidation, "invalid --%s %q: must be one of %s", flag, value, strings.Join(allowed, ", "))
	}
	return nil
}
