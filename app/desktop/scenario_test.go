package desktop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/app"
	"errand/app/config"
	"errand/app/desktop/view"
	"errand/app/drafts"
	"errand/app/i18n"
	"errand/app/plugins"
	"errand/app/recipes"
	"errand/app/runs"
	"errand/app/undo"
	"errand/build/must"
	"errand/build/poll"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// These tests put the API over the real program, in a home of its own.

type whole struct {
	*API
	t    *testing.T
	face *fakeFace
	home string
	file string // errand.toml
}

func newWhole(t *testing.T, toml string) whole {
	t.Helper()
	home := t.TempDir()
	w := whole{t: t, face: &fakeFace{}, home: home, file: filepath.Join(home, ".config", "errand", "errand.toml")}
	if toml != "" {
		must.Succeed(t, errors.Join(os.MkdirAll(filepath.Dir(w.file), 0o700), os.WriteFile(w.file, []byte(toml), 0o600)))
	}
	conf := config.Options{Env: []string{"HOME=" + home, "USER=ann"}}
	life := New(Options{Open: func() (*Engine, error) { return OpenEngine(app.Options{Config: conf}) }, Config: conf, Face: w.face})
	w.API = life.API()
	t.Cleanup(func() {
		if err := life.End(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return w
}

// folder makes a folder in the documents.
func (w whole) folder(name string) string {
	w.t.Helper()
	path := filepath.Join(w.home, "Documents", name)
	must.Succeed(w.t, os.MkdirAll(path, 0o755))
	return path
}

// run runs a goal to its end.
func (w whole) run(ask view.RunAsk) view.Run {
	w.t.Helper()
	v, err := w.Run(ask)
	if err != nil {
		w.t.Fatalf("%s: %v", ask.Goal.Text, err)
	}
	return w.ended(v.RunID)
}

func (w whole) ended(id string) view.Run {
	w.t.Helper()
	<-w.latest().Finished()
	v, err := w.Get(id)
	must.Succeed(w.t, err)
	return v
}

func succeed[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		must.Succeed(t, err)
		return v
	}
}

func code(err error) string {
	if f := view.FailureOf(err); f != nil {
		return f.Code
	}
	return ""
}

func there(path string) bool { _, err := os.Stat(path); return err == nil }

// TestStartMakesNoFolders checks that no record and no folder is made before the first run.
func TestStartMakesNoFolders(t *testing.T) {
	w := newWhole(t, "")
	succeed[view.Boot](t)(w.Start(nil))
	succeed[view.Settings](t)(w.Settings())
	succeed[view.RunsPage](t)(w.Runs(view.RunsAsk{Limit: 5}))
	succeed[[]view.Completion](t)(w.Complete(view.CompleteAsk{Text: "open you", Limit: 5}))
	if left, err := os.ReadDir(w.home); err != nil || len(left) != 0 {
		t.Errorf("it made %v, %v", left, err)
	}
}

func TestWriteApproveUndo(t *testing.T) {
	w := newWhole(t, "")
	old := w.folder("Old")
	const goal = "delete folder Old in documents"
	p := succeed[view.Plan](t)(w.Plan(view.Goal{Text: goal}))
	s := p.Steps[0]
	if p.Gate != view.GateAsks || s.Class != "write" || s.Effect != "file" || s.Forecast == nil || !slices.Contains(s.Forecast.Destroys, old) {
		t.Errorf("gate %s, step %+v, forecast %+v", p.Gate, s, s.Forecast)
	}
	want := []view.Scope{
		{Scope: view.ScopeOnce, Available: true, Covers: []view.Cover{{Tool: s.Tool, Does: s.Preview, Args: s.Args}}},
		{Scope: view.ScopeRun, Why: p.Scopes[1].Why, Covers: p.Scopes[0].Covers},
		{Scope: view.ScopeAlways, Why: message.Verbatim("files.delete_folder deletes, which always needs approval"), Covers: p.Scopes[0].Covers, File: w.file},
	}
	if diff := cmp.Diff(want, p.Scopes); diff != "" {
		t.Errorf("scopes (-want +got)\n%s", diff)
	}

	v := w.run(view.RunAsk{Goal: view.Goal{Text: goal}}) // not approved
	if v.Status != "needs_approval" || v.DraftID == "" || !there(old) {
		t.Fatalf("%s, draft %q", v.Status, v.DraftID)
	}
	d := succeed[[]view.Draft](t)(w.Drafts(false))[0]
	if d.DraftID != v.DraftID || d.Text != goal || d.Final || d.ExpiresAt <= d.CreatedAt || len(d.Steps) != 1 || d.Steps[0].Class != "write" {
		t.Errorf("draft %+v", d)
	}
	for name, ask := range map[string]view.ApproveAsk{
		"what nobody saw":      {DraftID: d.DraftID},
		"what was shown once":  {DraftID: d.DraftID, Revision: "other"},
		"for always":           {DraftID: d.DraftID, Revision: d.Revision, Scope: view.ScopeAlways},
		"a draft that is none": {DraftID: "nonesuch", Revision: d.Revision},
	} {
		if _, err := w.Approve(ask); err == nil || !there(old) {
			t.Errorf("%s was approved", name)
		}
	}
	begun := succeed[view.Run](t)(w.Approve(view.ApproveAsk{DraftID: d.DraftID, Revision: d.Revision}))
	if begun.RunID != v.RunID || len(begun.Plan.Steps) != 1 {
		t.Errorf("begun %+v", begun)
	}
	done := w.ended(v.RunID)
	if done.Status != "done" || there(old) || !done.CanUndo || done.Counts != (view.Counts{Total: 1, Done: 1}) {
		t.Fatalf("%+v", done)
	}

	said := succeed[view.Plan](t)(w.Plan(view.Goal{Text: "undo that"}))
	waiting := succeed[[]view.Draft](t)(w.Drafts(false))
	if len(waiting) != 1 || waiting[0].Undoes != v.RunID || !strings.Contains(said.Reason.String(), goal) || there(old) {
		t.Fatalf("said %q, waiting %+v", said.Reason, waiting)
	}
	back := succeed[view.Draft](t)(w.UndoRun(v.RunID))
	if back.DraftID != waiting[0].DraftID {
		t.Error("the words and the list of runs made two drafts")
	}
	if back.Undoes != v.RunID || len(back.Steps) != 1 {
		t.Errorf("undo %+v", back)
	}
	if always := back.Scopes[len(back.Scopes)-1]; always.Available || !strings.Contains(fmt.Sprint(always.Why), "undo") || back.Steps[0].RiskLevel != plan.Low && !back.Steps[0].Forecast.Reversible {
		t.Errorf("undo for always %+v of %+v", always, back.Steps[0])
	}
	succeed[view.Run](t)(w.Approve(view.ApproveAsk{DraftID: back.DraftID, Revision: back.Revision}))
	if v := w.ended(back.RunID); v.Status != "done" || !there(old) {
		t.Errorf("taken back: %+v", v)
	}
	if v := succeed[view.Run](t)(w.Get(v.RunID)); v.CanUndo {
		t.Error("what was taken back can be taken back no more")
	}
	if _, err := w.UndoRun(v.RunID); code(err) != undo.CodeUndone {
		t.Errorf("twice: %v", err)
	}
}

// TestRefusedDraftStaysPending checks that approving a draft that can't be applied fails, that
// nothing runs, and that the draft still waits.
func TestRefusedDraftStaysPending(t *testing.T) {
	w := newWhole(t, "")
	old := w.folder("Old")
	demo, err := app.Open(app.Options{Config: config.Options{Env: []string{"HOME=" + w.home, "USER=ann"}}, Demo: true})
	must.Succeed(t, err)
	if _, err := demo.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "delete folder Old in documents"}); err != nil {
		t.Fatal(err)
	}
	must.Succeed(t, demo.Close())
	d := succeed[[]view.Draft](t)(w.Drafts(false))[0]
	for range 2 {
		if v, err := w.Approve(view.ApproveAsk{DraftID: d.DraftID, Revision: d.Revision}); code(err) != drafts.CodeOtherSetting {
			t.Errorf("approved: %+v, %v", v, err)
		}
	}
	if d := succeed[view.Draft](t)(w.Draft(d.DraftID)); d.Final || !there(old) {
		t.Errorf("the draft is %+v", d)
	}
	if v := w.run(view.RunAsk{Goal: view.Goal{Text: "what time is it"}}); v.Status != "done" {
		t.Errorf("and then nothing runs: %+v", v)
	}
}

