package redact

import (
	"bytes"
	"io"
	"strings"
	"sync"

	"errand/policy/redact/find"
)

// maxPending is how much a [Writer] holds back while a line or a PEM block has
// not ended.
const maxPending = 256 << 10

// Writer redacts what is written through it. It passes on whole lines only,
// so that a secret that comes in two writes is seen in one piece, and holds
// back a private key until its end. Close writes what is left. It may be used
// by several goroutines at once.
type Writer struct {
	r  *Redactor
	mu sync.Mutex
	w  io.Writer
	// pending is what has been written and not passed on.
	pending []byte
}

// Writer makes a writer to w. Closing it does not close w.
func (r *Redactor) Writer(w io.Writer) *Writer { return &Writer{r: r, w: w} }

// Write takes all of p; the error is of passing on what had become whole.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending = append(w.pending, p...)
	if bytes.IndexByte(p, '\n') < 0 && len(w.pending) <= maxPending {
		return len(p), nil // nothing has become whole
	}
	return len(p), w.pass(wholeLines(w.pending))
}

// Close passes on what is left, whole or not.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.pass(len(w.pending))
}

func (w *Writer) pass(n int) error {
	if n == 0 {
		return nil
	}
	out := w.r.Text(string(w.pending[:n]))
	w.pending = append(w.pending[:0], w.pending[n:]...)
	written, err := io.WriteString(w.w, out)
	if err == nil && written < len(out) {
		err = io.ErrShortWrite
	}
	return err
}

// wholeLines is how much of b can be redacted now.
func wholeLines(b []byte) int {
	n := bytes.LastIndexByte(b, '\n') + 1
	if begin := findOpenKey(b[:n]); begin >= 0 && n-begin <= find.MaxPEM {
		n = begin
	}
	if len(b)-n > maxPending {
		n = len(b) // an endless line; better cut than kept for ever
		if sp := bytes.LastIndexAny(b, " \t\n"); sp > 0 {
			n = sp + 1
		}
	}
	return n
}

// findOpenKey returns where a private key begins that has not ended, or -1. It
// answers the beginning of the line.
func findOpenKey(b []byte) int {
	begin := bytes.LastIndex(b, []byte("BEGIN "))
	if begin < 0 || bytes.Contains(b[begin:], []byte("END ")) {
		return -1
	}
	line, _, _ := strings.Cut(string(b[begin:min(len(b), begin+80)]), "\n")
	if !strings.Contains(line, "PRIVATE KEY") {
		return -1
	}
	return bytes.LastIndexByte(b[:begin], '\n') + 1
}
