package control

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/interpret/web"
	"errand/planner/plan"
)

// readAct reads a command of the table [controls] of the language files: "mute", "volume to 30",
// "close firefox", "copy hello to the clipboard". It must be one to the last word.
func (p *Reader) readAct(lo, hi int) parse.Clause {
	var starts []lexicon.Match
	if lo < hi {
		for _, m := range p.Matches[lo] {
			if (m.Kind == lexicon.Control || m.Kind == lexicon.ControlOpen) && lo+m.Len <= hi {
				starts = append(starts, m)
			}
		}
	}
	slices.SortStableFunc(starts, func(a, b lexicon.Match) int { return b.Len - a.Len })
	for _, m := range starts {
		for _, end := range p.ends(lo, hi) {
			if c, ok := p.completeAct(m, lo, end); ok {
				return c
			}
		}
	}
	return parse.Clause{Lang: lexicon.AnyLang}
}

// ends are where a command may end: before the punctuation at its end, and before any politeness.
// "Up" and "computer" may be politeness, and also a part of the command.
func (p *Reader) ends(lo, hi int) []int {
	whole := hi
	for whole > lo && (p.Tokens[whole-1].Shape == lexicon.MarkShape || p.Tokens[whole-1].Shape == lexicon.SymbolShape) {
		whole--
	}
	ends := []int{whole}
	for end := whole - 1; end >= max(p.TrimTail(lo, hi, true), lo+1, whole-parse.MaxPhrase); end-- {
		if p.SkipMarks(p.Skip(p.SkipMarks(end, whole), whole, lexicon.Tail, lexicon.TailNow, lexicon.Wake), whole) == whole {
			ends = append(ends, end)
		}
	}
	for _, end := range ends {
		if m, ok := p.FindEnding(lo+1, end, lexicon.ThisMachine); ok {
			ends = append(ends, end-m.Len)
		}
	}
	return ends
}

// completeAct reads what the command that begins with m takes, up to end.
func (p *Reader) completeAct(m lexicon.Match, lo, end int) (parse.Clause, bool) {
	verb := parse.Span{Lo: lo, Hi: lo + m.Len}
	action, object, value := lexicon.SplitControl(m.Value)
	c := parse.Clause{Frame: parse.ControlFrame, Outcome: parse.Understood, Verb: verb, VerbKind: m.Kind, Lang: m.Lang, Body: verb.Hi}
	d := parse.Draft{
		Goal:  plan.Goal{GoalType: plan.SystemControl, Action: action, ObjectType: object},
		Spans: []parse.SlotSpan{{Slot: "goal_type", Span: verb}, {Slot: "action", Span: verb}},
	}
	rest := parse.Span{Lo: verb.Hi, Hi: end}
	slot := "value"
	sign, isNumber := strings.CutSuffix(value, lexicon.TakesNumber)
	ok := false
	switch {
	case value == lexicon.TakesApp:
		slot = "target"
		if m.Kind == lexicon.ControlOpen { // «поставь ютуб на паузу»
			rest.Hi = p.findClose(m.Value, rest.Lo, end)
		}
		if d.Goal.Target, ok = p.app(&c, rest); !ok && object == plan.MediaType {
			d.Goal.Target, ok = p.playingSite(rest)
		}
	case m.Kind == lexicon.ControlOpen:
		rest.Hi = p.findClose(m.Value, rest.Lo, end)
		d.Goal.Value, ok = p.text(&c, rest)
		if p.pointsAt(rest) {
			c.Outcome, c.Ask = parse.Asks, p.AskUnclear(rest)
		}
	case value == lexicon.TakesText:
		rest.Hi = p.TrimTail(rest.Lo, end, false)
		d.Goal.Value, ok = p.text(&c, rest)
	case isNumber:
		d.Goal.Value, ok = p.percent(rest)
		d.Goal.Value = sign + d.Goal.Value
	default:
		d.Goal.Value, ok = value, verb.Hi == end
		rest = verb
	}
	d.Spans = append(d.Spans, parse.SlotSpan{Slot: slot, Span: rest})
	c.Drafts = []parse.Draft{d}
	if action == restart && value == lexicon.TakesApp {
		c.Drafts = restartDrafts(d)
	}
	return c, ok
}