func TestDraftEdit(t *testing.T) {
	w := newWhole(t, "")
	a, b := w.folder("A"), w.folder("B")
	v := w.run(view.RunAsk{Goal: view.Goal{Text: "delete folder A in documents and delete folder B in documents"}})
	d := succeed[view.Draft](t)(w.Draft(v.DraftID))
	if _, err := w.EditDraft(view.EditAsk{DraftID: d.DraftID, Step: "a1", Set: []view.SetArg{{Name: "path", Value: "{", JSON: true}}}); code(err) != "bad_json" {
		t.Errorf("an edit that is no JSON: %v", err)
	}
	edited := succeed[view.Draft](t)(w.EditDraft(view.EditAsk{DraftID: d.DraftID, Drop: []string{"a1"}}))
	if len(edited.Steps) != 1 || edited.Revision == d.Revision {
		t.Errorf("edited %+v", edited)
	}
	denied := succeed[view.Draft](t)(w.Deny(d.DraftID, nil))
	if !denied.Final || denied.State != "cancelled" || len(denied.Scopes) != 0 {
		t.Errorf("denied %+v", denied)
	}
	if !there(a) || !there(b) {
		t.Error("a no has done something")
	}
	if list := succeed[[]view.Draft](t)(w.Drafts(false)); len(list) != 0 {
		t.Errorf("waiting %+v", list)
	}
	if list := succeed[[]view.Draft](t)(w.Drafts(true)); len(list) != 1 {
		t.Errorf("all %+v", list)
	}
}

func TestAnswerQuestion(t *testing.T) {
	w := newWhole(t, "")
	notes := w.folder("Notes")
	must.Succeed(t, os.WriteFile(notes+".txt", nil, 0o600))
	goal := view.Goal{Text: "delete Notes in documents"}
	p := succeed[view.Plan](t)(w.Plan(goal))
	if p.Gate != view.GateQuestion || len(p.Questions) != 1 || p.Questions[0].ID != "file" || len(p.Questions[0].Choices) < 2 || p.Questions[0].Choices[0].Value != "~/Documents/Notes" {
		t.Fatalf("plan %+v", p)
	}
	goal.Answers = []view.Answer{{ID: "file", Value: "~/Documents/Notes"}}
	p = succeed[view.Plan](t)(w.Plan(goal))
	if p.Gate != view.GateAsks || !slices.Equal(p.Answers, goal.Answers) {
		t.Fatalf("answered %+v", p)
	}
	if v := w.run(view.RunAsk{Goal: goal, Approved: p.Digest}); v.Status != "done" || there(notes) {
		t.Errorf("run %+v", v)
	}
}

// TestAllowFolder checks that the plan asks about a folder which tools may not use, that nothing
// is granted before the run, and that the grant of the run can be seen.
func TestAllowFolder(t *testing.T) {
	w := newWhole(t, "")
	pictures := filepath.Join(w.home, "Pictures")
	must.Succeed(t, os.MkdirAll(filepath.Join(pictures, "Old"), 0o755))
	goal := view.Goal{Text: "delete folder Old in pictures"}
	p := succeed[view.Plan](t)(w.Plan(goal))
	if p.Gate != view.GateQuestion || len(p.Questions) != 1 || p.Questions[0].ID != "folder:"+pictures || len(p.Questions[0].Choices) != 3 {
		t.Fatalf("plan %+v", p)
	}
	for _, answer := range [][2]string{{"once", "run"}, {"always", "always"}} {
		value, want := answer[0], answer[1]
		must.Succeed(t, os.MkdirAll(filepath.Join(pictures, "Old"), 0o755))
		goal.Answers = []view.Answer{{ID: "folder:" + pictures, Value: value}}
		if p = succeed[view.Plan](t)(w.Plan(goal)); p.Gate != view.GateAsks {
			t.Fatalf("%s: answered %+v", value, p)
		}
		if got := succeed[[]view.Grant](t)(w.Grants(true)); len(got) > 0 && got[0].Scope == want {
			t.Errorf("%s: granted before the run: %+v", value, got)
		}
		if v := w.run(view.RunAsk{Goal: goal, Approved: p.Digest}); v.Status != "done" || there(filepath.Join(pictures, "Old")) {
			t.Errorf("%s: run %+v", value, v)
		}
		got := succeed[[]view.Grant](t)(w.Grants(true))
		if len(got) == 0 || got[0].Pattern != pictures || got[0].Scope != want {
			t.Errorf("%s: grants %+v", value, got)
		}
	}
}

