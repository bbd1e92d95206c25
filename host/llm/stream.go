package llm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"

	"errand/planner/message"
)

// Format is how the events of a streamed answer are separated.
type Format string

// Formats.
const (
	ServerSentEvents Format = "text/event-stream"
	JSONLines        Format = "application/x-ndjson"
)

// Stream posts a value as JSON and hands each event of the answer to take until take reports the end,
// or the answer ends. take gets JSON, or [StreamEnd]. A server that does not stream answers with one
// JSON document, which is decoded into whole; isWhole is true then. Errors are those of
// [Endpoint.Exchange]; an event that is an error is transient.
func (e Endpoint) Stream(ctx context.Context, path string, in any, f Format, whole any, take func(event []byte) (end bool, err error)) (isWhole bool, err error) {
	err = e.limited(ctx, func(ctx context.Context) error {
		resp, err := e.send(ctx, path, in, string(f))
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
		if isWhole = kind == "application/json" && f == ServerSentEvents; isWhole {
			return e.decode(resp, whole)
		}
		return e.readEvents(resp, f, take)
	})
	return isWhole, err
}

// StreamEnd is the event that ends a stream of OpenAI's protocol.
const StreamEnd = "[DONE]"

// readEvents reads events until take reports the end or there are no more.
func (e Endpoint) readEvents(resp *http.Response, f Format, take func([]byte) (bool, error)) error {
	limited := &io.LimitedReader{R: resp.Body, N: maxAnswer + 1}
	lines := bufio.NewReader(limited)
	var data []byte
	for {
		line, readErr := lines.ReadBytes('\n')
		line = bytes.TrimRight(line, "\r\n")
		if limited.N <= 0 {
			return e.fail(Rejected, resp.StatusCode, message.New("llm.answer_too_large", "limit", maxAnswer))
		}
		event, isEvent := line, len(line) > 0
		if f == ServerSentEvents {
			if text, isData := bytes.CutPrefix(line, []byte("data:")); isData {
				data = append(append(data, bytes.TrimPrefix(text, []byte(" "))...), '\n')
			}
			event, isEvent = bytes.TrimSpace(data), len(line) == 0 && len(data) > 0
		}
		if isEvent {
			end, err := e.takeEvent(event, take)
			if err != nil || end {
				return err
			}
			data = data[:0]
		}
		if readErr == io.EOF {
			return nil
		}
		if readErr != nil {
			return e.fail(Transient, resp.StatusCode, e.cause(readErr))
		}
	}
}

// takeEvent hands over an event that is not an error.
func (e Endpoint) takeEvent(event []byte, take func([]byte) (bool, error)) (bool, error) {
	var fault struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(event, &fault) == nil && len(fault.Error) > 0 && string(fault.Error) != "null" {
		return false, e.fail(Transient, http.StatusOK, message.Verbatim(e.cleanDetail(errorText(event))))
	}
	return take(event)
}

// DecodeEvent decodes an event of a stream.
func (e Endpoint) DecodeEvent(event []byte, into any) error { return e.unmarshal(event, into) }
