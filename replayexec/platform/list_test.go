package platform

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// listed is a score of a scenario; the names are those of the scenario file.
type listed struct {
	Name      string  `json:"name"`
	Value     *string `json:"value"`
	Status    string  `json:"status"`
	CreatedAt string  `json:"created_at"`

	session string
	when    time.Time
}

// manyScores gives 1,234 scores of 137 sessions and two metrics, no two of the same instant and in no order of time: every
// seventh failed, every seventh pending.
func manyScores() []listed {
	began := time.Date(2026, 1, 10, 9, 0, 0, 0, time.UTC)
	scores := make([]listed, 1234)
	for i := range scores {
		when := began.Add(time.Duration(i*571%1234) * 31 * time.Second)
		if i%5 == 0 {
			when = when.Add(250 * time.Millisecond) // as text, "…00.25Z" sorts before "…00Z"
		}
		s := listed{
			Name: bothMetrics[i/137%2], Status: "SUCCESS", CreatedAt: when.Format(time.RFC3339Nano),
			session: fmt.Sprintf("s-%03d", i%137), when: when,
		}
		value := fmt.Sprintf("0.%04d", i*37%10000)
		switch i % 7 {
		case 2:
			s.Status = "FAILED"
		case 4:
			s.Status = "PENDING"
		default:
			s.Value = &value
		}
		scores[i] = s
	}
	return scores
}

