package platformtest

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// settings are what the real program takes from flags and the environment. There is no settings file here.
type settings struct {
	key, project, endpoint, authURL string
	timeout                         time.Duration
}

func (p *program) settings(l *line) (settings, error) {
	if p.getenv("HOME") == "" && p.getenv("USERPROFILE") == "" {
		return settings{}, failf(exitGeneral, "resolve home directory: $HOME is not defined")
	}
	value := func(flag, variable, fallback string) string {
		if given, ok := l.texts[flag]; ok {
			return given
		}
		if set := p.getenv("PANDAPROBE_" + variable); set != "" {
			return set
		}
		return fallback
	}
	have := settings{
		key:      value("api-key", "API_KEY", ""),
		project:  value("project", "PROJECT_NAME", ""),
		endpoint: value("endpoint", "ENDPOINT", "https://api.pandaprobe.com"),
		authURL:  value("auth-url", "AUTH_URL", "https://app.pandaprobe.com"),
		timeout:  30 * time.Second,
	}
	if seconds, err := strconv.Atoi(p.getenv("PANDAPROBE_TIMEOUT")); err == nil && seconds > 0 {
		have.timeout = time.Duration(seconds) * time.Second
	}
	return have, have.check(value("format", "FORMAT", "json"), commands[l.command].auth)
}

func (s settings) check(format string, auth bool) error {
	if format != "json" && format != "table" {
		return failf(exitValidation, "invalid format %q: must be \"json\" or \"table\"", format)
	}
	if at, err := url.Parse(s.endpoint); err != nil || at.Scheme == "" || at.Host == "" {
		return failf(exitValidation, "invalid endpoint %q: must be an absolute URL", s.endpoint)
	}
	if auth && strings.TrimSpace(s.key) == "" {
		return failf(exitAuth, "no API key configured: set --api-key, PANDAPROBE_API_KEY, or run "+
			"`pandaprobe config set api_key <key>`")
	}
	if auth && strings.TrimSpace(s.project) == "" {
		return failf(exitValidation, "no project configured: set --project, PANDAPROBE_PROJECT_NAME, or run "+
			"`pandaprobe config set project_name <name>`")
	}
	if format == "table" {
		return cannotf("table output; pass --format json")
	}
	return nil
}

// masked is a key as `auth status` shows it.
func masked(key string) string {
	if key == "" {
		return ""
	}
	if len(key) <= 6 {
		return "****"
	}
	head := ""
	if parts := strings.SplitN(key, "_", 3); len(parts) == 3 {
		head = parts[0] + "_" + parts[1] + "_"
	}
	if len(head)-1 >= len(key)-4 {
		head = ""
	}
	return head + "****" + key[len(key)-4:]
}