func TestTranscriptConfirmation(t *testing.T) {
	w := newWhole(t, "")
	heard := succeed[view.Voice](t)(w.ReadTranscript(`{"file_id": "f1", "transcript": "what time is it", "confidence": 0.5}`))
	goal := view.Goal{Voice: &heard}
	p := succeed[view.Plan](t)(w.Plan(goal))
	if p.Gate != view.GateQuestion || p.Questions[0].ID != "confirm_transcript" || p.Voice == nil || p.Voice.Confidence != 0.5 {
		t.Fatalf("plan %+v", p)
	}
	goal.Answers = []view.Answer{{ID: "confirm_transcript", Value: "what time is it"}}
	if p := succeed[view.Plan](t)(w.Plan(goal)); len(p.Questions) != 0 || len(p.Steps) != 1 {
		t.Errorf("confirmed %+v", p)
	}
}

func TestInvalidTranscript(t *testing.T) {
	for text, want := range map[string]string{
		``:     "EOF",
		`null`: "null",
		`{"transcript": "open youtube", "confidence": 1}`:                                "file_id is missing",
		`{"file_id": " ", "transcript": "open youtube", "confidence": 1}`:                "file_id is empty",
		`{"file_id": "f", "confidence": 1}`:                                              "transcript is missing",
		`{"file_id": "f", "transcript": "open youtube"}`:                                 "confidence is missing",
		`{"file_id": "f", "transcript": "open youtube", "confidence": 70}`:               "not between 0 and 1",
		`{"file_id": "f", "transcript": "open youtube", "confidence": "high"}`:           "confidence",
		`{"file_id": "f", "transcript": "open youtube", "confidence": 1, "run": true}`:   "run",
		`{"file_id": "f", "transcript": "open youtube", "confidence": 1} {"file_id": 1}`: "more than one",
	} {
		_, err := new(API).ReadTranscript(text)
		if f := view.FailureOf(err); f == nil || f.Code != "bad_transcript" || !strings.Contains(f.Text(), want) || f.Hint.IsZero() {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestAllowAlways(t *testing.T) {
	w := newWhole(t, "# mine\n[policy]\nuser_goal_tools = [\"system.query\"] # few\n")
	goal := view.Goal{Text: "create folder Plans in documents"}
	p := succeed[view.Plan](t)(w.Plan(goal))
	i := slices.IndexFunc(p.Scopes, func(s view.Scope) bool { return s.Scope == view.ScopeAlways })
	if p.Gate != view.GateAsks || i < 0 || !p.Scopes[i].Available || p.Scopes[i].File != w.file || !strings.Contains(p.Scopes[i].Writes, "exact = true") {
		t.Fatalf("gate %s, scopes %+v", p.Gate, p.Scopes)
	}
	if v := w.run(view.RunAsk{Goal: goal, Approved: p.Digest, Scope: view.ScopeAlways}); v.Status != "done" {
		t.Fatalf("run %+v", v)
	}
	b, err := os.ReadFile(w.file)
	if err != nil || !strings.HasPrefix(string(b), "# mine\n[policy]\nuser_goal_tools = [\"system.query\"] # few\n") || !strings.Contains(string(b), p.Scopes[i].Writes) {
		t.Errorf("the file is\n%s\n%v", b, err)
	}
	must.Succeed(t, os.Remove(filepath.Join(w.home, "Documents", "Plans")))
	if p := succeed[view.Plan](t)(w.Plan(goal)); p.Gate != view.GateRuns {
		t.Errorf("the same again: gate %s", p.Gate)
	}
	if p := succeed[view.Plan](t)(w.Plan(view.Goal{Text: "create folder Others in documents"})); p.Gate != view.GateAsks {
		t.Errorf("another: gate %s", p.Gate)
	}
	if rules := succeed[view.Policy](t)(w.Policy()).Rules; len(rules) != 1 || !slices.Contains(rules[0].Conditions, view.Pair{Name: "exact", Value: "true"}) || rules[0].Verdict != "allow" {
		t.Errorf("rules %+v", rules)
	}
}

func TestUnlistedHost(t *testing.T) {
	w := newWhole(t, "")
	p := succeed[view.Plan](t)(w.Plan(view.Goal{Text: "open https://new.example/a"}))
	if p.Gate != view.GateRefused || !p.Steps[0].Grantable || len(p.Scopes) != 3 || p.Scopes[1].Covers[0].Host != "new.example" || !p.Scopes[2].Available {
		t.Fatalf("gate %s, step %+v, scopes %+v", p.Gate, p.Steps, p.Scopes)
	}
	v := succeed[view.URLVerdict](t)(w.TryURL("https://new.example/a"))
	if v.Verdict != "ask" || !v.Grantable || v.Host != "new.example" || v.Change == nil || len(v.Stages) == 0 {
		t.Errorf("try %+v", v)
	}
	g := succeed[view.Grant](t)(w.AllowHost(view.AllowAsk{Pattern: "new.example", Scope: "always", Until: time.Now().Add(time.Hour).UnixMilli()}))
	if g.State != "open" || g.GrantedBy != "ann" || g.Until == 0 {
		t.Errorf("grant %+v", g)
	}
	if p := succeed[view.Plan](t)(w.Plan(view.Goal{Text: "open https://new.example/a"})); p.Gate != view.GateRuns {
		t.Errorf("granted: gate %s, %+v", p.Gate, p.Steps)
	}
	if list := succeed[[]view.Grant](t)(w.Grants(false)); len(list) != 1 || list[0].ID != g.ID {
		t.Errorf("grants %+v", list)
	}
	if g := succeed[view.Grant](t)(w.Revoke(g.ID)); g.State != "revoked" {
		t.Errorf("revoked %+v", g)
	}
	if p := succeed[view.Plan](t)(w.Plan(view.Goal{Text: "open https://new.example/a"})); p.Gate != view.GateRefused {
		t.Errorf("revoked: gate %s", p.Gate)
	}
	for _, ask := range []view.AllowAsk{{Pattern: "*.com", Scope: "run"}, {Pattern: "a.example", Scope: "often"}, {Pattern: "localhost", Scope: "run"}} {
		if _, err := w.AllowHost(ask); err == nil {
			t.Errorf("%+v was granted", ask)
		}
	}
	if list := succeed[[]view.Grant](t)(w.Grants(true)); len(list) != 1 {
		t.Errorf("all grants %+v", list)
	}
}

func TestChangeSettings(t *testing.T) {
	w := newWhole(t, "[ui] # looks\ntheme = \"light\"\n")
	find := func(s view.Settings, key string) view.Setting {
		return s.Entries[slices.IndexFunc(s.Entries, func(e view.Setting) bool { return e.Key == key })]
	}
	before := succeed[view.Settings](t)(w.Settings())
	if e := find(before, "ui.theme"); e.Text != "light" || e.Kind != "choice" || e.Default || e.Source != "errand.toml:2" || !slices.Contains(e.Choices, "contrast") {
		t.Errorf("theme %+v", e)
	}
	after := succeed[view.Settings](t)(w.ChangeSettings([]view.SettingChange{
		{Key: "ui.theme", Text: "dark"},
		{Key: "plugins.require_signature", Flag: true},
		{Key: "browser.show", Text: "never"},
		{Key: "store.retention_days", Number: 7},
		{Key: "files.roots", List: []string{"~/Documents"}},
	}))
	if len(after.Problems) != 0 || find(after, "ui.theme").Text != "dark" || !find(after, "plugins.require_signature").Flag || find(after, "browser.show").Text != "never" ||
		find(after, "store.retention_days").Number != 7 || len(find(after, "files.roots").List) != 1 {
		t.Errorf("after %+v", after)
	}
	if boot := succeed[view.Boot](t)(w.Start(nil)); boot.Theme != "dark" {
		t.Errorf("boot %+v", boot)
	}
	if b, err := os.ReadFile(w.file); err != nil || !strings.HasPrefix(string(b), "[ui] # looks\ntheme = 'dark'\n") {
		t.Errorf("%s, %v", b, err)
	}
	refused := succeed[view.Settings](t)(w.ChangeSettings([]view.SettingChange{{Key: "ui.theme", Text: "pink"}, {Key: "run.parallel", Number: 2}}))
	if len(refused.Problems) != 1 || refused.Problems[0].Line != 2 || refused.Problems[0].Key != "ui.theme" || find(refused, "ui.theme").Text != "dark" || find(refused, "run.parallel").Number != 4 {
		t.Errorf("refused %+v", refused.Problems)
	}
	if s := succeed[view.Settings](t)(w.ChangeSettings([]view.SettingChange{{Key: "ui.theme", Reset: true}})); !find(s, "ui.theme").Default || len(s.Problems) != 0 {
		t.Errorf("reset %+v", find(s, "ui.theme"))
	}
	if _, err := w.ChangeSettings([]view.SettingChange{{Key: "policy.rules", Text: "x"}}); code(err) != "no_setting" {
		t.Errorf("what is written by hand: %v", err)
	}
}

func TestSafeModeEnds(t *testing.T) {
	w := newWhole(t, "[ui]\ntheme = \"pink\"\n")
	boot := succeed[view.Boot](t)(w.Start(nil))
	if len(boot.Problems) != 1 || boot.Problems[0].Line != 2 || boot.File != w.file {
		t.Fatalf("boot %+v", boot)
	}
	if _, err := w.Plan(view.Goal{Text: "what time is it"}); code(err) != "safe_mode" {
		t.Errorf("plan: %v", err)
	}
	if s := succeed[view.Settings](t)(w.Settings()); len(s.Problems) != 1 || !s.FileExists {
		t.Errorf("settings %+v", s)
	}
	if s := succeed[view.Settings](t)(w.ChangeSettings([]view.SettingChange{{Key: "ui.theme", Text: "dark"}})); len(s.Problems) != 0 {
		t.Fatalf("mended %+v", s.Problems)
	}
	if p := succeed[view.Plan](t)(w.Plan(view.Goal{Text: "what time is it"})); p.Gate != view.GateRuns {
		t.Errorf("plan %+v", p)
	}
	if boot := succeed[view.Boot](t)(w.Start(nil)); len(boot.Problems) != 0 || boot.Theme != "dark" {
		t.Errorf("boot %+v", boot)
	}
}

func TestHistory(t *testing.T) {
	w := newWhole(t, "")
	first := w.run(view.RunAsk{Goal: view.Goal{Text: "what time is it"}})
	second := w.run(view.RunAsk{Goal: view.Goal{Text: "create folder Plans in documents"}})
	page := succeed[view.RunsPage](t)(w.Runs(view.RunsAsk{Limit: 1}))
	if page.Total != 2 || len(page.Runs) != 1 || page.Runs[0].RunID != second.RunID || page.Runs[0].Answer.IsZero() {
		t.Errorf("page %+v", page)
	}
	if page := succeed[view.RunsPage](t)(w.Runs(view.RunsAsk{Query: "TIME", Limit: 10})); page.Total != 1 || page.Runs[0].RunID != first.RunID {
		t.Errorf("found %+v", page)
	}
	if _, err := w.Runs(view.RunsAsk{From: -1, Limit: 1}); code(err) != "bad_range" {
		t.Errorf("before the first: %v", err)
	}
	list := succeed[[]view.Completion](t)(w.Complete(view.CompleteAsk{Text: "what", Limit: 3}))
	if len(list) != 3 || list[0].Source != "history" || list[0].Uses != 1 || list[1].Source != "grammar" {
		t.Errorf("completions %+v", list)
	}

	past := succeed[view.Run](t)(w.Get(first.RunID)) // not the window's newest run
	if past.Status != "done" || past.Processes != -1 || past.Counts.Done != 1 || past.Plan.Steps[0].Class != "read" {
		t.Errorf("past %+v", past)
	}
	if steps := succeed[view.StepsPage](t)(w.Steps(view.StepsAsk{RunID: first.RunID, Limit: 10})); steps.Total != 1 || steps.Steps[0].Status != "done" {
		t.Errorf("steps %+v", steps)
	}
	if r := succeed[view.Replay](t)(w.Replay(second.RunID)); !r.IsSame || r.Difference != nil || r.CurrentVersion != app.Version || r.Steps != 1 {
		t.Errorf("replay %+v", r)
	}
	out := succeed[view.Exported](t)(w.Export(view.ExportAsk{RunID: first.RunID}))
	if out.Saved != "" || !strings.Contains(out.Text, first.RunID) || out.Name != "errand-"+first.RunID+".bundle.json" {
		t.Errorf("exported %+v", out)
	}
	w.face.dialogs = true
	if out := succeed[view.Exported](t)(w.Export(view.ExportAsk{RunID: first.RunID, Format: "otlp"})); out.Text != "" || !strings.HasPrefix(out.Saved, "/saved/") || w.face.saved == "" {
		t.Errorf("saved %+v", out)
	}
	if _, err := w.Export(view.ExportAsk{RunID: first.RunID, Format: "pdf"}); code(err) != "unknown_format" {
		t.Errorf("as PDF: %v", err)
	}

	if f := succeed[view.DeletedRuns](t)(w.DeleteRun(first.RunID)); f.Runs != 1 {
		t.Errorf("deleted %+v", f)
	}
	if _, err := w.Get(first.RunID); code(err) != "run_not_found" {
		t.Errorf("a run that is gone: %v", err)
	}
	for _, ask := range []view.ForgetAsk{{OlderThanDays: -1}, {OlderThanDays: 1_000_000}} {
		if _, err := w.Forget(ask); code(err) != "bad_age" {
			t.Errorf("%+v: %v", ask, err)
		}
	}
	if f := succeed[view.DeletedRuns](t)(w.Forget(view.ForgetAsk{CountOnly: true})); f.Runs != 1 || f.Bytes == 0 {
		t.Errorf("counted %+v", f)
	}
	if f := succeed[view.DeletedRuns](t)(w.Forget(view.ForgetAsk{})); f.Runs != 1 {
		t.Errorf("forgotten %+v", f)
	}
	if page := succeed[view.RunsPage](t)(w.Runs(view.RunsAsk{Limit: 1})); page.Total != 0 || page.Runs == nil {
		t.Errorf("left %+v", page)
	}
}

// TestSecretNotInViews checks that the window plans and runs a recipe with a secret and never
// shows it.
func TestSecretNotInViews(t *testing.T) {
	w := newWhole(t, "")
	dir := filepath.Join(filepath.Dir(w.file), "recipes")
	if r := succeed[[]view.Recipe](t)(w.Recipes()); len(r) > 0 {
		t.Fatalf("recipes %+v", r)
	}
	text := "schema = 1\nname = \"door\"\n[params.pin]\ntype = \"secret\"\n[params.user]\n[[step]]\ntool = \"browser.fill\"\n" +
		"args = { locator = { label = \"Door of {user}\" }, value = \"{pin}\" }\n"
	must.Succeed(t, errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "door.toml"), []byte(text), 0o600)))
	if list := succeed[[]view.Recipe](t)(w.Recipes()); len(list) != 1 || len(list[0].Params) != 2 || list[0].Params[0].Type != "secret" || !list[0].Params[0].IsRequired {
		t.Fatalf("recipes %+v", list)
	}
	if _, err := w.PlanRecipe(view.RecipeAsk{Name: "door", Values: []view.Pair{{Name: "user", Value: "ann"}}}); code(err) != recipes.CodeBad || !strings.Contains(i18n.English().Error(err), "the secret pin is missing") {
		t.Errorf("without it: %v", err)
	}
	ask := view.RecipeAsk{Name: "door", Values: []view.Pair{{Name: "pin", Value: "sesame"}, {Name: "user", Value: "ann"}}}
	p := succeed[view.Plan](t)(w.PlanRecipe(ask))
	if p.Text != "recipe door user=ann" || p.Recipe == nil || !slices.Equal(p.Recipe.Values, ask.Values) { // by which the page runs it
		t.Errorf("the plan of %q is of %+v", p.Text, p.Recipe)
	}
	if left := succeed[view.Wish](t)(w.WishOf(p.Key)); left.Goal != nil || left.Recipe == nil || !slices.Equal(left.Recipe.Values, []view.Pair{{Name: "user", Value: "ann"}}) {
		t.Errorf("who comes back to the plan is given %+v", left.Recipe)
	}
	begun := succeed[view.Run](t)(w.RunRecipe(ask, view.RunAsk{}))
	done := w.ended(begun.RunID)
	if b, err := json.Marshal([]any{begun, done, succeed[view.Run](t)(w.Get(begun.RunID))}); err != nil || strings.Contains(string(b), "sesame") {
		t.Errorf("the run shows it: %v %s", err, b)
	}
	if done.Text != "recipe door user=ann" || done.Plan.Recipe == nil || !slices.Equal(done.Plan.Recipe.Values, []view.Pair{{Name: "user", Value: "ann"}}) {
		t.Errorf("the run of %q is of %+v", done.Text, done.Plan.Recipe)
	}
}

