package app

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/drafts"
	"errand/app/history"
	"errand/app/replay"
	"errand/app/runs"
	"errand/app/setting"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// goal is a run of the program for a test to record.
type goal struct {
	name    string
	request runs.Request
	config  string // errand.toml
	prepare func(t *testing.T, home string)
	want    trace.Status
}

func with(folder string) func(*testing.T, string) {
	return func(t *testing.T, home string) {
		must.Succeed(t, os.MkdirAll(filepath.Join(home, folder), 0o755))
	}
}

// withApp installs apps that end at once, by their ids and names.
func withApp(idsAndNames ...string) func(*testing.T, string) {
	return func(t *testing.T, home string) {
		for i := 0; i < len(idsAndNames); i += 2 {
			file := filepath.Join(home, ".local/share/applications", idsAndNames[i])
			must.Succeed(t, os.MkdirAll(filepath.Dir(file), 0o755))
			must.Succeed(t, os.WriteFile(file, []byte("[Desktop Entry]\nType=Application\nName="+idsAndNames[i+1]+"\nExec=true\n"), 0o600))
		}
	}
}

func says(a drafts.Answer) func(context.Context, drafts.View) (drafts.Answer, error) {
	return func(context.Context, drafts.View) (drafts.Answer, error) { return a, nil }
}

// goals are runs of every kind of end.
var goals = []goal{
	{name: "a question", request: runs.Request{Origin: plan.UserGoal, Words: "what time is it"}, want: trace.Done},
	{name: "a folder", request: runs.Request{Origin: plan.UserGoal, Words: "create folder Reports in documents"}, want: trace.Done},
	{name: "two folders, one in the other", request: runs.Request{Origin: plan.UserGoal, Words: "create folder A in documents and create folder B in desktop"}, want: trace.Done},
	{name: "there already", request: runs.Request{Origin: plan.UserGoal, Words: "create folder Reports in documents"}, prepare: with("Documents/Reports"), want: trace.Done},
	{name: "approved", request: runs.Request{Origin: plan.UserGoal, Words: "delete folder Old in documents", Yes: true}, prepare: with("Documents/Old"), want: trace.Done},
	{
		name:    "not approved",
		request: runs.Request{Origin: plan.UserGoal, Words: "delete folder Old in documents", Approve: says(drafts.Answer{})},
		prepare: with("Documents/Old"), want: trace.Cancelled,
	},
	{name: "nobody to ask", request: runs.Request{Origin: plan.UserGoal, Words: "delete folder Old in documents"}, prepare: with("Documents/Old"), want: trace.NeedsApproval},
	{name: "outside of the folders", request: runs.Request{Origin: plan.UserGoal, Words: "create folder /etc/errand/x", Yes: true}, want: trace.Denied},
	{
		name: "a rule says no", request: runs.Request{Origin: plan.UserGoal, Words: "create folder Reports in documents"},
		config: "[[policy.rules]]\nverdict = \"deny\"\ntool = \"files.*\"\n", want: trace.Denied,
	},
	{name: "a host that is not on the list", request: runs.Request{Origin: plan.UserGoal, Words: "open example.org"}, want: trace.NeedsApproval},
	{name: "ambiguous", request: runs.Request{Origin: plan.UserGoal, Words: "search nvidia on youtube or google"}, want: trace.NeedsApproval},
	{name: "an installed app", request: runs.Request{Origin: plan.UserGoal, Words: "open orrery"}, prepare: withApp("orrery.desktop", "Orrery"), want: trace.Done},
	{
		name: "one of two installed apps", request: runs.Request{Origin: plan.UserGoal, Words: "open orrery", Answers: map[string]string{"choice": "b.desktop"}},
		prepare: withApp("a.desktop", "Orrery", "b.desktop", "Orrery"), want: trace.Done,
	},
	{name: "two installed apps", request: runs.Request{Origin: plan.UserGoal, Words: "open orrery"}, prepare: withApp("a.desktop", "Orrery", "b.desktop", "Orrery"), want: trace.NeedsApproval},
	{name: "an installed app of a similar name", request: runs.Request{Origin: plan.UserGoal, Words: "open orery"}, prepare: withApp("orrery.desktop", "Orrery"), want: trace.NeedsApproval},
	{name: "the id of an installed app", request: runs.Request{Origin: plan.UserGoal, Goals: []plan.Goal{{GoalType: plan.AppLaunch, Target: "Orrery.desktop"}}}, prepare: withApp("Orrery.desktop", "O"), want: trace.Done},
	{name: "the name of an installed app", request: runs.Request{Origin: plan.UserGoal, Goals: []plan.Goal{{GoalType: plan.AppLaunch, Target: "Orrery"}}}, prepare: withApp("x.desktop", "Orrery"), want: trace.Done},
	{name: "nothing that it can do", request: runs.Request{Origin: plan.UserGoal, Words: "sing me a song"}, want: trace.Failed},
	{
		name:    "spoken",
		request: runs.Request{Origin: plan.UserGoal, Voice: &plan.Voice{FileID: "f1", Transcript: "create folder Reports in documents", Confidence: 0.95}, Yes: true},
		want:    trace.Done,
	},
	{
		name:    "spoken, unsure",
		request: runs.Request{Origin: plan.UserGoal, Voice: &plan.Voice{FileID: "f1", Transcript: "create folder Reports in documents", Confidence: 0.3}},
		want:    trace.NeedsApproval,
	},
}

