package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/app/config"
	"errand/app/drafts"
	"errand/app/i18n"
	"errand/app/planning"
	"errand/app/recipes"
	"errand/app/runs"
	"errand/build/must"
	"errand/build/poll"
	"errand/host/system"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// cache is shared by the tests: a plugin is compiled once and not in each home.
var cache string

// asProgramDo is what this binary does when a test starts it as the program;
// nil where no test does.
var asProgramDo func(args []string) int

func TestMain(m *testing.M) {
	if os.Getenv("ERRAND_CORE_CHILD") != "" {
		os.Exit(asProgramDo(os.Args[1:]))
	}
	var err error
	if cache, err = os.MkdirTemp("", "errand-test-cache"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(cache)
	os.Exit(code)
}

// opened opens the program in a home of its own; env adds to its environment.
func opened(t *testing.T, o Options, env ...string) (*App, string) {
	t.Helper()
	home := t.TempDir()
	o.Config.Env = append(env, "HOME="+home, "XDG_CACHE_HOME="+cache)
	must.ShareKey(t, filepath.Join(home, ".local/share/errand"))
	a, err := Open(o)
	must.Succeed(t, err)
	t.Cleanup(func() {
		recordsReplay(t, a)
		if err := a.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return a, home
}

// openedInNothing is opened, in a home in which nothing is yet.
func openedInNothing(t *testing.T, o Options, env ...string) (*App, string) {
	t.Helper()
	a, home := opened(t, o, env...)
	must.Succeed(t, os.RemoveAll(filepath.Join(home, ".local")))
	return a, home
}

// startRecipe runs a recipe.
func startRecipe(t *testing.T, a *App, run *recipes.Run, r runs.Request) (runs.Report, error) {
	t.Helper()
	p, err := a.Recipes().Prepare(t.Context(), *run)
	if err != nil {
		return runs.Report{}, err
	}
	r.Origin, r.Plan = plan.UserGoal, p
	return a.Start(t.Context(), r)
}

func TestPlanIsTheLitmus(t *testing.T) {
	a, _ := opened(t, Options{})
	planned, err := a.Plan(t.Context(), planning.Request{Origin: plan.UserGoal, Text: "open youtube and search nvidia"})
	must.Succeed(t, err)
	p, ok := planned.Result.Plan()
	if !ok || planned.Result.Status() != plan.Success {
		t.Fatalf("status %s: %s", planned.Result.Status(), planned.Result.Reason())
	}
	got := p.Actions()
	want := []plan.Action{{
		ActionID: "a1", Tool: "system.apps.launch.shell", DependsOn: []string{},
		Args:           map[string]any{"app_name": "chrome", "url": "https://youtube.com/results?search_query=nvidia"},
		ExpectedEffect: "youtube_search_visible", Confidence: 1, RiskLevel: plan.Low,
		Reason: got[0].Reason, Preview: got[0].Preview, IdempotencyScope: got[0].IdempotencyScope,
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("actions (-want +got):\n%s", d)
	}
}

// TestInterpretOpensNothing: no folder of the program appears on disk.
func TestInterpretOpensNothing(t *testing.T) {
	a, home := openedInNothing(t, Options{})
	a.Interpret("open youtube")
	if _, err := a.Plan(t.Context(), planning.Request{Origin: plan.UserGoal, Text: "create folder Reports in documents"}); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
		t.Errorf("home holds %v, %v; want nothing", left, err)
	}
}

func TestProgressOrder(t *testing.T) {
	a, _ := opened(t, Options{})
	var kinds []string
	seq := 0
	report, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "what time is it", Progress: func(p runs.Progress) {
		if seq++; p.Seq != seq || p.RunID == "" {
			t.Errorf("event %d has seq %d of run %q", seq, p.Seq, p.RunID)
		}
		kind := fmt.Sprintf("%T", p.Event)
		if s, ok := p.Event.(runs.StepEvent); ok {
			kind = string(s.Kind)
		}
		kinds = append(kinds, kind)
	}})
	if err != nil || report.Status != trace.Done || report.Answer.IsZero() {
		t.Fatalf("report %+v, %v", report, err)
	}
	if d := cmp.Diff([]string{"runs.PlanEvent", "runs.DecisionEvent", "step_started", "step_finished", "runs.EndEvent"}, kinds); d != "" {
		t.Errorf("events (-want +got):\n%s", d)
	}
}

// TestApproval: a write that policy asks about runs only after a yes.
func TestApproval(t *testing.T) {
	tests := []struct {
		name    string
		yes     bool
		approve func(context.Context, drafts.View) (drafts.Answer, error)
		want    trace.Status
		draft   bool
		gone    bool
	}{
		{"nobody to ask", false, nil, trace.NeedsApproval, true, false},
		{"a no", false, func(context.Context, drafts.View) (drafts.Answer, error) { return drafts.Answer{}, nil }, trace.Cancelled, true, false},
		{"asking fails", false, func(context.Context, drafts.View) (drafts.Answer, error) {
			return drafts.Answer{}, errors.New("no window")
		}, trace.NeedsApproval, true, false},
		{"a yes", false, func(context.Context, drafts.View) (drafts.Answer, error) { return drafts.Answer{Yes: true}, nil }, trace.Done, true, true},
		{"a yes in advance", true, nil, trace.Done, true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, home := opened(t, Options{})
			folder := filepath.Join(home, "Documents", "Old")
			must.Succeed(t, os.MkdirAll(folder, 0o755))
			report, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "delete folder Old in documents", Yes: tt.yes, Approve: tt.approve})
			must.Succeed(t, err)
			_, statErr := os.Stat(folder)
			if report.Status != tt.want || (report.DraftID != "") != tt.draft || os.IsNotExist(statErr) != tt.gone {
				t.Errorf("status %s, draft %q, folder gone %t; want %s, %t, %t (%v)",
					report.Status, report.DraftID, os.IsNotExist(statErr), tt.want, tt.draft, tt.gone, report.Error)
			}
		})
	}
}