// playingSite is the host of the site that words name, whose media a browser plays.
func (p *Reader) playingSite(at parse.Span) (string, bool) {
	s, ok := p.Web.SiteAt(at.Lo, at.Hi, false)
	site, known := p.Words.Catalogue.Site(s.ID)
	if !ok || !known || s.Len != at.Hi-at.Lo {
		return "", false
	}
	home, err := url.Parse(site.Home)
	return strings.TrimPrefix(home.Hostname(), "www."), err == nil
}

// restart is the action of an app that is closed and started again.
const restart = "restart"

// restartDrafts are the goals of "restart firefox": to close it, and to start it.
func restartDrafts(d parse.Draft) []parse.Draft {
	first, second := d, d
	first.Goal.Action = plan.CloseAction
	second.Goal, second.Stage = plan.Goal{GoalType: plan.AppLaunch, Target: d.Goal.Target}, 1
	second.Spans = slices.DeleteFunc(slices.Clone(d.Spans), func(s parse.SlotSpan) bool { return s.Slot == "action" })
	return []parse.Draft{first, second}
}

// findClose is where the words begin that end at end and close a command with this key; lo if there
// are none.
func (p *Reader) findClose(key string, lo, end int) int {
	for i := lo + 1; i < end; i++ {
		for _, m := range p.Matches[i] {
			if m.Kind == lexicon.ControlClose && m.Value == key && i+m.Len == end {
				return i
			}
		}
	}
	return lo
}

// text is the text that a command takes.
func (p *Reader) text(c *parse.Clause, at parse.Span) (string, bool) {
	if at.Lo >= at.Hi {
		return "", false
	}
	c.HasText = true
	return p.Cut(at.Lo, at.Hi), true
}

// pointsAt reports whether words seem to stand for a text: "the link", "my address", "this".
func (p *Reader) pointsAt(at parse.Span) bool {
	_, points := p.Longest(at.Lo, at.Hi, lexicon.Pronoun, lexicon.ThisPage, lexicon.Definite, lexicon.Mine, lexicon.Back)
	return points && !p.IsQuoted(at.Lo, at.Hi)
}

// percent is a number in digits or words, with or without the word for percent.
func (p *Reader) percent(at parse.Span) (string, bool) {
	if at.Lo >= at.Hi {
		return "", false
	}
	word, n := strings.TrimSuffix(p.Fold(at.Lo), "%"), 1
	if m, ok := p.Longest(at.Lo, at.Hi, lexicon.Count); ok {
		word, n = m.Value, m.Len
	}
	number, err := strconv.Atoi(word)
	if err != nil || number < 0 || number > 999 || !lexicon.IsDigit(word[0]) {
		return "", false
	}
	return strconv.Itoa(number), p.Skip(at.Lo+n, at.Hi, lexicon.Percent) == at.Hi
}

// app is the app that words name. Names of sites alone don't count.
func (p *Reader) app(c *parse.Clause, rest parse.Span) (string, bool) {
	at := p.Skip(p.SkipFillers(rest.Lo, rest.Hi), rest.Hi, lexicon.Determiner, lexicon.Mine, lexicon.Window)
	if noun := p.Skip(at, rest.Hi, lexicon.AppNoun); noun < rest.Hi { // "the app calculator"
		at = noun
	}
	if place, ok := p.FindEnding(at+1, rest.Hi, lexicon.AsPlace); ok { // «на весь экран»
		rest.Hi -= place.Len
	}
	e, known := p.Web.EntityAt(at, rest.Hi, false)
	if known && e.App && p.Skip(at+e.Len, rest.Hi, lexicon.AppNoun, lexicon.Window) == rest.Hi {
		return e.ID, true
	}
	app, ok := web.FindInstalled(p.Web, c, at, rest.Hi)
	return app.ID, ok && !e.Site
}
