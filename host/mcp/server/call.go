package server

import (
	"context"
	"runtime/debug"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// describe returns a tool in the form of the protocol.
func describe(t Tool) *mcp.Tool {
	return &mcp.Tool{
		Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: t.Schema,
		Annotations: &mcp.ToolAnnotations{
			Title: t.Title, ReadOnlyHint: t.ReadOnly, DestructiveHint: new(t.Destructive), IdempotentHint: t.Idempotent, OpenWorldHint: new(t.OpenWorld),
		},
	}
}

// receive makes the list of tools current before a client reads it, and lets calls use aliases.
func (s *Server) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		s.requests.Add(1)
		defer s.requests.Add(-1)
		switch method {
		case "tools/list":
			if err := s.refresh(ctx); err != nil {
				return nil, err
			}
		case "tools/call":
			if p, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok && p != nil {
				s.mu.Lock()
				if name, ok := s.aliases[p.Name]; ok {
					p.Name = name
				}
				s.mu.Unlock()
			}
		}
		return next(ctx, method, req)
	}
}

// call implements [mcp.ToolHandler].
func (s *Server) call(ctx context.Context, req *mcp.CallToolRequest) (out *mcp.CallToolResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.o.Log.Error("panic", "tool", req.Params.Name, "panic", p, "stack", string(debug.Stack()))
			out, err = &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: `{"ok":false}`}}}, nil
		}
	}()
	r := s.session(req).Call(ctx, req.Params.Name, req.Params.Arguments, progressOf(ctx, req))
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: r.Text}}, StructuredContent: r.Structured, IsError: r.IsError}, nil
}

// progressOf returns what tells a client of the progress of its request; nil if it doesn't want that.
func progressOf(ctx context.Context, req *mcp.CallToolRequest) func(float64, string) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	var mu sync.Mutex
	last := -1.0
	return func(done float64, text string) {
		mu.Lock()
		defer mu.Unlock()
		if done <= last || ctx.Err() != nil { // numbers have to grow
			return
		}
		last = done
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: done, Message: text})
	}
}
