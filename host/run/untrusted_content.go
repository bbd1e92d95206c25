package run

import (
	"context"
	"maps"
	"slices"

	"errand/host/run/planview"
	"errand/host/run/subject"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// markUntrusted marks a result as untrusted if its tool's spec says so and the tool was
// called. It returns the form that a planner may see: without text that reads like
// an instruction and without the fields that the tool reserves for the user. The
// original result goes to the record.
func (r *recording) markUntrusted(ctx context.Context, result tool.Result) (seen tool.Result) {
	seen = result
	seen.Payload = omitKeys(result.Payload, result.UserOnlyKeys)
	seen.UserOnlyKeys = nil
	if !r.spec.Untrusted || r.step.Attempts == 0 && !result.OK {
		return seen
	}
	mark := tool.Untrusted{Tool: r.call.Tool, StepID: r.call.ActionID, From: slices.Clone(result.From)}
	if len(mark.From) == 0 {
		for _, source := range subject.SourcesOf(r.spec, r.call) {
			mark.From = append(mark.From, r.text(source))
		}
	}
	seen.Payload, seen.Error = planview.Scan(context.WithoutCancel(ctx), seen.Payload, seen.Error, r.text, &mark)
	if mark.Hidden > 0 {
		r.step.PolicyFlags = append(r.step.PolicyFlags, trace.FlagHidden)
	}
	seen.Untrusted = &mark
	r.step.Untrusted = &mark
	r.d.readings.add(r.call.RunID, mark)
	return seen
}

// omitKeys copies a payload and omits some of its keys.
func omitKeys(payload any, keys []string) any {
	m, ok := payload.(map[string]any)
	if !ok || len(keys) == 0 {
		return payload
	}
	m = maps.Clone(m)
	for _, k := range keys {
		delete(m, k)
	}
	return m
}

// plannerView returns a step as a planner sees it. Untrusted content is removed; the
// planner gets its quarantined form in the results.
func plannerView(s trace.Step) trace.Step {
	if s.Untrusted == nil && len(s.Aside) == 0 {
		return s
	}
	s.Payload = omitKeys(s.Payload, s.Aside)
	if s.Untrusted == nil {
		return s
	}
	s.Payload = nil
	if s.Error != nil {
		e := *s.Error
		e.Message, e.Hint = message.New("run.tool_failed", "tool", s.ToolName, "code", e.Code), message.Message{}
		s.Error = &e
	}
	return s
}
