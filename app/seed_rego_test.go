package app

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"errand/app/config"
	"errand/app/drafts"
	"errand/app/rego/regotest"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/rego"
)

// withRego opens the program with a policy in Rego, its file and its folder.
func withRego(t *testing.T, text string) (*App, string, error) {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, ".config", "errand")
	must.Succeed(t, os.MkdirAll(filepath.Join(dir, "policy"), 0o755))
	must.Succeed(t, os.WriteFile(filepath.Join(dir, "errand.toml"), []byte("[policy]\nrego = [\"policy/*.rego\"]\n"), 0o600))
	must.Succeed(t, os.WriteFile(filepath.Join(dir, "policy", "a.rego"), []byte(text), 0o600))
	a, err := Open(Options{Config: config.Options{Env: []string{"HOME=" + home, "XDG_CACHE_HOME=" + cache, "ERRAND_REGO=" + regotest.Compiler(t).Path}}})
	if err == nil {
		t.Cleanup(func() { recordsReplay(t, a); must.Succeed(t, a.Close()) })
	}
	return a, home, err
}

// TestSeedRego are the acceptance lines about policies in Rego.
func TestSeedRego(t *testing.T) {
	t.Run("S1-H30 a compile error", func(t *testing.T) {
		_, _, err := withRego(t, "package errand\n\ndeny contains if {\n")
		var problems config.Problems
		if !errors.As(err, &problems) || problems[0].Source != "policy/a.rego" || problems[0].Line != 3 {
			t.Errorf("%v", err)
		}
	})
	t.Run("S1-H31 a policy without end", func(t *testing.T) {
		a, _, err := withRego(t, "package errand\n\ndeny contains \"x\" if {\n\tn := numbers.range(1, 3000)\n\tcount([1 | some i in n; some j in n; some k in n; i * j * k == 7]) == 8\n}\n")
		must.Succeed(t, err)
		d := a.gate.Decide(policy.Request{Kind: policy.KindCall, Origin: plan.UserGoal, Tool: "files.list", Class: "read"})
		if d.Verdict != policy.Deny || d.Rule != rego.RuleTimeout || !slices.Contains(d.Flags, "policy_timeout") {
			t.Errorf("%+v", d)
		}
	})
	t.Run("S1-H32 a function of the network", func(t *testing.T) {
		_, _, err := withRego(t, "package errand\n\ndeny contains \"x\" if http.send({\"url\": \"https://a.example/\"})\n")
		if err == nil || !strings.Contains(err.Error(), "http.send") {
			t.Errorf("%v", err)
		}
	})
	t.Run("S1-H33 the floor stays", func(t *testing.T) {
		a, _, err := withRego(t, "package errand\n\nallow := true\n")
		must.Succeed(t, err)
		for _, url := range []string{"http://10.0.0.1/", "http://127.0.0.1/", "http://[::1]/", "http://localhost/"} {
			for _, kind := range []policy.Kind{policy.KindNavigate, policy.KindFetch, policy.KindSubresource} {
				if d := a.gate.Decide(policy.Request{Kind: kind, Origin: plan.UserGoal, Tool: "x", URL: url}); d.Verdict != policy.Deny {
					t.Errorf("%s: %+v", url, d)
				}
			}
		}
	})
}

// TestRego tests a policy in Rego through goals: a denied step has the rule in its record, a question
// makes a draft, an approval holds only as long as the policy stays the same, and a replay decides as
// the policy did then.
func TestRego(t *testing.T) {
	a, home, err := withRego(t, "package errand\n\nask contains \"a file is made\" if input.tool == \"files.create_file\"\n\ndeny contains \"folders stay\" if input.tool == \"files.create_folder\"\n")
	must.Succeed(t, err)
	folders(t, home, "")
	denied, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "create folder Taxes in documents"})
	must.Succeed(t, err)
	if denied.Status != trace.Denied || there(filepath.Join(home, "Documents", "Taxes")) {
		t.Errorf("status %s, %v", denied.Status, denied.Error)
	}
	rec, err := a.FindRecord(t.Context(), denied.RunID)
	must.Succeed(t, err)
	if !slices.ContainsFunc(rec.Steps, func(s trace.Step) bool { return slices.Contains(s.PolicyFlags, "rego:errand.deny") }) {
		t.Errorf("no step has the rule: %+v", rec.Steps)
	}
	_, d := waitingDraft(t, a, "create file todo.txt in documents")
	must.Succeed(t, os.WriteFile(filepath.Join(home, ".config", "errand", "policy", "b.rego"), []byte("package errand\n\nask contains \"sure?\" if input.several\n"), 0o600))
	changed, err := Open(a.o)
	must.Succeed(t, err)
	defer changed.Close()
	drifted := approved(t, changed, runs.ApproveRequest{ID: d.DraftID})
	if drifted.Status != trace.NeedsApproval || drifted.Error.Code != drafts.CodeDrift {
		t.Fatalf("after a change of the policy: status %s, %v", drifted.Status, drifted.Error)
	}
	if r := approved(t, changed, runs.ApproveRequest{ID: d.DraftID, Revision: drifted.Draft.Revision}); r.Status != trace.Done || !there(filepath.Join(home, "Documents", "todo.txt")) {
		t.Errorf("approved: status %s, %v", r.Status, r.Error)
	}
	replayed, err := changed.Replay(t.Context(), denied.RunID)
	if err != nil || !replayed.IsSame {
		t.Errorf("replay: %+v, %v", replayed.Difference, err)
	}
}
