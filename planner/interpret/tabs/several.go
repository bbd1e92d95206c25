package tabs

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// maxNewTabs is the largest number of tabs that one command opens.
const maxNewTabs = 10

// readNewTabs reads "open 3 new tabs".
func (p *Reader) readNewTabs(lo, hi int) (command, bool) {
	verb, ok := p.Longest(lo, hi, lexicon.Open, lexicon.Create)
	if !ok {
		return command{}, false
	}
	at := p.Skip(lo+verb.Len, hi, lexicon.Filler)
	n, words := p.numberAt(at, hi)
	noun, ok := p.FindEnding(at+words, hi, lexicon.TabNoun)
	between := hi - noun.Len - at - words // "new", "empty"
	if !ok || n < 2 || n > maxNewTabs || words == 0 || between < 0 || p.Skip(at+words, hi-noun.Len, lexicon.Empty, lexicon.Filler) != hi-noun.Len {
		return command{}, false
	}
	c := begin(verb, lo, plan.NewTab)
	c.count = n
	c.slot("limit", at, at+words)
	return c, true
}

// ContinueTabs turns "switch to the second one" and "close it" after goals about tabs into goals about tabs.
func ContinueTabs(t *parse.Text, c *parse.Clause, before []parse.Draft) {
	if c.Outcome == parse.Understood || len(before) == 0 {
		return
	}
	last := before[len(before)-1].Goal
	if key := last.Action + "_" + last.ObjectType; last.GoalType != plan.PageControl || key != plan.NewTab && key != plan.SwitchTab {
		return
	}
	p := &Reader{t}
	at, _ := t.SkipLead(c.Lo, c.Hi)
	end := t.TrimTail(at, c.Hi, false)
	said, ok := p.closeIt(at, end)
	if !ok {
		said, ok = p.switchToOne(at, end)
	}
	if ok {
		next := said.clause()
		next.Lo, next.Hi, next.AfterOthers = c.Lo, c.Hi, c.AfterOthers
		*c = next
	}
}

// closeIt reads "close it".
func (p *Reader) closeIt(lo, hi int) (command, bool) {
	verb, ok := p.Longest(lo, hi, lexicon.CloseTabVerb)
	ok = ok && lo+verb.Len < hi && p.Skip(lo+verb.Len, hi, lexicon.Pronoun, lexicon.Referent) == hi
	return begin(verb, lo, plan.CloseTab), ok
}

// switchToOne reads "switch to the second one" and "switch to the second".
func (p *Reader) switchToOne(lo, hi int) (command, bool) {
	verb, ok := p.Longest(lo, hi, lexicon.TabVerb)
	at := p.Skip(lo+verb.Len, hi, lexicon.Article)
	nth, isPlace := p.Longest(at, hi, lexicon.Ordinal)
	if !ok || !isPlace {
		return command{}, false
	}
	rest := at + nth.Len
	if one, ok := p.Longest(rest, hi, lexicon.Count); ok && one.Value == "1" {
		rest += one.Len
	}
	c := begin(verb, lo, plan.SwitchTab)
	c.goal.Target = nth.Value
	c.slot("target", at, at+nth.Len)
	return c, rest == hi
}