// run carries the goal out in a home of its own.
func (g goal) run(t *testing.T) (*App, runs.Report) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "errand.toml")
	must.Succeed(t, os.WriteFile(file, []byte(g.config), 0o600))
	a, home := opened(t, Options{}, "ERRAND_CONFIG="+file)
	if g.prepare != nil {
		g.prepare(t, home)
	}
	report, err := a.Start(t.Context(), g.request)
	must.Succeed(t, err)
	if report.Status != g.want {
		t.Fatalf("the run is %s and not %s: %v", report.Status, g.want, report.Error)
	}
	return a, report
}

func TestReplay(t *testing.T) {
	t.Run("S3-H21 the replay of a record is the record", func(t *testing.T) {
		for _, g := range goals {
			t.Run(g.name, func(t *testing.T) {
				a, report := g.run(t)
				for range 2 {
					got, err := a.Replay(t.Context(), report.RunID)
					must.Succeed(t, err)
					if !got.IsSame || got.Difference != nil || !got.Compared.Interpretation {
						t.Errorf("replay %+v, difference %+v", got, got.Difference)
					}
					if got.Compared.Steps != len(report.Steps) || len(got.NotCompared) > 0 {
						t.Errorf("%d steps of %d, not compared: %v", got.Compared.Steps, len(report.Steps), got.NotCompared)
					}
				}
			})
		}
	})
	t.Run("S3-H22 a replay serves what was recorded and does nothing", func(t *testing.T) {
		for _, g := range goals {
			t.Run(g.name, func(t *testing.T) {
				a, report := g.run(t)
				file := exported(t, a, report.RunID)
				elsewhere, home := openedInNothing(t, Options{}, "ERRAND_POLICY_ALLOWED_DOMAINS=", "ERRAND_FILES_ROOTS=/srv", "ERRAND_POLICY_USER_GOAL_TOOLS=")
				a.conf.Paths.Data = filepath.Join(home, "nowhere") // the first machine is gone
				nothingResolves(t)
				got, err := elsewhere.Replay(t.Context(), file)
				if err != nil || !got.IsSame {
					t.Fatalf("replay %+v, difference %+v, %v", got, got.Difference, err)
				}
				if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
					t.Errorf("the replay left %v, %v", left, err)
				}
			})
		}
	})
}

// nothingResolves fails the test where a name is looked up.
func nothingResolves(t *testing.T) {
	was := net.DefaultResolver
	t.Cleanup(func() { net.DefaultResolver = was })
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(_ context.Context, _, address string) (net.Conn, error) {
		t.Errorf("a name is looked up at %s", address)
		return nil, net.ErrClosed
	}}
}

// TestReplayOfUndo: what the run made and somebody removed since stays
// away, and what it deleted stays.
func TestReplayOfUndo(t *testing.T) {
	a, home := opened(t, Options{})
	made, gone := filepath.Join(home, "Documents", "Reports"), filepath.Join(home, "Documents", "Old")
	ran, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "create folder Reports in documents"})
	if err != nil || ran.Status != trace.Done {
		t.Fatal(ran.Error, err)
	}
	must.Succeed(t, os.Mkdir(gone, 0o755))
	deleted, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "delete folder Old in documents", Yes: true})
	if err != nil || deleted.Status != trace.Done {
		t.Fatal(deleted.Error, err)
	}
	must.Succeed(t, os.Remove(made))
	must.Succeed(t, os.Mkdir(gone, 0o755))
	for _, report := range []runs.Report{ran, deleted} {
		if got, err := a.Replay(t.Context(), report.RunID); err != nil || !got.IsSame {
			t.Errorf("replay %+v, %v", got.Difference, err)
		}
	}
	if _, err := os.Stat(made); !os.IsNotExist(err) {
		t.Errorf("the folder is there again: %v", err)
	}
	if _, err := os.Stat(gone); err != nil {
		t.Errorf("the folder was deleted again: %v", err)
	}
	records, err := a.ListRuns(t.Context(), 0)
	if err != nil || len(records) != 2 {
		t.Errorf("replays left records: %v, %v", records, err)
	}
}

