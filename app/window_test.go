package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"errand/app/drafts"
	"errand/app/grants"
	"errand/app/history"
	"errand/app/planning"
	"errand/app/runs"
	"errand/build/must"
	"errand/build/poll"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
)

// These are the use cases that the window has beside those of every face.

func TestSuggestJoinsHistoryAndGrammar(t *testing.T) {
	a, home := openedInNothing(t, Options{})
	list, err := a.Suggest(t.Context(), planning.SuggestRequest{Text: "open yout", Language: "en", Limit: 5})
	if err != nil || len(list) == 0 || list[0].FromHistory || !strings.HasPrefix(list[0].Text, "open yout") {
		t.Fatalf("%+v, %v", list, err)
	}
	if _, err := os.Stat(filepath.Join(home, ".local")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a suggestion has made a record: %v", err)
	}
	for _, goal := range []string{"what time is it", "colourless green ideas sleep furiously", "what time is it"} {
		if _, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: goal}); err != nil {
			t.Fatal(err)
		}
	}
	list, err = a.Suggest(t.Context(), planning.SuggestRequest{Text: "what", Language: "en", Limit: 3})
	if err != nil || len(list) != 3 || !list[0].FromHistory || list[0].Uses != 2 || list[0].LastUsed.IsZero() || list[1].FromHistory {
		t.Errorf("%+v, %v", list, err)
	}
	for i, s := range list[1:] {
		if strings.EqualFold(s.Text, list[0].Text) {
			t.Errorf("%d: what is in the history is offered twice: %+v", i, list)
		}
	}
	if list, err = a.Suggest(t.Context(), planning.SuggestRequest{Text: "", Limit: 9}); err != nil || len(list) != 1 {
		t.Errorf("the history alone, without what nobody understands: %+v, %v", list, err)
	}
	if list, err = a.Suggest(t.Context(), planning.SuggestRequest{Text: strings.Repeat("open ", 100), Limit: 9}); err != nil || len(list) != 0 {
		t.Errorf("for a long text: %+v, %v", list, err)
	}
}

func TestFindRunsAndForget(t *testing.T) {
	a, _ := opened(t, Options{})
	if found, err := a.FindRuns(t.Context(), history.Query{Limit: 5}); err != nil || found.Total != 0 || found.Runs == nil {
		t.Errorf("without a record: %+v, %v", found, err)
	}
	var ids []string
	for _, goal := range []string{"what time is it", "который час", "nonsense that nobody here knows", "what is the date"} {
		r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: goal})
		must.Succeed(t, err)
		ids = append(ids, r.RunID)
	}
	tests := []struct {
		q     history.Query
		total int
		first string
	}{
		{history.Query{Limit: 2}, 4, ids[3]},
		{history.Query{From: 2, Limit: 2}, 4, ids[1]},
		{history.Query{Text: "IT time", Limit: 9}, 1, ids[0]},
		{history.Query{Text: "КОТОРЫЙ", Limit: 9}, 1, ids[1]},
		{history.Query{Status: trace.Failed, Limit: 9}, 1, ids[2]},
		{history.Query{Text: strings.ToLower(ids[0]), Limit: 9}, 1, ids[0]},
		{history.Query{Text: "zzz", Limit: 9}, 0, ""},
		{history.Query{From: 99, Limit: 9}, 4, ""},
	}
	for _, tt := range tests {
		found, err := a.FindRuns(t.Context(), tt.q)
		first := ""
		if len(found.Runs) > 0 {
			first = found.Runs[0].RunID
		}
		if err != nil || found.Total != tt.total || first != tt.first || len(found.Runs) > tt.q.Limit {
			t.Errorf("%+v: %d found, first %q, %v", tt.q, found.Total, first, err)
		}
	}

	if _, err := a.Forget(t.Context(), ids[1][:20]); codeOf(err) != trace.CodeRunNotFound && codeOf(err) != trace.CodeRunAmbiguous {
		t.Errorf("a beginning of an id: %v", err)
	}
	r, err := a.Forget(t.Context(), ids[1])
	if err != nil || r.Runs != 1 {
		t.Errorf("forget: %+v, %v", r, err)
	}
	if _, err := a.Forget(t.Context(), ids[1]); codeOf(err) != trace.CodeRunNotFound {
		t.Errorf("twice: %v", err)
	}
	if found, err := a.FindRuns(t.Context(), history.Query{Limit: 9}); err != nil || found.Total != 3 {
		t.Errorf("left: %d, %v", found.Total, err)
	}
}

