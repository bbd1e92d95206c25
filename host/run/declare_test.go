package run

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// destroyer deletes a folder of a map of files.
type destroyer struct {
	tool.Tool
	files map[string]string
}

func (d destroyer) Forecast(_ context.Context, call tool.Call) (tool.Forecast, error) {
	state, names := stateIn(d.files, call.Args["path"].(string))
	return tool.Forecast{Destination: "/trash" + d.files["trash"], Destroys: names[:min(len(names), tool.MaxDestroys)], Count: len(names), Identity: state.Mark + state.SHA256}, nil
}

// stateIn returns the state of a path in a map of files, and the paths below it with it. A
// path that ends in a slash is a folder.
func stateIn(files map[string]string, path string) (tool.FileState, []string) {
	s := tool.FileState{Path: path, Real: path, Kind: tool.FileMissing}
	if content, ok := files[path]; ok {
		s.Kind, s.SHA256 = tool.FileRegular, content
		return s, []string{path}
	}
	var names []string
	for _, p := range slices.Sorted(maps.Keys(files)) {
		if strings.HasPrefix(p, path+"/") {
			names = append(names, p)
			s.Mark += fmt.Sprint(p, files[p])
		}
	}
	if names != nil {
		s.Kind, s.Size, s.Mark = tool.FileFolder, int64(len(names)), tool.EntriesMark+s.Mark
	}
	return s, names
}

