package platform

import (
	"context"
	"errors"
	"net/url"
)

// Diagnosis says whether the platform can be asked, step by step. The first step that fails is Fault, and the later ones are not
// tried.
type Diagnosis struct {
	Binary      string // the program as it is configured
	Found       bool   // it could be started
	Version     string // what it says of itself
	Endpoint    string // of the platform, without user name and password
	Project     string
	SignedIn    bool   // some key is configured, which the program tells without asking the platform
	KeyAccepted bool   // the platform answered a question asked with it
	Fault       *Error // nil when all is well
}

// Diagnose asks the program for its version and its settings, and the platform for one score, each once. It takes at most three
// times the limit of a call. Errors: ctx's only. The answers stand in docs/platform.md.
func (c *Client) Diagnose(ctx context.Context) (Diagnosis, error) {
	d := Diagnosis{Binary: c.binary()}
	for _, step := range []func(context.Context, *Diagnosis) error{c.askVersion, c.askSignedIn, c.askPlatform} {
		err := step(ctx, &d)
		if err != nil && !errors.As(err, &d.Fault) {
			return d, err
		}
		if err != nil {
			break
		}
	}
	return d, nil
}

func (c *Client) askVersion(ctx context.Context, d *Diagnosis) error {
	version, err := ask(ctx, c, question{command: "version", repeat: never}, parseVersion)
	d.Version, d.Found = version, true
	if failed := (*Error)(nil); errors.As(err, &failed) {
		d.Found = failed.Class != Missing
		if failed.Class == Malformed {
			failed.Class = Usage // no platform stands behind this call, so it is another program
		}
	}
	return err
}

func (c *Client) askSignedIn(ctx context.Context, d *Diagnosis) error {
	status, err := ask(ctx, c, question{command: "auth status", repeat: never}, parseAuthStatus)
	if err != nil {
		return err
	}
	d.Endpoint, d.Project, d.SignedIn = withoutPassword(status.Endpoint), status.Project, status.SignedIn
	if !d.SignedIn {
		return &Error{Class: Auth, Call: "auth status", Message: "no key is configured"}
	}
	return nil
}

func (c *Client) askPlatform(ctx context.Context, d *Diagnosis) error {
	q := question{command: "evals scores list", args: []string{"--target", "session", "--limit", "1"}, repeat: never}
	_, err := ask(ctx, c, q, parsePage)
	d.KeyAccepted = err == nil
	return err
}

func parseVersion(text []byte) (string, error) {
	var answer struct {
		Version string `json:"version"`
	}
	if err := unmarshal(text, &answer); err != nil {
		return "", err
	}
	if answer.Version == "" {
		return "", errors.New("no version")
	}
	return oneLine(answer.Version), nil
}

// authStatus leaves out the key, although the program masks it.
type authStatus struct {
	SignedIn bool   `json:"logged_in"`
	Endpoint string `json:"endpoint"`
	Project  string `json:"project_name"`
}

func parseAuthStatus(text []byte) (authStatus, error) {
	var status authStatus
	err := unmarshal(text, &status)
	return status, err
}

func withoutPassword(endpoint string) string {
	at, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	at.User = nil
	return at.String()
}
