package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/planner/message"
)

// good is a spec without a fault, for a test to spoil.
func good() tool.Spec {
	return tool.Spec{
		Name: "files.read", ArgsSchema: json.RawMessage(`{"type":"object","properties":{"path":{},"depth":{}}}`),
		RetryProfile: tool.RetryTransient, SideEffectClass: tool.Read, Effect: tool.EffectRead, Source: "builtin",
	}
}

func TestSpecValidate(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(*tool.Spec)
		want  string // part of the error; "" for none
	}{
		{"right", func(*tool.Spec) {}, ""},
		{"the launcher: a write that navigates", func(s *tool.Spec) {
			s.SideEffectClass, s.Effect, s.RetryProfile = tool.Write, tool.EffectNavigate, tool.RetryNone
		}, ""},
		{"zero", func(s *tool.Spec) { *s = tool.Spec{} }, "must be of letters"},
		{"a space in the name", func(s *tool.Spec) { s.Name = "files read" }, "must be of letters"},
		{"a long name", func(s *tool.Spec) { s.Name = strings.Repeat("x", 65) }, "must be of letters"},
		{"no class is not harmless", func(s *tool.Spec) { s.SideEffectClass = "" }, "side_effect_class"},
		{"unknown effect", func(s *tool.Spec) { s.Effect = "explode" }, "effect"},
		{"a read that commits", func(s *tool.Spec) { s.Effect = tool.EffectCommit }, "must be write"},
		{"unknown retry", func(s *tool.Spec) { s.RetryProfile = "always" }, "retry_profile"},
		{"a write that is retried", func(s *tool.Spec) { s.SideEffectClass = tool.Write }, "only a read tool may be retried"},
		{"negative timeout", func(s *tool.Spec) { s.TimeoutMS = -1 }, "negative"},
		{"schema that is not JSON", func(s *tool.Spec) { s.ArgsSchema = json.RawMessage(`{`) }, "not JSON"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := good()
			tt.spoil(&s)
			err := s.Validate()
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(i18n.English().Error(err), tt.want) {
				t.Errorf("Validate = %v, want %q", err, tt.want)
			}
		})
	}
}

// TestTakesSecret: only a tool of the program gets secrets, and only in arguments that its
// schema marks and that policy does not inspect.
func TestTakesSecret(t *testing.T) {
	const schema = `{"type":"object","properties":{"value":{"type":"string","writeOnly":true},"note":{"type":"string"},"url":{"type":"string","writeOnly":true},"to":{"type":"string","writeOnly":true}}}`
	for _, tt := range []struct {
		source, arg string
		want        bool
	}{
		{"builtin", "value", true},
		{"browser", "value", true},
		{"builtin", "note", false},
		{"builtin", "other", false},
		{"builtin", "url", false},
		{"builtin", "to", false},
		{"plugin:taker", "value", false},
		{"plugin:taker", "note", false},
		{"plugin:json", "value", false},
	} {
		s := tool.Spec{Name: "t", ArgsSchema: json.RawMessage(schema), Source: tt.source, Opens: []string{"to"}}
		if got := s.TakesSecret(tt.arg); got != tt.want {
			t.Errorf("%s of %s takes a secret: %v, want %v", tt.arg, tt.source, got, tt.want)
		}
		revealed, err := tool.Secrets{"word": "s3same"}.Reveal(s, map[string]any{tt.arg: "{{secret:word}}"})
		if want := map[bool]string{true: "s3same", false: "{{secret:word}}"}[tt.want]; err != nil || revealed[tt.arg] != want {
			t.Errorf("%s of %s gets %v, %v", tt.arg, tt.source, revealed[tt.arg], err)
		}
	}
}

func TestSpecDefaultsAndParams(t *testing.T) {
	s := tool.Spec{Name: "x"}.WithDefaults()
	if s.TimeoutMS != tool.DefaultTimeoutMS || s.RetryProfile != tool.RetryNone || s.Hosts == nil || s.Paths == nil || s.CanAchieve == nil {
		t.Errorf("defaults: %+v", s)
	}
	if d := cmp.Diff([]string{"depth", "path"}, good().Params()); d != "" {
		t.Errorf("params (-want +got):\n%s", d)
	}
	if p := (tool.Spec{ArgsSchema: json.RawMessage(`[]`)}).Params(); p != nil {
		t.Errorf("params of no object: %v", p)
	}
	for source, want := range map[string]bool{"plugin:hash": true, "builtin": false, "browser": false, "": false} {
		if got := (tool.Spec{Source: source}).FromPlugin(); got != want {
			t.Errorf("FromPlugin of %q = %t", source, got)
		}
	}
}

