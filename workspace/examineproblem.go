package workspace

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
)

// problemOf tells what is wrong with a record that is JSON.
func problemOf(kind *evidenceKind, line []byte, rec *record) problem {
	switch {
	case rec.problem.kind != "":
	case rec.ts.IsZero():
		rec.blame(KindMissingField, "has no ts", "give it the time of writing, which its neighbours tell about")
	case len(rec.id) == 0:
		rec.blame(KindMissingField, "has no id", "give it one of 16 hex digits")
	default:
		return kind.problem(rec, line)
	}
	return rec.problem
}

func eventProblem(rec *record, _ []byte) problem {
	if len(rec.kind) == 0 {
		return problem{KindMissingField, "has no type", "give it one, or move the line away"}
	}
	if !bytes.HasPrefix(rec.kind, []byte("rule_")) {
		return problem{}
	}
	if len(rec.rule) == 0 {
		return problem{KindMissingField, "has no rule_id, and is about nothing", "name the rule, or move the line away"}
	}
	if err := CheckRuleID(string(rec.rule)); err != nil {
		return problem{KindBadValue, "rule_id names no rule: " + err.Error(), "correct it, or move the line away"}
	}
	return problem{}
}

func trialProblem(rec *record, line []byte) problem {
	var t TrialLine
	if err := json.Unmarshal(line, &t); err != nil {
		return decodeProblem(line, err)
	}
	if t.Type == "" || t.Type == Observation && t.SessionID == "" {
		return problem{KindMissingField, "has no type, or names no session that was observed", "correct the line, or move it away"}
	}
	if t.Type != Observation && t.Type != Attempt {
		return problem{KindUnknownEvent, fmt.Sprintf("has the type %q, which this version does not know of evidence on a rule", clip(string(rec.kind))),
			"a newer version may know it; else move it to where it belongs"}
	}
	return problem{}
}

func (x *examiner) sessionProblem(rec *record, line []byte) problem {
	if len(rec.kind) > 0 && !rec.reports {
		return problem{KindBadRecord, fmt.Sprintf("has the type %q and reports nothing of a session", clip(string(rec.kind))), "move it to where it belongs"}
	}
	var l SessionLine
	if err := json.Unmarshal(line, &l); err != nil {
		return decodeProblem(line, err)
	}
	if err := CheckSessionID(l.SessionID); err != nil {
		return problem{KindBadValue, "names no session: " + err.Error(), "correct session_id, or move the line away"}
	}
	for metric, score := range l.Scores {
		if score == nil {
			continue
		}
		if err := CheckScore(metric, *score); err != nil {
			return problem{KindOutOfRange, fmt.Sprintf("scores %q: %v", clip(metric), err), "correct the score, or set it to null"}
		}
	}
	if late := x.future("", 0, "score_ts", l.SampleTime()); l.ScoreTS != nil && late != nil {
		return problem{late[0].Kind, late[0].Message, late[0].Mend}
	}
	return problem{}
}

func decodeProblem(line []byte, err error) problem {
	_, field, message := describeJSON(line, err)
	kind := KindWrongType
	if strings.Contains(message, "RFC 3339") {
		kind = KindUnreadableTime
	}
	return problem{kind, withField(field, message), "correct the value"}
}
