//go:build linux

package app

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/app/planning"
	"errand/build/must"
	"errand/planner/interpret/followup"
	"errand/planner/plan"
)

// spokenRequest is a line of testdata/requests.jsonl: how the program answers something that a person
// asked another program for.
type spokenRequest struct {
	Text    string            `json:"text"`
	Before  string            `json:"before,omitempty"` // what the goal before left: a key of [situations]
	Verdict string            `json:"verdict"`          // a key of [verdicts], judged by what a person means
	Answers map[string]string `json:"answers,omitempty"`
	Plan    string            `json:"plan,omitempty"` // the steps, for a verdict that has a plan
	Why     string            `json:"why,omitempty"`  // why it is not done
}

// Verdicts on requests.
const (
	doneAtOnce  = "done"  // the plan does what is meant
	doneAsked   = "asked" // the plan does it after an answer to one useful question
	refusedWell = "impossible"
	leftOver    = "left" // not understood, or only in part
)

// situations are what goals before a request may have left.
var situations = map[string]followup.Context{
	"page": {Window: &followup.Thing{Kind: followup.Page, Ref: "https://example.com/"}},
	"results": {List: followup.List{Part: followup.Part{RunID: "r1", Things: []followup.Thing{
		{Kind: followup.Page, Ref: "https://example.com/1"}, {Kind: followup.Page, Ref: "https://example.com/2"}, {Kind: followup.Page, Ref: "https://example.com/3"},
	}}}},
}

// answeredReasons are the codes of answers in words to texts that want nothing to be done.
var answeredReasons = []string{"reason.forbidden", "reason.help"}

// filesOfSpeaker are in the folders of the person who speaks.
var filesOfSpeaker = []string{
	"Documents/resume.pdf", "Documents/README.md", "Documents/config.yaml", "Documents/draft.txt", "Documents/file.txt", "Documents/app.js", "Documents/отчет.docx", "Documents/grocery list.txt", "Documents/список покупок.txt",
	"Documents/invoice september.pdf", "Documents/Veyra project/plan.txt", "Downloads/report.pdf", "Downloads/ticket.pdf", ".local/share/Trash/files/old.txt",
}

