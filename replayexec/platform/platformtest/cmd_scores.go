package platformtest

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

func (r *request) scoresGet() (any, error) {
	target, err := r.target()
	if err != nil {
		return nil, err
	}
	id := r.line.words[0]
	return r.scores(call{method: "GET", endpoint: "scores.get", target: target, id: id}, func(w *world) []row {
		rows := only(w.visible(target), func(s row) bool { return s.id == id })
		if target == "session" {
			return rows
		}
		seen := map[string]bool{}
		rows = only(rows, func(s row) bool { // newest first, so the first of a metric is its newest
			first := !seen[s.Name]
			seen[s.Name] = true
			return first
		})
		slices.SortStableFunc(rows, func(a, b row) int { return strings.Compare(a.Name, b.Name) })
		return rows
	})
}

// scores carries out a request whose answer is a bare list of scores.
func (r *request) scores(c call, find func(*world) []row) (any, error) {
	rows := func(w *world) []row {
		if r.otherProject(w) {
			return nil
		}
		return find(w)
	}
	if c.target == "session" {
		return ask(r, c, func(w *world) ([]sessionScore, error) { return forSessions(rows(w)), nil })
	}
	return ask(r, c, func(w *world) ([]traceScore, error) { return forTraces(rows(w)), nil })
}

func (r *request) scoresList() (any, error) {
	target, err := r.target()
	if err != nil {
		return nil, err
	}
	query, err := r.listQuery(target)
	if err != nil {
		return nil, err
	}
	c := call{method: "GET", endpoint: "scores.list", target: target, query: query}
	if target == "session" {
		page, err := ask(r, c, func(w *world) (listPage[sessionScore], error) { return pageOf(r, w, c, forSessions) })
		return page.answer(), err
	}
	page, err := ask(r, c, func(w *world) (listPage[traceScore], error) { return pageOf(r, w, c, forTraces) })
	return page.answer(), err
}

// pageOf gives the page that the query asks for.
func pageOf[T any](r *request, w *world, c call, as func([]row) []T) (listPage[T], error) {
	var rows []row
	if !r.otherProject(w) {
		rows = only(w.visible(c.target), func(s row) bool { return s.meets(c.query) })
	}
	page := listPage[T]{Total: len(rows), Limit: w.DefaultLimit}
	if limit, ok := r.line.numbers["limit"]; ok {
		page.Limit = limit
	}
	page.Offset = r.line.numbers["offset"]
	from := min(page.Offset, len(rows))
	page.Items = as(rows[from:min(from+page.Limit, len(rows))])
	return page, nil
}

// listQuery checks the flags of a list and gives them as the platform's query.
func (r *request) listQuery(target string) (url.Values, error) {
	query := url.Values{}
	if limit, ok := r.line.numbers["limit"]; ok {
		if limit < 1 || limit > 200 {
			return nil, failf(exitValidation, "invalid --limit %d: must be between 1 and 200", limit)
		}
		query.Set("limit", strconv.Itoa(limit))
	}
	if offset, ok := r.line.numbers["offset"]; ok {
		if offset < 0 {
			return nil, failf(exitValidation, "invalid --offset %d: must be >= 0", offset)
		}
		query.Set("offset", strconv.Itoa(offset))
	}
	if err := r.oneOf("source", "AUTOMATED", "ANNOTATION", "PROGRAMMATIC"); err != nil {
		return nil, err
	}
	if err := r.oneOf("status", "SUCCESS", "FAILED", "PENDING"); err != nil {
		return nil, err
	}
	own := map[string]string{"session": "session-id", "trace": "trace-id data-type environment"}[target]
	for _, flag := range strings.Fields("name source status eval-run-id date-from date-to " + own) {
		value, ok := r.line.texts[flag]
		if !ok {
			continue
		}
		if strings.HasPrefix(flag, "date-") {
			var err error
			if value, err = date(flag, value); err != nil {
				return nil, err
			}
		}
		query.Set(strings.ReplaceAll(flag, "-", "_"), value)
	}
	return query, nil
}

// date gives a date flag as the program sends it: whole seconds, midnight UTC for a day.
func date(flag, text string) (string, error) {
	for _, layout := range []string{time.DateOnly, time.RFC3339Nano} {
		if when, err := time.Parse(layout, text); err == nil {
			return when.Format(time.RFC3339), nil
		}
	}
	return "", failf(exitValidation, "invalid --%s %q: use RFC3339 (2025-01-15T10:30:00Z) or YYYY-MM-DD", flag, text)
}
