package platform

import (
	"context"
	"errors"
	"time"
)

const (
	// maxPause bounds every pause between two tries; the platform's rate limits are counted by the minute.
	maxPause = time.Minute
	// rateLimitFactor makes the pause after a rate limit a minute with the usual first pause of a second.
	rateLimitFactor = 60
	// maxMalformed is how often an answer that is none is asked for: it may be a proxy's page, but is rather a changed platform.
	maxMalformed = 3
)

// retried calls try until it succeeds, fails in a way that is not worth repeating, or has failed Tries times.
func (c *Client) retried(ctx context.Context, repeat func(*Error) bool, try func() error) error {
	for n := 1; ; n++ {
		err := try()
		var e *Error
		if !errors.As(err, &e) {
			return err
		}
		e.Tries = n
		if !repeat(e) || n >= c.tries() || e.Class == Malformed && n >= maxMalformed {
			return err
		}
		if stopped := c.sleep(ctx, c.pause(e.Class, n)); stopped != nil {
			return stopped
		}
	}
}

// pause is the wait after try number n, from 1.
func (c *Client) pause(class Class, n int) time.Duration {
	if class == RateLimited {
		return rateLimitFactor * min(c.Backoff, maxPause/rateLimitFactor)
	}
	pause := c.Backoff
	for ; n > 1 && pause < maxPause; n-- {
		pause *= 2
	}
	return min(maxPause, pause)
}

// within gives work at most limit, then ends it and gives over instead of its error. The end of ctx stays ctx's.
func within(ctx context.Context, limit time.Duration, over *Error, work func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := work(bounded)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return over
	}
	return err
}

// CallBound is the longest that one question takes, all its tries and pauses together (docs/platform.md).
func (c *Client) CallBound() time.Duration {
	bound := c.callLimit()
	for n := 1; n < c.tries(); n++ {
		bound += max(c.pause(RateLimited, n), c.pause(Unavailable, n)) + c.callLimit()
	}
	return bound
}

// EvaluateBound is the longest that Evaluate takes: starting the run, looking at it, reading its scores (docs/platform.md).
func (c *Client) EvaluateBound() time.Duration {
	return c.CallBound() + times(c.polls(), c.callLimit()) + times(c.polls()-1, c.PollInterval) + c.CallBound()
}

// ListBound is the longest that listing all scores takes (docs/platform.md).
func (c *Client) ListBound() time.Duration { return c.listLimit() + callGrace }

// callLimit is the longest that one call takes.
func (c *Client) callLimit() time.Duration { return c.timeout() + callSlack + callGrace }

// times is n times d, or a lifetime where that is too much for a time.Duration.
func times(n int, d time.Duration) time.Duration {
	const lifetime = 50 * 365 * 24 * time.Hour
	if n > 0 && d > lifetime/time.Duration(n) {
		return lifetime
	}
	return time.Duration(n) * d
}