// TestApprovalDoesNotAllowUnlistedHost: the list or --allow is the way.
func TestApprovalDoesNotAllowUnlistedHost(t *testing.T) {
	a, _ := opened(t, Options{})
	report, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "open example.org", Yes: true})
	must.Succeed(t, err)
	if report.Status != trace.NeedsApproval || report.DraftID != "" || !strings.Contains(say(report.Error.Hint), "--allow example.org") {
		t.Errorf("status %s, draft %q, error %+v", report.Status, report.DraftID, report.Error)
	}
}

// TestFileGoalsStayInside: no spelling leads out of the granted folders.
func TestFileGoalsStayInside(t *testing.T) {
	a, home := opened(t, Options{})
	outside := t.TempDir()
	documents := filepath.Join(home, "Documents")
	must.Succeed(t, os.MkdirAll(documents, 0o755))
	must.Succeed(t, os.Symlink(outside, filepath.Join(documents, "link")))
	for _, target := range []string{
		"../../etc/x", "/etc/errand-x", "~/x", documents + "/../x", "~/Documents/../x", documents + "/link/x", "~root/x", outside + "/x",
	} {
		t.Run(target, func(t *testing.T) {
			goals := []plan.Goal{{GoalType: plan.FileOperation, Action: "create", ObjectType: "folder", Target: target}}
			planned, err := a.Plan(t.Context(), planning.Request{Origin: plan.UserGoal, Goals: goals})
			if err != nil {
				return
			}
			p, ok := planned.Result.Plan()
			if !ok {
				return
			}
			set, err := a.toolSet(t.Context())
			must.Succeed(t, err)
			create, _ := set.Get("files.create_folder")
			result, err := create.Call(t.Context(), tool.Call{Tool: "files.create_folder", Args: p.Actions()[0].Args})
			if err == nil && result.OK {
				t.Errorf("created: %v", result.Payload)
			}
		})
	}
	for _, dir := range []string{outside, home} {
		entries, err := os.ReadDir(dir)
		must.Succeed(t, err)
		for _, e := range entries {
			if e.Name() == "x" {
				t.Errorf("%s/x was made", dir)
			}
		}
	}
}