func exported(t *testing.T, a *App, id string) (file string) {
	t.Helper()
	b, err := a.Export(t.Context(), id, history.FormatBundle)
	must.Succeed(t, err)
	file = filepath.Join(t.TempDir(), "run.json")
	must.Succeed(t, os.WriteFile(file, b, 0o600))
	return file
}

// TestReplayFirstDifference: one thing of a record is changed, and its
// replay says which.
func TestReplayFirstDifference(t *testing.T) {
	folder := goal{request: runs.Request{Origin: plan.UserGoal, Words: "create folder Reports in documents"}, want: trace.Done}
	asked := goal{request: runs.Request{Origin: plan.UserGoal, Words: "delete folder Old in documents", Yes: true}, prepare: with("Documents/Old"), want: trace.Done}
	tests := []struct {
		name   string
		goal   goal
		change func(t *testing.T, rec *trace.Record)
		where  string
		step   string
		field  string
		was    any
	}{
		{
			"the words", folder, func(_ *testing.T, r *trace.Record) { r.Goal = "create folder Report in documents" },
			replay.WhereInterpretation, "", "/evidence/2/end", json.Number("21"),
		},
		{
			"what was understood", folder,
			in(func(r *trace.Record) *json.RawMessage { return &r.Interpretation }, `"status":"ok"`, `"status":"ambiguous"`),
			replay.WhereInterpretation, "", "/status", "ambiguous",
		},
		{
			"an argument of the plan", folder,
			in(func(r *trace.Record) *json.RawMessage { return &r.Result }, `Documents/Reports"`, `Documents/Secrets"`),
			replay.WherePlan, "a1", "/plan/actions/0/args/path", nil,
		},
		{
			"the plan's end", folder,
			in(func(r *trace.Record) *json.RawMessage { return &r.Result }, `"status":"success"`, `"status":"partial"`),
			replay.WherePlan, "", "/status", "partial",
		},
		{
			"what a tool says of itself", folder,
			in(func(r *trace.Record) *json.RawMessage { return &r.Setting }, `"reversible":false`, `"reversible":true`),
			replay.WhereSetting, "", "/base/tools/archive.list/fingerprint", nil,
		},
		{"the tool", folder, step(func(s *trace.Step) { s.ToolName = "files.delete_folder" }), replay.WhereStep, "a1", "tool_name", "files.delete_folder"},
		{"the arguments' hash", folder, step(func(s *trace.Step) { s.ArgsHash = "beef" }), replay.WhereStep, "a1", "args_hash", "beef"},
		{"the arguments", folder, step(func(s *trace.Step) { s.Args["path"] = "/etc" }), replay.WhereStep, "a1", "/args/path", "/etc"},
		{"the verdict", folder, step(func(s *trace.Step) { s.Verdict = "deny" }), replay.WhereStep, "a1", "verdict", "deny"},
		{"the rule", folder, step(func(s *trace.Step) { s.Rule = "rules[7]" }), replay.WhereStep, "a1", "rule", "rules[7]"},
		{
			"a rule of the setting", folder,
			in(func(r *trace.Record) *json.RawMessage { return &r.Setting }, `"policy.rules":"[]"`, `"policy.rules":"[{verdict = 'deny', tool = 'files.*'}]"`),
			replay.WhereStep, "a1", "verdict", "allow",
		},
		{"the approval", asked, step(func(s *trace.Step) { s.PolicyFlags = []string{} }), replay.WhereStep, "a1", "status", trace.Done},
		{"the error's code", folder, step(func(s *trace.Step) {
			s.Status, s.ErrorCode, s.Error = trace.Failed, "no_room", tool.NewError(tool.ExecutionError, "disk_full", message.Verbatim("full"))
		}), replay.WhereStep, "a1", "error_code", "no_room"},
		{"the payload", folder, step(func(s *trace.Step) { s.Payload.(map[string]any)["path"] = "/tmp/x" }), replay.WhereRun, "", "answer", nil},
		{"the answer", folder, func(_ *testing.T, r *trace.Record) { r.Answer = message.Verbatim("Nothing.") }, replay.WhereRun, "", "answer", message.Verbatim("Nothing.")},
		{"the status", folder, func(_ *testing.T, r *trace.Record) { r.Status = trace.Failed }, replay.WhereRun, "", "status", trace.Failed},
		{"a step less", folder, func(_ *testing.T, r *trace.Record) { r.Steps = []trace.Step{withID(r.Steps[0], "a2")} }, replay.WhereStep, "a2", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, report := tt.goal.run(t)
			rec, err := a.Record(t.Context(), report.RunID)
			must.Succeed(t, err)
			tt.change(t, &rec)
			got, err := replay.Run(t.Context(), rec, Version, a.vault.Seal, nil)
			must.Succeed(t, err)
			d := got.Difference
			if got.IsSame || d == nil || d.Location != tt.where || d.StepID != tt.step || d.Field != tt.field {
				t.Fatalf("difference %+v; want %s %q %q", d, tt.where, tt.step, tt.field)
			}
			if tt.was != nil && !reflect.DeepEqual(d.Recorded, tt.was) {
				t.Errorf("recorded %v; want %v", d.Recorded, tt.was)
			}
			if reflect.DeepEqual(d.Recorded, d.Now) {
				t.Errorf("both are %v", d.Now)
			}
		})
	}
}

