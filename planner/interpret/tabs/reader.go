// Package tabs reads commands about the page that is open and about tabs: "go back", "scroll to
// the bottom", "close the other tabs", "click sign in". Whole commands are the table
// [page_controls] of the language files; the others have a verb and an object.
package tabs

import (
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// Reader reads commands about the open page.
type Reader struct{ *parse.Text }

// command is a command while it is read.
type command struct {
	verb  parse.Span
	kind  lexicon.Kind
	lang  uint8
	key   string
	goal  plan.Goal
	spans []parse.SlotSpan
	count int // how often the goal is done; 0: once
}

// Read reads [lo,hi) as a command about the open page. It must be that to the last word.
func (p *Reader) Read(lo, hi int) parse.Clause {
	none := parse.Clause{Lang: lexicon.AnyLang}
	lo = p.SkipMarks(lo, hi)
	if lo >= hi || !p.mayStart(lo, hi) {
		return none
	}
	tried := hi
	for i, end := range p.ends(lo, hi) {
		if i > 0 && end == tried {
			continue
		}
		tried = end
		for _, read := range []func(lo, hi int) (command, bool){p.readWhole, p.readNth, p.readZoom, p.readKey} {
			if c, ok := read(lo, end); ok {
				return c.clause()
			}
		}
	}
	end := p.TrimTail(lo, hi, false) // "click sign up": "up" belongs to the name
	for end > lo && p.Tokens[end-1].Shape == lexicon.SymbolShape {
		end--
	}
	for _, read := range []func(lo, hi int) (command, bool){p.readNewTabs, p.readTab, p.readClick, p.readFind, p.readTyping} {
		if c, ok := read(lo, end); ok {
			return c.clause()
		}
	}
	return none
}

// starts are the kinds of phrases that begin a command about the open page.
var starts = []lexicon.Kind{
	lexicon.PageControl, lexicon.Ordinal, lexicon.NthVerb, lexicon.TabVerb, lexicon.CloseTabVerb, lexicon.TabNoun, lexicon.ZoomTo, lexicon.PressVerb, lexicon.ClickVerb, lexicon.ChooseVerb,
	lexicon.FindVerb, lexicon.FindHere, lexicon.ScrollTo, lexicon.TypeVerb, lexicon.KeyName, lexicon.Open, lexicon.Create,
}

func (p *Reader) mayStart(lo, hi int) bool {
	if _, ok := p.Longest(lo, hi, starts...); ok {
		return true
	}
	_, the := p.Longest(lo, hi, lexicon.Determiner)
	return the
}

// ends are the places where the command may end: with the politeness after it cut off or not.
func (p *Reader) ends(lo, hi int) [3]int {
	marks := hi
	for marks > lo && p.Tokens[marks-1].Shape == lexicon.MarkShape {
		marks--
	}
	return [3]int{marks, p.TrimTail(lo, hi, false), p.TrimTail(lo, hi, true)}
}

// clause makes a clause of the command.
func (c command) clause() parse.Clause {
	c.goal.GoalType = plan.PageControl
	c.goal.Action, c.goal.ObjectType, _ = strings.Cut(c.key, "_")
	spans := append([]parse.SlotSpan{{Slot: "goal_type", Span: c.verb}, {Slot: "action", Span: c.verb}}, c.spans...)
	return parse.Clause{
		Frame: parse.TabFrame, Outcome: parse.Understood, Verb: c.verb, VerbKind: c.kind, Lang: c.lang, Body: c.verb.Hi,
		Drafts: slices.Repeat([]parse.Draft{{Goal: c.goal, Spans: spans}}, max(c.count, 1)),
	}
}

func begin(m lexicon.Match, lo int, key string) command {
	return command{verb: parse.Span{Lo: lo, Hi: lo + m.Len}, kind: m.Kind, lang: m.Lang, key: key}
}

// slot notes the words of a slot.
func (c *command) slot(name string, lo, hi int) {
	c.spans = append(c.spans, parse.SlotSpan{Slot: name, Span: parse.Span{Lo: lo, Hi: hi}})
}

// readWhole reads a command that is one phrase, and how often: "go back twice", "scroll down on
// this page".
func (p *Reader) readWhole(lo, hi int) (command, bool) {
	hi = p.trimPage(lo, hi)
	end, times, ok := p.trimTimes(lo, hi)
	m, found := p.Longest(lo, end, lexicon.PageControl)
	if !ok || !found || lo+m.Len != end {
		return command{}, false
	}
	key, value, _ := strings.Cut(m.Value, ":")
	c := begin(m, lo, key)
	if times > 0 && !slices.Contains(repeated, key) {
		return command{}, false
	}
	switch c.goal.Limit = times; key {
	case plan.SwitchTab:
		c.goal.Target = value
	default:
		c.goal.Value = value
	}
	if times > 0 {
		c.slot("limit", end, hi)
	}
	return c, true
}

// repeated are the actions that a number repeats.
var repeated = []string{plan.BackPage, plan.ForwardPage, plan.ScrollPage}

// maxTimes is the largest number of repetitions.
const maxTimes = 50

// trimTimes cuts "twice" and "three times" off the end. times is 0 if nothing says how often.
func (p *Reader) trimTimes(lo, hi int) (end, times int, ok bool) {
	if m, found := p.FindEnding(lo+1, hi, lexicon.Repeat); found {
		n, _ := number(m.Value)
		return hi - m.Len, n, true
	}
	noun, found := p.FindEnding(lo+1, hi, lexicon.TimesNoun)
	if !found {
		return hi, 0, true
	}
	at := hi - noun.Len
	if n, words := p.numberBefore(lo, at); words > 0 {
		return at - words, n, n > 0 && n <= maxTimes
	}
	return hi, 0, true
}

// numberBefore reads a number that ends at token hi: "3", "three".
func (p *Reader) numberBefore(lo, hi int) (n, words int) {
	if m, ok := p.FindEnding(lo+1, hi, lexicon.Count); ok {
		n, _ = number(m.Value)
		return n, m.Len
	}
	if hi > lo {
		if n, ok := number(p.Fold(hi - 1)); ok {
			return n, 1
		}
	}
	return 0, 0
}

// trimPage cuts "on this page" off the end.
func (p *Reader) trimPage(lo, hi int) int {
	if m, ok := p.FindEnding(lo+1, hi, lexicon.OnThisPage); ok {
		return hi - m.Len
	}
	return hi
}

func number(s string) (int, bool) {
	n := 0
	for _, r := range s {
		if r < '0' || r > '9' || n > 1000 {
			return 0, false
		}
		n = n*10 + int(r-'0')
	}
	return n, s != ""
}
