package platform

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// maxPages ends a list whose pages never do. It stands for two million scores.
const maxPages = 10_000

// listing is what has been read of the list of scores so far.
type listing struct {
	offset, total int
	read          int // without those met again
	repeated      int
	seen          map[string]bool
	until         string // --date-to; "" as long as the first page is not read
}

// listSessionScores reads the scores of all sessions, every page, and hands each to visit once, whatever its status. It takes at
// most ListBound. Errors: ctx's, or *Error; the list is then incomplete.
//
// The platform counts pages from the newest score, so scores that arrive meanwhile move the others: a score met again is passed
// over, and from the second page on only scores up to the newest of the first page are asked for. That instant is the
// platform's own, so a wrong clock here hides nothing. When scores vanish meanwhile, the reading steps back by as many.
func (c *Client) listSessionScores(ctx context.Context, visit func(sessionScore)) (*listing, error) {
	l := &listing{seen: map[string]bool{}}
	over := &Error{Class: Timeout, Call: "evals scores list", Message: fmt.Sprintf("not all pages within %v", c.listLimit())}
	err := within(ctx, c.listLimit(), over, func(ctx context.Context) error {
		return l.follow(visit, func() (scorePage, error) {
			page, err := c.page(ctx, l.offset, l.until)
			if err == nil && c.Progress != nil {
				c.Progress(min(l.offset+len(page.Items), page.Pagination.Total), page.Pagination.Total)
			}
			return page, err
		})
	})
	return l, err
}

func (c *Client) page(ctx context.Context, offset int, until string) (scorePage, error) {
	args := []string{"--target", "session", "--limit", strconv.Itoa(c.pageSize()), "--offset", strconv.Itoa(offset)}
	if until != "" {
		args = append(args, "--date-to", until)
	}
	return ask(ctx, c, question{command: "evals scores list", args: args, repeat: transient}, func(text []byte) (scorePage, error) {
		page, err := parsePage(text)
		if err == nil && page.Pagination.Offset != offset {
			err = fmt.Errorf("the page at offset %d instead of %d", page.Pagination.Offset, offset)
		}
		return page, err
	})
}

// follow reads page after page until the last.
func (l *listing) follow(visit func(sessionScore), next func() (scorePage, error)) error {
	for range maxPages {
		page, err := next()
		if err != nil {
			return err
		}
		if l.take(page, visit) {
			return nil
		}
	}
	return &Error{
		Class: Malformed, Call: "evals scores list", Message: fmt.Sprintf("the list does not end after %d pages", maxPages),
	}
}

// take visits what is new on the page and says whether it was the last.
func (l *listing) take(page scorePage, visit func(sessionScore)) (last bool) {
	for _, s := range page.Items {
		if l.seen[s.ID] {
			l.repeated++
			continue
		}
		if s.ID != "" {
			l.seen[s.ID] = true
		}
		l.read++
		visit(s)
	}
	if l.until == "" {
		l.until = endOf(page.Items)
	}
	vanished := l.total - page.Pagination.Total
	l.total = page.Pagination.Total
	if vanished > 0 && l.offset > 0 {
		l.offset = max(0, l.offset-vanished)
		return false
	}
	l.offset += len(page.Items)
	return len(page.Items) == 0 || l.offset >= l.total
}

// endOf is the first whole second after the newest of the scores, since --date-to leaves out its instant and cuts fractions off.
// It is "" when they do not come newest first: then it would leave scores out.
func endOf(scores []sessionScore) string {
	var newest time.Time
	for i, s := range scores {
		created, err := time.Parse(time.RFC3339, s.CreatedAt)
		if i == 0 {
			newest = created
		}
		if err != nil || created.After(newest) {
			return ""
		}
	}
	if newest.IsZero() {
		return ""
	}
	return newest.UTC().Truncate(time.Second).Add(time.Second).Format(time.RFC3339)
}