func withID(s trace.Step, id string) trace.Step {
	s.StepID = id
	return s
}

func step(change func(*trace.Step)) func(*testing.T, *trace.Record) {
	return func(_ *testing.T, r *trace.Record) { change(&r.Steps[0]) }
}

// in replaces a text of a document, which must hold it.
func in(doc func(*trace.Record) *json.RawMessage, text, by string) func(*testing.T, *trace.Record) {
	return func(t *testing.T, r *trace.Record) {
		d := doc(r)
		changed := strings.Replace(string(*d), text, by, 1)
		if changed == string(*d) {
			t.Fatalf("%s is not in %s", text, *d)
		}
		*d = json.RawMessage(changed)
	}
}

// TestReplayIgnoresRedactions: it is named and left out.
func TestReplayIgnoresRedactions(t *testing.T) {
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	a, home := opened(t, Options{})
	report, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "create folder " + secret + " in documents"})
	if err != nil || report.Status != trace.Done {
		t.Fatal(report.Error, err)
	}
	if _, err := os.Stat(filepath.Join(home, "Documents", secret)); err != nil {
		t.Fatal(err)
	}
	got, err := a.Replay(t.Context(), report.RunID)
	if err != nil || !got.IsSame {
		t.Fatalf("difference %+v, %v", got.Difference, err)
	}
	want := []replay.NotCompared{
		{Location: replay.WhereInterpretation, StepID: "", Field: "", Why: replay.WhyRedacted},
		{Location: replay.WherePlan, StepID: "", Field: "", Why: replay.WhyRedacted},
		{Location: replay.WhereStep, StepID: "a1", Field: "args_hash", Why: replay.WhyRedacted},
		{Location: replay.WhereStep, StepID: "a1", Field: "verdict", Why: replay.WhyRedacted},
		{Location: replay.WhereStep, StepID: "a1", Field: "rule", Why: replay.WhyRedacted},
		{Location: replay.WhereRun, StepID: "", Field: "answer", Why: replay.WhyRedacted},
	}
	if d := cmp.Diff(want, got.NotCompared); d != "" {
		t.Errorf("not compared (-want +got):\n%s", d)
	}
	b, err := a.Export(t.Context(), report.RunID, "")
	if err != nil || strings.Contains(string(b), secret) {
		t.Errorf("the bundle holds the secret, or %v", err)
	}
}

