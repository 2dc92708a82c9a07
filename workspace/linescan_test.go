package workspace

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// scanned is the lines of a text as a scan gives them, with their numbers, put
// back into the order of the file.
func scanned(t *testing.T, w *Workspace, content string, block int) []string {
	t.Helper()
	write(t, w, "state/x.jsonl", content)
	s := &lineScanner{w: w, block: block}
	var lines []string
	err := s.scan("state/x.jsonl", func(line []byte) { lines = append(lines, fmt.Sprintf("%d %s", s.number(), line)) })
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(lines)
	return lines
}

func readForward(content string) []string {
	var lines []string
	readLines([]byte(content), func(number int, line []byte) { lines = append(lines, fmt.Sprintf("%d %s", number, line)) })
	return lines
}

func TestAScanFindsTheLinesThatReadingFinds(t *testing.T) {
	w := newTest(t)
	long := strings.Repeat("x", 100)
	for _, content := range []string{
		"", "a", "a\n", "\n", "\n\n\na", "a\n\nb\n", "a\r\nb\r\n", "\xef\xbb\xbfa\nb", "  a  \n\t\nb", long, long + "\n" + long + "\n",
		"a\n" + long + "\nb\n" + long, "\n" + long, "\xef\xbb\xbf" + long + "\nb",
	} {
		for _, block := range []int{1, 2, 3, 7, 64, scanBlock} {
			if diff := cmp.Diff(readForward(content), scanned(t, w, content, block)); diff != "" {
				t.Errorf("%q in blocks of %d (-want +got):\n%s", content, block, diff)
			}
		}
	}
}

func TestAScanOfNoFile(t *testing.T) {
	w := newTest(t)
	s := &lineScanner{w: w, block: scanBlock}
	if err := s.scan("state/none.jsonl", func([]byte) { t.Error("a line of a missing file") }); err != nil {
		t.Error(err)
	}
	if err := s.scan("state", func([]byte) {}); CodeOf(err) != CodeIO {
		t.Errorf("a folder: got %v", err)
	}
}

// TestNewestHeads feeds heads in several orders and wants the newest, each once.
func TestNewestHeads(t *testing.T) {
	newestFirst := []string{"9", "8", "7", "6", "5", "4", "3", "2", "1"}
	oldestFirst := slices.Clone(newestFirst)
	slices.Reverse(oldestFirst)
	for _, c := range []struct {
		order   []string
		most    int
		want    string
		dropped bool
	}{
		{newestFirst, 3, "789", true},
		{oldestFirst, 3, "789", true},
		{[]string{"5", "9", "1", "8", "2", "7", "3", "6", "4"}, 3, "789", true},
		{[]string{"9", "9", "9", "8", "9", "8", "7", "7"}, 3, "789", false},
		{[]string{"1", "1", "2", "2", "3", "3", "4"}, 3, "234", true},
		{newestFirst, 9, "123456789", false},
		{newestFirst, 20, "123456789", false},
		{newestFirst, 0, "123456789", false},
		{nil, 3, "", false},
	} {
		n := newestHeads{most: c.most}
		for _, id := range c.order {
			line := []byte(id)
			n.add(lineHead{at: []byte("t" + id), id: line, line: line})
			line[0] = '!' // who adds may use its memory again
		}
		n.settle()
		got := ""
		for _, h := range n.heads {
			got += string(h.line)
		}
		if got != c.want || n.dropped != c.dropped {
			t.Errorf("the newest %d of %v: got %q, dropped %v", c.most, c.order, got, n.dropped)
		}
	}
}

func TestNewestHeadsOfOneInstant(t *testing.T) {
	n := newestHeads{most: 2}
	for _, id := range []string{"b", "a", "d", "c"} {
		n.add(lineHead{at: []byte("t"), id: []byte(id), line: []byte(id)})
	}
	n.settle()
	if got := string(n.heads[0].line) + string(n.heads[1].line); got != "cd" {
		t.Errorf("got %q, want the two greatest ids", got)
	}
}
