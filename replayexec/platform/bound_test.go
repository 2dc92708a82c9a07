package platform

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// usual has the knobs at their defaults.
func usual() *Client {
	return &Client{Timeout: 30 * time.Second, Tries: 3, Backoff: time.Second, Polls: 20, PollInterval: time.Second}
}

func TestBoundsAreThoseOfTheDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/platform.md")
	if err != nil {
		t.Fatal(err)
	}
	c := usual()
	for _, row := range []struct {
		what  string
		bound time.Duration
		want  string
	}{
		{"one call", c.callLimit(), "32"},
		{"one question", c.CallBound(), "216"},
		{"an evaluation", c.EvaluateBound(), "1,091"},
		{"the list of scores", c.ListBound(), "601"},
		{"a trace", 3 * c.CallBound(), "648"},
		{"the doctor", 3 * c.callLimit(), "96"},
	} {
		if seconds, err := strconv.Atoi(strings.Replace(row.want, ",", "", 1)); err != nil || time.Duration(seconds)*time.Second != row.bound {
			t.Errorf("%s takes up to %v, not %s s", row.what, row.bound, row.want)
		}
		if line := regexp.MustCompile(`(?m)^\| ` + row.what + ` \|.*\| ` + row.want + ` s \|$`); !line.Match(text) {
			t.Errorf("docs/platform.md does not say that %s takes up to %s s", row.what, row.want)
		}
	}
}

func TestEveryClassIsInTheDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/platform.md")
	if err != nil {
		t.Fatal(err)
	}
	for class, words := range texts {
		if !strings.Contains(string(text), "| `"+string(class)+"` |") {
			t.Errorf("docs/platform.md does not list %q", class)
		}
		if words.what == "" {
			t.Errorf("%q has no words", class)
		}
	}
}

func TestPausesGrowAndAreBounded(t *testing.T) {
	for _, test := range []struct {
		backoff time.Duration
		class   Class
		n       int
		want    time.Duration
	}{
		{time.Second, Unavailable, 1, time.Second},
		{time.Second, Network, 2, 2 * time.Second},
		{time.Second, Timeout, 7, time.Minute},
		{time.Second, Unavailable, 1000, time.Minute},
		{time.Second, RateLimited, 1, time.Minute},
		{10 * time.Millisecond, RateLimited, 2, 600 * time.Millisecond},
		{0, RateLimited, 1, 0},
		{0, Unavailable, 50, 0},
		{time.Hour, RateLimited, 1, time.Minute},
		{1 << 62, Unavailable, 2, time.Minute},
	} {
		c := &Client{Backoff: test.backoff}
		if got := c.pause(test.class, test.n); got != test.want {
			t.Errorf("backoff %v, %s, try %d: %v, want %v", test.backoff, test.class, test.n, got, test.want)
		}
	}
}

func TestBoundsOfAbsurdKnobs(t *testing.T) {
	most := time.Duration(1<<63 - 1)
	absurd := &Client{Timeout: most, Tries: 1 << 40, Backoff: most, Polls: 1 << 40, PollInterval: most}
	for _, c := range []*Client{{}, absurd, {Timeout: -1, Tries: -1, Backoff: -1, Polls: -1, PollInterval: -1}} {
		if c.CallBound() <= 0 || c.EvaluateBound() < c.CallBound() || c.ListBound() <= 0 {
			t.Errorf("bounds %v, %v, %v", c.CallBound(), c.EvaluateBound(), c.ListBound())
		}
	}
}
