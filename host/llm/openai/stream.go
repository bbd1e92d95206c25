package openai

import (
	"context"
	"encoding/json"
	"strings"

	"errand/host/llm"
	"errand/planner/message"
)

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

// ask sends a request. It streams the answer if the caller wants parts of it.
func (a *Adapter) ask(ctx context.Context, r llm.Request, wire request) (answer response, err error) {
	if r.Partial == nil {
		err = a.endpoint.Exchange(ctx, "/chat/completions", wire, &answer)
		return answer, err
	}
	wire.Stream, wire.StreamOptions = true, &streamOptions{IncludeUsage: true}
	s := stream{endpoint: a.endpoint, partial: r.Partial}
	isWhole, err := a.endpoint.Stream(ctx, "/chat/completions", wire, llm.ServerSentEvents, &answer, s.take)
	if err != nil || isWhole {
		return answer, err
	}
	if s.finish == "" { // it was cut between two events
		return answer, a.endpoint.Fail(message.New("llm.answer_cut"))
	}
	return s.response(), nil
}

// stream puts the pieces of an answer together.
type stream struct {
	endpoint llm.Endpoint
	partial  func(string)

	text, refusal strings.Builder
	calls         []*callPieces
	model, finish string
	usage         usage
}

type callPieces struct {
	index     int
	id, name  string
	arguments strings.Builder
}

// chunk is an event of the stream.
type chunk struct {
	Model   string `json:"model"`
	Choices []struct {
		FinishReason string `json:"finish_reason"`
		Delta        struct {
			Content   string     `json:"content"`
			Refusal   string     `json:"refusal"`
			ToolCalls []callPart `json:"tool_calls"`
		} `json:"delta"`
	} `json:"choices"`
	Usage *usage `json:"usage"`
}

type callPart struct {
	Index    int    `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // a string with a piece of JSON; some servers send an object
	} `json:"function"`
}

func (s *stream) take(event []byte) (end bool, err error) {
	if string(event) == llm.StreamEnd {
		return true, nil
	}
	var c chunk
	if err := s.endpoint.DecodeEvent(event, &c); err != nil {
		return false, err
	}
	if c.Model != "" {
		s.model = c.Model
	}
	if c.Usage != nil {
		s.usage = *c.Usage
	}
	if len(c.Choices) == 0 {
		return false, nil
	}
	piece := c.Choices[0]
	if piece.FinishReason != "" {
		s.finish = piece.FinishReason
	}
	s.refusal.WriteString(piece.Delta.Refusal)
	for _, part := range piece.Delta.ToolCalls {
		s.addCall(part)
	}
	if s.text.WriteString(piece.Delta.Content); piece.Delta.Content != "" {
		s.partial(s.text.String())
	}
	return false, nil
}

// addCall adds a piece to the call with its index. A piece with another id begins a call: some servers
// number no calls.
func (s *stream) addCall(part callPart) {
	var c *callPieces
	for _, known := range s.calls {
		if known.index == part.Index && (part.ID == "" || known.id == "" || known.id == part.ID) {
			c = known
		}
	}
	if c == nil {
		c = &callPieces{index: part.Index}
		s.calls = append(s.calls, c)
	}
	if part.ID != "" {
		c.id = part.ID
	}
	c.name += part.Function.Name
	if text := ""; json.Unmarshal(part.Function.Arguments, &text) == nil {
		c.arguments.WriteString(text)
	} else {
		c.arguments.Write(part.Function.Arguments)
	}
}

// response is the answer as it comes where nothing is streamed.
func (s *stream) response() response {
	m := answerMessage{Content: s.text.String(), Refusal: s.refusal.String()}
	for _, c := range s.calls {
		m.ToolCalls = append(m.ToolCalls, toolCall{c.id, "function", functionCall{c.name, llm.Marshal(c.arguments.String())}})
	}
	return response{Model: s.model, Choices: []choice{{s.finish, m}}, Usage: s.usage}
}
