package chromium

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"errand/planner/message"
)

// ErrGone is returned for a call whose browser has ended.
var ErrGone = message.Error("browser.browser_ended")

// writeTimeout limits the time for writing a message.
const writeTimeout = 10 * time.Second

// maxMessage limits one DevTools message. A screenshot of a long page has a few MiB; a
// larger message can't be a valid response.
const maxMessage = 128 << 20

// pipe transports the DevTools protocol over Chromium's file descriptors 3 (it reads) and
// 4 (it writes), as JSON messages that end in a NUL byte. rod's protocol client uses it as
// its transport.
type pipe struct {
	in      *bufio.Reader
	onEvent func(*Message) // receives the events; nil: Read returns them

	mu     sync.Mutex // one message at a time
	out    deadlineWriter
	broken error
}

// deadlineWriter is the part of *os.File that the pipe uses.
type deadlineWriter interface {
	io.Writer
	SetWriteDeadline(t time.Time) error
}

func newPipe(in io.Reader, out deadlineWriter) *pipe {
	return &pipe{in: bufio.NewReaderSize(in, 64<<10), out: out}
}

// Send writes one message within writeTimeout, because a browser that hangs stops reading.
// It is safe for concurrent use. After an error the pipe is unusable, because part of a
// message may have been written.
func (p *pipe) Send(msg []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken != nil {
		return p.broken
	}
	err := p.out.SetWriteDeadline(time.Now().Add(writeTimeout))
	if err == nil {
		_, err = p.out.Write(append(msg, 0))
	}
	if err != nil {
		p.broken = message.Error("browser.browser_gone", "gone", ErrGone, "cause", err)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			p.broken = message.Error("browser.write_timeout", "cause", err)
		}
	}
	return p.broken
}

// Read returns the next message that is not ignored. One goroutine calls it. Text that
// is not JSON is an error, because rod's client panics on it.
func (p *pipe) Read() ([]byte, error) {
	var msg []byte
	for {
		part, err := p.in.ReadSlice(0)
		if len(msg)+len(part) > maxMessage {
			return nil, message.Error("browser.message_too_large", "limit", maxMessage)
		}
		msg = append(msg, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil: // the end of the file, or our own end was closed
			return nil, message.Error("browser.browser_gone", "gone", ErrGone, "cause", err)
		}
		msg = msg[:len(msg)-1]
		if isIgnored(msg) {
			msg = nil
			continue
		}
		if e, ok := ParseEvent(msg); ok && p.onEvent != nil {
			p.onEvent(&e)
			msg = nil
			continue
		}
		if !json.Valid(msg) {
			return nil, message.Error("browser.message_not_json", "size", len(msg))
		}
		return msg, nil
	}
}
