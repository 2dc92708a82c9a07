package main

import (
	"fmt"
	"strings"
)

// addRule adds a rule and returns its id.
func (p *program) addRule(text string, more ...string) string {
	p.t.Helper()
	var doc struct{ Rule struct{ ID string } }
	p.ask(&doc, "", append([]string{"rule", "add", "--rule", text}, more...))
	return doc.Rule.ID
}

// addFailure adds a replayable failure case on the metric m, baseline 0.3.
func (p *program) addFailure(session string) string {
	p.t.Helper()
	return p.addCase("failure", session)
}

func (p *program) addCase(kind, session string, more ...string) string {
	p.t.Helper()
	var doc struct{ Case struct{ ID string } }
	p.ask(&doc, "", append([]string{"case", "add", "--session", session, "--kind", kind,
		"--signature", "breach:m", "--score", "m=0.3", "--input", `{"q": 1}`}, more...))
	return doc.Case.ID
}

// observe handles a report of one score of the metric m.
func (p *program) observe(session string, score float64, more ...string) (o observation) {
	p.t.Helper()
	p.ask(&o, fmt.Sprintf(`{"session_id":%q,"scores":{"m":%g}}`, session, score), append([]string{"observe"}, more...))
	return o
}

// statusIn reads a rule's status from its file, without any command of the
// program.
func (p *program) statusIn(id string) string {
	for _, name := range []string{"state/rules/", "state/rules/retired/"} {
		for line := range strings.Lines(p.read(name + id + ".toml")) {
			if status, ok := strings.CutPrefix(line, "status = "); ok {
				return strings.Trim(status, "\"\n")
			}
		}
	}
	return ""
}

// lifecycleOf asks for the status of a rule.
func (p *program) lifecycleOf(id string) (l lifecycleAnswer) {
	p.t.Helper()
	var doc struct{ Lifecycle lifecycleAnswer }
	p.ask(&doc, "", []string{"rule", "status", id})
	return doc.Lifecycle
}

// lifecycleAnswer is what `rule status` says of a rule.
type lifecycleAnswer struct {
	Status           string
	BaselineRate     float64 `json:"baseline_rate"`
	TrialRate        float64 `json:"trial_rate"`
	SessionsObserved int     `json:"sessions_observed"`
	SessionsNeeded   int     `json:"sessions_needed"`
	ReplayAttempts   int     `json:"replay_attempts"`
	Verdict          string
}

// roundAnswer is what `validate` says.
type roundAnswer struct {
	OK       bool
	Mode     string
	DryRun   bool `json:"dry_run"`
	Checked  int
	Gate     []string
	Verdicts []verdictAnswer
	Error    struct{ Code, Message string }
}

type verdictAnswer struct {
	RuleID     string `json:"rule_id"`
	Outcome    string
	Validator  string
	Reason     string
	ReasonCode string `json:"reason_code"`
	Applied    bool
	Details    struct {
		Cases            []caseAnswer
		Inconclusive     int
		ContextRules     []string `json:"context_rules"`
		ContextSHA256    string   `json:"context_sha256"`
		ObservedSessions []string `json:"observed_sessions"`
	}
}

type caseAnswer struct {
	CaseID     string `json:"case_id"`
	Kind       string
	SessionID  string `json:"session_id"`
	Deltas     map[string]float64
	DurationS  float64 `json:"duration_s"`
	ReasonCode string  `json:"reason_code"`
	Reason     string
}

// validate runs a round; args go to it, codes are the exit codes that will do.
func (p *program) validate(args []string, codes ...int) (round roundAnswer) {
	p.t.Helper()
	p.ask(&round, "", append([]string{"validate"}, args...), codes...)
	return round
}

// shell is the command line that has `sh` run a script.
func shell(script string) []string { return []string{"--", "sh", "-c", script} }

// replayConfig is a harness.toml with a replay command for the shell and other
// lines in front of it.
func replayConfig(script string, lines ...string) string {
	return strings.Join(lines, "\n") + fmt.Sprintf("\n[replay]\ncommand = ['/bin/sh', '-c', '''%s''']\n", script)
}

// Replays that help, do nothing, and break something.
const (
	better = `echo '{"session_id":"better","scores":{"m":0.9}}'`
	same   = `echo '{"session_id":"same","scores":{"m":0.3}}'`
	worse  = `echo '{"session_id":"worse","scores":{"m":0.1}}'`
)

// observation is what `observe` answers.
type observation struct {
	OK                bool
	Line              int
	SessionID         string `json:"session_id"`
	Signatures        []string
	Posted, Recovered bool
	NoticeID          string `json:"notice_id"`
	ValidationStarted bool   `json:"validation_started"`
	Warnings          []string
	Error             struct {
		Code, Message, Field string
		Line                 int
	}
}

// answersIn are the answers of a stream, one a line.
func answersIn(p *program, text string) (all []observation) {
	p.t.Helper()
	for line := range strings.Lines(text) {
		var o observation
		p.decode(line, &o)
		all = append(all, o)
	}
	return all
}

// sessionRecord is a line of a session's file.
type sessionRecord struct {
	ID        string
	SessionID string `json:"session_id"`
	RunID     string `json:"run_id"`
	NoticeID  string `json:"notice_id"`
}

type eventRecord struct {
	ID, Type  string
	SessionID string `json:"session_id"`
	RuleID    string `json:"rule_id"`
	NoticeID  string `json:"notice_id"`
	Mode      string
}

type trialRecord struct {
	ID, Type  string
	SessionID string `json:"session_id"`
	Breached  bool
}

// recordsIn are the records of the files that a pattern names, with unique ids.
func recordsIn[T any](p *program, pattern string, id func(T) string) (all []T) {
	p.t.Helper()
	seen := map[string]bool{}
	for _, file := range p.files(pattern) {
		for _, record := range lines[T](p, file) {
			if seen[id(record)] {
				p.t.Errorf("%s: the id %s is there twice", file, id(record))
			}
			seen[id(record)] = true
			all = append(all, record)
		}
	}
	return all
}

func (p *program) sessionRecords() []sessionRecord {
	return recordsIn(p, "state/sessions/*.jsonl", func(r sessionRecord) string { return r.ID })
}

func (p *program) events() []eventRecord {
	return recordsIn(p, "state/journal/*.jsonl", func(r eventRecord) string { return r.ID })
}
