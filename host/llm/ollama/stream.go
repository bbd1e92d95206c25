package ollama

import (
	"context"
	"strings"

	"errand/host/llm"
)

// ask sends a request. It streams the answer if the caller wants parts of it.
func (a *Adapter) ask(ctx context.Context, r llm.Request, wire request) (answer response, err error) {
	if r.Partial == nil {
		err = a.endpoint.Exchange(ctx, "/api/chat", wire, &answer)
		return answer, err
	}
	wire.Stream = true
	var text strings.Builder
	var calls []toolCall
	_, err = a.endpoint.Stream(ctx, "/api/chat", wire, llm.JSONLines, nil, func(line []byte) (end bool, err error) {
		var piece response
		if err := a.endpoint.DecodeEvent(line, &piece); err != nil {
			return false, err
		}
		calls = append(calls, piece.Message.ToolCalls...)
		if text.WriteString(piece.Message.Content); piece.Message.Content != "" {
			r.Partial(text.String())
		}
		answer = piece // the last line has the rest
		return piece.Done, nil
	})
	answer.Message.Content, answer.Message.ToolCalls = text.String(), calls
	return answer, err
}