func TestSaveRecipe(t *testing.T) {
	w := newWhole(t, "")
	v := w.run(view.RunAsk{Goal: view.Goal{Text: "create folder Plans in documents"}})
	made := succeed[view.Recipe](t)(w.SaveRecipe(view.SaveRecipeAsk{RunID: v.RunID, Name: "plans"}))
	if made.Name != "plans" || made.Steps != 1 || !made.Problem.IsZero() || len(made.Params) != 1 || !there(made.File) {
		t.Fatalf("made %+v", made)
	}
	if _, err := w.SaveRecipe(view.SaveRecipeAsk{RunID: v.RunID, Name: "plans"}); code(err) != recipes.CodeTaken {
		t.Errorf("the name is taken: %v", err)
	}
	succeed[view.Recipe](t)(w.SaveRecipe(view.SaveRecipeAsk{RunID: v.RunID, Name: "plans", Replace: true}))
	if list := succeed[[]view.Recipe](t)(w.Recipes()); len(list) != 1 || list[0].Name != "plans" {
		t.Errorf("recipes %+v", list)
	}

	other := filepath.Join(w.home, "Documents", "Others")
	ask := view.RecipeAsk{Name: "plans", Values: []view.Pair{{Name: made.Params[0].Name, Value: other}}}
	p := succeed[view.Plan](t)(w.PlanRecipe(ask))
	if p.Recipe == nil || !slices.Equal(p.Recipe.Values, ask.Values) {
		t.Errorf("the plan is of %+v", p.Recipe)
	}
	if p.Gate != view.GateRuns || len(p.Steps) != 1 || !slices.Contains(p.Steps[0].Args, view.Pair{Name: "path", Value: other}) {
		t.Fatalf("plan %+v", p)
	}
	begun := succeed[view.Run](t)(w.RunRecipe(ask, view.RunAsk{}))
	done := w.ended(begun.RunID)
	if done.Status != "done" || !there(other) {
		t.Errorf("run %+v", done)
	}
	w.run(view.RunAsk{Goal: view.Goal{Text: "what time is it"}}) // so that the other is one of the past
	past := succeed[view.Run](t)(w.Get(begun.RunID))
	for when, r := range map[string]view.Run{"live": done, "of the past": past} {
		if r.Plan.Recipe == nil || r.Plan.Recipe.Name != "plans" || !slices.Equal(r.Plan.Recipe.Values, ask.Values) {
			t.Errorf("a run, %s, is of %+v", when, r.Plan.Recipe)
		}
	}
	if first := succeed[view.Run](t)(w.Get(v.RunID)); first.Plan.Recipe != nil {
		t.Errorf("a goal's run is of %+v", first.Plan.Recipe)
	}
	if _, err := w.PlanRecipe(view.RecipeAsk{Name: "../plans"}); code(err) != recipes.CodeNotFound {
		t.Errorf("a file from elsewhere: %v", err)
	}
	if _, err := w.PlanRecipe(view.RecipeAsk{Name: "nonesuch"}); err == nil {
		t.Error("a recipe that is none")
	}

	unread := filepath.Join(filepath.Dir(made.File), "Odd name.toml")
	must.Succeed(t, os.WriteFile(unread, []byte("schema = 1\nnam = 2\n"), 0o600))
	if list := succeed[[]view.Recipe](t)(w.Recipes()); len(list) != 2 || !strings.Contains(list[0].Problem.String(), "Odd name.toml:2: ") {
		t.Errorf("one that can't be read: %+v", list)
	}
	for _, name := range []string{"plans", "Odd name"} {
		if err := w.RemoveRecipe(name); err != nil {
			t.Error(err)
		}
	}
	if there(made.File) || there(unread) || len(succeed[[]view.Recipe](t)(w.Recipes())) != 0 {
		t.Error("a recipe that was removed is there")
	}
	for _, name := range []string{"plans", "../errand", ""} {
		if err := w.RemoveRecipe(name); code(err) != recipes.CodeNotFound {
			t.Errorf("remove %q: %v", name, err)
		}
	}
}