func TestInterruptedRunIsRecorded(t *testing.T) {
	a, _ := opened(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	report, err := a.Start(ctx, runs.Request{Origin: plan.UserGoal, Words: "what time is it", Progress: func(p runs.Progress) {
		if _, ok := p.Event.(runs.PlanEvent); ok {
			cancel()
		}
	}})
	if err != nil || report.Status != trace.Interrupted {
		t.Fatalf("status %s, %v; want interrupted", report.Status, err)
	}
	records, err := a.ListRuns(t.Context(), 0)
	if err != nil || len(records) != 1 || records[0].Status != trace.Interrupted {
		t.Errorf("runs %+v, %v", records, err)
	}
}

func TestSecretsAreNotRecorded(t *testing.T) {
	a, home := opened(t, Options{})
	const secret = "gho_FAKEfake0123FAKEfake0123FAKEfake0123"
	if _, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "search " + secret + " on youtube"}); err != nil {
		t.Fatal(err)
	}
	must.Succeed(t, a.Close())
	must.Succeed(t, filepath.WalkDir(home, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if strings.Contains(string(b), secret) {
			t.Errorf("%s holds the secret", path)
		}
		return err
	}))
}

// TestClosedInTime: Close ends what a run left open, and may be called again.
func TestClosedInTime(t *testing.T) {
	a, err := Open(Options{Config: config.Options{Env: []string{"HOME=" + t.TempDir()}}, Demo: true})
	must.Succeed(t, err)
	if _, err := a.site(); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	for range 2 {
		if err := a.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
	if d := time.Since(start); d > poll.Patience {
		t.Errorf("closing took %v", d)
	}
}

// TestPartialApproval: half of what was asked for may be worse than
// nothing.
func TestPartialApproval(t *testing.T) {
	for _, yes := range []bool{false, true} {
		a, home := opened(t, Options{})
		const goal = "create folder Reports in documents and create folder ../../x"
		report, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: goal, Yes: yes})
		must.Succeed(t, err)
		if report.Result == nil || report.Result.Status() != plan.Partial {
			t.Fatalf("yes %t: status %s of %+v, want a partial plan", yes, report.Status, report.Interpretation)
		}
		_, statErr := os.Stat(filepath.Join(home, "Documents", "Reports"))
		if made := statErr == nil; made != yes {
			t.Errorf("yes %t: status %s, folder made %t (%v)", yes, report.Status, made, report.Error)
		}
	}
}

// TestARecordStaysReadable: secrets are cut out of values, never out of JSON
// text, where half of one would stay and the document break.
func TestARecordStaysReadable(t *testing.T) {
	a, home := opened(t, Options{})
	for _, goal := range []string{
		"search youtube for mysql -p'hunter2hunter2'",
		`search youtube for {"password":"hunter2hunter2"}`,
		"create folder ../ghp_FAKEfake0123FAKEfake0123FAKEfake0123",
		"delete folder ghp_FAKEfake0123FAKEfake0123FAKEfake0123 in documents",
	} {
		if _, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: goal}); err != nil {
			t.Fatalf("%s: %v", goal, err)
		}
	}
	records, err := a.ListRuns(t.Context(), 0)
	must.Succeed(t, err)
	for _, r := range records {
		report, err := a.ShowRun(t.Context(), r.RunID)
		must.Succeed(t, err)
		if !json.Valid(report.Interpretation) || !json.Valid(report.Result) {
			t.Errorf("%s: interpretation %s, result %s", r.Goal, report.Interpretation, report.Result)
		}
	}
	must.Succeed(t, a.Close())
	db := must.ReadFile(t, filepath.Join(home, ".local", "share", "errand", "errand.db"))
	if strings.Contains(string(db), "ghp_FAKE") {
		t.Error("the record holds a token: of the goal, the plan, an error or a draft")
	}
}

