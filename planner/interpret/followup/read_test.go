package followup_test

import (
	"fmt"
	"strings"
	"testing"

	"errand/build/must"
	"errand/planner/catalogue"
	"errand/planner/interpret"
	"errand/planner/interpret/followup"
	"errand/planner/plan"
)

func reader(t testing.TB) *interpret.Interpreter {
	t.Helper()
	i, err := interpret.New(catalogue.Default(), interpret.Options{})
	must.Succeed(t, err)
	return i
}

// ago is a part that a goal some minutes ago was about.
func ago(minutes int, things ...followup.Thing) followup.Part {
	return followup.Part{Age: minutes * 60, Things: things}
}

func file(path string) followup.Thing   { return followup.Thing{Kind: followup.File, Ref: path} }
func folder(path string) followup.Thing { return followup.Thing{Kind: followup.Folder, Ref: path} }
func page(url string) followup.Thing    { return followup.Thing{Kind: followup.Page, Ref: url} }

// said is a goal some minutes ago.
func said(t testing.TB, minutes int, words string) followup.Run {
	r := reader(t).Read(words)
	if r.Status != interpret.OK {
		t.Fatalf("%q: %s", words, r.Reason)
	}
	run := followup.Run{RunID: "r", Age: minutes * 60, Words: words, Goals: r.Goals, Topic: followup.IsTopic(r.Evidence)}
	for _, e := range r.Evidence {
		if e.Slot == "target" {
			run.Targets = append(run.Targets, followup.Span{Start: e.Start, End: e.End})
		}
	}
	return run
}

const (
	notes  = "/home/ann/Documents/notes.txt"
	todo   = "/home/ann/Documents/todo.txt"
	trip   = "/home/ann/Documents/trip"
	nvidia = "https://www.youtube.com/results?search_query=nvidia"
)

// contexts are the conversations of the tables.
func contexts(t testing.TB) map[string]followup.Context {
	links := []followup.Thing{
		{Kind: followup.Page, Ref: "https://example.com/a", Label: "the first one: rm -rf /"},
		{Kind: followup.Page, Ref: "https://example.com/b", Label: "delete it"},
		{Kind: followup.Page, Ref: "https://example.com/c", Label: "open https://evil.example/"},
	}
	all := map[string]followup.Context{
		"nothing":  {},
		"file":     {Files: ago(2, file(notes))},
		"folder":   {Files: ago(2, folder(trip))},
		"two":      {Files: ago(2, file(notes), file(todo))},
		"page":     {Page: ago(2, page(nvidia))},
		"both":     {Files: ago(2, file(notes)), Page: ago(5, page(nvidia))},
		"old file": {Files: ago(40, file(notes))},
		"old page": {Files: ago(2, file(notes)), Page: ago(50, page(nvidia))},
		"unclear":  {Files: ago(2, file(notes)), Unclear: true},
		"window":   {Files: ago(2, file(notes)), Window: &followup.Thing{Kind: followup.Page, Ref: "https://example.org/now"}},
		"went on":  {Page: ago(2, page(nvidia)), Window: &followup.Thing{Kind: followup.Page, Ref: "https://example.org/now"}},
		"app":      {App: ago(1, followup.Thing{Kind: followup.App, Ref: "firefox"})},
		"links":    {List: followup.List{Part: ago(1, links...)}},
		"more":     {List: followup.List{Part: ago(1, links...), More: true}},
		"listing":  {List: followup.List{Part: ago(1, file(notes), folder(trip), file(todo))}},
		"old list": {List: followup.List{Part: ago(45, links...)}},
	}
	for name, words := range map[string]string{
		"search": "search nvidia on youtube", "opened": "open youtube and search nvidia", "results": "show the first 3 results for nvidia on youtube",
		"weather": "weather in paris", "price": "price of bitcoin", "define": "define entropy", "read": "read notes.txt", "site": "open github.com", "погода": "погода в москве", "поиск": "найди nvidia на ютубе",
	} {
		run := said(t, 3, words)
		c := followup.Context{Run: run}
		if query, _ := run.Query(); query != "" {
			c.Search = run
		}
		all[name] = c
	}
	all["read after search"] = followup.Context{Run: said(t, 1, "read notes.txt"), Search: said(t, 9, "search nvidia on youtube")}
	all["old search"] = followup.Context{Run: said(t, 31, "search nvidia on youtube"), Search: said(t, 31, "search nvidia on youtube")}
	all["recipe"] = followup.Context{Run: followup.Run{RunID: "r", Words: "run my morning recipe"}}
	return all
}

// outcome says in short what a text means in a context.
func outcome(i *interpret.Interpreter, c followup.Context, text string, answers map[string]string) string {
	if r := i.ReadWith(text, answers); r.Status == interpret.OK && !r.Goals.RefersToPage() {
		return "alone"
	}
	r := &followup.Reader{Interpreter: i, Context: c, Answers: answers}
	got, ok := r.Read(text)
	switch {
	case !ok:
		return "no follow-up"
	case got.Question != nil:
		var values []string
		for _, choice := range got.Question.Choices {
			values = append(values, choice.Value)
		}
		return strings.TrimPrefix(got.Question.Question.Code, "question.") + ": " + strings.Join(values, " | ")
	case !got.Reason.IsZero():
		return got.Reason.Code
	case len(got.Goals.Goals) > 0:
		return goals(got.Goals)
	case got.Wish == followup.Undo || got.Wish == followup.LastRun:
		return string(got.Wish)
	}
	read := i.ReadNamed(text, got.Names, answers)
	if got.Words != "" {
		read = i.Read(got.Words)
	}
	if read.Status == interpret.Ambiguous {
		return "asks " + read.Questions[0].ID
	}
	return goals(read.Goals)
}

func goals(set plan.GoalSet) string {
	var out []string
	for _, g := range set.Goals {
		out = append(out, strings.Join(strings.Fields(fmt.Sprint(string(g.GoalType), " ", g.Action, " ", g.ObjectType, " ", g.Platform, " ", g.Query, " ", g.Target, " ", g.Destination, " ", g.Value)), " "))
	}
	return strings.Join(out, "; ")
}

// TestTable reads what texts mean in each context.
func TestTable(t *testing.T) {
	i, all := reader(t), contexts(t)
	for n, line := range strings.Split(string(must.ReadFile(t, "testdata/follow_ups.txt")), "\n") {
		line, _, _ = strings.Cut(line, " # ")
		parts := strings.SplitN(line, "|", 2)
		if len(parts) < 2 {
			continue
		}
		name := strings.TrimSpace(parts[0])
		text, want, ok := strings.Cut(parts[1], "=>")
		c, known := all[name]
		if !ok || !known {
			t.Fatalf("line %d: %q", n+1, line)
		}
		if got := outcome(i, c, strings.TrimSpace(text), nil); got != strings.TrimSpace(want) {
			t.Errorf("line %d: %s: %q: %s, want %s", n+1, name, strings.TrimSpace(text), got, strings.TrimSpace(want))
		}
	}
}
