package workspace

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

// Kinds of ids. Each id is checked against its strict pattern before it
// becomes part of a path (docs/workspace.md, "Ids").
const (
	RuleIDPrefix   = "r-"
	CaseIDPrefix   = "c-"
	NoticeIDPrefix = "n-"
)

const idDigits = 10

// NewRuleID returns a fresh rule id: "r-" and 10 hex digits.
func NewRuleID() string { return RuleIDPrefix + randomHex(idDigits) }

// NewCaseID returns a fresh case id: "c-" and 10 hex digits.
func NewCaseID() string { return CaseIDPrefix + randomHex(idDigits) }

// NewNoticeID returns a fresh notice id, which begins with its time:
// "n-20261130T182451740405-b8053555".
func NewNoticeID(at time.Time) string {
	u := at.UTC()
	return fmt.Sprintf("%s%s%06d-%s", NoticeIDPrefix, u.Format("20060102T150405"), u.Nanosecond()/1000, randomHex(8))
}

const lineIDDigits = 16

// newLineID returns the id of an evidence line: 16 hex digits.
func newLineID() string { return randomHex(lineIDDigits) }

// CheckRuleID says whether id has the shape of a rule id.
func CheckRuleID(id string) error {
	return checkID(id, "rule", "r-0123456789", func(s string) bool { return prefixedHex(s, RuleIDPrefix) })
}

// CheckCaseID says whether id has the shape of a case id.
func CheckCaseID(id string) error {
	return checkID(id, "case", "c-0123456789", func(s string) bool { return prefixedHex(s, CaseIDPrefix) })
}

// CheckNoticeID says whether id has the shape of a notice id.
func CheckNoticeID(id string) error {
	return checkID(id, "notice", "n-20260131T093000000000-0123abcd", isNoticeID)
}

func checkID(id, kind, example string, ok func(string) bool) error {
	if ok(id) {
		return nil
	}
	return Errorf(CodeBadInput, "%q is not a %s id; one looks like %s", clip(id), kind, example)
}

func prefixedHex(s, prefix string) bool {
	digits, ok := strings.CutPrefix(s, prefix)
	return ok && len(digits) == idDigits && allIn(digits, hexDigits)
}

func isNoticeID(s string) bool {
	rest, ok := strings.CutPrefix(s, NoticeIDPrefix)
	if !ok {
		return false
	}
	stamp, tail, ok := strings.Cut(rest, "-")
	return ok && len(stamp) == 21 && stamp[8] == 'T' && allIn(stamp[:8]+stamp[9:], "0123456789") &&
		len(tail) == 8 && allIn(tail, hexDigits)
}

const hexDigits = "0123456789abcdef"

func allIn(s, set string) bool {
	return strings.Trim(s, set) == "" && s != ""
}

func randomHex(digits int) string {
	b := make([]byte, (digits+1)/2)
	rand.Read(b) // never fails: crypto/rand aborts the program instead
	return hex.EncodeToString(b)[:digits]
}

// clip shortens a text that is quoted in a message.
func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}
