package control

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/interpret/web"
	"errand/planner/plan"
)

// readApp reads a command about an app that runs: "close firefox", "switch to the calculator". Names
// of sites alone don't count.
func (p *Reader) readApp(lo, hi int) parse.Clause {
	m, ok := p.Longest(lo, hi, lexicon.CloseApp, lexicon.SwitchToApp)
	if !ok {
		return parse.Clause{}
	}
	verb := parse.Span{Lo: lo, Hi: lo + m.Len}
	end := p.TrimTail(verb.Hi, hi, true)
	at := p.Skip(p.SkipFillers(verb.Hi, end), end, lexicon.Determiner, lexicon.Mine)
	if noun := p.Skip(at, end, lexicon.AppNoun); noun < end { // "the app calculator"
		at = noun
	}
	c := parse.Clause{Frame: parse.ControlFrame, Outcome: parse.Understood, Verb: verb, VerbKind: m.Kind, Lang: m.Lang, Body: verb.Hi}
	id := ""
	if e, ok := p.Web.EntityAt(at, end, false); ok && e.App && p.Skip(at+e.Len, end, lexicon.AppNoun, lexicon.Window) == end {
		id = e.ID
	} else if app, ok := web.FindInstalled(p.Web, &c, at, end); ok && !e.Site {
		id = app.ID
	}
	if id == "" {
		return parse.Clause{}
	}
	action := plan.CloseAction
	if m.Kind == lexicon.SwitchToApp {
		action = plan.SwitchToAction
	}
	c.Drafts = []parse.Draft{{
		Goal:  plan.Goal{GoalType: plan.SystemControl, Action: action, ObjectType: plan.AppType, Target: id},
		Spans: []parse.SlotSpan{{Slot: "goal_type", Span: verb}, {Slot: "action", Span: verb}, {Slot: "target", Span: parse.Span{Lo: at, Hi: end}}},
	}}
	return c
}