// TestEffects: what may do one effect may do those before it, and what is not
// known is above all.
func TestEffects(t *testing.T) {
	for i, e := range []tool.Effect{tool.EffectRead, tool.EffectNavigate, tool.EffectInput, tool.EffectCommit, tool.EffectFile, "explode"} {
		class := tool.Write
		if i < 2 {
			class = tool.Read
		}
		if e.Rank() != i || e.Class() != class || e.IsKnown() != (i < 5) {
			t.Errorf("%s: rank %d, class %s, known %t", e, e.Rank(), e.Class(), e.IsKnown())
		}
	}
}

func named(name string) tool.Tool {
	s := good()
	s.Name = name
	return tool.Func(s, func(_ context.Context, c tool.Call) (tool.Result, error) { return tool.OK(c.Args["path"]), nil })
}

func TestSet(t *testing.T) {
	set, err := tool.NewSet(named("b"), named("a"))
	must.Succeed(t, err)
	var names []string
	for _, s := range set.Specs() {
		names = append(names, s.Name)
	}
	if d := cmp.Diff([]string{"a", "b"}, names); d != "" {
		t.Errorf("specs in order of their names (-want +got):\n%s", d)
	}
	a, ok := set.Get("a")
	if !ok {
		t.Fatal("a is not found")
	}
	if r, err := a.Call(t.Context(), tool.Call{Args: map[string]any{"path": "x"}}); err != nil || !r.OK || r.Payload != "x" {
		t.Errorf("call = %+v, %v", r, err)
	}
	if _, ok := set.Get("c"); ok {
		t.Error("c is found")
	}
	if _, err := tool.NewSet(named("a"), named("a"), tool.Func(tool.Spec{Name: "!"}, nil)); err == nil ||
		!strings.Contains(i18n.English().Error(err), "both") || !strings.Contains(i18n.English().Error(err), `"!"`) {
		t.Errorf("two faults are reported as %v", err)
	}
}

func TestHashArgs(t *testing.T) {
	one := map[string]any{"a": 1.0, "b": []any{"x", nil}}
	if tool.HashArgs(one) != tool.HashArgs(map[string]any{"b": []any{"x", nil}, "a": 1.0}) {
		t.Error("the order of keys changes the hash")
	}
	if tool.HashArgs(nil) != tool.HashArgs(map[string]any{}) {
		t.Error("no arguments and empty ones differ")
	}
	if tool.HashArgs(one) == tool.HashArgs(map[string]any{"a": 1.0, "b": []any{"x"}}) {
		t.Error("other arguments have the same hash")
	}
	if tool.HashArgs(map[string]any{"a": math.NaN()}) == tool.HashArgs(nil) {
		t.Error("what can't be hashed matches something")
	}
}

func TestAsError(t *testing.T) {
	typed := tool.NewError(tool.PolicyDenied, "no", message.New("call.bad_args_schema"))
	tests := []struct {
		name      string
		err       error
		class     tool.Class
		code      string
		retriable bool
	}{
		{"typed, wrapped", fmt.Errorf("open: %w", typed), tool.PolicyDenied, "no", false},
		{"deadline", fmt.Errorf("wait: %w", context.DeadlineExceeded), tool.ToolTimeout, "deadline_exceeded", true},
		{"interrupted", context.Canceled, tool.ExecutionError, "interrupted", false},
		{"anything else", errors.New("boom"), tool.ExecutionError, "failed", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := tool.AsError(tt.err)
			if e.Class != tt.class || e.Code != tt.code || e.Retriable != tt.retriable {
				t.Errorf("AsError = %+v", e)
			}
		})
	}
	if tool.AsError(nil) != nil {
		t.Error("nil becomes an error")
	}
	hinted := typed.WithHint(message.New("call.give_secret_again", "name", "Ann"))
	if hinted.Hint.Params["name"] != "Ann" || !hinted.Recoverable || !typed.Hint.IsZero() || !message.FromError(hinted).Equal(typed.Message) {
		t.Errorf("hinted %+v, before %+v", hinted, typed)
	}
	if r := tool.Fail(tool.ToolUnavailable, "gone", message.New("x.left", "count", 0)); r.OK || r.Error.Message.Params["count"] != int64(0) || !r.Error.Retriable {
		t.Errorf("Fail = %+v", r)
	}
}
