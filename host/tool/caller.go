package tool

import (
	"context"
	"strings"
)

// Caller identifies the call that a context belongs to. The dispatcher puts it
// into every context that it hands to a tool or to a check of a call, so that
// what is shared by many runs, such as the plugin host, can tell them apart.
type Caller struct {
	RunID  string
	CallID string // the action's id within the run
	Origin string // who wanted the call: a plan's origin
	Tool   string
	Plugin string // id of the plugin that the tool comes from; "": it comes from none
	Effect Effect // of the tool's spec
}

type callerKey struct{}

// WithCaller returns a context that belongs to the call of c.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerFrom returns the call that ctx belongs to; false: it belongs to none.
func CallerFrom(ctx context.Context) (Caller, bool) {
	c, ok := ctx.Value(callerKey{}).(Caller)
	return c, ok
}

// Caller returns the identity of a call of the tool.
func (s Spec) Caller(call Call) Caller {
	return Caller{
		RunID: call.RunID, CallID: call.CallID, Origin: call.Origin,
		Tool: s.Name, Plugin: s.Plugin(), Effect: s.Effect,
	}
}

const pluginSource = "plugin:"

// FromPlugin reports whether the tool comes from a plugin, whose manifest
// limits what it may reach.
func (s Spec) FromPlugin() bool { return strings.HasPrefix(s.Source, pluginSource) }

// Plugin returns the id of the plugin that the tool comes from; "": from none.
func (s Spec) Plugin() string {
	if id, ok := strings.CutPrefix(s.Source, pluginSource); ok {
		return id
	}
	return ""
}
