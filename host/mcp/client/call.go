package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"errand/host/tool"
	"errand/planner/message"
)

// Limits of a result.
const (
	maxBlocks    = 1000
	maxArtifacts = 16
)

// Call calls a tool by the server's own name, if its definition still has the given pin. args
// are plain JSON values. ctx bounds the call, and its end cancels the call at the server.
//
// A failed result whose Partial is set may have had its effect.
func (s *Server) Call(ctx context.Context, name, pin string, args map[string]any) tool.Result {
	if args == nil {
		args = map[string]any{}
	}
	for again := false; ; again = true {
		c, err := s.useNow(ctx)
		if err != nil {
			return tool.Result{Error: tool.AsError(err)}
		}
		if e := s.checkPin(c, name, pin); e != nil {
			return tool.Result{Error: e}
		}
		c.sent.reset()
		r, err := c.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
		switch {
		case err == nil:
			return s.result(name, r)
		case errors.Is(err, mcp.ErrSessionMissing) && !again:
			s.forget(c) // the service was started again and refused the call
		default:
			return s.failedCall(ctx, c, name, err)
		}
	}
}

// Check refuses a tool whose definition does not have the given pin. It connects to the server.
func (s *Server) Check(ctx context.Context, name, pin string) error {
	c, err := s.use(ctx, false)
	if err != nil {
		return err
	}
	if e := s.checkPin(c, name, pin); e != nil {
		return e
	}
	return nil
}

// checkPin refuses a tool whose definition is not the one that the user agreed to.
func (s *Server) checkPin(c *session, name, pin string) *tool.Error {
	for _, d := range c.tools {
		if d.Name != name {
			continue
		}
		if d.Pin() == pin {
			return nil
		}
		return ChangedError(s.o.Name, name)
	}
	return tool.UnavailableError("unknown_tool", message.New("mcp.tool_gone", "server", s.o.Name, "tool", name)).
		WithHint(message.New("mcp.review_hint", "server", s.o.Name))
}

// ChangedError refuses a tool whose definition the user has not agreed to.
func ChangedError(server, name string) *tool.Error {
	return tool.NewError(tool.PolicyDenied, CodeChanged, message.New("mcp.definition_changed", "server", server, "tool", name)).
		WithHint(message.New("mcp.review_hint", "server", server))
}

// failedCall is the result of a call without an answer.
func (s *Server) failedCall(ctx context.Context, c *session, name string, err error) tool.Result {
	if fault, ok := errors.AsType[*jsonrpc.Error](err); ok && ctx.Err() == nil && !c.isOver() {
		e := tool.NewError(tool.ExecutionError, CodeProtocol, message.New("mcp.protocol_error", "tool", name, "code", fault.Code, "text", clipped(fault.Message)))
		const invalidParams, methodNotFound = -32602, -32601
		if fault.Code == invalidParams || fault.Code == methodNotFound { // it was not called
			e.Class, e.Code = tool.ValidationError, CodeBadRequest
			return tool.Result{Error: e}
		}
		return tool.Result{Error: e, Partial: true}
	}
	if ctx.Err() != nil {
		return tool.Result{Error: tool.AsError(ctx.Err()), Partial: true}
	}
	e := tool.AsError(s.describe(ctx, err, c.Connection))
	if e.Code == CodeUnavailable {
		lost := *e
		lost.Class, lost.Code, lost.Retriable = tool.ExecutionError, CodeLost, false
		e = &lost
	}
	var typed *tool.Error // a refusal of the guard
	if errors.As(err, &typed) {
		return tool.Result{Error: typed}
	}
	return tool.Result{Error: e, Partial: true}
}

// result converts an answer. Texts become the payload, images and files artifacts.
func (s *Server) result(name string, r *mcp.CallToolResult) tool.Result {
	bad := func(why string) tool.Result {
		return tool.Result{Partial: true, Error: tool.NewError(tool.ExecutionError, CodeAnswer, message.New("mcp.bad_answer", "tool", name, "why", why))}
	}
	switch {
	case r.NeedsInput():
		return tool.Result{Partial: true, Error: tool.NewError(tool.ExecutionError, CodeInput, message.New("mcp.asked_for_input", "server", s.o.Name, "tool", name))}
	case len(r.Content) > maxBlocks:
		return bad("blocks")
	}
	var texts []string
	var artifacts []tool.Artifact
	for i, block := range r.Content {
		switch b := block.(type) {
		case *mcp.TextContent:
			texts = append(texts, b.Text)
		case *mcp.ImageContent:
			artifacts = append(artifacts, tool.NewArtifact(artifactName(name, i, b.MIMEType), mediaType(b.MIMEType), b.Data))
		case *mcp.AudioContent:
			artifacts = append(artifacts, tool.NewArtifact(artifactName(name, i, b.MIMEType), mediaType(b.MIMEType), b.Data))
		case *mcp.ResourceLink:
			texts = append(texts, strings.TrimSpace(b.Name+" "+b.URI))
		case *mcp.EmbeddedResource:
			switch res := b.Resource; {
			case res == nil:
			case len(res.Blob) > 0:
				artifacts = append(artifacts, tool.NewArtifact(artifactName(name, i, res.MIMEType), mediaType(res.MIMEType), res.Blob))
			default:
				texts = append(texts, res.Text)
			}
		default:
			texts = append(texts, fmt.Sprintf("[%T]", b))
		}
		if len(artifacts) > maxArtifacts {
			return bad("artifacts")
		}
	}
	text := strings.Join(texts, "\n")
	if r.IsError {
		if strings.TrimSpace(text) == "" {
			return tool.Result{Error: tool.NewError(tool.ExecutionError, CodeFailed, message.New("mcp.failed_without_reason", "tool", name))}
		}
		return tool.Result{Artifacts: artifacts, Error: tool.NewError(tool.ExecutionError, CodeFailed, message.Verbatim(clipped(text)))}
	}
	payload := map[string]any{}
	if r.StructuredContent != nil {
		v, err := tool.ToJSONValue(r.StructuredContent)
		if err != nil {
			return bad("structured")
		}
		payload["structured"] = v
		if b, err := json.Marshal(v); text == "" && err == nil { // older clients read only texts, which servers therefore send, too
			text = string(b)
		}
	}
	if text != "" {
		payload["text"] = strings.ToValidUTF8(text, "\uFFFD")
	}
	out := tool.OK(payload)
	out.Artifacts = artifacts
	return out
}

// mediaType returns a media type of a server, or that of unknown bytes if it is not one.
func mediaType(claimed string) string {
	main, _, _ := strings.Cut(claimed, ";")
	kind, sub, ok := strings.Cut(strings.TrimSpace(main), "/")
	if !ok || !isToken(kind) || !isToken(sub) {
		return "application/octet-stream"
	}
	return strings.ToLower(kind + "/" + sub)
}

func isToken(s string) bool {
	return s != "" && len(s) <= 64 && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || 'z' < r) && (r < 'A' || 'Z' < r) && (r < '0' || '9' < r) && !strings.ContainsRune("+.-_", r)
	})
}

var endings = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "application/pdf": ".pdf", "application/json": ".json",
	"text/plain": ".txt", "audio/wav": ".wav", "audio/mpeg": ".mp3",
}

// artifactName names a file of a result.
func artifactName(name string, i int, media string) string {
	ending := endings[mediaType(media)]
	if ending == "" {
		ending = ".bin"
	}
	_, own, _ := strings.Cut(ToolName("x", name), ".")
	return fmt.Sprintf("%s-%d%s", own, i+1, ending)
}
