package run

import (
	"context"
	"maps"
	"strings"

	"errand/host/tool"
	"errand/host/trace"
)

// effectKey names the effect of an action in the ledger. A scope of our own
// counts within its run, so that the same goal tomorrow is a new effect; one
// that names its system first ("linear:create_issue:d1:kickoff") counts
// everywhere. The planner's own begin with the tool's whole name.
func effectKey(runID, actionID, scope, toolName string) string {
	if scope == "" {
		scope = actionID
	}
	if system, _, named := strings.Cut(scope, ":"); named && isWord(system) && system != "run" && system != toolName {
		return scope
	}
	return runID + ":" + scope
}

func isWord(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return s != ""
}

// settledCall is how a call ends that is not made, because of what the ledger
// has.
type settledCall struct {
	status trace.Status
	result tool.Result
}

// claim writes down that a call with an effect is about to be made. It answers
// settled where it must not be: its effect is there already, or nobody knows
// whether it is, or the claim can't be written.
func (r *recording) claim(ctx context.Context, t tool.Tool, spec tool.Spec) (end settledCall, settled bool) {
	key := r.call.Key
	if key == "" {
		key = effectKey(r.call.RunID, r.call.CallID, "", r.call.Tool)
		r.call.Key = key
	}
	if r.d.calls.has(key) { // left behind, and it may have its effect yet
		running := r.step
		running.EffectKey = key
		return settledCall{trace.Failed, tool.Result{Error: trace.EffectUnderWay(running)}}, true
	}
	for range 2 { // the second time after the effect was found not to be there
		claim, fault := r.claimOnce(ctx, key)
		if fault != nil {
			return settledCall{trace.Failed, tool.Result{Error: fault}}, true
		}
		switch claim.Effect {
		case tool.Pending:
			r.step.EffectKey, r.step.Effect = key, tool.Released
			return settledCall{}, false
		case tool.Committed:
			return r.repeated(claim), true
		}
		if r.another(claim) {
			return r.taken(key), true
		}
		end, again := r.reconcile(ctx, t, spec, claim)
		if !again {
			return end, true
		}
	}
	return r.unknown(trace.Claim{Key: key, Step: r.step}), true
}

func (r *recording) claimOnce(ctx context.Context, key string) (claim trace.Claim, fault *tool.Error) {
	err := r.log(ctx, func(ctx context.Context, log trace.Log) error {
		step := r.redacted(tool.Result{})
		step.Args = unsaid(r.spec, step.Args)
		step.Status, step.EffectKey, step.Effect = trace.Running, key, tool.Pending
		var err error
		claim, err = log.Claim(ctx, step)
		return err
	})
	if err == nil {
		return claim, nil
	}
	cause := tool.AsError(err)
	if cause.Code == trace.CodeEffectUnderWay {
		return claim, cause
	}
	e := tool.Errorf(tool.ToolUnavailable, "store_unavailable",
		"%s was not called, because its record can't be written: %s", r.call.Tool, cause.Message)
	return claim, withHint(e, cause.Hint)
}

// unsettled stands in a claim for what may turn out to be a secret, as the marks of
// package redact do.
const unsettled = "[redacted:unsettled]"

// unsaid are arguments without those that may turn out to be secrets: a claim is
// written before the tool has seen where they go.
func unsaid(spec tool.Spec, args map[string]any) map[string]any {
	out := maps.Clone(args)
	for key, v := range args {
		if spec.TakesSecret(key) && len(tool.SecretRefs(v)) == 0 {
			out[key] = unsettled
		}
	}
	return out
}

// repeated answers with what an earlier call of the same key came to.
func (r *recording) repeated(claim trace.Claim) settledCall {
	was := claim.Step
	if r.another(claim) {
		return r.taken(claim.Key)
	}
	r.flag(trace.FlagRepeated)
	r.step.EffectKey, r.step.Effect = claim.Key, tool.Committed
	return settledCall{trace.Done, tool.Result{
		OK: true, Payload: was.Payload, Facts: was.Facts, Undo: was.Undo, Artifacts: was.Artifacts, Aside: was.Aside,
	}}
}

// another reports whether a claim is of another call than this one.
func (r *recording) another(claim trace.Claim) bool {
	return claim.Step.ArgsHash != r.step.ArgsHash || claim.Step.ToolName != r.step.ToolName
}

func (r *recording) taken(key string) settledCall {
	return settledCall{trace.Failed, tool.Result{Error: tool.Errorf(tool.ValidationError, "key_taken",
		"%s was not called: its idempotency key %q names another call", r.call.Tool, key)}}
}

// reconcile has the tool look what came of an earlier call. It answers again
// where that had no effect: the call may be made.
func (r *recording) reconcile(ctx context.Context, t tool.Tool, spec tool.Spec, claim trace.Claim) (end settledCall, again bool) {
	key := claim.Key
	c, can := t.(tool.Reconciler)
	if !can {
		return r.unknown(claim), false
	}
	looking, cancel := context.WithTimeout(ctx, r.d.timeout(spec))
	defer cancel()
	call := r.call
	if r.d.reveal(spec, &call) != nil {
		return r.unknown(claim), false
	}
	looked := await(ctx, looking, r.d, called{name: spec.Name}, func() (tool.Reconciled, error) { return c.Reconcile(looking, call) })
	if looked.err != nil {
		return r.unknown(claim), false
	}
	found := looked.value
	switch found.Effect {
	case tool.Committed:
		payload, err := plain(found.Result.Payload)
		if err != nil {
			payload = nil // that the effect is there counts for more than how it is told
		}
		r.flag(trace.FlagReconciled)
		r.step.EffectKey, r.step.Effect = key, tool.Committed
		found.Result.OK, found.Result.Error, found.Result.Payload = true, nil, payload
		found.Result.Undo = r.d.pinned(ctx, found.Result.Undo)
		return settledCall{trace.Done, found.Result}, false
	case tool.Released:
		err := r.log(ctx, func(ctx context.Context, log trace.Log) error { return log.Settle(ctx, key, tool.Released) })
		if err == nil {
			return settledCall{}, true
		}
	}
	return r.unknown(claim), false
}

// unknown leaves the effect to a person, who answers for the run that made the
// call.
func (r *recording) unknown(claim trace.Claim) settledCall {
	r.step.EffectKey, r.step.Effect = claim.Key, tool.Unknown
	e := tool.Errorf(tool.ExecutionError, trace.CodeOutcomeUnknown,
		"%s was called before and nobody saw what came of it", r.call.Tool).
		WithHint("look whether the effect is there, then say so: errand answer %s %s=done, or =not-done", claim.Step.RunID, claim.Step.StepID)
	return settledCall{trace.Failed, tool.Result{Error: e}}
}

// effectOf is what is known of the effect of one attempt. A tool that answers
// that it failed had none; where nobody answered, the call was interrupted or
// the machine broke on the way, it may have had it.
func effectOf(ctx context.Context, spec tool.Spec, a attempt, result tool.Result) tool.EffectState {
	switch {
	case result.Error == nil:
		return tool.Committed
	case a.abandoned || a.panicked || result.Partial || ctx.Err() != nil || result.Error.Class == tool.ToolTimeout:
		return tool.Unknown
	case a.err == nil && !a.value.OK:
		return tool.Released
	}
	switch result.Error.Class {
	case tool.ValidationError:
		return tool.Released
	case tool.PolicyDenied, tool.ToolUnavailable: // it could not even ask; a plugin may have before it came to that
		if !spec.FromPlugin() {
			return tool.Released
		}
	}
	return tool.Unknown
}
