package lifecycle

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

type noticeVector struct {
	Name   string `json:"name"`
	Config struct {
		Cooldown             int                `json:"alert_cooldown_turns"`
		MaxNotices           *int               `json:"circuit_breaker_max_notices"`
		ReliabilityThreshold *float64           `json:"reliability_threshold"`
		ConsistencyThreshold *float64           `json:"consistency_threshold"`
		Thresholds           map[string]float64 `json:"thresholds"`
	} `json:"config"`
	Reports []struct {
		SessionID string             `json:"session_id"`
		Scores    map[string]float64 `json:"scores"`
		Expected  noticeOutcome      `json:"expected"`
	} `json:"reports"`
}

type noticeOutcome struct {
	Signatures []string `json:"signatures"`
	Posted     bool     `json:"posted"`
	Severity   string   `json:"severity"`
	Recovered  bool     `json:"recovered"`
}

func (v noticeVector) threshold(metric string) float64 {
	threshold := 0.5
	switch metric {
	case "agent_reliability":
		override(&threshold, v.Config.ReliabilityThreshold)
	case "agent_consistency":
		override(&threshold, v.Config.ConsistencyThreshold)
	}
	if own, ok := v.Config.Thresholds[metric]; ok {
		threshold = own
	}
	return threshold
}

// noticeSession is what one session of a vector has come to.
type noticeSession struct {
	averages map[string]workspace.EWMA
	gate     gateState
}

func TestNoticeVectors(t *testing.T) {
	for _, v := range readVectors[noticeVector](t, "notice") {
		t.Run(v.Name, func(t *testing.T) {
			most := 5
			override(&most, v.Config.MaxNotices)
			sessions := map[string]*noticeSession{}
			var breaker breakerState
			for i, report := range v.Reports {
				s := sessions[report.SessionID]
				if s == nil {
					s = &noticeSession{averages: map[string]workspace.EWMA{}}
					sessions[report.SessionID] = s
				}
				got := s.handle(v, report.Scores, &breaker, most)
				if diff := cmp.Diff(report.Expected, got); diff != "" {
					t.Errorf("report %d (-want +got):\n%s", i, diff)
				}
			}
		})
	}
}

func (s *noticeSession) handle(v noticeVector, scores map[string]float64, breaker *breakerState, most int) noticeOutcome {
	out := noticeOutcome{Signatures: s.signatures(v, scores)}
	d := s.gate.next(out.Signatures, v.Config.Cooldown)
	if out.Recovered = d.Recovered; d.Recovered {
		breaker.recovered()
	}
	if !d.Post {
		return out
	}
	now := workspace.NewTime(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	switch breaker.admit(now, most, 600) {
	case breakerPost:
		out.Posted, out.Severity = true, severityOf(out.Signatures)
	case breakerNeedsHuman:
		out.Posted, out.Severity = true, SeverityNeedsHuman
	case breakerHold:
		s.gate.held()
	}
	return out
}

func (s *noticeSession) signatures(v noticeVector, scores map[string]float64) []string {
	found := []string{}
	knobs := defaultKnobs()
	for metric, score := range scores {
		s.averages[metric] = updateEWMA(s.averages[metric], score, knobs)
		declining, relative, percentile := seriesConditions(s.averages[metric], nil, score, knobs)
		for condition, shown := range map[string]bool{
			conditionBreach: score < v.threshold(metric), conditionTrend: declining,
			conditionRelative: relative, conditionPercentile: percentile,
		} {
			if shown {
				found = append(found, signatureOf(condition, metric))
			}
		}
	}
	slices.Sort(found)
	return found
}