// TestOthersChangesAreNotApproved: while the first call of a plan runs, the folder or file of
// the second one changes. Only what the first call names or reports is still approved.
func TestOthersChangesAreNotApproved(t *testing.T) {
	put := func(paths ...string) func(map[string]string) {
		return func(f map[string]string) {
			for _, p := range paths {
				f[p] = "thesis"
			}
		}
	}
	remove := func(path string) func(map[string]string) { return func(f map[string]string) { delete(f, path) } }
	both := func(all ...func(map[string]string)) func(map[string]string) {
		return func(f map[string]string) {
			for _, one := range all {
				one(f)
			}
		}
	}
	large := func(f map[string]string) {
		for i := range 2 * tool.MaxDestroys {
			f[fmt.Sprintf("/d/Tgt/%03d", i)] = "x"
		}
	}
	anywhere, named := []string{tool.AnyPath}, []string{"path"}
	tests := []struct {
		name    string
		writes  []string
		path    string // of the first call
		facts   []string
		before  func(map[string]string)
		during  func(map[string]string)
		second  string // tool
		of      string
		approve bool
	}{
		{"nothing", anywhere, "/d/x", nil, nil, put(), "delete", "/d/Tgt", true},
		{"files are added to a deleted folder", anywhere, "/d/x", nil, nil, put("/d/Tgt/thesis", "/d/Tgt/2"), "delete", "/d/Tgt", false},
		{"as many are added as vanish", anywhere, "/d/x", nil, nil, both(put("/d/Tgt/thesis"), remove("/d/Tgt/a")), "delete", "/d/Tgt", false},
		{"a file in it is rewritten", anywhere, "/d/x", nil, nil, put("/d/Tgt/a"), "delete", "/d/Tgt", false},
		{"a deleted file is rewritten", anywhere, "/d/x", nil, nil, put("/d/Tgt/a"), "delete", "/d/Tgt/a", false},
		{"a sent file is rewritten", anywhere, "/d/x", nil, nil, put("/d/Tgt/a"), "send", "/d/Tgt/a", false},
		{"a sent folder grows", anywhere, "/d/x", nil, nil, put("/d/Tgt/b"), "send", "/d/Tgt", false},
		{"the step reports a sent file", anywhere, "/d/x", []string{"exists:/d/Tgt/a"}, nil, put("/d/Tgt/a"), "send", "/d/Tgt/a", true},
		{"the step reports another file", anywhere, "/d/x", []string{"exists:/d/else"}, nil, put("/d/Tgt/a"), "send", "/d/Tgt/a", false},
		{"the step reports the added file", anywhere, "/d/x", []string{"exists:/d/Tgt/new"}, nil, put("/d/Tgt/new"), "delete", "/d/Tgt", true},
		{"and others are added too", anywhere, "/d/x", []string{"exists:/d/Tgt/new"}, nil, put("/d/Tgt/new", "/d/Tgt/thesis"), "delete", "/d/Tgt", false},
		{"the step names a sent file", named, "/d/Tgt/a", nil, nil, put("/d/Tgt/a"), "send", "/d/Tgt/a", true},
		{"the step names a sent folder", named, "/d/Tgt", nil, nil, put("/d/Tgt/b", "/d/Tgt/c"), "send", "/d/Tgt", true},
		{"the step only reads the file", []string{"into"}, "/d/Tgt/a", nil, nil, put("/d/Tgt/a"), "send", "/d/Tgt/a", false},
		{"the step names a file in a sent folder", named, "/d/Tgt/new", nil, nil, put("/d/Tgt/new"), "send", "/d/Tgt", true},
		{"and others are added to it too", named, "/d/Tgt/new", nil, nil, put("/d/Tgt/new", "/d/Tgt/thesis"), "send", "/d/Tgt", false},
		{"the step deletes a part", nil, "/d/Tgt/a", []string{"!exists:/d/Tgt/a"}, put("/d/Tgt/b"), remove("/d/Tgt/a"), "delete", "/d/Tgt", true},
		{"the step names the deleted folder, others are added", named, "/d/Tgt", nil, nil, put("/d/Tgt/thesis"), "delete", "/d/Tgt", false},
		{"the step makes the deleted file", nil, "/d/new", []string{"exists:/d/new"}, nil, put("/d/new"), "delete", "/d/new", true},
		{"the trash is replaced", nil, "/d/Tgt/a", []string{"!exists:/d/Tgt/a"}, put("/d/Tgt/b"), both(remove("/d/Tgt/a"), put("trash")), "delete", "/d/Tgt", false},
		{"and another in the folder is rewritten", anywhere, "/d/x", []string{"exists:/d/Tgt/new"}, nil, put("/d/Tgt/new", "/d/Tgt/a"), "delete", "/d/Tgt", false},
		{"and another in a sent folder is rewritten", named, "/d/Tgt/new", nil, nil, put("/d/Tgt/new", "/d/Tgt/a"), "send", "/d/Tgt", false},
		{"and another is replaced by a third", named, "/d/Tgt/new", nil, nil, both(put("/d/Tgt/new", "/d/Tgt/b"), remove("/d/Tgt/a")), "delete", "/d/Tgt", false},
		{"and another vanishes", nil, "/d/Tgt/a", []string{"!exists:/d/Tgt/a"}, put("/d/Tgt/b", "/d/Tgt/c"), both(remove("/d/Tgt/a"), remove("/d/Tgt/c")), "send", "/d/Tgt", false},
		{"and one further down is rewritten", named, "/d/Tgt/new", nil, put("/d/Tgt/s/b"), func(f map[string]string) { f["/d/Tgt/new"], f["/d/Tgt/s/b"] = "x", "other" }, "delete", "/d/Tgt", false},
		{"the step rewrites its own file", named, "/d/Tgt/a", nil, put("/d/Tgt/b"), put("/d/Tgt/a"), "delete", "/d/Tgt", true},
		{"the step makes a file further down", anywhere, "/d/x", []string{"exists:/d/Tgt/s/new"}, nil, put("/d/Tgt/s/new"), "delete", "/d/Tgt", true},
		{"beyond the names", named, "/d/Tgt/000", nil, large, both(remove("/d/Tgt/000"), put("/d/Tgt/zzz")), "delete", "/d/Tgt", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"/d/Tgt/a": "draft"}
			if tt.before != nil {
				tt.before(files)
			}
			spec := func(name string, writes []string) tool.Spec {
				return tool.Spec{Name: name, ArgsSchema: []byte(`{}`), SideEffectClass: tool.Write, Effect: tool.EffectFile, Paths: []string{"/d"}, Writes: writes}
			}
			done := func(context.Context, tool.Call) (tool.Result, error) { return tool.OK(nil), nil }
			set, err := tool.NewSet(
				tool.Func(spec("first", tt.writes), func(context.Context, tool.Call) (tool.Result, error) {
					tt.during(files)
					r := tool.OK(nil)
					r.Facts = tt.facts
					return r, nil
				}),
				destroyer{tool.Func(spec("delete", nil), done), files}, tool.Func(spec("send", nil), done),
			)
			must.Succeed(t, err)
			log := &trace.Memory{}
			must.Succeed(t, log.Begin(t.Context(), trace.Run{RunID: "r"}))
			allow := policy.Decision{Verdict: policy.Allow, Rule: "ok", Reason: message.Verbatim("ok")}
			d := NewDispatcher(DispatcherOptions{
				Tools: set, Log: log, Decide: func(policy.Request) policy.Decision { return allow }, Granted: func(Ask) policy.Decision { return allow },
				Inspect: func(_ context.Context, _ tool.Spec, call tool.Call) ([]tool.FileState, *tool.Error) {
					s, _ := stateIn(files, call.Args["path"].(string))
					return []tool.FileState{s}, nil
				},
				Entries: func(_ context.Context, _ tool.Spec, states []tool.FileState) map[string]string {
					entries := map[string]string{}
					for _, s := range states {
						_, names := stateIn(files, s.Path)
						for _, name := range names {
							entries[name] = files[name]
						}
					}
					return entries
				},
			})
			action := func(id, path string, after ...string) plan.Action {
				return plan.Action{ActionID: id, Tool: id, Args: map[string]any{"path": path}, DependsOn: after, Confidence: 1, IdempotencyScope: id}
			}
			p, err := plan.New(plan.Content{
				Origin: plan.UserGoal, Inputs: plan.Inputs{RawText: "go"}, Language: "en", GoalAchievedBy: tt.second,
				Actions: []plan.Action{action("first", tt.path), action(tt.second, tt.of, "first")},
			})
			must.Succeed(t, err)
			o := NewEngine(d, EngineOptions{}).Run(t.Context(), RunRequest{RunID: "r", Prepared: d.Prepare(t.Context(), "r", p)})
			want := trace.NeedsApproval
			if tt.approve {
				want = trace.Done
			}
			if len(o.Steps) != 2 || o.Steps[0].Status != trace.Done || o.Steps[1].Status != want {
				t.Errorf("steps %+v, want the second %s", o.Steps, want)
			}
		})
	}
}