// TestSpokenRequests judges the whole program by what people asked other programs for: the lines of
// public.jsonl that are no questions and no small talk. A plan that differs from the one that was judged
// fails: it has to be judged again. UPDATE=1 writes the plans
// of testdata/requests.jsonl and the table of docs/requests.md.
func TestSpokenRequests(t *testing.T) {
	a := onDesktop(t, "chromium", "spotify", "slack", "telegram-desktop", "discord", "steam", "code", "gedit", "gnome-calculator")
	for _, name := range filesOfSpeaker {
		file := filepath.Join(a.conf.Paths.Home, name)
		must.Succeed(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must.Succeed(t, os.WriteFile(file, []byte("function"), 0o600))
	}
	const file = "testdata/requests.jsonl"
	all := must.ReadJSONL[spokenRequest](t, file)
	var texts, judged []string
	for _, l := range must.ReadJSONL[struct{ Text, Kind string }](t, "../planner/interpret/testdata/public.jsonl") {
		if l.Kind != "question" && l.Kind != "chat" {
			texts = append(texts, l.Text)
		}
	}
	update := os.Getenv("UPDATE") != ""
	var lines bytes.Buffer
	for i, r := range all {
		judged = append(judged, r.Text)
		got := answerTo(t, a, r)
		wants := r.Verdict == doneAtOnce || r.Verdict == doneAsked
		switch {
		case r.Verdict == doneAsked && len(r.Answers) == 0, wants == (r.Why != ""), !wants && r.Verdict != refusedWell && r.Verdict != leftOver:
			t.Errorf("%q: the verdict %q has not what belongs to it", r.Text, r.Verdict)
		case wants && got == "" || r.Verdict == refusedWell && got != "":
			t.Errorf("%q: is judged %q, and the plan is %q", r.Text, r.Verdict, got)
		case update:
			all[i].Plan = got
		case got != r.Plan:
			t.Errorf("%q: the plan is %q, judged was %q", r.Text, got, r.Plan)
		}
		fmt.Fprintf(&lines, "%s\n", must.JSON(t, all[i]))
	}
	if diff := cmp.Diff(texts, judged); diff != "" {
		t.Errorf("requests of public.jsonl that are not judged (-), or not there (+):\n%s", diff)
	}
	checkRequestTable(t, all, update)
	if update && !t.Failed() {
		must.Succeed(t, os.WriteFile(file, lines.Bytes(), 0o600))
	}
}

// answerTo is the plan of a request, as its steps, after the answers. It is empty if there is none.
func answerTo(t *testing.T, a *App, r spokenRequest) string {
	t.Helper()
	request := planning.Request{Origin: plan.UserGoal, Text: r.Text, Look: true}
	if r.Before != "" {
		before := situations[r.Before]
		request.Context = func() followup.Context { return before }
		if before.Window != nil {
			request.World = &plan.World{BrowserRunning: true, BrowserLastURL: before.Window.Ref}
		}
	}
	if len(r.Answers) > 0 {
		asked, err := a.Plan(t.Context(), request)
		must.Succeed(t, err)
		if len(asked.Interpretation.Questions) == 0 {
			t.Errorf("%q: nothing is asked", r.Text)
		}
		for _, q := range asked.Interpretation.Questions {
			answer := r.Answers[q.ID]
			if !q.FreeTextAllowed && !slices.ContainsFunc(q.Choices, func(c plan.Choice) bool { return c.Value == answer }) {
				t.Errorf("%q: %q is no answer to %s: %v", r.Text, answer, q.ID, q.Choices)
			}
		}
		request.Answers = r.Answers
	}
	planned, err := a.Plan(t.Context(), request)
	must.Succeed(t, err)
	if planned.Result == nil {
		if slices.Contains(answeredReasons, planned.Interpretation.Reason.Code) {
			return i18n.English().Text(planned.Interpretation.Reason)
		}
		return ""
	}
	steps := []string{}
	if made, ok := planned.Result.Plan(); ok {
		for _, action := range made.Actions() {
			steps = append(steps, i18n.English().Text(action.Preview))
		}
	}
	text := strings.ReplaceAll(strings.Join(steps, " | "), a.conf.Paths.Home, "~")
	share, err := filepath.Abs("../host/apps/testdata/share")
	must.Succeed(t, err)
	if planned.Result.Status() == plan.AlreadySatisfied {
		text = i18n.English().Text(planned.Result.Reason())
	}
	return strings.ReplaceAll(text, share+"/", "")
}

// checkRequestTable checks the shares and the table of what is left in docs/requests.md.
func checkRequestTable(t *testing.T, all []spokenRequest, update bool) {
	t.Helper()
	counts := map[string]int{}
	examples := map[string][]string{}
	var reasons []string
	for _, r := range all {
		counts[r.Verdict]++
		if r.Why == "" {
			continue
		}
		if examples[r.Why] == nil {
			reasons = append(reasons, r.Why)
		}
		examples[r.Why] = append(examples[r.Why], r.Text)
	}
	slices.SortStableFunc(reasons, func(a, b string) int { return len(examples[b]) - len(examples[a]) })
	share := func(verdicts ...string) string {
		n := 0
		for _, v := range verdicts {
			n += counts[v]
		}
		return fmt.Sprintf("%d | %.0f %% |", n, 100*float64(n)/float64(len(all)))
	}
	var want strings.Builder
	fmt.Fprintf(&want, "| done as meant | %s\n| of these, at once | %s\n| of these, after a question | %s\n| impossible here, and refused | %s\n| left | %s\n\n",
		share(doneAtOnce, doneAsked), share(doneAtOnce), share(doneAsked), share(refusedWell), share(leftOver))
	want.WriteString("| why not | requests | for example |\n|---|---|---|\n")
	for _, why := range reasons {
		quoted := []string{}
		for _, text := range examples[why][:min(3, len(examples[why]))] {
			if strings.ContainsFunc(text, func(r rune) bool { return r >= 'А' && r <= 'я' }) {
				quoted = append(quoted, "«"+text+"»")
			} else {
				quoted = append(quoted, `"`+text+`"`)
			}
		}
		fmt.Fprintf(&want, "| %s | %d | %s |\n", why, len(examples[why]), strings.Join(quoted, ", "))
	}
	t.Logf("%d requests\n%s", len(all), want.String())
	const document, start = "../docs/requests.md", "| verdict | requests | share |\n|---|---|---|\n"
	text := string(must.ReadFile(t, document))
	before, table, found := strings.Cut(text, start)
	if !found {
		t.Fatalf("%s has no table of verdicts", document)
	}
	if table == want.String() {
		return
	}
	if update {
		must.Succeed(t, os.WriteFile(document, []byte(before+start+want.String()), 0o600))
		return
	}
	t.Errorf("%s (-document +requests; UPDATE=1 writes it):\n%s", document, cmp.Diff(table, want.String()))
}
