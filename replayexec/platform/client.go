// Package platform asks the PandaProbe platform through the external program `pandaprobe`: it starts evaluation runs and reads
// their scores, lists the scores of sessions, and reads traces.
//
// It promises that every question has an end, whose sum docs/platform.md states, that only failures which pass by themselves are
// asked again, and that a missing score is never a zero. What it hands out has been checked: an answer that is no answer is an
// *Error. The credentials are the program's own business: nothing of them is read, logged or stored here, and the environment is
// passed on as it is.
package platform

import (
	"context"
	"time"
)

const (
	defaultBinary    = "pandaprobe"
	defaultTimeout   = 30 * time.Second
	defaultListLimit = 10 * time.Minute
	defaultPageSize  = 200

	maxTimeout = 24 * time.Hour
	maxTries   = 100
)

// Client calls the program. A Client is not changed by its use and may be used by several goroutines. The knobs are those of
// docs/platform.md; what zero means stands at each field.
type Client struct {
	Binary       string        // name or path of the program; "" = pandaprobe (knob cli_binary)
	Timeout      time.Duration // of one call, at most a day; 0 = 30 s (cli_timeout_s)
	Env          []string      // its complete environment; nil = that of this process
	Dir          string        // its working folder; "" = that of this process
	Tries        int           // calls a question may take when each fails transiently, 1 to 100 (eval_retry_attempts)
	Backoff      time.Duration // first pause between them, doubled each time; 0 = none (eval_retry_backoff_s)
	Polls        int           // how often a run is looked at before it counts as never finished; below 1 = 1 (poll_max_attempts)
	PollInterval time.Duration // pause between two looks; 0 = none (poll_interval_s)
	ListLimit    time.Duration // of listing all scores, every page together; 0 = 10 min
	PageSize     int           // scores a page, 1 to 200; 0 = 200

	// Progress, when set, is told after each page how many scores have been read and how many there are.
	Progress func(read, total int)

	testOnlySleep func(context.Context, time.Duration) error
}

func (c *Client) binary() string {
	if c.Binary == "" {
		return defaultBinary
	}
	return c.Binary
}

func (c *Client) timeout() time.Duration {
	if c.Timeout <= 0 {
		return defaultTimeout
	}
	return min(c.Timeout, maxTimeout)
}

func (c *Client) tries() int { return min(max(1, c.Tries), maxTries) }

func (c *Client) polls() int { return max(1, c.Polls) }

func (c *Client) listLimit() time.Duration {
	if c.ListLimit <= 0 {
		return defaultListLimit
	}
	return c.ListLimit
}

func (c *Client) pageSize() int {
	if c.PageSize <= 0 {
		return defaultPageSize
	}
	return min(c.PageSize, defaultPageSize)
}

// sleep waits for d, or until ctx ends, which is its error.
func (c *Client) sleep(ctx context.Context, d time.Duration) error {
	if c.testOnlySleep != nil {
		return c.testOnlySleep(ctx, d)
	}
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
