package run_test

import (
	"context"
	"testing"

	"errand/host/run"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
)

// previewing is a write tool that calls the tool "look" for its forecasts.
type previewing struct {
	tool.Tool
	look  tool.Tool
	calls *int
}

func (p previewing) Forecast(ctx context.Context, call tool.Call) (tool.Forecast, error) {
	call.Tool = p.look.Spec().Name
	if e := tool.PermitPreview(ctx, p.look.Spec(), call); e != nil {
		return tool.Forecast{Note: e.Message}, nil
	}
	*p.calls++
	return tool.Forecast{}, nil
}

// TestPreviewIsDecided: policy decides about the tool that a preview calls, with the
// arguments of the call, and only what the user is shown anyway runs without approval.
func TestPreviewIsDecided(t *testing.T) {
	ask := policy.Decision{Verdict: policy.Ask, Rule: policy.RuleDefaultAsk, Reason: message.Verbatim("asked")}
	of := func(name string, d policy.Decision) func(policy.Request) policy.Decision {
		return func(r policy.Request) policy.Decision {
			switch {
			case r.Tool == name && r.Args["text"] == "write":
				return d
			case r.Tool == "look":
				return allow
			}
			return ask
		}
	}
	for _, tt := range []struct {
		name   string
		decide func(policy.Request) policy.Decision
		calls  int
		note   string
	}{
		{"allowed", of("look", allow), 1, ""},
		{"a rule denies it", of("look", policy.Decision{Rule: "rule.1", Reason: message.Verbatim("no looking")}), 0, "no looking"},
		{"a rule asks first", of("look", policy.Decision{Verdict: policy.Ask, Rule: "rule.1", Reason: message.Verbatim("ask me")}), 0, "ask me"},
		{"a rule denies the call", of("write", policy.Decision{Rule: "rule.1", Reason: message.Verbatim("no")}), 0, ""},
		{"heard", of("look", policy.Decision{Verdict: policy.Ask, Rule: policy.RuleVoice}), 1, ""},
		{"from elsewhere", of("look", policy.Decision{Verdict: policy.Ask, Rule: policy.RuleUpload}), 1, ""},
		{"policy fails", func(r policy.Request) policy.Decision {
			if r.Tool == "look" {
				panic("broken")
			}
			return ask
		}, 0, "policy failed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			calls, look := 0, newTool(echo, named("look"))
			d, _ := door(t, run.DispatcherOptions{Decide: tt.decide}, look, previewing{newTool(echo, writes, named("write")), look, &calls})
			prepared := d.Prepare(t.Context(), "r1", planOf(t, act("write")))
			note := ""
			if f := prepared.Verdicts[0].Forecast; f != nil {
				verbatim, ok := f.Note.Text()
				if note = verbatim; !ok && !f.Note.IsZero() {
					note = "policy failed"
				}
			}
			if calls != tt.calls || note != tt.note {
				t.Errorf("%d calls and the note %q, want %d and %q", calls, note, tt.calls, tt.note)
			}
			if tt.note == "" && tt.calls == 1 && !d.IsCurrent(t.Context(), "r1", prepared, nil) {
				t.Error("the same preview is another one")
			}
		})
	}
	if e := tool.PermitPreview(t.Context(), tool.Spec{Name: "look"}, tool.Call{}); e == nil || e.Class != tool.PolicyDenied {
		t.Errorf("without a decision: %v", e)
	}
}
