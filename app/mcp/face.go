// Package mcp is the face for agents of others: the tools of the program, its goals and its drafts, as
// tools of the Model Context Protocol. `errand mcp` and `errand serve --mcp` have it.
package mcp

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"

	"errand/app/external"
	"errand/host/llm"
	"errand/host/mcp/server"
	"errand/host/tool"
	"errand/planner/message"
)

// Options configure the face.
type Options struct {
	Agents  *external.Agents
	Text    func(message.Message) string // writes messages for clients, in English
	Version string
	Log     *slog.Logger
}

// New returns a server for clients. The caller closes it.
func New(ctx context.Context, o Options) (*server.Server, error) {
	f := &face{o: o}
	return server.New(ctx, server.Options{
		Name: "errand", Title: "Errand", Version: o.Version, Instructions: o.Text(message.New("external.instructions")), Log: o.Log,
		Tools: f.tools,
		Open:  func(client string) server.Session { return &session{f, o.Agents.Open(client)} },
	})
}

type face struct {
	o     Options
	names atomic.Pointer[llm.WireNames] // of the tools that were offered last
}

// tools lists the tools as clients see them: those of the program by their names with "_" in place
// of ".", which some clients refuse, and the program's own.
func (f *face) tools(ctx context.Context) ([]server.Tool, error) {
	specs, err := f.o.Agents.Tools(ctx)
	if err != nil {
		return nil, err
	}
	names := wireNames(specs)
	f.names.Store(&names)
	var out []server.Tool
	for _, s := range specs {
		description, schema := llm.Parameters(s)
		out = append(out, server.Tool{
			Name: names.Wire(s.Name), Alias: s.Name, Title: f.title(s), Description: f.describe(s, description), Schema: schema,
			ReadOnly: s.SideEffectClass == tool.Read, Destructive: s.Deletes() || s.MayDestroy,
			// The same write in one session has its effect once; on a page it is another one each time.
			Idempotent: s.SideEffectClass == tool.Read || s.Page == tool.NoPage,
			OpenWorld:  s.Untrusted || s.Page != tool.NoPage || len(s.Hosts) > 0,
		})
	}
	for _, t := range own {
		name := names.Wire(t.name)
		out = append(out, server.Tool{
			Name: name, Alias: t.name, Title: f.o.Text(message.New("external.tool_title", "tool", t.name)), Description: f.o.Text(message.New("external.tool_about", "tool", t.name)),
			Schema: json.RawMessage(t.schema), ReadOnly: t.readOnly, Destructive: !t.readOnly, Idempotent: t.readOnly, OpenWorld: !t.readOnly,
		})
	}
	slices.SortFunc(out, func(a, b server.Tool) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// wireNames are the names of the tools as clients see them. The program's own come first.
func wireNames(specs []tool.Spec) llm.WireNames {
	all := make([]tool.Spec, 0, len(own)+len(specs))
	for _, t := range own {
		all = append(all, tool.Spec{Name: t.name})
	}
	return llm.NewWireNames(append(all, specs...))
}

func (f *face) title(s tool.Spec) string {
	if s.Display.Title.IsZero() {
		return s.Name
	}
	return f.o.Text(s.Display.Title)
}

// describe says beside the description what the client has to expect of the calls.
func (f *face) describe(s tool.Spec, description string) string {
	switch {
	case s.SideEffectClass != tool.Read:
		return description + "\n" + f.o.Text(message.New("external.changes"))
	case s.Untrusted:
		return description + "\n" + f.o.Text(message.New("external.reads_others"))
	}
	return description
}

// ownTool is a tool of the program itself.
type ownTool struct {
	name     string
	schema   string
	readOnly bool
	call     func(f *face, ctx context.Context, s *external.Session, args map[string]any, progress progressFunc) server.Result
}

type progressFunc func(done float64, text string)

// own are the program's own tools.
var own []ownTool

func init() {
	goal := `{"type":"object","properties":{"goal":{"type":"string","description":"a goal in plain English or Russian"}},"required":["goal"],"additionalProperties":false}`
	own = []ownTool{
		{"errand.plan", goal, true, (*face).planGoal},
		{"errand.run", goal, false, (*face).runGoal},
		{"errand.show", `{"type":"object","properties":{"run_id":{"type":"string","description":"a run"},"draft_id":{"type":"string","description":"a draft, in place of a run"}},"additionalProperties":false}`, true, (*face).show},
		{"errand.drafts", `{"type":"object","properties":{"all":{"type":"boolean","description":"also those that have ended"}},"additionalProperties":false}`, true, (*face).drafts},
	}
}
