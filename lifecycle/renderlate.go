package lifecycle

import (
	"context"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// rendering keeps a round over thousands of candidates from rendering all of
// them after each verdict. While that is quick, as it is with fewer, every
// verdict is rendered at once; else now and then, and at the end of the round.
type rendering struct {
	last time.Time
	cost time.Duration
	late bool
}

const (
	quickRendering  = 20 * time.Millisecond
	renderingsShare = 20 // of the time, one part goes into rendering
)

// renderSoon renders after a verdict of the round.
func (r *round) renderSoon(tx *workspace.Tx) {
	if r.render.cost > quickRendering && time.Since(r.render.last) < renderingsShare*r.render.cost {
		r.render.late = true
		return
	}
	began := time.Now()
	r.renderNow(tx)
	r.render = rendering{last: time.Now(), cost: time.Since(began)}
}

// renderLate renders what renderSoon put off. The next writer does it where
// this fails.
func (r *round) renderLate(ctx context.Context) {
	if !r.render.late {
		return
	}
	err := r.Workspace.Update(context.WithoutCancel(ctx), func(tx *workspace.Tx) error {
		r.renderNow(tx)
		return nil
	})
	if err != nil {
		r.Workspace.Warn(err)
	}
}
