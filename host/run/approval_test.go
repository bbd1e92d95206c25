package run

import (
	"context"
	"encoding/json"
	"testing"

	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/policy"
)

// TestApprovalBindsToArguments: an approval is worth nothing for a call whose
// arguments differ by one byte.
func TestApprovalBindsToArguments(t *testing.T) {
	called := 0
	spec := tool.Spec{Name: "t", ArgsSchema: json.RawMessage(`{}`), SideEffectClass: tool.Write, Effect: tool.EffectFile}
	set, err := tool.NewSet(tool.Func(spec, func(context.Context, tool.Call) (tool.Result, error) {
		called++
		return tool.OK(nil), nil
	}))
	must.Succeed(t, err)
	log := &trace.Memory{}
	must.Succeed(t, log.Begin(t.Context(), trace.Run{RunID: "r"}))
	d := NewDispatcher(DispatcherOptions{
		Tools: set, Log: log,
		Decide: func(policy.Request) policy.Decision { return policy.Decision{Verdict: policy.Ask, Rule: "write"} },
	})
	const text = "rm -r /tmp/Reports"
	args := func(s string) map[string]any { return map[string]any{"command": s} }
	approved := tool.HashArgs(args(text))
	for i := range len(text) {
		for _, other := range []byte{'x', ' ', '/', 0, 0x80, 0xff} {
			b := []byte(text)
			b[i] = other
			if string(b) == text {
				continue
			}
			_, step := d.dispatch(t.Context(), tool.Call{RunID: "r", ActionID: "a1", Tool: "t", Args: args(string(b))}, batchApproval{approvedHash: approved})
			if step.Status != trace.NeedsApproval || called != 0 {
				t.Fatalf("%q was approved by an approval of %q: %s", b, text, step.Status)
			}
		}
	}
	if _, step := d.dispatch(t.Context(), tool.Call{RunID: "r", ActionID: "a1", Tool: "t", Args: args(text)}, batchApproval{approvedHash: approved}); step.Status != trace.Done || called != 1 {
		t.Errorf("the approved call: %s, called %d times", step.Status, called)
	}
}
