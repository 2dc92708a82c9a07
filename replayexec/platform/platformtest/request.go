package platformtest

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// request is one call of a command that may ask the platform.
type request struct {
	*program
	line *line
	have settings
}

// call is one HTTP request as the real program would make it.
type call struct {
	method, endpoint, target string
	id                       string // of the run, session or trace; "" for none
	ids                      []string
	query                    url.Values
	base                     string
}

func (c call) path() string {
	escaped := url.PathEscape(c.id)
	return map[string]string{
		"runs.batch":  "/evaluations/" + c.target + "-runs/batch",
		"runs.get":    "/evaluations/" + c.target + "-runs/" + escaped,
		"runs.scores": "/evaluations/" + c.target + "-runs/" + escaped + "/scores",
		"scores.list": "/evaluations/" + c.target + "-scores",
		"scores.get":  "/evaluations/" + c.target + "-scores/" + escaped,
		"traces.get":  "/traces/" + escaped,
	}[c.endpoint]
}

func (c call) url() string {
	at := strings.TrimRight(c.base, "/") + c.path()
	if len(c.query) > 0 {
		at += "?" + c.query.Encode()
	}
	return at
}

func (c call) host() string {
	at, err := url.Parse(c.base)
	if err != nil {
		return ""
	}
	return at.Host
}

// broken is a request that got no answer.
func (c call) broken(problem string) error {
	verb := c.method[:1] + strings.ToLower(c.method[1:])
	return failf(exitGeneral, "request to %s %s failed: %s %q: %s", c.method, c.path(), verb, c.url(), problem)
}

var uuidPattern = regexp.MustCompile(`^[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}$`)

// ask carries out c: respond gives the platform's answer, and into is filled when a fault puts another body in its place.
func ask[T any](r *request, c call, respond func(*world) (T, error)) (T, error) {
	var zero, answer T
	c.base = r.have.endpoint
	scenario, err := r.scenario()
	if err != nil {
		return zero, err
	}
	var fault *Fault
	var refusal error
	err = r.withState(func(s *state) error {
		if strings.Contains(c.id, "/") { // no such path on the platform
			refusal = refused(404, `{"detail":"Not Found"}`)
			return nil
		}
		fault = s.pick(scenario.Faults, c.endpoint, c.target, append(c.ids, c.id))
		if !fault.carriedOut() {
			return nil
		}
		w, err := newWorld(scenario, s)
		if err != nil {
			return err
		}
		if refusal = r.check(w, c); refusal == nil {
			answer, refusal = respond(w)
		}
		return nil
	})
	if err == nil && fault != nil {
		err = fault.strike(r.program, c, r.have.timeout)
	}
	if err != nil {
		return zero, err
	}
	if status, body, ok := fault.answer(); ok {
		if status < 200 || status > 299 {
			return zero, refused(status, body)
		}
		var other T
		return other, understand(body, &other)
	}
	return answer, refusal
}

// check gives what the platform says to any request with a wrong key or an id of the wrong form.
func (r *request) check(w *world, c call) error {
	if w.APIKeys != nil && !slices.Contains(w.APIKeys, r.have.key) {
		return refused(401, usualBody(401))
	}
	if !w.StrictIDs {
		return nil
	}
	ids := []string{c.query.Get("eval_run_id"), c.query.Get("trace_id")}
	if c.target == "trace" || strings.HasPrefix(c.endpoint, "runs") {
		ids = append(ids, c.id)
	}
	for _, id := range ids {
		if id != "" && !uuidPattern.MatchString(id) {
			return refused(422, usualBody(422))
		}
	}
	return nil
}

// otherProject says whether the program names a project that the platform holds nothing of.
func (r *request) otherProject(w *world) bool {
	return w.Project != nil && *w.Project != strings.TrimSpace(r.have.project)
}

// understand reads a body as the real program does; what it says of a wrong shape is not imitated.
func understand(body string, into any) error {
	text := strings.TrimSpace(body)
	if text == "" {
		return failf(exitGeneral, "decode response: unexpected end of JSON input")
	}
	if first, _ := utf8.DecodeRuneInString(text); !strings.ContainsRune(`{["-0123456789tfn`, first) {
		return failf(exitGeneral, "decode response: invalid character '%c' looking for beginning of value", first)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return failf(exitGeneral, "decode response: json: cannot unmarshal the answer")
	}
	return nil
}
