package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// eventHeading stands over events, eventRow is one; the columns have a fixed
// width, so that rows can be written one by one.
func eventHeading() string { return eventColumns("TIME", "TYPE", "ABOUT", "WHAT") }

func eventRow(event workspace.Event) string {
	return eventColumns(when(event.TS), event.Type, aboutText(event), eventText(event))
}

func eventColumns(time, kind, about, what string) string {
	return fmt.Sprintf("%-23s  %-15s  %-12s  %s", time, lifecycle.SafeLine(kind), lifecycle.SafeLine(about), lifecycle.SafeLine(what))
}

// writeEvents shows events to people, a line each.
func writeEvents(w io.Writer, events []workspace.Event, width int) {
	fmt.Fprintln(w, cut(eventHeading(), width))
	for _, event := range events {
		fmt.Fprintln(w, cut(eventRow(event), width))
	}
}

// aboutText is the rule that an event is about, else the session.
func aboutText(event workspace.Event) string {
	if event.RuleID != "" {
		return event.RuleID
	}
	return orDash(event.SessionID)
}

// eventText tells what happened, in the words of the event.
func eventText(event workspace.Event) string {
	var data struct {
		NoticeID string `json:"notice_id"`
		Severity string `json:"severity"`
		Summary  string `json:"summary"`
		Note     string `json:"note"`
		Rule     string `json:"rule"`
		Mode     string `json:"mode"`
		Reason   string `json:"reason"`
		CaseID   string `json:"case_id"`
		Kind     string `json:"kind"`
		Skipped  string `json:"skipped"`

		lifecycle.RegressionCounts
	}
	if err := event.Decode(&data); err != nil {
		return string(event.Data)
	}
	switch event.Type {
	case lifecycle.EventNotice:
		return said(data.Severity, data.Summary)
	case lifecycle.EventAck:
		return said(data.NoticeID, data.Note)
	case lifecycle.EventRuleAdd:
		return orDash(data.Rule)
	case lifecycle.EventPromote, lifecycle.EventRetire:
		return orDash(data.Reason)
	case lifecycle.EventValidation:
		return said(data.Mode, data.Reason)
	case lifecycle.EventCapture, lifecycle.EventEvict, lifecycle.EventRemove:
		return said(data.CaseID, data.Kind, data.Reason, data.Skipped)
	case lifecycle.EventRegression:
		return fmt.Sprintf("%d replayed, %d regressed, %d improved", data.Replayed, data.Regressed, data.Improved)
	}
	return orDash(string(event.Data))
}

// said joins what there is.
func said(parts ...string) string {
	var given []string
	for _, p := range parts {
		if p != "" {
			given = append(given, p)
		}
	}
	return orDash(strings.Join(given, ": "))
}
