package wasm

import (
	"context"

	"errand/host/tool"
	"errand/host/wasm/engine"
	"errand/host/wasm/extism"
	"errand/host/wasm/manifest"
	"errand/host/wasm/stack"
	"errand/planner/message"
)

// reconcilableTool is a tool whose manifest has an entry to find the outcome of a
// call.
type reconcilableTool struct{ *pluginTool }

var _ tool.Reconciler = (*reconcilableTool)(nil)

// Reconcile implements [tool.Reconciler]. The plugin's entry gets the call's
// arguments. It may only read, whatever the tool's class: its folders are
// read-only and its HTTP requests GET and HEAD. An answer that reports a failure
// or can't be parsed is logged and gives no finding. The error is for a plugin
// that could not be called.
func (t *reconcilableTool) Reconcile(ctx context.Context, call tool.Call) (tool.Reconciled, error) {
	look := *t.pluginTool
	look.tool.SideEffectClass = tool.Read // makes its instance and requests read-only
	entry := t.manifest.Entry(t.tool)
	if t.manifest.ABI == manifest.WASI {
		call.Tool = entry
	}
	done, err := look.enter(ctx, call, entry, &pluginCall{})
	if err != nil {
		return tool.Reconciled{}, err
	}
	r, err := look.reconcileResult(ctx, done)
	if err != nil {
		t.host.log(ctx, t.manifest.ID, "warn", clipTexts(message.New("plugin.outcome_unknown", "tool", t.spec.Name, "cause", err)))
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	return r, nil
}

// reconcileResult parses the entry's answer: in both ABIs one JSON object with a state.
func (t *pluginTool) reconcileResult(ctx context.Context, done engine.Outcome) (tool.Reconciled, error) {
	if done.Failed {
		return tool.Reconciled{}, message.Error("plugin.it_says", "text", extism.ErrorMessage(stack.Clip(done.ErrorText, 200)))
	}
	if done.Code != 0 {
		return tool.Reconciled{}, message.Error("plugin.it_ended", "code", int32(done.Code))
	}
	r, err := decode(done.Data)
	switch {
	case err != nil:
		return tool.Reconciled{}, message.Error("plugin.bad_finding", "cause", err)
	case r.Error != nil:
		return tool.Reconciled{}, message.Error("plugin.it_says", "text", stack.Clip(r.Error.Message, 200))
	}
	switch r.State {
	case "committed":
		return tool.Reconciled{Effect: tool.Committed, Result: t.result(ctx, r)}, nil
	case "released":
		return tool.Reconciled{Effect: tool.Released}, nil
	case "unknown":
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	return tool.Reconciled{}, message.Error("plugin.unknown_finding", "state", stack.Clip(r.State, 40))
}
