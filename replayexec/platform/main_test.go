package platform

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/replayexec/platform/platformtest"
)

func TestMain(m *testing.M) {
	platformtest.ActAsClient()
	os.Exit(m.Run())
}

// pauses are the waits that a client asked for; none of them is waited.
type pauses []time.Duration

// newClient gives a client of the stand-in with the usual knobs.
func newClient(t *testing.T, scenario string) (*Client, *platformtest.Fake, *pauses) {
	t.Helper()
	fake := platformtest.New(t, scenario)
	waited := &pauses{}
	c := &Client{
		Binary: fake.Binary, Env: fake.Env, Tries: 3, Backoff: time.Second, Polls: 20, PollInterval: time.Second,
		testOnlySleep: func(ctx context.Context, d time.Duration) error {
			*waited = append(*waited, d)
			return ctx.Err()
		},
	}
	return c, fake, waited
}

// asError gives the *Error in err, an empty one for none.
func asError(t *testing.T, err error) *Error {
	t.Helper()
	e := &Error{}
	if !errors.As(err, &e) {
		t.Errorf("%v is no *Error", err)
	}
	return e
}

// faulty is a scenario in which one fault always strikes an endpoint.
func faulty(endpoint, fault string) string {
	return fmt.Sprintf(`{"sessions": {"s-1": {}}, "faults": [{"endpoint": %q, "times": -1, %s}]}`, endpoint, fault)
}
