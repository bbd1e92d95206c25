package chromium

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// ErrGone is why a call ends when its browser does.
var ErrGone = errors.New("the browser has ended")

// writeTimeout limits how long the browser may take to take in a message.
const writeTimeout = 10 * time.Second

// maxMessage bounds one DevTools message. A screenshot of a long page is a few
// MiB; what is larger than this is not an answer to anything that we asked.
const maxMessage = 128 << 20

// pipe carries the DevTools protocol over Chromium's file descriptors 3 (it
// reads) and 4 (it writes): JSON messages that end in a NUL byte each. It is
// the transport that rod's protocol client runs on.
type pipe struct {
	in      *bufio.Reader
	onEvent func(*Message) // takes the events; nil: they are passed on with the answers

	mu     sync.Mutex // one message at a time
	out    deadlineWriter
	broken error
}

// deadlineWriter is what an *os.File of a pipe can do.
type deadlineWriter interface {
	io.Writer
	SetWriteDeadline(t time.Time) error
}

func newPipe(in io.Reader, out deadlineWriter) *pipe {
	return &pipe{in: bufio.NewReaderSize(in, 64<<10), out: out}
}

// Send writes one message within writeTimeout: a browser that hangs stops
// reading, and nothing may wait for it for ever. It may be called by several
// goroutines at once. After an error the pipe is of no use, because half a
// message may have gone out.
func (p *pipe) Send(message []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken != nil {
		return p.broken
	}
	err := p.out.SetWriteDeadline(time.Now().Add(writeTimeout))
	if err == nil {
		_, err = p.out.Write(append(message, 0))
	}
	if err != nil {
		p.broken = fmt.Errorf("%w: %v", ErrGone, err)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			p.broken = fmt.Errorf("write to browser: %w", err)
		}
	}
	return p.broken
}

// Read returns the next message that is not ignored. One goroutine calls it. Text that
// is not JSON is an error, because rod's client panics on it.
func (p *pipe) Read() ([]byte, error) {
	var message []byte
	for {
		part, err := p.in.ReadSlice(0)
		if len(message)+len(part) > maxMessage {
			return nil, fmt.Errorf("read from browser: message is larger than %d bytes", maxMessage)
		}
		message = append(message, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil: // the end of the file, or our own end was closed
			return nil, fmt.Errorf("%w: %v", ErrGone, err)
		}
		message = message[:len(message)-1]
		if isIgnored(message) {
			message = nil
			continue
		}
		if e, ok := ParseEvent(message); ok && p.onEvent != nil {
			p.onEvent(&e)
			message = nil
			continue
		}
		if !json.Valid(message) {
			return nil, fmt.Errorf("read from browser: message of %d bytes is not JSON", len(message))
		}
		return message, nil
	}
}
