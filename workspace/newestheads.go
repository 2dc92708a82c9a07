package workspace

import (
	"bytes"
	"slices"
)

// newestHeads gathers heads of journal lines, in memory of its own, and keeps
// the newest of them. They come newest first for the most part, so that most of
// those that are not kept need not even be copied.
type newestHeads struct {
	most    int // so many are wanted; 0 = all
	heads   []lineHead
	floor   []byte // what lies before it is not among the newest
	dropped bool   // older ones were left out
}

// add copies the head when it may be among the newest.
func (n *newestHeads) add(h lineHead) {
	if bytes.Compare(h.at, n.floor) < 0 {
		n.dropped = true
		return
	}
	n.heads = append(n.heads, h.copied())
	if n.most > 0 && (len(n.heads) == n.most || len(n.heads) >= 2*n.most) {
		n.settle()
	}
}

// settle puts the heads in order, each once, and drops all but the newest. Two
// with one id and other times are two: what is among the newest must not hang on
// what is not (the doctor tells of them).
func (n *newestHeads) settle() {
	slices.SortFunc(n.heads, lineHead.compare)
	n.heads = slices.CompactFunc(n.heads, func(a, b lineHead) bool { return a.compare(b) == 0 })
	excess := len(n.heads) - n.most
	if n.most == 0 || excess < 0 {
		return
	}
	n.dropped = n.dropped || excess > 0
	n.heads = slices.Delete(n.heads, 0, excess)
	n.floor = n.heads[0].at
}