// plugin writes a plugin of the Extism ABI with one tool that does nothing.
func plugin(t *testing.T, dir, version string, more string) string {
	t.Helper()
	module := "\x00asm\x01\x00\x00\x00\x01\x05\x01\x60\x00\x01\x7f\x03\x02\x01\x00\x07\x06\x01\x02ok\x00\x00\x0a\x06\x01\x04\x00\x41\x00\x0b"
	text := fmt.Sprintf("schema = 1\nid = \"weather\"\nversion = %q\ndescription = \"The weather\"\nmodule = \"m.wasm\"\nabi = \"extism\"\n%s\n"+
		"[[tool]]\nname = \"weather.now\"\nfunction = \"ok\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n", version, more)
	must.Succeed(t, errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "plugin.toml"), []byte(text), 0o600), os.WriteFile(filepath.Join(dir, "m.wasm"), []byte(module), 0o600)))
	return dir
}

func TestInstallAndRemovePlugin(t *testing.T) {
	w := newWhole(t, "")
	dir := plugin(t, filepath.Join(w.home, "weather"), "1.0.0", "")
	p := succeed[view.PluginProposal](t)(w.ProposePlugin(view.PluginAsk{Source: dir}))
	if p.ID != "weather" || p.InstalledVersion != "" || p.Digest == "" || len(p.Permissions) == 0 || p.Token == "" {
		t.Fatalf("proposal %+v", p)
	}
	if _, err := w.InstallPlugin(view.InstallAsk{Token: "guess"}); code(err) != "no_proposal" {
		t.Errorf("what nobody saw: %v", err)
	}
	made := succeed[view.Plugin](t)(w.InstallPlugin(view.InstallAsk{Token: p.Token}))
	if made.State != "on" || made.Origin != "installed" || made.Description != "The weather" || len(made.Permissions) == 0 || made.InstalledAt == 0 {
		t.Errorf("installed %+v", made)
	}
	if _, err := w.InstallPlugin(view.InstallAsk{Token: p.Token}); code(err) != "no_proposal" {
		t.Errorf("twice: %v", err)
	}
	list := succeed[[]view.Plugin](t)(w.Plugins())
	if i := slices.IndexFunc(list, func(p view.Plugin) bool { return p.ID == "text" }); i < 0 || list[i].Origin != "bundled" || len(list[i].Permissions) == 0 {
		t.Errorf("plugins %+v", list)
	}

	plugin(t, dir, "1.1.0", `hosts = ["api.weather.example"]`)
	wider := succeed[view.PluginProposal](t)(w.ProposeUpdate(view.UpdateAsk{ID: "weather"}))
	if wider.InstalledVersion != "1.0.0" || !wider.Widens || len(wider.Changes) == 0 || !wider.Changes[0].Widens || !slices.Contains(wider.Unlisted, "api.weather.example") {
		t.Errorf("update %+v", wider)
	}
	if _, err := w.InstallPlugin(view.InstallAsk{Token: wider.Token}); code(err) != plugins.CodeWider {
		t.Errorf("wider without a word: %v", err)
	}
	if p := succeed[view.Plugin](t)(w.InstallPlugin(view.InstallAsk{Token: wider.Token, Wider: true})); p.Version != "1.1.0" {
		t.Errorf("updated %+v", p)
	}

	if p := succeed[view.Plugin](t)(w.EnablePlugin("weather", false)); p.State != "off" {
		t.Errorf("switched off %+v", p)
	}
	if list := succeed[[]view.PluginVerified](t)(w.VerifyPlugins("")); len(list) != 1 || !list[0].OK {
		t.Errorf("verified %+v", list)
	}
	if err := w.RemovePlugin("weather"); err != nil {
		t.Error(err)
	}
	if err := w.RemovePlugin("text"); code(err) != "not_installed" {
		t.Errorf("a bundled one: %v", err)
	}
	for _, on := range []bool{false, true} {
		state := map[bool]string{false: "off", true: "on"}[on]
		if p := succeed[view.Plugin](t)(w.EnablePlugin("text", on)); p.State != state || p.Problem != nil {
			t.Errorf("a bundled one is %+v, want it %s", p, state)
		}
		list := succeed[[]view.Plugin](t)(w.Plugins())
		if i := slices.IndexFunc(list, func(p view.Plugin) bool { return p.ID == "text" }); list[i].State != state {
			t.Errorf("a bundled one is listed as %s, want %s", list[i].State, state)
		}
	}
}

