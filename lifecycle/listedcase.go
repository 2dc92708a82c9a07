package lifecycle

import (
	"maps"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// ListedCase is an eval case as lists show it: replayable stands in place of
// the replay input, which may be large (docs/cli.md, "case list").
type ListedCase struct {
	ID             string             `json:"id"`
	CreatedAt      workspace.Time     `json:"created_at"`
	SessionID      string             `json:"session_id"`
	Kind           string             `json:"kind"`
	Signature      []string           `json:"signature"`
	BaselineScores map[string]float64 `json:"baseline_scores"`
	Replayable     bool               `json:"replayable"`
	Notes          string             `json:"notes"`
	Unknown        jsontext.Value     `json:",embed"`
}

// ListCases turns cases into what lists show, in their order.
func ListCases(cases []workspace.Case) []ListedCase {
	listed := make([]ListedCase, len(cases))
	for i, c := range cases {
		listed[i] = ListedCase{
			ID: c.ID, CreatedAt: c.CreatedAt, SessionID: c.SessionID, Kind: c.Kind,
			Signature:      append([]string{}, c.Signature...),
			BaselineScores: map[string]float64{},
			Replayable:     c.Replayable(), Notes: c.Notes, Unknown: c.Unknown,
		}
		maps.Copy(listed[i].BaselineScores, c.BaselineScores)
	}
	return listed
}
