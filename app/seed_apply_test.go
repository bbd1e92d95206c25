package app

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"errand/app/config"
	"errand/app/planning"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// TestSeedApply are the acceptance lines about carrying out what was approved.
func TestSeedApply(t *testing.T) {
	for name, tt := range map[string]struct {
		busy   int // how often B says that there are too many requests
		calls  map[string]int
		status trace.Status
		failed []string
	}{
		"S2-H20 too many requests once": {1, map[string]int{"A": 1, "B": 2, "C": 1}, trace.Done, nil},
		"S2-H20 too many requests":      {99, map[string]int{"A": 1, "B": 3, "C": 1}, trace.Failed, []string{"a2"}},
	} {
		t.Run(name, func(t *testing.T) {
			a, home := opened(t, Options{})
			var mu sync.Mutex
			calls := map[string]int{}
			a.replaceTool = func(in tool.Tool) tool.Tool {
				spec := in.Spec()
				if spec.Name != "files.delete_folder" {
					return in
				}
				spec.RetryProfile = tool.RetryRateLimited
				return tool.Func(spec, func(_ context.Context, c tool.Call) (tool.Result, error) {
					mu.Lock()
					defer mu.Unlock()
					name := filepath.Base(c.Args["path"].(string))
					if calls[name]++; name == "B" && calls[name] <= tt.busy {
						r := tool.Fail(tool.ToolUnavailable, "rate_limited", message.Verbatim("429 Too Many Requests"))
						r.Error.RetryAfterMS = 1
						return r, nil
					}
					return tool.OK(map[string]any{"deleted": true}), nil
				})
			}
			folders(t, home, "A", "B", "C")
			_, d := waitingDraft(t, a, "delete folders A, B and C in documents")
			r := approved(t, a, runs.ApproveRequest{ID: d.DraftID, Confirmed: []string{"a1", "a2", "a3"}})
			var failed []string
			for _, f := range r.Failed {
				failed = append(failed, f.ActionID)
			}
			if r.Status != tt.status || !slices.Equal(failed, tt.failed) || len(r.Applied)+len(failed) != 3 || !maps.Equal(calls, tt.calls) {
				t.Errorf("status %s, applied %v, failed %v, calls %v", r.Status, r.Applied, r.Failed, calls)
			}
		})
	}

	t.Run("S2-H27 a plugin's tool that writes waits like any other", func(t *testing.T) {
		a, _ := opened(t, Options{Config: config.Options{File: withPlugin(t, "supabase", "write")}})
		for _, origin := range []plan.Origin{plan.UserGoal, plan.Request} {
			p, err := plan.New(plan.Content{
				Origin: origin, Language: "en", GoalAchievedBy: "a1",
				Actions: []plan.Action{{ActionID: "a1", Tool: "supabase.open", Args: map[string]any{}}},
			})
			must.Succeed(t, err)
			verdicts, err := a.Preview(t.Context(), p, "")
			if err != nil || len(verdicts) != 1 || verdicts[0].Decision.Verdict != policy.Ask {
				t.Errorf("of %s: %+v, %v", origin, verdicts, err)
			}
		}
	})

	t.Run("S4-H22 what may never be deleted", func(t *testing.T) {
		a, home := opened(t, Options{})
		outside, documents := t.TempDir(), folders(t, home, "mine")[0]
		precious := []string{filepath.Join(outside, "x"), filepath.Join(home, "x")}
		for _, path := range precious {
			must.Succeed(t, os.WriteFile(path, []byte("x"), 0o600))
		}
		documents = filepath.Dir(documents)
		for name, to := range map[string]string{"out": outside, "up": home, "root": "/"} {
			must.Succeed(t, os.Symlink(to, filepath.Join(documents, name)))
		}
		set, err := a.toolSet(t.Context())
		must.Succeed(t, err)
		for _, target := range []string{
			`C:\Windows`, "/", home, home + "/", "~", "~/", documents, outside, documents + "/out/x", documents + "/up/x",
			documents + "/root/tmp", documents + "/../x", documents + "/mine/../../x", "../x", "/etc/passwd",
		} {
			for _, kind := range []string{"folder", "file"} {
				planned, err := a.Plan(t.Context(), planning.Request{Origin: plan.UserGoal, Goals: []plan.Goal{{GoalType: plan.FileOperation, Action: "delete", ObjectType: kind, Target: target}}})
				if err == nil {
					if p, ok := planned.Result.Plan(); ok {
						verdicts, err := a.Preview(t.Context(), p, "")
						if err != nil || verdicts[0].Decision.Verdict == policy.Allow {
							t.Errorf("delete %s %s: %+v, %v", kind, target, verdicts, err)
						}
					}
				}
				remove, _ := set.Get("files.delete_" + kind) // as if all checks before it had failed
				r, err := remove.Call(t.Context(), tool.Call{Tool: "files.delete_" + kind, Args: map[string]any{"path": target}})
				if err == nil && r.OK {
					t.Errorf("deleted %s %s: %v", kind, target, r.Payload)
				}
			}
		}
		for _, path := range append(precious, documents, filepath.Join(documents, "mine")) {
			if !there(path) {
				t.Errorf("%s is gone", path)
			}
		}
	})
}

// withPlugin writes a plugin of one tool, ID.open, and a configuration that has
// it, and says where that is.
func withPlugin(t *testing.T, id, class string) string {
	t.Helper()
	home := t.TempDir()
	folder := filepath.Join(home, "plugins", id)
	must.Succeed(t, os.MkdirAll(folder, 0o755))
	effect := map[string]string{"read": "read", "write": "commit"}[class]
	file := filepath.Join(home, "errand.toml")
	for path, text := range map[string]string{
		// A module of one function, open, that answers 0.
		filepath.Join(folder, "m.wasm"): "\x00asm\x01\x00\x00\x00" + "\x01\x05\x01\x60\x00\x01\x7f" + "\x03\x02\x01\x00" +
			"\x07\x08\x01\x04open\x00\x00" + "\x0a\x06\x01\x04\x00\x41\x00\x0b",
		filepath.Join(folder, "plugin.toml"): `schema = 1
id = "` + id + `"
version = "1.0.0"
description = "a plugin"
module = "m.wasm"
abi = "extism"
[[tool]]
name = "` + id + `.open"
function = "open"
description = "opens"
side_effect_class = "` + class + `"
effect = "` + effect + `"
args_schema = '{"type":"object"}'
`,
		file: "[plugins]\ndirs = [\"" + filepath.Dir(folder) + "\"]\n",
	} {
		must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return file
}