// TestPluginFolders checks that the user grants a plugin folders for its roots, at its
// installation and later, and that only absolute folders are accepted.
func TestPluginFolders(t *testing.T) {
	w := newWhole(t, "")
	dir := plugin(t, filepath.Join(w.home, "weather"), "1.0.0", "[[paths]]\nroot = \"maps\"\n[[paths]]\nroot = \"files.roots\"")
	maps, more := filepath.Join(w.home, "Maps"), filepath.Join(w.home, "More")
	for _, folder := range []string{maps, more} {
		must.Succeed(t, os.Mkdir(folder, 0o700))
	}
	give := func(folders ...string) []view.FolderGrant {
		return []view.FolderGrant{{Root: "maps", Folders: folders}}
	}
	p := succeed[view.PluginProposal](t)(w.ProposePlugin(view.PluginAsk{Source: dir}))
	if !slices.Equal(p.Ungranted, []string{"maps"}) || len(p.Folders) != 1 || p.Folders[0].Root != "maps" || p.Folders[0].Folders == nil {
		t.Errorf("it asks for %+v, ungranted %v", p.Folders, p.Ungranted)
	}
	for name, folders := range map[string][]view.FolderGrant{
		"not whole": give("Maps"), "not there": give("~/None"), "a file": give(filepath.Join(dir, "m.wasm")), "the program's own": give(w.home),
		"the config's": {{Root: "files.roots", Folders: []string{maps}}},
	} {
		if _, err := w.ProposePlugin(view.PluginAsk{Source: dir, Folders: folders}); code(err) != "bad_grant" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.ProposePlugin(view.PluginAsk{Source: dir, Folders: []view.FolderGrant{{Root: "maos", Folders: []string{maps}}}}); code(err) != "no_such_root" {
		t.Errorf("a root that it doesn't have: %v", err)
	}
	p = succeed[view.PluginProposal](t)(w.ProposePlugin(view.PluginAsk{Source: dir, Folders: give("~/Maps")}))
	if len(p.Ungranted) > 0 || !slices.Equal(p.Folders[0].Folders, []string{maps}) || !strings.Contains(fmt.Sprint(p.Permissions), maps) {
		t.Errorf("given %+v, ungranted %v, it may %v", p.Folders, p.Ungranted, p.Permissions)
	}
	succeed[view.Plugin](t)(w.InstallPlugin(view.InstallAsk{Token: p.Token}))

	p = succeed[view.PluginProposal](t)(w.ProposeUpdate(view.UpdateAsk{ID: "weather"}))
	if !p.IsInstalled || p.Regrants || !slices.Equal(p.Folders[0].Folders, []string{maps}) {
		t.Errorf("looked at again: %+v", p)
	}
	p = succeed[view.PluginProposal](t)(w.ProposeUpdate(view.UpdateAsk{ID: "weather", Folders: give(more)}))
	if !p.IsInstalled || !p.Regrants || !slices.Equal(p.Folders[0].Folders, []string{more}) {
		t.Errorf("given another: %+v", p)
	}
	succeed[view.Plugin](t)(w.InstallPlugin(view.InstallAsk{Token: p.Token}))
	if p := succeed[view.PluginProposal](t)(w.ProposeUpdate(view.UpdateAsk{ID: "weather"})); !slices.Equal(p.Folders[0].Folders, []string{more}) {
		t.Errorf("after that it has %+v", p.Folders)
	}
}

func TestWindowHasDialogs(t *testing.T) {
	w := newWhole(t, "")
	if _, err := w.Choose(view.ChooseAsk{Kind: "folder"}); code(err) != "no_dialogs" {
		t.Errorf("without dialogs: %v", err)
	}
	w.face.dialogs = true
	if path := succeed[string](t)(w.Choose(view.ChooseAsk{Kind: "plugin"})); path != "/chosen" {
		t.Errorf("chosen %q", path)
	}
	if _, err := w.Choose(view.ChooseAsk{Kind: "any"}); code(err) != "bad_kind" {
		t.Errorf("any kind: %v", err)
	}
}

func TestPendingDraftEvents(t *testing.T) {
	w := newWhole(t, "")
	w.folder("Old")
	heard := func(want int) {
		t.Helper()
		poll.Await(t, fmt.Sprintf("the page hears of %d waiting drafts", want), func() bool {
			w.face.mu.Lock()
			defer w.face.mu.Unlock()
			n := len(w.face.waiting)
			return n > 0 && w.face.waiting[n-1] == want
		})
	}
	v := w.run(view.RunAsk{Goal: view.Goal{Text: "delete folder Old in documents"}})
	heard(1)
	if boot := succeed[view.Boot](t)(w.Start(nil)); boot.Waiting != 1 {
		t.Errorf("boot %+v", boot)
	}
	// A changed draft sends an event, too: the page may have another number.
	w.face.mu.Lock()
	w.face.waiting = nil
	w.face.mu.Unlock()
	other := w.folder("Other")
	succeed[view.Draft](t)(w.EditDraft(view.EditAsk{DraftID: v.DraftID, Step: "a1", Set: []view.SetArg{{Name: "path", Value: other}}}))
	heard(1)
	succeed[view.Draft](t)(w.Deny(v.DraftID, nil))
	heard(0)
}

// TestChangesWaitForRun checks that a run keeps the program with which it began, and that the new
// configuration is loaded at its end.
func TestChangesWaitForRun(t *testing.T) {
	conf := config.Options{Env: []string{"HOME=" + t.TempDir()}}
	release := make(chan struct{})
	var engines []*fakeEngine
	life := New(Options{Config: conf, Face: &fakeFace{}, Open: func() (*Engine, error) {
		loaded, err := config.Load(conf)
		if err != nil {
			return nil, err
		}
		e := litmusEngine(t, policy.Allow)
		e.conf = loaded
		e.startWish = func(_ context.Context, r runs.Request) (runs.Report, error) {
			e.tellPlanned(r)
			<-release
			return e.report(trace.Done), nil
		}
		engines = append(engines, e)
		return e.engine(), nil
	}})
	api := life.API()
	if _, err := api.Run(view.RunAsk{Goal: view.Goal{Text: litmus}}); err != nil {
		t.Fatal(err)
	}
	if _, err := api.ChangeSettings([]view.SettingChange{{Key: "ui.theme", Text: "dark"}}); err != nil {
		t.Fatal(err)
	}
	if boot := succeed[view.Boot](t)(api.Start(nil)); boot.Theme != "dark" || len(engines) != 1 {
		t.Errorf("during the run: %q, opened %d times", boot.Theme, len(engines))
	}
	close(release)
	<-api.latest().Finished()
	if boot := succeed[view.Boot](t)(api.Start(nil)); boot.Theme != "dark" || len(engines) != 2 {
		t.Errorf("after the run: %q, opened %d times", boot.Theme, len(engines))
	}
	if err := life.End(t.Context()); err != nil {
		t.Error(err)
	}
	for i, e := range engines {
		select {
		case <-e.closed:
		default:
			t.Errorf("program %d was not closed", i)
		}
	}
}

// TestApplyDraft checks that an approval by itself runs nothing.
func TestApplyDraft(t *testing.T) {
	w := newWhole(t, "")
	old := w.folder("Old")
	v := w.run(view.RunAsk{Goal: view.Goal{Text: "delete folder Old in documents"}})
	d := succeed[[]view.Draft](t)(w.Drafts(false))[0]
	if _, err := w.Apply(d.DraftID); code(err) != drafts.CodeRequired {
		t.Errorf("applied without an approval: %v", err)
	}
	for name, ask := range map[string]view.ApproveAsk{
		"what nobody saw":     {DraftID: d.DraftID},
		"what was shown once": {DraftID: d.DraftID, Revision: "other"},
	} {
		if _, err := w.ApproveLater(ask); err == nil {
			t.Errorf("%s was approved", name)
		}
	}
	ready := succeed[view.Draft](t)(w.ApproveLater(view.ApproveAsk{DraftID: d.DraftID, Revision: d.Revision}))
	if ready.State != "ready" || ready.Final || !there(old) {
		t.Fatalf("approved: %s, there %t", ready.State, there(old))
	}
	if len(d.Approved) > 0 || d.ApprovedUntil != 0 || !slices.Equal(ready.Approved, []string{"a1"}) || ready.ApprovedUntil <= time.Now().UnixMilli() {
		t.Errorf("approved before %v, %d; after %v, %d", d.Approved, d.ApprovedUntil, ready.Approved, ready.ApprovedUntil)
	}
	if list := succeed[[]view.Draft](t)(w.Drafts(false)); len(list) != 1 || list[0].State != "ready" {
		t.Errorf("drafts %+v", list)
	}
	succeed[view.Run](t)(w.Apply(d.DraftID))
	if done := w.ended(v.RunID); done.Status != "done" || there(old) {
		t.Errorf("applied: %s, there %t", done.Status, there(old))
	}
}

// TestApprovePartOfDraft checks that the window shows which steps Apply would run, until the
// draft is edited.
func TestApprovePartOfDraft(t *testing.T) {
	w := newWhole(t, "")
	old, kept := w.folder("Old"), w.folder("Kept")
	v := w.run(view.RunAsk{Goal: view.Goal{Text: "delete folders Kept and Old in documents"}})
	d := succeed[[]view.Draft](t)(w.Drafts(false))[0]
	part := succeed[view.Draft](t)(w.ApproveLater(view.ApproveAsk{DraftID: d.DraftID, Revision: d.Revision, Actions: []string{"a2"}, Confirmed: []string{"a2"}}))
	if !slices.Equal(part.Approved, []string{"a2"}) || part.ApprovedUntil == 0 {
		t.Fatalf("approved %v, %d", part.Approved, part.ApprovedUntil)
	}
	succeed[view.Run](t)(w.Apply(d.DraftID))
	if done := w.ended(v.RunID); done.Status != "needs_approval" || there(old) || !there(kept) {
		t.Errorf("applied: %s, Old there %t, Kept there %t", done.Status, there(old), there(kept))
	}
	rest := succeed[view.Draft](t)(w.Draft(d.DraftID))
	if len(rest.Approved) > 0 || rest.ApprovedUntil != 0 || rest.State != "draft" {
		t.Errorf("the rest: %s, approved %v, %d", rest.State, rest.Approved, rest.ApprovedUntil)
	}
	ready := succeed[view.Draft](t)(w.ApproveLater(view.ApproveAsk{DraftID: d.DraftID, Revision: rest.Revision, Confirmed: []string{"a1"}}))
	if !slices.Equal(ready.Approved, []string{"a1"}) {
		t.Errorf("approved %v", ready.Approved)
	}
	edited := succeed[view.Draft](t)(w.EditDraft(view.EditAsk{DraftID: d.DraftID, Step: "a1", Set: []view.SetArg{{Name: "path", Value: w.folder("Other")}}}))
	if len(edited.Approved) > 0 || edited.ApprovedUntil != 0 {
		t.Errorf("edited: approved %v, %d", edited.Approved, edited.ApprovedUntil)
	}
}

// TestQuestionExcerpt checks that the page gets the position of unused words in the goal.
func TestQuestionExcerpt(t *testing.T) {
	w := newWhole(t, "")
	for text, want := range map[string]*view.Unused{
		"open frobnicate":                          {Before: "open ", Words: "frobnicate"},
		"please open gmail and frobnicate, thanks": {Before: "please open gmail and ", Words: "frobnicate", After: ", thanks"},
		"delete folder temp except the logs":       {Before: "delete folder ", Words: "temp except the logs"},
		"search":                                   nil,
	} {
		read, planned := succeed[view.Reading](t)(w.Read(text)), succeed[view.Plan](t)(w.Plan(view.Goal{Text: text}))
		for _, questions := range [][]view.Question{read.Questions, planned.Questions} {
			if len(questions) == 0 {
				t.Errorf("%q: no question", text)
			} else if diff := cmp.Diff(want, questions[0].Unused); diff != "" {
				t.Errorf("%q (-want +got)\n%s", text, diff)
			}
		}
	}
}