// TestInterruptedRecordsReplay: whether the person or a crash ended the run.
func TestInterruptedRecordsReplay(t *testing.T) {
	two := goal{request: runs.Request{Origin: plan.UserGoal, Words: "create folder A in documents and create folder B in desktop"}, want: trace.Done}
	cut := func(s *trace.Step, code string, attempts int) {
		s.Status, s.ErrorCode, s.Attempts, s.Payload, s.Facts = trace.Interrupted, code, attempts, nil, nil
		s.Error = tool.NewError(tool.ExecutionError, code, message.Verbatim("cut"))
	}
	tests := []struct {
		name   string
		change func(*trace.Record)
		steps  int
	}{
		{"while the second was called", func(r *trace.Record) { cut(&r.Steps[1], "interrupted", 1) }, 2},
		{"before the second was called", func(r *trace.Record) { cut(&r.Steps[1], "interrupted", 0) }, 2},
		{"killed while the second was called", func(r *trace.Record) { cut(&r.Steps[1], trace.CodeOutcomeUnknown, 0) }, 2},
		{"killed while both were called", func(r *trace.Record) {
			cut(&r.Steps[0], trace.CodeOutcomeUnknown, 0)
			cut(&r.Steps[1], trace.CodeOutcomeUnknown, 0)
		}, 2},
		{"killed while the second alone was called", func(r *trace.Record) {
			r.Steps = r.Steps[1:]
			cut(&r.Steps[0], trace.CodeOutcomeUnknown, 0)
		}, 1},
		{"killed after the first", func(r *trace.Record) { r.Steps = r.Steps[:1] }, 1},
		{"killed after the last", func(*trace.Record) {}, 2},
		{"read while the second is called", func(r *trace.Record) {
			r.Status = trace.Running
			r.Steps[1].Status, r.Steps[1].Attempts, r.Steps[1].Payload, r.Steps[1].Facts = trace.Running, 0, nil, nil
		}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, report := two.run(t)
			rec, err := a.Record(t.Context(), report.RunID)
			must.Succeed(t, err)
			rec.Status, rec.Answer = trace.Interrupted, message.Message{}
			tt.change(&rec)
			got, err := replay.Run(t.Context(), rec, Version, a.vault.Seal, nil)
			if err != nil || !got.IsSame || got.Compared.Steps != tt.steps {
				t.Errorf("replay %+v, difference %+v, %v", got, got.Difference, err)
			}
		})
	}
}

func TestReplayOfIncompleteRecords(t *testing.T) {
	a, report := goals[0].run(t)
	rec, err := a.Record(t.Context(), report.RunID)
	must.Succeed(t, err)
	tests := []struct {
		name   string
		change func(*trace.Record)
		code   string
	}{
		{"an old record", func(r *trace.Record) { r.Setting = nil }, setting.CodeNoSetting},
		{"an old record, as a bundle", func(r *trace.Record) { r.Setting = json.RawMessage("null") }, setting.CodeNoSetting},
		{"no setting of ours", func(r *trace.Record) { r.Setting = json.RawMessage(`[]`) }, setting.CodeBadSetting},
		{"a configuration that is none", func(r *trace.Record) {
			r.Setting = json.RawMessage(`{"base":{"config":{"values":{"run.parallel":"0"}}}}`)
		}, setting.CodeBadSetting},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rec := rec
			tt.change(&rec)
			_, err := replay.Run(t.Context(), rec, Version, nil, nil)
			if e := tool.AsError(err); e == nil || e.Code != tt.code || e.Class != tool.ValidationError {
				t.Errorf("error %+v; want %s", e, tt.code)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := replay.Run(ctx, rec, Version, nil, nil); err == nil {
		t.Error("a replay that was interrupted has an answer")
	}
}

// TestPolicyToday: the same record, and a rule that is newer.
func TestPolicyToday(t *testing.T) {
	a, report := goals[1].run(t)
	file := exported(t, a, report.RunID)
	if now, err := a.PolicyToday(t.Context(), report.RunID); err != nil || len(now) > 0 {
		t.Errorf("the same policy: %v, %v", now, err)
	}
	rules := filepath.Join(t.TempDir(), "errand.toml")
	must.Succeed(t, os.WriteFile(rules, []byte("[[policy.rules]]\nverdict = \"deny\"\ntool = \"files.*\"\n"), 0o600))
	stricter, _ := opened(t, Options{}, "ERRAND_CONFIG="+rules)
	now, err := stricter.PolicyToday(t.Context(), file)
	want := []replay.Difference{
		{Location: replay.WherePolicy, StepID: "a1", Field: "verdict", Recorded: "allow", Now: "deny"},
		{Location: replay.WherePolicy, StepID: "a1", Field: "rule", Recorded: now[1].Recorded, Now: "rules[0]"},
	}
	if d := cmp.Diff(want, now); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	if got, err := stricter.Replay(t.Context(), file); err != nil || !got.IsSame {
		t.Errorf("the recorded policy decides a replay: %+v, %v", got.Difference, err)
	}
}

// recordsReplay: whatever a test of the program did, its records are replayed
// without a difference.
func recordsReplay(t *testing.T, a *App) {
	t.Helper()
	if _, err := os.Stat(a.conf.Paths.Data); err != nil {
		return // nothing was recorded
	}
	ctx := context.Background() // the test's own has ended
	records, err := a.ListRuns(ctx, 0)
	if err != nil {
		return // a test of a record that can't be read
	}
	for _, r := range records {
		if got, err := a.Replay(ctx, r.RunID); err == nil && !got.IsSame {
			t.Errorf("the record of %q (%s) does not replay: %+v", r.Goal, r.Status, got.Difference)
		}
	}
}
