package chromium

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"github.com/go-rod/rod/lib/cdp"
)

// client makes calls of the DevTools protocol over a transport. rod's own would
// do, but it reads every answer five times over, which for an accessibility tree
// of some MiB takes longer than to use it.
type client struct {
	transport cdp.WebSocketable

	mu      sync.Mutex
	last    int
	waiting map[int]chan<- answer
	broken  error // why nothing comes any more
}

type answer struct {
	result []byte
	err    error
}

// NewClient starts to read the transport. What reads it ends with it. Events are
// the transport's to hand on; one that comes through is dropped.
func NewClient(line cdp.WebSocketable) *client {
	c := &client{transport: line, waiting: map[int]chan<- answer{}}
	go c.read()
	return c
}

// Event implements rod's interface: there are none to hear.
func (c *client) Event() <-chan *cdp.Event { return nil }

// Call implements rod's interface.
func (c *client) Call(ctx context.Context, session, method string, params any) ([]byte, error) {
	came := make(chan answer, 1)
	c.mu.Lock()
	c.last++
	id := c.last
	err := c.broken
	if err == nil {
		c.waiting[id] = came
	}
	c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	defer c.forget(id)
	request, err := json.Marshal(cdp.Request{ID: id, SessionID: session, Method: method, Params: params})
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", method, err)
	}
	if err := c.transport.Send(request); err != nil {
		return nil, err
	}
	select {
	case a := <-came:
		return a.result, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *client) forget(id int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, id)
}

func (c *client) read() {
	for {
		message, err := c.transport.Read()
		if err != nil {
			c.end(err)
			return
		}
		id, a := readAnswer(message)
		c.mu.Lock()
		came := c.waiting[id]
		delete(c.waiting, id)
		c.mu.Unlock()
		if came != nil {
			came <- a
		}
	}
}

// end gives every call that waits the reason why it waits in vain.
func (c *client) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.broken = err
	for id, came := range c.waiting {
		came <- answer{err: err}
		delete(c.waiting, id)
	}
}

// readAnswer takes an answer apart, which is JSON. Chromium writes one in one way,
// and its result is not read again for that; any other way is read as JSON is.
func readAnswer(message []byte) (id int, a answer) {
	if rest, ok := bytes.CutPrefix(message, []byte(`{"id":`)); ok {
		digits, rest, ok := bytes.Cut(rest, []byte(`,"result":`))
		n, err := strconv.Atoi(string(digits[:min(len(digits), 20)]))
		if ok && err == nil && len(rest) > 0 {
			return n, answer{result: bytes.TrimSuffix(trimSession(rest), []byte("}"))}
		}
	}
	var said struct {
		ID     int             `json:"id"`
		Result json.RawMessage `json:"result"`
		Error  *cdp.Error      `json:"error"`
	}
	if err := json.Unmarshal(message, &said); err != nil || said.ID == 0 {
		return 0, answer{}
	}
	if said.Error != nil {
		return said.ID, answer{err: said.Error}
	}
	return said.ID, answer{result: said.Result}
}

// trimSession cuts off the session that an answer ends with, if it does: the
// last key of the message, whose value is letters and digits alone. Within a text
// the quotation marks would be escaped.
func trimSession(rest []byte) []byte {
	const key = `,"sessionId":"`
	at := bytes.LastIndex(rest, []byte(key))
	if at < 0 {
		return rest
	}
	value, ok := bytes.CutSuffix(rest[at+len(key):], []byte(`"}`))
	if !ok {
		return rest
	}
	for _, b := range value {
		if (b < '0' || b > '9') && (b < 'A' || b > 'Z') && (b < 'a' || b > 'z') {
			return rest
		}
	}
	return append(rest[:at:at], '}')
}
