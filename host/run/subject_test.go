package run

import (
	"context"
	"testing"

	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// TestRunChecksSubjects changes the files of a plan after it was prepared. The plan makes a
// file and sends it, and sends another one.
func TestRunChecksSubjects(t *testing.T) {
	const made, other = "/d/made", "/d/other"
	tests := []struct {
		name   string
		before func(files map[string]string) // after the plan was prepared, before its first call
		during func(files map[string]string) // while the first call runs
		want   map[string]trace.Status
		place  func(path string) string // that policy decides about; nil: the path
	}{
		{"nothing", nil, nil, map[string]trace.Status{"make": trace.Done, "send": trace.Done, "other": trace.Done}, nil},
		{"the other file, before", func(f map[string]string) { f[other] = "thief" }, nil, map[string]trace.Status{"make": trace.Done, "send": trace.Done, "other": trace.NeedsApproval}, nil},
		{"the other file, while the first call runs", nil, func(f map[string]string) { f[other] = "thief" }, map[string]trace.Status{"make": trace.Done, "send": trace.Done, "other": trace.NeedsApproval}, nil},
		{"the other file vanishes", func(f map[string]string) { delete(f, other) }, nil, map[string]trace.Status{"make": trace.Done, "send": trace.Done, "other": trace.NeedsApproval}, nil},
		{"the file that the plan makes, before", func(f map[string]string) { f[made] = "thief" }, nil, map[string]trace.Status{"make": trace.NeedsApproval, "send": trace.Skipped, "other": trace.Skipped}, nil},
		{"a file of no action", func(f map[string]string) { f["/d/else"] = "thief" }, nil, map[string]trace.Status{"make": trace.Done, "send": trace.Done, "other": trace.Done}, nil},
		{"a link that led elsewhere for a moment", nil, nil, map[string]trace.Status{"make": trace.Done, "send": trace.Done, "other": trace.NeedsApproval}, func(path string) string {
			if path == other {
				return "/d/else"
			}
			return path
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{other: "draft"}
			var sent []string
			spec := tool.Spec{Name: "t", ArgsSchema: []byte(`{}`), SideEffectClass: tool.Write, Effect: tool.EffectFile}
			set, err := tool.NewSet(tool.Func(spec, func(_ context.Context, call tool.Call) (tool.Result, error) {
				path := call.Args["path"].(string)
				if call.ActionID == "make" {
					if tt.during != nil {
						tt.during(files)
					}
					files[path] = "ours"
					return tool.OK(nil), nil
				}
				if f, ok := call.File(path); !ok || f.SHA256 != files[path] {
					t.Errorf("%s got the state %+v, want that of %q", call.ActionID, call.Files, files[path])
				}
				sent = append(sent, files[path])
				return tool.OK(nil), nil
			}))
			must.Succeed(t, err)
			log := &trace.Memory{}
			must.Succeed(t, log.Begin(t.Context(), trace.Run{RunID: "r"}))
			allow := policy.Decision{Verdict: policy.Allow, Rule: "ok", Reason: message.Verbatim("ok")}
			d := NewDispatcher(DispatcherOptions{
				Tools: set, Log: log, Decide: func(policy.Request) policy.Decision { return allow }, Granted: func(Ask) policy.Decision { return allow },
				Locate: func(_ tool.Spec, call tool.Call) []tool.Place {
					path := call.Args["path"].(string)
					if tt.place == nil {
						return []tool.Place{{Path: path, Real: path, Entry: path}}
					}
					return []tool.Place{{Path: path, Real: tt.place(path), Entry: path}}
				},
				Inspect: func(_ context.Context, _ tool.Spec, call tool.Call) ([]tool.FileState, *tool.Error) {
					path := call.Args["path"].(string)
					content, ok := files[path]
					if !ok {
						return []tool.FileState{{Path: path, Real: path, Kind: tool.FileMissing}}, nil
					}
					return []tool.FileState{{Path: path, Real: path, Kind: tool.FileRegular, SHA256: content}}, nil
				},
			})
			action := func(id, path string, after ...string) plan.Action {
				return plan.Action{ActionID: id, Tool: "t", Args: map[string]any{"path": path}, DependsOn: after, Confidence: 1, IdempotencyScope: id}
			}
			p, err := plan.New(plan.Content{
				Origin: plan.UserGoal, Inputs: plan.Inputs{RawText: "go"}, Language: "en", GoalAchievedBy: "send",
				Actions: []plan.Action{action("make", made), action("send", made, "make"), action("other", other, "make")},
			})
			must.Succeed(t, err)
			prepared := d.Prepare(t.Context(), "r", p)
			if tt.before != nil {
				tt.before(files)
			}
			o := NewEngine(d, EngineOptions{}).Run(t.Context(), RunRequest{RunID: "r", Prepared: prepared})
			for _, s := range o.Steps {
				if want := tt.want[s.StepID]; s.Status != want {
					t.Errorf("%s: %s, want %s (%v)", s.StepID, s.Status, want, s.Error)
				}
			}
			for _, content := range sent {
				if content == "thief" {
					t.Error("a file was sent that was not approved")
				}
			}
		})
	}
}
