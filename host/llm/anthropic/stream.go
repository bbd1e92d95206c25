package anthropic

import (
	"context"
	"encoding/json"
	"strings"

	"errand/host/llm"
	"errand/planner/message"
)

// exchange sends a request. It streams the answer if the caller wants parts of it.
func (a *Adapter) exchange(ctx context.Context, r llm.Request, wire request) (answer response, err error) {
	if r.Partial == nil {
		err = a.endpoint.Exchange(ctx, "/v1/messages", wire, &answer)
		return answer, err
	}
	wire.Stream = true
	s := stream{endpoint: a.endpoint, partial: r.Partial}
	isWhole, err := a.endpoint.Stream(ctx, "/v1/messages", wire, llm.ServerSentEvents, &answer, s.take)
	if err != nil || isWhole {
		return answer, err
	}
	if !s.ended { // it was cut between two events
		return answer, a.endpoint.Fail(message.New("llm.answer_cut"))
	}
	return s.response(), nil
}

// stream puts the pieces of an answer together.
type stream struct {
	endpoint llm.Endpoint
	partial  func(string)

	answer response
	blocks []*blockPieces
	text   strings.Builder // of all blocks
	ended  bool
}

type blockPieces struct {
	index int
	block answerBlock
	text  strings.Builder
	input strings.Builder
}

// event is an event of the stream.
type event struct {
	Type    string      `json:"type"`
	Index   int         `json:"index"`
	Message response    `json:"message"`
	Block   answerBlock `json:"content_block"`
	Delta   struct {
		Text       string `json:"text"`
		Input      string `json:"partial_json"`
		StopReason string `json:"stop_reason"`
	} `json:"delta"`
	Usage json.RawMessage `json:"usage"`
}

func (s *stream) take(text []byte) (end bool, err error) {
	var e event
	if err := s.endpoint.DecodeEvent(text, &e); err != nil {
		return false, err
	}
	switch e.Type {
	case "message_start":
		s.answer = e.Message
		s.answer.Content = nil
	case "content_block_start":
		s.blocks = append(s.blocks, &blockPieces{index: e.Index, block: e.Block})
		s.addText(len(s.blocks)-1, e.Block.Text)
	case "content_block_delta":
		for i := len(s.blocks) - 1; i >= 0; i-- {
			if s.blocks[i].index == e.Index {
				s.blocks[i].input.WriteString(e.Delta.Input)
				s.addText(i, e.Delta.Text)
				break
			}
		}
	case "message_delta":
		if e.Delta.StopReason != "" {
			s.answer.StopReason = e.Delta.StopReason
		}
		if len(e.Usage) > 0 { // it has the counts that have changed
			return false, s.endpoint.DecodeEvent(e.Usage, &s.answer.Usage)
		}
	case "message_stop":
		s.ended = true
		return true, nil
	}
	return false, nil
}

func (s *stream) addText(at int, text string) {
	if text == "" || s.blocks[at].block.Type != "text" {
		return
	}
	s.blocks[at].text.WriteString(text)
	s.text.WriteString(text)
	s.partial(s.text.String())
}

// response is the answer as it comes where nothing is streamed.
func (s *stream) response() response {
	for _, b := range s.blocks {
		if b.block.Type == "text" {
			b.block.Text = b.text.String()
		}
		if b.input.Len() > 0 {
			b.block.Input = llm.Marshal(b.input.String())
		}
		s.answer.Content = append(s.answer.Content, b.block)
	}
	return s.answer
}
