package run

import (
	"context"
	"maps"
	"strings"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// effectKey returns the key of an action's effect in the ledger. A plain scope
// counts within its run, so that the same goal in another run is a new effect. A
// scope that starts with a system's name ("linear:create_issue:d1:kickoff") counts
// in all runs. The planner's scopes start with the tool's full name.
func effectKey(runID, actionID, scope, toolName string) string {
	if scope == "" {
		scope = actionID
	}
	if system, _, hasSystem := strings.Cut(scope, ":"); hasSystem && isWord(system) && system != "run" && system != toolName {
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

// settledCall is the result of a call that is not made because of its ledger
// entry.
type settledCall struct {
	status trace.Status
	result tool.Result
}

// claim records that a call with an effect is about to be made. It returns settled
// if the call must not be made: the effect has happened, its state is unknown, or
// the claim can't be written.
func (r *recording) claim(ctx context.Context, t tool.Tool, spec tool.Spec) (end settledCall, settled bool) {
	key := r.call.Key
	if key == "" {
		key = effectKey(r.call.RunID, r.call.ActionID, "", r.call.Tool)
		r.call.Key = key
	}
	if r.d.calls.has(key) { // an earlier call still runs and may have its effect
		running := r.step
		running.EffectKey = key
		return settledCall{trace.Failed, tool.Result{Error: trace.EffectUnderWay(running)}}, true
	}
	for range 2 { // tries again after reconcile found no effect
		claim, fault := r.claimOnce(ctx, key)
		if fault != nil {
			return settledCall{trace.Failed, tool.Result{Error: fault}}, true
		}
		switch claim.Effect {
		case tool.Pending:
			r.step.EffectKey, r.step.Effect = key, tool.Released
			return settledCall{}, false
		case tool.Committed:
			return r.repeatResult(claim), true
		}
		if r.isOtherCall(claim) {
			return r.keyTakenResult(key), true
		}
		end, retry := r.reconcile(ctx, t, spec, claim)
		if !retry {
			return end, true
		}
	}
	return r.unknownResult(trace.Claim{Key: key, Step: r.step}), true
}

func (r *recording) claimOnce(ctx context.Context, key string) (claim trace.Claim, fault *tool.Error) {
	err := r.log(ctx, func(ctx context.Context, log trace.Log) error {
		step := r.redactedStep(tool.Result{})
		step.Args = hidePossibleSecrets(r.spec, step.Args)
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
	e := tool.NewError(tool.ToolUnavailable, "store_unavailable",
		message.New("run.claim_failed", "tool", r.call.Tool, "cause", cause.Message))
	return claim, e.WithHint(cause.Hint)
}

// possibleSecret replaces a value in a claim that may turn out to be a secret. It looks
// like the marks of package redact.
const possibleSecret = "[redacted:unsettled]"

// hidePossibleSecrets returns the arguments without those that may turn out to be secrets. A
// claim is written before the tool has seen where they go.
func hidePossibleSecrets(spec tool.Spec, args map[string]any) map[string]any {
	out := maps.Clone(args)
	for key, v := range args {
		if spec.TakesSecret(key) && len(tool.SecretRefs(v)) == 0 {
			out[key] = possibleSecret
		}
	}
	return out
}

// repeatResult returns the result of an earlier call with the same key.
func (r *recording) repeatResult(claim trace.Claim) settledCall {
	earlier := claim.Step
	if r.isOtherCall(claim) {
		return r.keyTakenResult(claim.Key)
	}
	r.flag(trace.FlagRepeated)
	r.step.EffectKey, r.step.Effect = claim.Key, tool.Committed
	return settledCall{trace.Done, tool.Result{
		OK: true, Payload: earlier.Payload, Facts: earlier.Facts, Undo: earlier.Undo, Artifacts: earlier.Artifacts, UserOnlyKeys: earlier.Aside,
	}}
}

// isOtherCall reports whether a claim belongs to a different call. Earlier versions recorded
// hashes that were not sealed.
func (r *recording) isOtherCall(claim trace.Claim) bool {
	was := claim.Step
	return was.ArgsHash != r.step.ArgsHash && was.ArgsHash != tool.HashArgs(r.call.Args) || was.ToolName != r.step.ToolName
}

func (r *recording) keyTakenResult(key string) settledCall {
	return settledCall{trace.Failed, tool.Result{Error: tool.NewError(tool.ValidationError, "key_taken",
		message.New("run.key_taken", "tool", r.call.Tool, "key", key))}}
}

// reconcile asks the tool for the result of an earlier call. It returns again if
// that call had no effect, so that the call may be made.
func (r *recording) reconcile(ctx context.Context, t tool.Tool, spec tool.Spec, claim trace.Claim) (end settledCall, retry bool) {
	key := claim.Key
	found, ok := r.d.lookUp(ctx, t, spec, r.call, claim.Step.StartedAt)
	if !ok {
		return r.unknownResult(claim), false
	}
	switch found.Effect {
	case tool.Committed:
		payload, err := tool.ToJSONValue(found.Result.Payload)
		if err != nil {
			payload = nil // report the effect even without its details
		}
		r.flag(trace.FlagReconciled)
		r.step.EffectKey, r.step.Effect = key, tool.Committed
		found.Result.OK, found.Result.Error, found.Result.Payload = true, nil, payload
		found.Result.Undo = r.d.pinInverse(ctx, found.Result.Undo)
		return settledCall{trace.Done, found.Result}, false
	case tool.Released:
		err := r.log(ctx, func(ctx context.Context, log trace.Log) error { return log.Settle(ctx, key, tool.Released) })
		if err == nil {
			return settledCall{}, true
		}
	}
	return r.unknownResult(claim), false
}

// unknownResult leaves the question to the user, who answers it for the run that made
// the call.
func (r *recording) unknownResult(claim trace.Claim) settledCall {
	r.step.EffectKey, r.step.Effect = claim.Key, tool.Unknown
	e := tool.NewError(tool.ExecutionError, trace.CodeOutcomeUnknown,
		message.New("run.outcome_unknown", "tool", r.call.Tool)).
		WithHint(message.New("record.settle_effect", "run_id", claim.Step.RunID, "step_id", claim.Step.StepID))
	return settledCall{trace.Failed, tool.Result{Error: e}}
}

// attemptEffect returns the effect state of one attempt. If the tool returned an error,
// it had no effect. If it never answered, was interrupted or crashed, the effect
// is unknown.
func attemptEffect(ctx context.Context, spec tool.Spec, a attempt, result tool.Result) tool.EffectState {
	switch {
	case result.Error == nil:
		return tool.Committed
	case a.err == errNotCalled:
		return tool.Released
	case a.abandoned || a.panicked || result.Partial || ctx.Err() != nil || result.Error.Class == tool.ToolTimeout:
		return tool.Unknown
	case a.err == nil && !a.value.OK:
		return tool.Released
	}
	switch result.Error.Class {
	case tool.ValidationError:
		return tool.Released
	case tool.PolicyDenied, tool.ToolUnavailable: // nothing was sent; a plugin may have sent something before such an error
		if !spec.FromPlugin() {
			return tool.Released
		}
	}
	return tool.Unknown
}