func TestForgetDeletesPendingDraft(t *testing.T) {
	a, home := opened(t, Options{})
	folders(t, home, "Old")
	r, d := waitingDraft(t, a, "delete folder Old in documents")
	if _, err := a.Forget(t.Context(), r.RunID); err != nil {
		t.Fatal(err)
	}
	if _, err := a.ShowDraft(t.Context(), d.DraftID); err == nil {
		t.Error("a draft without its run")
	}
}

// TestAnswersComeWithTheGoal: who asked for a plan first has them already.
func TestAnswersComeWithTheGoal(t *testing.T) {
	a, home := opened(t, Options{})
	for _, name := range []string{"Notes.md", "Notes.txt"} {
		must.Succeed(t, os.MkdirAll(filepath.Join(home, "Documents"), 0o700))
		must.Succeed(t, os.WriteFile(filepath.Join(home, "Documents", name), nil, 0o600))
	}
	const goal = "delete Notes in documents"
	rehearsed, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: goal, DryRun: true})
	if err != nil || rehearsed.Interpretation.Status != "ambiguous" || len(rehearsed.Interpretation.Questions) != 1 {
		t.Fatalf("%+v, %v", rehearsed, err)
	}
	q := rehearsed.Interpretation.Questions[0]
	id, answer := q.ID, q.Choices[0].Value
	rehearsed, err = a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: goal, DryRun: true, Answers: map[string]string{id: answer}})
	p, ok := rehearsed.Result.Plan()
	if err != nil || !ok || p.Actions()[0].Tool != "files.delete_file" {
		t.Fatalf("%+v, %v", rehearsed, err)
	}
	if _, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: goal, DryRun: true, Answers: map[string]string{id: ""}}); codeOf(err) != "not_a_choice" {
		t.Errorf("an answer that is none: %v", err)
	}
	yes := func(_ context.Context, d drafts.View) (drafts.Answer, error) {
		return drafts.Answer{Yes: d.OwnDigest == p.Digest()}, nil
	}
	r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: goal, Answers: map[string]string{id: answer, "of another goal": "x"}, Approve: yes})
	if err != nil || r.Status != trace.Done || there(filepath.Join(home, "Documents", "Notes.md")) {
		t.Errorf("%s, %v, %v", r.Status, r.Error, err)
	}
}

// TestUserWordsAreShownFirst: an answer that is none of the choices came
// with the goal, and still what it comes to is not done unseen.
func TestUserWordsAreShownFirst(t *testing.T) {
	a, _ := opened(t, Options{})
	r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "create folder in documents", Answers: map[string]string{"name": "Plans"}})
	if err != nil || r.Status != trace.NeedsApproval || r.Draft == nil || len(r.Draft.Actions) != 1 {
		t.Errorf("%s, %+v, %v", r.Status, r.Draft, err)
	}
}

func TestDryRunListsConfirmations(t *testing.T) {
	a, home := opened(t, Options{})
	folders(t, home, "A", "B", "C", "D", "E")
	if r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: five, DryRun: true}); err != nil || r.Confirm != 5 {
		t.Errorf("confirm %d, %v", r.Confirm, err)
	}
}

