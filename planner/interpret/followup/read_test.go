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
	shows := func(url string) *followup.Thing { return &followup.Thing{Kind: followup.Page, Ref: url} }
	list := func(from string, isStale bool, things ...followup.Thing) followup.List {
		return followup.List{Part: ago(1, things...), From: from, IsStale: isStale}
	}
	all["shown results"] = followup.Context{Page: ago(1, page(nvidia)), Window: shows(nvidia)}
	all["stale list"] = followup.Context{Page: ago(1, page(nvidia)), Window: shows(nvidia), List: list("", true, links...)}
	all["stale files"] = followup.Context{Page: ago(1, page(nvidia)), Window: shows(nvidia), List: list("", true, file(notes), file(todo))}
	searched := all["stale list"]
	searched.Search, searched.List.IsBeforeSearch = said(t, 1, "search nvidia on youtube"), true
	all["search after list"] = searched
	searched.Window = shows("https://example.org/now")
	all["elsewhere after search"] = searched
	withFiles := all["search after list"]
	withFiles.List = list("", false, file(notes), file(todo))
	all["search before files"] = withFiles
	all["files over a page"] = followup.Context{Page: ago(3, page(nvidia)), Window: shows(nvidia), List: list("", false, file(notes), file(todo))}
	all["no window"] = followup.Context{Page: ago(1, page(nvidia)), List: list("", true, links...)}
	unseen := followup.Context{Page: ago(1, page(nvidia)), Window: shows("https://example.org/now"), List: list("", true, links...)}
	unseen.Page.IsUnseen = true
	all["unseen"] = unseen
	unseen.Window = shows(nvidia)
	all["unseen, shown since"] = unseen
	all["list of page"] = followup.Context{Page: ago(1, page(nvidia)), Window: shows(nvidia), List: list(nvidia, true, links...)}
	all["item of list"] = followup.Context{Page: ago(1, links[0]), Window: shows(links[0].Ref), List: list(nvidia, true, links...)}
	all["later list"] = followup.Context{Page: ago(1, page(nvidia)), Window: shows("https://example.org/now"), List: list(nvidia, false, links...)}
	all["old list, shown"] = followup.Context{Window: shows(nvidia), List: followup.List{Part: ago(45, links...), IsStale: true}}
	for name, words := range map[string]string{
		"search": "search nvidia on youtube", "opened": "open youtube and search nvidia", "results": "show the first 3 results for nvidia on youtube",
		"weather": "weather in paris", "price": "price of bitcoin", "define": "define entropy", "read": "read notes.txt", "site": "open github.com", "погода": "погода в москве", "what's": "what's the weather in oslo", "weather tomorrow": "weather in paris tomorrow", "weather on sunday": "weather in paris on sunday", "погода на выходных": "погода в уфе на выходных", "timer": "set a timer for 10 minutes", "found": "find pdf files in downloads", "listed": "list my downloads", "timers": "show my timers", "поиск": "найди nvidia на ютубе",
	} {
		run := said(t, 3, words)
		c := followup.Context{Run: run}
		if query, _ := run.Query(); query != "" {
			c.Search = run
		}
		all[name] = c
	}
	several := func(part, list string, things ...followup.Thing) followup.Context {
		c := followup.Context{Files: ago(1, things...), List: followup.List{Part: ago(3, file("/home/ann/Downloads/a.pdf"), file("/home/ann/Downloads/b.pdf"))}}
		c.Files.RunID, c.List.RunID = part, list
		return c
	}
	const cat, dog = "/home/ann/Documents/cat.jpg", "/home/ann/Documents/dog.jpg"
	all["moved two"] = several("m", "l", file(cat), file(dog))
	all["found two"] = several("l", "l", file("/home/ann/Downloads/a.pdf"), file("/home/ann/Downloads/b.pdf"))
	all["copied"] = several("m", "l", file(cat), file("/home/ann/Desktop/cat.jpg"))
	all["three"] = followup.Context{Files: ago(1, file(cat), file(dog), file(notes))}
	all["old two"] = followup.Context{Files: ago(40, file(cat), file(dog))}
	broken := all["moved two"]
	broken.Unclear = true
	all["unclear two"] = broken
	cut := all["found two"]
	cut.List.More = true
	all["cut list"] = cut
	own := folder("/home/ann/Downloads")
	own.IsOwn = true
	all["own folder"] = followup.Context{Files: ago(1, own)}
	all["made folder"] = followup.Context{Files: ago(1, folder(trip)), Run: said(t, 1, "create folder trip in documents")}
	all["moved"] = followup.Context{Files: ago(1, file(trip+"/a.txt")), Run: said(t, 1, "move a.txt to documents/trip")}
	all["moved there"] = followup.Context{Files: ago(1, file(trip+"/a.txt"), folder(trip)), Run: followup.Run{RunID: "r", Words: "move a.txt there", Goals: all["moved"].Run.Goals, Targets: []followup.Span{{Start: 5, End: 10}}}}
	all["put in folder"] = followup.Context{Files: ago(1, file(trip+"/a.txt")), Run: said(t, 1, "положи a.txt в документы/trip")}
	all["put on desktop"] = followup.Context{Files: ago(1, file("/home/ann/Desktop/a.txt")), Run: said(t, 1, "скопируй a.txt на рабочий стол")}
	for _, name := range []string{"made folder", "moved", "moved there", "put in folder", "put on desktop"} {
		c := all[name]
		c.Files.Into = followup.PutInto(c.Run.Goals.Goals, c.Files.Things)
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
	case got.Wish == followup.Undo || got.Wish == followup.LastRun || got.Wish == followup.Forget:
		return string(got.Wish)
	}
	read := i.ReadNamed(text, got.Names, answers)
	if got.Answers != nil {
		answers = got.Answers
		read = i.ReadWith(text, answers)
	}
	if got.Words != "" {
		read = i.ReadWith(got.Words, answers)
	}
	if read.Status == interpret.Ambiguous {
		return "asks " + read.Questions[0].ID
	}
	return goals(read.Goals)
}

func goals(set plan.GoalSet) string {
	var out []string
	for _, g := range set.Goals {
		nth := ""
		if g.GoalType == plan.PageControl && g.Limit > 0 {
			nth = fmt.Sprint(g.Limit)
		}
		out = append(out, strings.Join(strings.Fields(fmt.Sprint(string(g.GoalType), " ", g.Action, " ", g.ObjectType, " ", g.Platform, " ", g.Query, " ", g.Target, " ", g.Destination, " ", g.Value, " ", nth)), " "))
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
