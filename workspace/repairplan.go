package workspace

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
)

// linePlan is what becomes of the lines of one file.
type linePlan struct {
	cuts  []lineCut
	aside [][]byte
	moves []lineMove
	done  [doneMoved + 1]int // lines by what is done with them
}

// lineCut is a piece of the file and what comes into its place.
type lineCut struct {
	from, to int64
	instead  []byte
}

type lineMove struct {
	to     string
	record []byte
}

// planLines reads the lines again; changed tells that they are not what was
// seen.
func planLines(f *os.File, rel string, mends []lineMend) (plan linePlan, changed bool, err error) {
	reader := newRecordReader()
	for _, m := range slices.SortedFunc(slices.Values(mends), func(a, b lineMend) int { return a.number - b.number }) {
		text := make([]byte, m.length)
		if _, err := f.ReadAt(text, m.offset); err == io.EOF {
			return plan, true, nil
		} else if err != nil {
			return plan, false, err
		}
		if digest(text) != m.sum {
			return plan, true, nil
		}
		end, err := lineEndAt(f, m.offset+m.length, text)
		if err != nil {
			return plan, false, err
		}
		plan.add(m, text, end, reader)
	}
	return plan, false, nil
}

// lineEndAt is the offset behind the line's end, which a writer may have put
// there since.
func lineEndAt(f *os.File, behind int64, text []byte) (int64, error) {
	if bytes.HasSuffix(text, []byte{'\n'}) {
		return behind, nil
	}
	var next [1]byte
	n, err := f.ReadAt(next[:], behind)
	if err != nil && err != io.EOF {
		return 0, err
	}
	if n == 1 && next[0] == '\n' {
		behind++
	}
	return behind, nil
}

func (p *linePlan) add(m lineMend, text []byte, end int64, reader *recordReader) {
	cut := lineCut{from: m.offset, to: end}
	content := rawLine{number: m.number, text: text}.content()
	whole, torn := [][]byte{content}, [][]byte(nil)
	if m.to == "" {
		whole, torn = unglue(content, reader)
	}
	p.aside = append(p.aside, torn...)
	for _, record := range whole {
		if m.kind == KindMisplacedRecord {
			p.moves = append(p.moves, lineMove{m.to, record})
		} else {
			cut.instead = append(append(cut.instead, record...), '\n')
		}
	}
	p.cuts = append(p.cuts, cut)
	switch {
	case m.kind == KindMisplacedRecord:
		p.done[doneMoved]++
	case len(whole) == 0:
		p.done[doneAside]++
	case len(torn) > 0 || len(whole) > 1:
		p.done[doneParted]++
	default:
		p.done[doneEnded]++
	}
}

// What is done with a line.
const (
	doneAside = iota
	doneParted
	doneEnded
	doneMoved
)

// mended tells what was done.
func (p linePlan) mended(rel string) (all []Mended) {
	for _, d := range []struct {
		done       int
		kind, text string
	}{
		{doneAside, KindTornLine, "set %s aside in " + repairedDir},
		{doneParted, KindTornLine, "gave the records of %s lines of their own"},
		{doneEnded, KindTornTail, "ended %s"},
		{doneMoved, KindMisplacedRecord, "moved %s to where it belongs"},
	} {
		n := p.done[d.done]
		if n == 0 {
			continue
		}
		lines := "1 line"
		if n > 1 {
			lines = fmt.Sprintf("%d lines", n)
		}
		all = append(all, Mended{d.kind, rel, fmt.Sprintf(d.text, lines)})
	}
	return all
}