// TestAlwaysIsForExactlyOneCall: the rule that is written lets the call through
// that it was made from, and no other.
func TestAlwaysIsForExactlyOneCall(t *testing.T) {
	a, _ := opened(t, Options{}, `ERRAND_POLICY_USER_GOAL_TOOLS=["system.query"]`)
	call := grants.AlwaysCall{Tool: "files.create_folder", Args: map[string]any{"path": `/home/ann/Documents/[a]*?\b`}, Rule: policy.RuleDefaultAsk}
	rules, err := a.Policy().AlwaysRules([]grants.AlwaysCall{call, call})
	if err != nil || len(rules) != 1 || !strings.HasPrefix(rules[0].Text, "[[policy.rules]]\n") {
		t.Fatalf("%+v, %v", rules, err)
	}
	file := filepath.Join(t.TempDir(), "errand.toml")
	must.Succeed(t, os.WriteFile(file, []byte(rules[0].Text), 0o600))
	o := Options{}
	o.Config.File = file
	b, _ := opened(t, o, `ERRAND_POLICY_USER_GOAL_TOOLS=["system.query"]`)
	ask := func(name string, args map[string]any) policy.Verdict {
		return b.grants.Decide(policy.Request{Kind: policy.KindCall, Tool: name, Class: "write", Effect: "file", Args: args, Origin: "user_goal"}).Verdict
	}
	tests := []struct {
		name string
		tool string
		args map[string]any
		want policy.Verdict
	}{
		{"that call", call.Tool, call.Args, policy.Allow},
		{"what its letters would match as a pattern", call.Tool, map[string]any{"path": `/home/ann/Documents/[a]xxx\b`}, policy.Ask},
		{"another path", call.Tool, map[string]any{"path": "/home/ann/Documents/c"}, policy.Ask},
		{"another tool", "files.create_file", call.Args, policy.Ask},
		{"one argument more", call.Tool, map[string]any{"path": call.Args["path"], "parents": true}, policy.Ask},
		{"none", call.Tool, map[string]any{}, policy.Ask},
	}
	for _, tt := range tests {
		if got := ask(tt.tool, tt.args); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}

	for name, c := range map[string]grants.AlwaysCall{
		"what deletes":            {Tool: "files.delete_folder", Rule: policy.RuleDefaultAsk, Deletes: true},
		"what can't be undone":    {Tool: "browser.submit", Rule: policy.RuleDefaultAsk, Risky: true},
		"what was heard":          {Tool: "files.create_folder", Rule: policy.RuleVoice},
		"what a rule asks about":  {Tool: "files.create_folder", Rule: "rules[0]"},
		"what others' text asked": {Tool: "files.create_folder", Rule: "untrusted_text"},
	} {
		if rules, err := a.Policy().AlwaysRules([]grants.AlwaysCall{call, c}); codeOf(err) != "never_always" || rules != nil {
			t.Errorf("%s: %v, %v", name, rules, err)
		}
	}
	if _, err := a.Policy().AlwaysRules(nil); codeOf(err) != "never_always" {
		t.Errorf("nothing: %v", err)
	}
}

// TestWatchDrafts: a draft of this program is heard of at once, one of another
// program over the same record within its time.
func TestWatchDrafts(t *testing.T) {
	a, home := opened(t, Options{})
	folders(t, home, "Old", "Older")
	o := Options{}
	o.Config.Env = []string{"HOME=" + home, "XDG_CACHE_HOME=" + cache}
	other, err := Open(o)
	must.Succeed(t, err)
	defer other.Close()
	waitingDraft(t, a, "delete folder Old in documents") // there is a record now

	ctx, cancel := context.WithCancel(t.Context())
	news, ended := make(chan struct{}, 100), make(chan error, 1)
	go func() { ended <- a.WatchDrafts(ctx, func() { news <- struct{}{} }) }()
	wait := func(what string) {
		t.Helper()
		select {
		case <-news:
		case <-time.After(poll.Patience):
			t.Fatalf("%s: nothing is heard", what)
		}
	}
	wait("the start")
	waitingDraft(t, other, "delete folder Older in documents")
	wait("another program's draft")
	_, d := waitingDraft(t, a, "create file Plan in documents and delete folder Old in documents")
	wait("an own draft")
	if _, err := a.Reject(t.Context(), d.DraftID); err != nil {
		t.Fatal(err)
	}
	wait("its end")
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the end: %v", err)
	}
}

func TestRunWithoutBrowserCleansUp(t *testing.T) {
	a, _ := opened(t, Options{})
	r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "what time is it"})
	if err != nil || a.CountProcesses(r.RunID) != 0 {
		t.Errorf("left %d, %v", a.CountProcesses(r.RunID), err)
	}
}

func BenchmarkFindRuns(b *testing.B) {
	o := Options{}
	o.Config.Env = []string{"HOME=" + b.TempDir()}
	a, err := Open(o)
	must.Succeed(b, err)
	defer a.Close()
	s, err := a.storage()
	must.Succeed(b, err)
	for i := range 10_000 {
		run := trace.Run{RunID: fmt.Sprintf("%026d", i), Goal: fmt.Sprintf("open example %d", i), Status: trace.Running, StartedAt: time.Unix(int64(i), 0)}
		must.Succeed(b, s.Begin(b.Context(), run))
	}
	for b.Loop() {
		if found, err := a.FindRuns(b.Context(), history.Query{Text: "EXAMPLE 77", Limit: 50}); err != nil || found.Total == 0 {
			b.Fatal(found, err)
		}
	}
}
