package platform

import (
	"cmp"
	"context"
	"slices"
)

// Newest is what the platform holds of all sessions: of each session and metric the newest usable score.
type Newest struct {
	Scores   []Score        // by session, then metric
	Total    int            // scores that the platform says it has
	Read     int            // scores read, each once; fewer than Total when the list ended early
	Repeated int            // scores that a later page gave again
	Older    int            // usable scores that a newer one of their session and metric stands before
	LeftOut  map[string]int // scores that cannot be used, by reason: LeftFailed and so on
}

// NewestScores reads all pages of the platform's list of session scores. A failed or unusable score does not hide an older good
// one; of two with the same instant the larger id counts as newer. It takes at most ListBound.
//
// Errors: ctx's, or *Error; a list that could not be read to its end gives no scores. The rules stand in docs/platform.md.
func (c *Client) NewestScores(ctx context.Context) (Newest, error) {
	type place struct{ session, metric string }
	newest := map[place]Score{}
	result := Newest{LeftOut: map[string]int{}}
	list, err := c.listSessionScores(ctx, func(s sessionScore) {
		score, left := s.usable()
		if left != "" {
			result.LeftOut[left]++
			return
		}
		at := place{score.SessionID, score.Metric}
		have, ok := newest[at]
		if ok {
			result.Older++
		}
		if !ok || score.newerThan(have) {
			newest[at] = score
		}
	})
	if err != nil {
		return Newest{}, err
	}
	result.Total, result.Read, result.Repeated = list.total, list.read, list.repeated
	for _, score := range newest {
		result.Scores = append(result.Scores, score)
	}
	slices.SortFunc(result.Scores, func(a, b Score) int {
		return cmp.Or(cmp.Compare(a.SessionID, b.SessionID), cmp.Compare(a.Metric, b.Metric))
	})
	return result, nil
}
