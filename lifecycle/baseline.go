package lifecycle

import "github.com/pandaprobe/pandaprobe-harness/workspace"

// baselineWindow is how many incidents a baseline looks at.
const baselineWindow = 200

// baseline measures how often sessions showed the metric's family of conditions
// lately: among the last incidents of the journal, the share of their sessions
// that had a notice of the family (docs/closed-loop.md, "The baseline").
func (e *Engine) baseline(metric string) (workspace.Trial, error) {
	events, err := e.Workspace.Events(workspace.JournalFilter{
		Types: []string{EventNotice, EventRecovery},
		Last:  baselineWindow,
	})
	if err != nil {
		return workspace.Trial{}, err
	}
	sessions, breached := map[string]bool{}, map[string]bool{}
	for _, event := range events {
		if event.SessionID == "" {
			continue
		}
		sessions[event.SessionID] = true
		if event.Type == EventNotice && hitsFamily(signaturesOf(event), metric) {
			breached[event.SessionID] = true
		}
	}
	return workspace.Trial{
		BaselineWindow:           len(events),
		BaselineSessions:         len(sessions),
		BaselineBreachedSessions: len(breached),
	}, nil
}

func signaturesOf(event workspace.Event) []string {
	var data struct {
		Signatures []string `json:"signatures"`
	}
	if event.Decode(&data) != nil {
		return nil
	}
	return data.Signatures
}

func hitsFamily(signatures []string, metric string) bool {
	for _, s := range signatures {
		if inFamily(s, metric) {
			return true
		}
	}
	return false
}