// TestRulesHoldOnTheWire: a rule about the tool that opens pages is asked again
// for every address that a page leads to.
func TestRulesHoldOnTheWire(t *testing.T) {
	file := filepath.Join(t.TempDir(), "errand.toml")
	rules := "[[policy.rules]]\nverdict = \"deny\"\neffect = \"navigate\"\nhost = \"youtube.com\"\nreason = \"not at work\"\n"
	must.Succeed(t, os.WriteFile(file, []byte(rules), 0o600))
	a, _ := opened(t, Options{Config: config.Options{File: file}})
	s, err := a.sessions.New("", plan.UserGoal, func(trace.Note) {})
	must.Succeed(t, err)
	for url, want := range map[string]policy.Verdict{"https://youtube.com/": policy.Deny, "https://github.com/": policy.Allow} {
		if d := s.Decide(policy.Request{Kind: policy.KindNavigate, URL: url}); d.Verdict != want {
			t.Errorf("%s: %s by %s, want %s", url, d.Verdict, d.Rule, want)
		}
	}
	c, err := a.Policy().CheckURL(t.Context(), "https://youtube.com/")
	if err != nil || c.Verdict != policy.Deny || say(c.Reason) != "not at work" {
		t.Errorf("CheckURL = %+v, %v", c, err)
	}
}

// TestSessionsHaveAnOrigin: a rule on the origin holds for the pages that a run of
// this origin loads, and for no other run.
func TestSessionsHaveAnOrigin(t *testing.T) {
	file := filepath.Join(t.TempDir(), "errand.toml")
	rules := "[[policy.rules]]\nverdict = \"deny\"\norigin = \"agent\"\nhost = \"youtube.com\"\nreason = \"not for agents\"\n"
	must.Succeed(t, os.WriteFile(file, []byte(rules), 0o600))
	a, _ := opened(t, Options{Config: config.Options{File: file}})
	var d policy.Decision
	a.replaceTool = func(in tool.Tool) tool.Tool {
		if in.Spec().Name != system.LaunchName {
			return in
		}
		return tool.Func(in.Spec(), func(ctx context.Context, _ tool.Call) (tool.Result, error) {
			s, err := a.sessions.FromContext(ctx)
			if err != nil {
				return tool.Result{}, err
			}
			d = s.Decide(policy.Request{Kind: policy.KindNavigate, URL: "https://youtube.com/"})
			return tool.OK(nil), nil
		})
	}
	for origin, want := range map[plan.Origin]policy.Verdict{plan.Agent: policy.Deny, plan.UserGoal: policy.Allow} {
		d = policy.Decision{}
		r, err := a.Start(t.Context(), runs.Request{Origin: origin, Words: "open chrome", Yes: true})
		if err != nil || r.Status != trace.Done || d.Verdict != want || d.Rule == "" {
			t.Errorf("%s: %s, %v, %+v, %v", origin, r.Status, r.Error, d, err)
		}
	}
}

// TestOpenErrorIsRetried: what was mended is found mended.
func TestOpenErrorIsRetried(t *testing.T) {
	a, home := openedInNothing(t, Options{})
	data := filepath.Join(home, ".local", "share")
	must.Succeed(t, os.MkdirAll(filepath.Dir(data), 0o755))
	if err := os.WriteFile(data, nil, 0o600); err != nil { // a file where a folder belongs
		t.Fatal(err)
	}
	if _, err := a.ListRuns(t.Context(), 0); err == nil {
		t.Fatal("a record below a file opens")
	}
	must.Succeed(t, os.Remove(data))
	if _, err := a.ListRuns(t.Context(), 0); err != nil {
		t.Errorf("still %v", err)
	}
}

// say says a message in English.
func say(m message.Message) string { return i18n.English().Text(m) }
