package redact

import (
	"bytes"
	"io"
	"strings"
	"sync"

	"errand/policy/redact/find"
)

// maxPending limits the bytes that a [Writer] holds back for a line or a PEM block
// without an end.
const maxPending = 256 << 10

// Writer redacts what is written through it. It writes only whole lines, so that it
// finds a secret that is split over two writes, and holds back a private key until its
// end. Close writes the rest. It is safe for concurrent use.
type Writer struct {
	r  *Redactor
	mu sync.Mutex
	w  io.Writer
	// pending is data that was not written yet.
	pending []byte
}

// Writer returns a writer that redacts and writes to w. Closing it does not close w.
func (r *Redactor) Writer(w io.Writer) *Writer { return &Writer{r: r, w: w} }

// Write always accepts all of p. An error is of writing the complete lines.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending = append(w.pending, p...)
	if bytes.IndexByte(p, '\n') < 0 && len(w.pending) <= maxPending {
		return len(p), nil // no complete line yet
	}
	return len(p), w.pass(wholeLines(w.pending))
}

// Close writes the rest.
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

// wholeLines returns how many bytes of b can be redacted now.
func wholeLines(b []byte) int {
	n := bytes.LastIndexByte(b, '\n') + 1
	if begin := findOpenKey(b[:n]); begin >= 0 && n-begin <= find.MaxPEM {
		n = begin
	}
	if len(b)-n > maxPending {
		n = len(b) // an endless line: splitting it is better than keeping it
		if sp := bytes.LastIndexAny(b, " \t\n"); sp > 0 {
			n = sp + 1
		}
	}
	return n
}

// findOpenKey returns the beginning of the line in which a private key without an end
// begins, or -1.
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
