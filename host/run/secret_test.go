package run_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"errand/build/must"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
)

const secretSchema = `{"type":"object","properties":{"text":{"type":"string","writeOnly":true},"note":{"type":"string"},"url":{"type":"string","writeOnly":true}}}`

func takesSecrets(s *tool.Spec) { s.ArgsSchema = json.RawMessage(secretSchema) }

// TestReveal: a reference becomes its secret in the tool's own arguments, where the
// tool takes secrets, and nowhere else; what nobody knows is not called.
func TestReveal(t *testing.T) {
	secrets := tool.Secrets{"word": "s3same", "ref": "{{secret:word}}"}
	for _, c := range []struct {
		name       string
		args, want map[string]any
		code       string
	}{
		{"alone", map[string]any{"text": "{{secret:word}}"}, map[string]any{"text": "s3same"}, ""},
		{"within", map[string]any{"text": "a {{secret:word}}, {{secret:word}}"}, map[string]any{"text": "a s3same, s3same"}, ""},
		{"once", map[string]any{"text": "{{secret:ref}}"}, map[string]any{"text": "{{secret:word}}"}, ""},
		{"not in what is told", map[string]any{"note": "{{secret:word}}"}, map[string]any{"note": "{{secret:word}}"}, ""},
		{"not in what policy judges by", map[string]any{"url": "{{secret:word}}"}, map[string]any{"url": "{{secret:word}}"}, ""},
		{"unknown", map[string]any{"text": "{{secret:other}}"}, nil, tool.CodeSecretGone},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got map[string]any
			tell := func(_ context.Context, c tool.Call) (tool.Result, error) { got = c.Args; return tool.OK(nil), nil }
			d, log := door(t, run.DispatcherOptions{Reveal: secrets.Reveal}, newTool(tell, takesSecrets, writes))
			_, step := d.Dispatch(t.Context(), call(c.args))
			if step.ErrorCode != c.code || tool.HashArgs(got) != tool.HashArgs(c.want) {
				t.Errorf("the tool got %v: %q", got, step.ErrorCode)
			}
			if kept := recorded(t, log); tool.HashArgs(kept.Args) != tool.HashArgs(c.args) || kept.ArgsHash != tool.HashArgs(c.args) {
				t.Errorf("recorded is %v", kept.Args)
			}
		})
	}
	t.Run("by nobody", func(t *testing.T) {
		d, _ := door(t, run.DispatcherOptions{}, newTool(echo, takesSecrets))
		if _, step := d.Dispatch(t.Context(), call(map[string]any{"text": "{{secret:word}}"})); step.ErrorCode != tool.CodeSecretGone {
			t.Errorf("it is %s %q", step.Status, step.ErrorCode)
		}
	})
}

// claims is a log that keeps what is claimed.
type claims struct {
	*trace.Memory
	claimed []trace.Step
}

func (c *claims) Claim(ctx context.Context, s trace.Step) (trace.Claim, error) {
	c.claimed = append(c.claimed, s)
	return c.Memory.Claim(ctx, s)
}

// TestLearn: what turned out to be a secret is not in the step's record, and was not
// in the claim that came before.
func TestLearn(t *testing.T) {
	var learnt []string
	redact := func(v any) any {
		b, _ := json.Marshal(v)
		for _, s := range learnt {
			b = []byte(strings.ReplaceAll(string(b), s, "[hidden]"))
		}
		var out any
		_ = json.Unmarshal(b, &out)
		return out
	}
	typed := func(_ context.Context, c tool.Call) (tool.Result, error) {
		return tool.Result{OK: true, Payload: c.Args["text"], Secrets: []string{c.Args["text"].(string)}}, nil
	}
	kept := &claims{Memory: &trace.Memory{}}
	must.Succeed(t, kept.Begin(t.Context(), tracetest.NewRun("r1", 0)))
	d, _ := door(t, run.DispatcherOptions{Redact: redact, Log: kept, Learn: func(s []string) { learnt = append(learnt, s...) }}, newTool(typed, takesSecrets, writes))
	d.Dispatch(t.Context(), call(map[string]any{"text": "s3same", "note": "hi"}))
	if len(kept.claimed) != 1 || kept.claimed[0].Args["text"] == "s3same" || kept.claimed[0].Args["note"] != "hi" {
		t.Errorf("claimed: %+v", kept.claimed)
	}
	if s := recorded(t, kept); s.Status != trace.Done || s.Args["text"] != "[hidden]" || s.Payload != "[hidden]" {
		t.Errorf("recorded: %v %v", s.Args, s.Payload)
	}
}