func scenarioOf(t *testing.T, scores []listed) string {
	t.Helper()
	type session struct {
		Scores []listed `json:"scores"`
	}
	sessions := map[string]session{}
	for _, s := range scores {
		sessions[s.session] = session{append(sessions[s.session].Scores, s)}
	}
	text, err := json.Marshal(map[string]any{"sessions": sessions}, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestNewestOf1234Scores(t *testing.T) {
	scores := manyScores()
	wantLeft := map[string]int{}
	want := map[string]string{} // session and metric -> value, the later instant overwriting
	byTime := slices.Clone(scores)
	slices.SortFunc(byTime, func(a, b listed) int { return a.when.Compare(b.when) })
	for _, s := range byTime {
		if s.Value == nil {
			wantLeft[strings.ToLower(s.Status)]++
			continue
		}
		want[s.session+" "+s.Name] = *s.Value
	}
	scenario := scenarioOf(t, scores)
	for pageSize, pages := range map[int]int{50: 25, 200: 7} {
		c, fake, _ := newClient(t, scenario)
		c.PageSize = pageSize
		progress := 0
		c.Progress = func(read, total int) {
			if read <= progress || total != 1234 {
				t.Errorf("progress from %d to %d of %d", progress, read, total)
			}
			progress = read
		}
		got, err := c.NewestScores(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		values := map[string]string{}
		for _, s := range got.Scores {
			values[s.SessionID+" "+s.Metric] = fmt.Sprintf("%.4f", s.Value)
		}
		if diff := cmp.Diff(want, values); diff != "" || len(values) != len(got.Scores) {
			t.Errorf("pages of %d: %d scores; want - got +:\n%s", pageSize, len(got.Scores), diff)
		}
		if diff := cmp.Diff(wantLeft, got.LeftOut); diff != "" {
			t.Errorf("pages of %d, left out: want - got +:\n%s", pageSize, diff)
		}
		if got.Total != 1234 || got.Read != 1234 || got.Repeated != 0 || progress != 1234 {
			t.Errorf("pages of %d: read %d of %d, %d repeated, progress %d", pageSize, got.Read, got.Total, got.Repeated, progress)
		}
		if sum := len(got.Scores) + got.Older + got.LeftOut[LeftFailed] + got.LeftOut[LeftPending]; sum != 1234 {
			t.Errorf("pages of %d: the counts add up to %d", pageSize, sum)
		}
		if calls := fake.Count(t, "evals scores list"); calls != pages {
			t.Errorf("pages of %d: %d calls, want %d", pageSize, calls, pages)
		}
	}
}

func TestListAsksForTheSameScoresToItsEnd(t *testing.T) {
	c, fake, _ := newClient(t, scenarioOf(t, manyScores()[:8]))
	c.PageSize = 3
	if _, err := c.NewestScores(t.Context()); err != nil {
		t.Fatal(err)
	}
	var ends []string
	for _, made := range fake.Calls(t) {
		line := strings.Join(made.Argv, " ")
		if !strings.Contains(line, "--format json evals scores list --target session --limit 3 --offset") {
			t.Errorf("called %q", line)
		}
		_, end, _ := strings.Cut(line, "--date-to ")
		ends = append(ends, end)
	}
	// The newest of the eight is 1,142 * 31 s after nine o'clock; the end leaves out its own instant.
	if want := []string{"", "2026-01-10T18:50:03Z", "2026-01-10T18:50:03Z"}; !cmp.Equal(want, ends) {
		t.Errorf("ends %q, want %q", ends, want)
	}
}

func TestEmptyList(t *testing.T) {
	for _, scenario := range []string{`{}`, `{"project": "another", "sessions": {"s-1": {"scores": [{"name": "m", "value": "1", "created_at": "2026-01-01T00:00:00Z"}]}}}`} {
		c, fake, _ := newClient(t, scenario)
		got, err := c.NewestScores(t.Context())
		if err != nil || len(got.Scores) != 0 || fake.Count(t, "") != 1 {
			t.Errorf("%v, %v after %d calls", got, err, fake.Count(t, ""))
		}
	}
}

// A fault in the middle of the list: what passes by itself is overcome, what lasts leaves no half of a list.
func TestFaultBetweenPages(t *testing.T) {
	for fault, ok := range map[string]bool{
		`{"skip": 1, "status": 503, "times": 2}`:  true,
		`{"skip": 1, "status": 503, "times": -1}`: false,
		`{"skip": 2, "kind": "body", "body": {}}`: true,
		`{"skip": 1, "kind": "body", "times": -1, "body": {"items": [], "total": 9, "limit": 3, "offset": 0}}`: false,
	} {
		scenario := scenarioOf(t, manyScores()[:8])
		c, _, _ := newClient(t, strings.TrimSuffix(scenario, "}")+`, "faults": [`+fault+`]}`)
		c.PageSize = 3
		got, err := c.NewestScores(t.Context())
		if (err == nil) != ok || (got.Read == 8) != ok || (len(got.Scores) > 0) != ok {
			t.Errorf("%s: read %d, %v", fault, got.Read, err)
		}
	}
}

// shelf is a platform in memory whose list changes while it is read.
type shelf struct {
	ids   []int // newest first
	limit int
}

func (s *shelf) page(l *listing) scorePage {
	var page scorePage
	for _, id := range s.ids[min(l.offset, len(s.ids)):min(l.offset+s.limit, len(s.ids))] {
		page.Items = append(page.Items, sessionScore{ID: fmt.Sprint(id)})
	}
	page.Pagination.Total, page.Pagination.Limit, page.Pagination.Offset = len(s.ids), s.limit, l.offset
	return page
}

func TestListChangesMeanwhile(t *testing.T) {
	arrive := func(s *shelf, n int) {
		for range n {
			s.ids = append([]int{len(s.ids) + 1000}, s.ids...)
		}
	}
	vanish := func(s *shelf, n int) { s.ids = s.ids[min(n, len(s.ids)):] }
	for name, change := range map[string]func(s *shelf, page int){
		"nothing":           func(*shelf, int) {},
		"one arrives":       func(s *shelf, page int) { arrive(s, 1) },
		"a page arrives":    func(s *shelf, page int) { arrive(s, 9*(page%2)) },
		"the first vanish":  func(s *shelf, page int) { vanish(s, 4*(page%2)) },
		"many vanish":       func(s *shelf, page int) { vanish(s, page*6) },
		"come and then go":  func(s *shelf, page int) { arrive(s, 3*(page%3)); vanish(s, 3*((page+1)%3)) },
		"everything is cut": func(s *shelf, page int) { s.ids = s.ids[:max(0, len(s.ids)-20)] },
	} {
		s := &shelf{limit: 10}
		for id := 100; id > 0; id-- {
			s.ids = append(s.ids, id)
		}
		l, met, pages := &listing{seen: map[string]bool{}}, map[string]int{}, 0
		err := l.follow(func(score sessionScore) { met[score.ID]++ }, func() (scorePage, error) {
			page := s.page(l)
			pages++
			if pages < 60 {
				change(s, pages)
			}
			return page, nil
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, id := range s.ids {
			if id <= 100 && met[fmt.Sprint(id)] == 0 {
				t.Errorf("%s: %d was there all the time and is missing", name, id)
			}
		}
		for id, times := range met {
			if times > 1 {
				t.Errorf("%s: %s was visited %d times", name, id, times)
			}
		}
	}
}

func TestListWithoutEndIsEnded(t *testing.T) {
	l, pages := &listing{seen: map[string]bool{}}, 0
	err := l.follow(func(sessionScore) {}, func() (page scorePage, _ error) {
		pages++
		page.Items = []sessionScore{{ID: "always the same"}}
		page.Pagination.Total = pages + 1
		return page, nil
	})
	if e := asError(t, err); e.Class != Malformed || pages != maxPages || l.read != 1 {
		t.Errorf("%v after %d pages", e, pages)
	}
}

func TestEndOf(t *testing.T) {
	at := func(times ...string) (scores []sessionScore) {
		for _, text := range times {
			scores = append(scores, sessionScore{CreatedAt: text})
		}
		return scores
	}
	for _, test := range []struct {
		scores []sessionScore
		want   string
	}{
		{nil, ""},
		{at("2026-01-10T09:00:00.000001+00:00"), "2026-01-10T09:00:01Z"},
		{at("2026-01-10T09:00:00Z", "2026-01-10T09:00:00Z"), "2026-01-10T09:00:01Z"},
		{at("2026-01-10T10:30:00+02:00", "2026-01-10T08:29:59.9Z"), "2026-01-10T08:30:01Z"},
		{at("2026-01-10T09:00:00Z", "2026-01-10T09:00:01Z"), ""}, // oldest first
		{at("2026-01-10T09:00:00Z", "soon"), ""},
	} {
		if got := endOf(test.scores); got != test.want {
			t.Errorf("%v: %q, want %q", test.scores, got, test.want)
		}
	}
}

func TestScoreOfTheSameInstant(t *testing.T) {
	var pages []string
	for _, id := range []string{"b", "c", "a"} {
		pages = append(pages, fmt.Sprintf(`{"id": %q, "name": "m", "value": "0.%d", "created_at": "2026-01-01T00:00:00Z"}`, id, id[0]))
	}
	c, _, _ := newClient(t, `{"sessions": {"s-1": {"scores": [`+strings.Join(pages, ",")+`]}}}`)
	got, err := c.NewestScores(t.Context())
	if err != nil || len(got.Scores) != 1 || got.Scores[0].ID != "c" || got.Older != 2 {
		t.Errorf("%v, %v", got, err)
	}
}
