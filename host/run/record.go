package run

import (
	"context"
	"slices"
	"time"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy"
)

// recordTimeout limits each write to the record. It does not depend on the call's
// context, so that an interrupted call is recorded too.
const recordTimeout = 5 * time.Second

// recording is the state of one call from its check to its record.
type recording struct {
	d       *Dispatcher
	call    tool.Call
	spec    tool.Spec // zero before the call was checked
	step    trace.Step
	started time.Time
}

func (d *Dispatcher) begin(call tool.Call) *recording {
	now := d.o.Now()
	return &recording{d: d, call: call, started: now, step: trace.Step{
		RunID: call.RunID, StepID: call.ActionID, ToolName: call.Tool, StartedAt: now, PolicyFlags: []string{},
	}}
}

func (r *recording) setVerdict(v Verdict) {
	r.step.ArgsHash, r.step.EffectClass, r.step.Site, r.spec = v.ArgsHash, v.Effect, v.Site, v.Spec
	if v.isDecided {
		r.step.RiskLevel = string(v.RiskLevel())
		r.step.Verdict = v.Decision.Verdict.String()
		r.step.Rule, r.step.Reason = v.Decision.Rule, v.Decision.Reason
		r.flag(v.Decision.Flags...)
		if v.Decision.Verdict == policy.Deny && v.Decision.Rule != "" {
			r.flag(v.Decision.Rule)
		}
	}
}

func (r *recording) flag(flags ...string) {
	for _, f := range flags {
		if !slices.Contains(r.step.PolicyFlags, f) {
			r.step.PolicyFlags = append(r.step.PolicyFlags, f)
		}
	}
}

// end records how the call ended and completes the result that the planner gets.
func (r *recording) end(ctx context.Context, status trace.Status, result tool.Result) (tool.Result, trace.Step) {
	elapsed := r.d.o.Now().Sub(r.started).Milliseconds()
	r.step.DurationMS, r.step.Status, r.step.Fuel = elapsed, status, result.Fuel
	if len(result.Secrets) > 0 {
		r.d.o.Learn(result.Secrets)
	}
	r.flag(r.d.o.Flags(r.call.RunID, r.call.ActionID)...)
	seen := r.markUntrusted(ctx, result)
	step := r.redactedStep(result)
	r.d.pageSteps.add(r.spec, step)
	err := r.log(ctx, func(ctx context.Context, log trace.Log) error {
		stored, err := log.Append(ctx, step)
		if err == nil {
			step = stored
		}
		return err
	})
	result = seen
	result.DurationMS, result.OK = elapsed, result.Error == nil
	if err != nil {
		if result.Untrusted != nil {
			result.Payload = nil // a resumed run would not know that the payload was read
		}
		cause := tool.AsError(err)
		step.PolicyFlags = append(slices.Clone(step.PolicyFlags), trace.FlagUnrecorded)
		result.Warning = tool.NewError(tool.ToolUnavailable, "store_unavailable",
			message.New("run.not_recorded", "tool", r.call.Tool, "cause", cause.Message)).WithHint(cause.Hint)
		return result, step
	}
	result.Artifacts = slices.Clone(step.Artifacts) // the recorded artifacts know their files
	for i := range step.Artifacts {
		step.Artifacts[i].Data = nil
	}
	return result, step
}

// log calls write with the log and a context that outlives the call's.
func (r *recording) log(ctx context.Context, write func(context.Context, trace.Log) error) error {
	if r.d.o.Log == nil {
		return tool.NewError(tool.ToolUnavailable, "store_unavailable", message.New("run.no_record"))
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	_, err := catchPanicErr(func() (struct{}, error) { return struct{}{}, write(ctx, r.d.o.Log) })
	return err
}

// redactedStep returns the step as it is recorded. Values that can't be redacted are omitted.
func (r *recording) redactedStep(result tool.Result) trace.Step {
	step := r.step
	step.Artifacts = slices.Clone(result.Artifacts)
	step.PolicyFlags = slices.Clone(step.PolicyFlags)
	ok := true
	clean := func(v any) any {
		out, err := catchPanic(func() any { return r.d.o.Redact(v) })
		if err != nil {
			ok = false
			return nil
		}
		return out
	}
	text := func(s string) string {
		if s == "" {
			return ""
		}
		out, isText := clean(s).(string)
		ok = ok && isText
		return out
	}
	step.Aside = slices.Clone(result.UserOnlyKeys)
	args, _ := tool.CopyArgs(r.call.Args) // copy: a redactor may change its argument in place
	cleaned, isMap := clean(args).(map[string]any)
	ok = ok && isMap
	step.Args = cleaned
	if result.Payload != nil {
		payload, _ := tool.ToJSONValue(result.Payload)
		step.Payload = clean(payload)
	}
	for i := range step.Artifacts {
		step.Artifacts[i].Name = text(step.Artifacts[i].Name)
	}
	if step.Undo = r.inverse(result.Undo, clean); step.Undo == nil && result.Undo != nil {
		step.PolicyFlags = append(step.PolicyFlags, trace.FlagUndoWithheld)
	}
	for _, f := range result.Facts {
		step.Facts = append(step.Facts, text(f))
	}
	if result.Error != nil {
		e := *result.Error
		e.Code, e.Message, e.Hint = text(e.Code), e.Message.MapText(text), e.Hint.MapText(text)
		e.Details = slices.Clone(e.Details)
		for i := range e.Details {
			e.Details[i] = text(e.Details[i])
		}
		step.Error, step.ErrorCode = &e, e.Code
	}
	step.Reason = step.Reason.MapText(text)
	if !ok {
		step.PolicyFlags = append(step.PolicyFlags, trace.FlagUnredacted)
		step.Args, step.Payload, step.Facts = nil, nil, nil
	}
	return step.WithDefaults()
}

// text redacts s. It returns "" if redaction fails.
func (r *recording) text(s string) string {
	out, err := catchPanic(func() any { return r.d.o.Redact(s) })
	clean, isText := out.(string)
	if err != nil || !isText {
		return ""
	}
	return clean
}

// inverse returns the undo call as it is recorded. It is omitted if it contains a
// secret, because it could not be executed without it.
func (r *recording) inverse(undo *tool.Inverse, clean func(any) any) *tool.Inverse {
	if undo == nil {
		return nil
	}
	args, err := tool.CopyArgs(undo.Args)
	if err != nil {
		return nil
	}
	own, err := tool.CopyArgs(args) // copy: a redactor may change it in place
	if err != nil {
		return nil
	}
	cleaned, isMap := clean(own).(map[string]any)
	if !isMap || tool.HashArgs(cleaned) != tool.HashArgs(args) {
		return nil
	}
	return &tool.Inverse{Tool: undo.Tool, Args: args}
}
