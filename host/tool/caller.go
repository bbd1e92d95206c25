package tool

import (
	"context"
	"strings"
)

// Caller identifies the call that a context belongs to. The dispatcher adds it to the
// context of every tool call and every check of a call, so that shared components, such as
// the plugin host, can distinguish runs.
type Caller struct {
	RunID    string
	ActionID string // of the action that the call executes
	Origin   string // the origin of the plan that asked for the call
	Tool     string
	Plugin   string // id of the tool's plugin, or ""
	Effect   Effect // from the tool's spec
}

type callerKey struct{}

// WithCaller returns a context that belongs to the call of c.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerFrom returns the call that ctx belongs to, or false if there is none.
func CallerFrom(ctx context.Context) (Caller, bool) {
	c, ok := ctx.Value(callerKey{}).(Caller)
	return c, ok
}

// Caller returns the identity of a call of the tool.
func (s Spec) Caller(call Call) Caller {
	return Caller{
		RunID: call.RunID, ActionID: call.ActionID, Origin: call.Origin,
		Tool: s.Name, Plugin: s.Plugin(), Effect: s.Effect,
	}
}

const pluginSource = "plugin:"

// FromPlugin reports whether the tool comes from a plugin, whose manifest limits its
// access.
func (s Spec) FromPlugin() bool { return strings.HasPrefix(s.Source, pluginSource) }

// Plugin returns the id of the tool's plugin, or "".
func (s Spec) Plugin() string {
	if id, ok := strings.CutPrefix(s.Source, pluginSource); ok {
		return id
	}
	return ""
}
