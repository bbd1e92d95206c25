// Package external lets agents of others use the tools: programs with a planner of their own, which
// speak the Model Context Protocol. Their calls pass policy, ledger and record like those of goals. A
// session of a client is one run, and each of its calls a step of it. A call that needs approval
// becomes a draft, in a run of its own that follows the session's.
package external

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"errand/app/config"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/app/runs/calls"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/glob"
)

// Kind is the kind of the task that a session is.
const Kind = "mcp"

// RuleNotAllowed denies a call of a tool that mcp.server.tools doesn't allow, or that signs in.
const RuleNotAllowed = "mcp.not_allowed"

// Codes of errors.
const (
	CodeSessionEnded   = "session_ended"
	CodeNeedsApproval  = "needs_approval"
	CodeNeedsPage      = "needs_open_page"  // a call on an open page, which no draft can make
	CodeHostNotAllowed = "host_not_allowed" // only the user can allow the host
)

// Drafts are the drafts of the program.
type Drafts interface {
	ShowDraft(ctx context.Context, id string) (drafts.View, error)
	ListDrafts(ctx context.Context, all bool) ([]drafts.View, error)
	Reject(ctx context.Context, id string, actions ...string) (drafts.View, error)
}

// Options are what [Agents] work with.
type Options struct {
	Server config.MCPServer
	Start  func(context.Context, runs.Request) (runs.Report, error)
	Tools  func(context.Context) (*tool.Set, error)
	Drafts Drafts
	Record func(ctx context.Context, id string) (trace.Record, error)
	Clean  func(any) any // removes secrets from a JSON value
}

// Agents keep the sessions of clients. They may be used by several goroutines at once.
type Agents struct {
	o      Options
	mu     sync.Mutex
	queues map[string]*callQueue // of the sessions' runs, by the state of their tasks
	opens  int
}

// New returns the sessions of a program. It opens nothing.
func New(o Options) *Agents { return &Agents{o: o, queues: map[string]*callQueue{}} }

// Clean removes the secrets that the program knows without a run.
func (a *Agents) Clean(v any) any { return a.o.Clean(v) }

// Allows reports whether clients may call a tool.
func (a *Agents) Allows(s tool.Spec) bool {
	return lists(a.o.Server, s.Name) && !s.Boundary && s.SideEffectClass != tool.Auth
}

// lists reports whether mcp.server.tools has a tool.
func lists(server config.MCPServer, name string) bool {
	return slices.ContainsFunc(server.Tools, func(pattern string) bool { return glob.Match(pattern, name) })
}

// Tools lists the tools that clients may call.
func (a *Agents) Tools(ctx context.Context) ([]tool.Spec, error) {
	set, err := a.o.Tools(ctx)
	if err != nil {
		return nil, err
	}
	var out []tool.Spec
	for _, s := range set.Specs() {
		if a.Allows(s) {
			out = append(out, s)
		}
	}
	return out, nil
}

// Restrict denies calls of external agents, and of their goals, that the configuration doesn't allow,
// whatever policy decided.
func Restrict(server config.MCPServer, r policy.Request, d policy.Decision) policy.Decision {
	if r.Kind != policy.KindCall || r.Origin != plan.MCP || lists(server, r.Tool) && r.Class != string(tool.Auth) {
		return d
	}
	return d.Stricter(policy.Decision{
		Verdict: policy.Deny, Rule: RuleNotAllowed, Reason: message.New("external.not_allowed", "tool", r.Tool), Hint: message.New("external.not_allowed_hint"),
	})
}

// Planner returns the planner of a session's task. Only the program that serves the client has one.
func (a *Agents) Planner(_ context.Context, r calls.PlannerRequest) (run.Planner, error) {
	var st taskState
	if err := json.Unmarshal(r.State, &st); err == nil {
		a.mu.Lock()
		f := a.queues[st.Session]
		a.mu.Unlock()
		if f != nil {
			f.clean = r.Clean
			return f, nil
		}
	}
	return nil, tool.NewError(tool.ToolUnavailable, CodeSessionEnded, message.New("external.session_ended")).
		WithHint(message.New("external.session_ended_hint"))
}

// taskState identifies the session of a task.
type taskState struct {
	Session string `json:"session"`
	Client  string `json:"client"`
}

// maxClientName is the most of a client's name that is kept.
const maxClientName = 40

// clientName returns the name of a client, as it is shown: it comes from outside.
func clientName(name string) string {
	name = strings.Map(func(r rune) rune {
		if message.IsHidden(r) || r == utf8.RuneError || r == '\n' || r == '\t' {
			return -1
		}
		return r
	}, name)
	name = strings.Join(strings.Fields(name), " ")
	if runes := []rune(name); len(runes) > maxClientName {
		name = string(runes[:maxClientName])
	}
	if name == "" {
		return Kind
	}
	return name
}
