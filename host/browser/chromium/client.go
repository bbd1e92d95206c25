package chromium

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"sync"

	"github.com/go-rod/rod/lib/cdp"

	"errand/planner/message"
)

// client makes DevTools protocol calls over a transport. It replaces rod's client, which
// parses every response five times. For an accessibility tree of several MiB that takes
// longer than all other work.
type client struct {
	transport cdp.WebSocketable
	events    chan *cdp.Event // always empty; closed when the connection ends, which ends rod's own goroutines

	mu      sync.Mutex
	lastID  int
	pending map[int]chan<- answer
	broken  error // why the connection ended
}

type answer struct {
	result []byte
	err    error
}

// NewClient returns a client and starts to read the transport, until that ends. The
// transport itself handles events; the client drops any that it receives.
func NewClient(line cdp.WebSocketable) *client {
	c := &client{transport: line, events: make(chan *cdp.Event), pending: map[int]chan<- answer{}}
	go c.read()
	return c
}

// Event implements rod's interface. It delivers no events.
func (c *client) Event() <-chan *cdp.Event { return c.events }

// Call implements rod's interface.
func (c *client) Call(ctx context.Context, session, method string, params any) ([]byte, error) {
	reply := make(chan answer, 1)
	c.mu.Lock()
	c.lastID++
	id := c.lastID
	err := c.broken
	if err == nil {
		c.pending[id] = reply
	}
	c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	defer c.forget(id)
	request, err := json.Marshal(cdp.Request{ID: id, SessionID: session, Method: method, Params: params})
	if err != nil {
		return nil, message.Error("browser.protocol_call", "method", method, "cause", err)
	}
	if err := c.transport.Send(request); err != nil {
		return nil, err
	}
	select {
	case a := <-reply:
		return a.result, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *client) forget(id int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, id)
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
		reply := c.pending[id]
		delete(c.pending, id)
		c.mu.Unlock()
		if reply != nil {
			reply <- a
		}
	}
}

// end makes every waiting call fail with the given error.
func (c *client) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.broken = err
	close(c.events)
	for id, reply := range c.pending {
		reply <- answer{err: err}
		delete(c.pending, id)
	}
}

// readAnswer splits a response. It relies on the way in which Chromium writes responses
// and doesn't parse the result. Other forms are parsed as JSON.
func readAnswer(message []byte) (id int, a answer) {
	if rest, ok := bytes.CutPrefix(message, []byte(`{"id":`)); ok {
		digits, rest, ok := bytes.Cut(rest, []byte(`,"result":`))
		n, err := strconv.Atoi(string(digits[:min(len(digits), 20)]))
		if ok && err == nil && len(rest) > 0 {
			return n, answer{result: bytes.TrimSuffix(trimSession(rest), []byte("}"))}
		}
	}
	var response struct {
		ID     int             `json:"id"`
		Result json.RawMessage `json:"result"`
		Error  *cdp.Error      `json:"error"`
	}
	if err := json.Unmarshal(message, &response); err != nil || response.ID == 0 {
		return 0, answer{}
	}
	if response.Error != nil {
		return response.ID, answer{err: response.Error}
	}
	return response.ID, answer{result: response.Result}
}

// trimSession removes the session id at the end of a response, if any: the last key of the
// message, whose value has only letters and digits. Inside a string the quotation marks
// would be escaped.
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
