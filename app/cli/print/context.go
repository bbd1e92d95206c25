package print

import "errand/planner/interpret/followup"

// Context prints what "it" and the like can mean. The labels of pages are left out: they are texts of
// others.
func Context(c *Console, known followup.Context, shorten func(string) string) {
	if known.IsEmpty() {
		c.Print("cli.context_empty", "limit", followup.MaxAge)
		return
	}
	name := func(t followup.Thing) string {
		if t.Kind.IsPath() {
			return shorten(t.Name())
		}
		return t.Name()
	}
	note := func(age int, text string) {
		if followup.IsOld(age) {
			text += " (" + c.Text("cli.context_old") + ")"
		}
		c.Printf("%s", text)
	}
	if known.Unclear {
		c.Print("cli.context_unclear")
	}
	for _, t := range known.Page.Things {
		note(known.Page.Age, c.Text("cli.context_page", "thing", name(t), "age", known.Page.Age))
	}
	for _, t := range known.Files.Things {
		note(known.Files.Age, c.Text("cli.context_file", "kind", string(t.Kind), "thing", name(t), "age", known.Files.Age))
	}
	for _, t := range known.App.Things {
		note(known.App.Age, c.Text("cli.context_app", "thing", name(t), "age", known.App.Age))
	}
	if l := known.List; len(l.Things) > 0 {
		note(l.Age, c.Text("cli.context_list", "count", len(l.Things), "more", l.More, "age", l.Age))
		for i, t := range l.Things {
			c.Print("cli.context_item", "place", i+1, "thing", name(t))
		}
	}
	if query, site := known.Search.Query(); query != "" {
		note(known.Search.Age, c.Text("cli.context_search", "query", query, "site", site, "age", known.Search.Age))
	}
	if !known.Run.IsZero() {
		note(known.Run.Age, c.Text("cli.context_goal", "goal", known.Run.Words, "age", known.Run.Age))
	}
}
