package workspace

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// historyBlockSize is how much of the history is read at once, in bytes. An entry
// of 500 samples is a tenth of that.
const historyBlockSize = 1 << 20

// mostReaders bounds the memory that reading takes: each holds a block.
const mostReaders = 4

// testOnlyBlockSize, when set, stands for it.
var testOnlyBlockSize int

// historyBlocks cuts the history into blocks of whole members, which several
// goroutines read at the same time. Where the file may be cut is a guess: a block
// that does not end where it should shows that it was wrong.
type historyBlocks struct {
	h        *historyFile
	newBlock func() memberFunc
	mu       sync.Mutex
	at       int64 // where the next block begins
	err      error // the last that a goroutine met; the others stop
}

// historyBlock is a piece of the file that begins with a brace.
type historyBlock struct {
	text []byte
	last bool
}

var errNoCut = errors.New("the history cannot be cut here")

// scan does what walk does, in blocks. newBlock is called for one block after the
// other, in their order; the members of several are then handed out at the same
// time. An error says only that the file has to be walked: it may be in perfect
// order.
func (h *historyFile) scan(ctx context.Context, newBlock func() memberFunc) error {
	if h.size <= h.start {
		return errNoCut // nothing is there to be cut
	}
	b := &historyBlocks{h: h, at: h.start, newBlock: newBlock}
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), mostReaders, 1+int(h.size)/h.blockSize) {
		workers.Go(func() { b.work(ctx) })
	}
	workers.Wait()
	return b.err
}

func (b *historyBlocks) work(ctx context.Context) {
	memory := make([]byte, 1+b.h.blockSize)
	for {
		block, member, ok := b.take(memory)
		if !ok {
			return
		}
		if err := block.read(ctx, member); err != nil {
			b.mu.Lock()
			b.err = err
			b.mu.Unlock()
			return
		}
	}
}

// take reads the next block; ok is false when there is none, or no use in it.
func (b *historyBlocks) take(memory []byte) (block historyBlock, member memberFunc, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil || b.at >= b.h.size {
		return block, nil, false
	}
	text := memory[1:]
	n, err := b.h.f.ReadAt(text, b.at)
	if err != nil && err != io.EOF {
		b.err = err
		return block, nil, false
	}
	end, next := n, n
	if b.at+int64(n) < b.h.size {
		if end, next, ok = lastCut(text[:n]); !ok {
			b.err = errNoCut
			return block, nil, false
		}
	}
	block = historyBlock{text: memory[:1+end], last: end == n}
	if memory[0] = '{'; b.at == b.h.start {
		block.text = block.text[1:] // the first has its own
	}
	if b.h.finite {
		io.ReadFull(newFiniteReader(bytes.NewReader(block.text)), block.text) // as many bytes as before
	}
	b.at += int64(next)
	return block, b.newBlock(), true
}

// read hands out the members of a block. All but the last end behind a member.
func (b *historyBlock) read(ctx context.Context, member memberFunc) error {
	p := &historyPart{d: jsontext.NewDecoder(bytes.NewBuffer(b.text), jsontext.AllowDuplicateNames(true))}
	end := int64(len(b.text))
	if b.last {
		end = 0
	}
	met, err := p.run(ctx, end, member)
	if err == nil && !met && !b.last {
		return errNoCut
	}
	return err
}

// lastCut finds the last `]},"` or `}},"` with any white space between: a series
// or its averages end, with them the entry, and a key follows. It returns where
// the entry ends and where the key begins.
func lastCut(b []byte) (end, next int, ok bool) {
	const space = " \t\r\n"
	for end = bytes.LastIndexByte(b, '}'); end >= 0; end = bytes.LastIndexByte(b[:end], '}') {
		before := bytes.TrimRight(b[:end], space)
		behind, comma := bytes.CutPrefix(bytes.TrimLeft(b[end+1:], space), []byte{','})
		key := bytes.TrimLeft(behind, space)
		if len(before) == 0 || !comma || len(key) == 0 || key[0] != '"' {
			continue
		}
		if last := before[len(before)-1]; last == ']' || last == '}' {
			return end + 1, len(b) - len(key), true
		}
	}
	return 0, 0, false
}
