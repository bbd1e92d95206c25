package run

import (
	"context"

	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
)

// effectiveSpec returns the tool's spec with the effect of this call. Approvals bind to
// the tool's original spec.
func (v Verdict) effectiveSpec() tool.Spec {
	s := v.Spec
	if v.Effect != "" && v.Effect != s.Effect {
		s.Effect, s.SideEffectClass = v.Effect, v.Effect.Class()
	}
	return s
}

// Class returns the side-effect class of this call.
func (v Verdict) Class() tool.SideEffectClass { return v.effectiveSpec().SideEffectClass }

// decideWithEffect evaluates policy with the effect of this call. A tool may derive the
// effect from the arguments. If that is not denied and live is set, the tool also
// looks at the current state, and policy is evaluated again. A larger effect than
// the approved one needs its own approval.
func (d *Dispatcher) decideWithEffect(ctx context.Context, t tool.Tool, call *tool.Call, v *Verdict, live bool) {
	c, can := t.(tool.Classifier)
	if can {
		v.Effect, v.Error = d.declaredEffect(c, *call)
		v.declaredEffect = v.Effect
	}
	if v.Error != nil {
		return
	}
	v.Decision, v.isDecided = d.decide(v.effectiveSpec(), *call), true
	if !can {
		return
	}
	if live && v.Decision.Verdict != policy.Deny {
		before := v.Effect
		if v.Effect, v.Error = d.currentEffect(ctx, c, v.Spec, *call); v.Error != nil {
			v.Effect = before
			return
		}
		if v.Effect != before {
			v.Decision = d.decide(v.effectiveSpec(), *call)
		}
	}
	call.Effect = v.Effect
}

// exceedsDeclared reports whether the effect is larger than the arguments alone suggest.
// An approval given for the arguments does not cover it.
func (v Verdict) exceedsDeclared() bool {
	return v.Effect != "" && v.Effect.Rank() > v.declaredEffect.Rank()
}

func (d *Dispatcher) declaredEffect(c tool.Classifier, call tool.Call) (tool.Effect, *tool.Error) {
	args, _ := tool.CopyArgs(call.Args) // a private copy for the tool
	call.Args = args
	effect, err := catchPanic(func() tool.Effect { return c.DeclaredEffect(call) })
	if err != nil || !effect.IsKnown() {
		return "", classifyError(call.Tool, err)
	}
	return effect, nil
}

// currentEffect asks the tool for the effect on the current state, within its own deadline.
func (d *Dispatcher) currentEffect(ctx context.Context, c tool.Classifier, spec tool.Spec, call tool.Call) (tool.Effect, *tool.Error) {
	limited, cancel := context.WithTimeout(ctx, d.timeout(spec))
	defer cancel()
	call.Args, _ = tool.CopyArgs(call.Args)
	a := callWithDeadline(ctx, limited, d, runningCall{name: spec.Name}, func() (tool.Effect, error) {
		if fault := d.o.BeforeCall(limited, spec, call); fault != nil {
			return "", fault
		}
		return c.Classify(limited, call)
	})
	switch {
	case a.panicked:
		return "", classifyError(spec.Name, a.err)
	case a.err != nil && !a.abandoned:
		return "", tool.AsError(a.err)
	case a.err != nil:
		return "", tool.NewError(tool.ToolTimeout, "deadline_exceeded", message.New("run.classify_timeout", "tool", spec.Name, "limit", d.timeout(spec)))
	case !a.value.IsKnown():
		return "", classifyError(spec.Name, nil)
	}
	return a.value, nil
}

func classifyError(name string, err error) *tool.Error {
	if err != nil {
		return tool.NewError(tool.ExecutionError, "classify_failed", message.New("run.classify_failed", "tool", name, "cause", err))
	}
	return tool.NewError(tool.ExecutionError, "classify_failed", message.New("run.effect_unknown", "tool", name))
}
