package run_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// torn is a log that can't be written at some point.
type torn struct {
	trace.Memory
	intend, append error
	panics         bool
}

func (l *torn) Claim(ctx context.Context, s trace.Step) (trace.Claim, error) {
	if l.intend != nil {
		return trace.Claim{}, l.intend
	}
	return l.Memory.Claim(ctx, s)
}

func (l *torn) Append(ctx context.Context, s trace.Step) (trace.Step, error) {
	if l.panics {
		panic("torn")
	}
	if l.append != nil {
		return s, l.append
	}
	return l.Memory.Append(ctx, s)
}

// TestUnwritableRecord: a write is not made where its record can't be
// written; a read goes on with a warning; an effect that could not be recorded
// says so.
func TestUnwritableRecord(t *testing.T) {
	full := tool.NewError(tool.ExecutionError, "disk_full", message.Verbatim("the disk is full")).WithHint(message.Verbatim("free some space"))
	tests := []struct {
		name        string
		log         trace.Log
		spec        func(*tool.Spec)
		wantCalled  bool
		wantOK      bool
		wantWarning bool
	}{
		{"S3-H23 a read", &torn{append: full}, func(*tool.Spec) {}, true, true, true},
		{"S3-H23 a write whose intent can't be written", &torn{intend: full, append: full}, writes, false, false, true},
		{"a write whose outcome can't be written", &torn{append: full}, writes, true, true, true},
		{"a log that breaks", &torn{panics: true}, writes, true, true, true},
		{"untyped errors", &torn{intend: errors.New("no"), append: errors.New("no")}, writes, false, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			called := false
			d, _ := door(t, run.DispatcherOptions{Log: tt.log}, newTool(func(ctx context.Context, c tool.Call) (tool.Result, error) {
				called = true
				return echo(ctx, c)
			}, tt.spec))
			must.Succeed(t, tt.log.Begin(t.Context(), trace.Run{RunID: "r1"}))
			result, step := d.Dispatch(t.Context(), call(hi))
			if called != tt.wantCalled || result.OK != tt.wantOK || (result.Warning != nil) != tt.wantWarning {
				t.Errorf("called %v, result %+v, want called %v, ok %v, warning %v", called, result, tt.wantCalled, tt.wantOK, tt.wantWarning)
			}
			if !tt.wantCalled && (result.Error.Code != "store_unavailable" || result.Error.Class != tool.ToolUnavailable) {
				t.Errorf("error = %+v, want store_unavailable", result.Error)
			}
			if !strings.Contains(strings.Join(step.PolicyFlags, " "), trace.FlagUnrecorded) {
				t.Errorf("flags = %v, want unrecorded", step.PolicyFlags)
			}
		})
	}
}

func TestWithoutALog(t *testing.T) {
	for _, spec := range []func(*tool.Spec){func(*tool.Spec) {}, writes} {
		set, err := tool.NewSet(newTool(echo, spec))
		must.Succeed(t, err)
		d := run.NewDispatcher(run.DispatcherOptions{Tools: set, Decide: always(allow)})
		result, _ := d.Dispatch(t.Context(), call(hi))
		isRead := set.Specs()[0].SideEffectClass == tool.Read
		if result.OK != isRead || result.Warning == nil {
			t.Errorf("class %s: result = %+v", set.Specs()[0].SideEffectClass, result)
		}
	}
}

// TestWriteAhead: a write is in the record before it is made.
func TestWriteAhead(t *testing.T) {
	var log *trace.Memory
	var during trace.Record
	d, log := door(t, run.DispatcherOptions{}, newTool(func(ctx context.Context, c tool.Call) (tool.Result, error) {
		var err error
		during, err = log.Record(ctx, "r1")
		return tool.OK(nil), err
	}, writes))
	if result, _ := d.Dispatch(t.Context(), call(hi)); !result.OK {
		t.Fatal(result.Error)
	}
	if len(during.Steps) != 1 || during.Steps[0].Status != trace.Running || during.Steps[0].ArgsHash != tool.HashArgs(hi) {
		t.Errorf("while the tool ran the record had %+v", during.Steps)
	}
	if after := recorded(t, log); after.Status != trace.Done {
		t.Errorf("afterwards it had %+v", after)
	}
}

func TestRecordedAfterCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d, log := door(t, run.DispatcherOptions{}, newTool(func(context.Context, tool.Call) (tool.Result, error) {
		cancel()
		return tool.OK("done all the same"), nil
	}))
	d.Dispatch(ctx, call(hi))
	if step := recorded(t, log); step.Status != trace.Done {
		t.Errorf("step = %+v, want done", step)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	d, log = door(t, run.DispatcherOptions{}, newTool(echo))
	if result, _ := d.Dispatch(ctx, call(hi)); result.OK {
		t.Error("a call was made after its context had ended")
	}
	if step := recorded(t, log); step.Status != trace.Interrupted || step.Attempts != 0 {
		t.Errorf("step = %+v, want it interrupted before it was called", step)
	}
}

// stars hides every string that holds "secret", at any depth.
func stars(v any) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, "secret", "[redacted]")
	case map[string]any:
		for k, e := range v {
			v[k] = stars(e) // in place, as a redactor may
		}
		return v
	case []any:
		for i, e := range v {
			v[i] = stars(e)
		}
		return v
	}
	return v
}

// TestRedaction: S3-T12, S3-H24. Nothing that is recorded holds the secret; the
// tool and the caller get it.
func TestRedaction(t *testing.T) {
	var deep any = "secret"
	for range 15 {
		deep = map[string]any{"in": []any{deep}}
	}
	var got any
	d, log := door(t, run.DispatcherOptions{Redact: stars}, newTool(func(_ context.Context, c tool.Call) (tool.Result, error) {
		got = c.Args["text"]
		return tool.Result{
			Payload: map[string]any{"deep": deep}, Facts: []string{"exists:/secret"},
			Artifacts: []tool.Artifact{{Name: "secret.png"}},
			Error: tool.NewError(tool.ExecutionError, "failed_secret", message.New("test.wrong", "text", "secret was wrong",
				"cause", message.New("test.cause", "names", []string{"a", "a secret"}))).WithHint(message.Verbatim("not secret")),
		}, nil
	}, writes))
	result, step := d.Dispatch(t.Context(), call(map[string]any{"text": "a secret"}))
	if got != "a secret" || !strings.Contains(i18n.English().Text(result.Error.Message), "secret was") {
		t.Errorf("the tool got %v, the caller %+v; want both unredacted", got, result)
	}
	for name, s := range map[string]trace.Step{"returned": step, "recorded": recorded(t, log)} {
		t.Run("S3-H24 fifteen levels deep, in the step as "+name, func(t *testing.T) {
			s.Error = &tool.Error{Message: message.New("test.both", "message", s.Error.Message, "hint", s.Error.Hint)}
			text := string(must.JSON(t, s))
			if strings.Contains(text, "secret\"") || strings.Contains(text, " secret") || !strings.Contains(text, "[redacted]") {
				t.Errorf("it holds the secret: %s", text)
			}
		})
	}
	if step.ArgsHash != tool.HashArgs(map[string]any{"text": "a secret"}) {
		t.Error("the hash is not that of the arguments that were called")
	}
}

// TestUndoWithASecret: an undo that could not be carried out as it is recorded
// is not recorded, and the step says so.
func TestUndoWithASecret(t *testing.T) {
	for text, kept := range map[string]bool{"/home/ann/x": true, "/home/ann/secret": false} {
		t.Run(text, func(t *testing.T) {
			d, log := door(t, run.DispatcherOptions{Redact: stars}, newTool(func(context.Context, tool.Call) (tool.Result, error) {
				r := tool.OK("made")
				r.Undo = &tool.Inverse{Tool: "t", Args: map[string]any{"text": text}}
				return r, nil
			}, writes))
			result, _ := d.Dispatch(t.Context(), call(hi))
			step := recorded(t, log)
			if flagged := cmp.Equal(step.PolicyFlags, []string{trace.FlagUndoWithheld}); (step.Undo != nil) != kept || flagged == kept {
				t.Errorf("undo %+v with flags %v", step.Undo, step.PolicyFlags)
			}
			if !result.OK || result.Undo.Args["text"] != text {
				t.Errorf("the caller got %+v", result)
			}
		})
	}
}

// TestRedactionFails: what can't be redacted is not written.
func TestRedactionFails(t *testing.T) {
	for name, redact := range map[string]func(any) any{
		"it breaks":              func(any) any { panic("oh") },
		"it loses the arguments": func(v any) any { return 1 },
	} {
		t.Run(name, func(t *testing.T) {
			d, log := door(t, run.DispatcherOptions{Redact: redact}, newTool(echo))
			if result, _ := d.Dispatch(t.Context(), call(map[string]any{"text": "secret"})); !result.OK {
				t.Error(result.Error)
			}
			step := recorded(t, log)
			if !cmp.Equal(step.PolicyFlags, []string{trace.FlagUnredacted}) || strings.Contains(string(must.JSON(t, step)), "secret") {
				t.Errorf("step = %+v", step)
			}
		})
	}
}
