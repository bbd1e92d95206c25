package tabs

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// TypeOnPage turns words that are typed into a page into goals about the open page, if no page
// before takes them as a search: "type hello in the search box", "type hello and press enter".
func TypeOnPage(t *parse.Text, c *parse.Clause, before []parse.Draft) {
	if c.Outcome != parse.Understood || !c.NeedsPage || c.NamesSite {
		return
	}
	if c.VerbKind != lexicon.TypeIn && !(c.VerbKind == lexicon.WriteIn && c.HasField) || c.PointsAtPage || len(c.Drafts) != 1 || c.Media != parse.NoMedia {
		return
	}
	if _, types := t.Longest(c.Verb.Lo, c.Hi, lexicon.Typing); !types {
		return // "look there for cats"
	}
	if n := len(before); n > 0 && (before[n-1].Goal.GoalType == plan.AppLaunch || before[n-1].Goal.GoalType == plan.FileOperation) {
		return // into the app or the file
	}
	d := &c.Drafts[0]
	if text := d.Slot("query"); !c.HasField && !t.IsQuoted(text.Lo, text.Hi) && parse.HasPhrase(t, text.Lo+1, text.Hi, lexicon.IntoField) {
		return // "type hello in the chat": nothing says what that is
	}
	field := ""
	if c.HasField {
		field = plan.SearchField
	}
	d.Goal = pageGoal(plan.TypeText, plan.Goal{Target: field, Value: d.Goal.Query})
	for i := range d.Spans {
		if d.Spans[i].Slot == "query" {
			d.Spans[i].Slot = "value"
		}
	}
	c.Frame, c.NeedsPage = parse.TabFrame, false
	if c.IsSubmitted {
		c.Drafts = append(c.Drafts, parse.Draft{Goal: pageGoal(plan.PressKey, plan.Goal{Value: "Enter"}), Spans: []parse.SlotSpan{{Slot: "action", Span: c.Verb}}})
	}
}

// pageGoal is g as a goal about the open page.
func pageGoal(key string, g plan.Goal) plan.Goal {
	g.GoalType = plan.PageControl
	g.Action, g.ObjectType, _ = strings.Cut(key, "_")
	return g
}
