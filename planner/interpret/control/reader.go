// Package control reads commands that set something: "use spotify for music", "set the default
// search engine to bing", "speak russian". What can be set, and its names, are the tables
// [settings] and [languages] of the language files.
package control

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/interpret/web"
	"errand/planner/plan"
)

// Reader reads commands that set something.
type Reader struct {
	*parse.Text
	Web *web.Reader
}

// language is the setting whose values are languages. Those of all others are sites.
const language = "ui.language"

// Read reads [lo,hi) as a command that sets something. It must be that to the last word.
func (p *Reader) Read(lo, hi int) parse.Clause {
	if c := p.readAct(lo, hi); c.Outcome != parse.Unknown {
		return c
	}
	if c := p.readEngine(lo, hi); c.Outcome != parse.Unknown {
		return c
	}
	if c := p.readHabit(lo, hi); c.Outcome != parse.Unknown {
		return c
	}
	lo = p.Skip(lo, hi, lexicon.SetNow, lexicon.SetDefault)
	if _, sets := p.Longest(lo, hi, lexicon.SetVerb, lexicon.SetLanguage); !sets {
		return parse.Clause{Lang: lexicon.AnyLang}
	}
	for _, end := range []int{p.TrimTail(lo, hi, true), p.trimNow(lo, hi)} { // "by default" may be part of the setting's name
		if c := p.readSetting(lo, end); c.Outcome != parse.Unknown {
			return c
		}
	}
	return parse.Clause{Lang: lexicon.AnyLang}
}

// readSetting reads [lo,end) with the verbs at token lo, the longest first.
func (p *Reader) readSetting(lo, end int) parse.Clause {
	for n := end - lo; n > 0; {
		m, ok := p.Longest(lo, lo+n, lexicon.SetVerb, lexicon.SetLanguage)
		if !ok {
			break
		}
		verb := parse.Span{Lo: lo, Hi: lo + m.Len}
		if m.Kind == lexicon.SetLanguage {
			if tag, ok := p.Longest(verb.Hi, end, lexicon.Language); ok && verb.Hi+tag.Len == end {
				return p.set(m, verb, verb, language, parse.Span{Lo: verb.Hi, Hi: end}, tag.Value)
			}
		} else if c := p.readNounFirst(m, verb, end); c.Outcome != parse.Unknown {
			return c
		} else if c := p.readValueFirst(m, verb, end); c.Outcome != parse.Unknown {
			return c
		}
		n = m.Len - 1
	}
	return parse.Clause{Lang: lexicon.AnyLang}
}

// readNounFirst reads "the default search engine to bing".
func (p *Reader) readNounFirst(m lexicon.Match, verb parse.Span, end int) parse.Clause {
	at := p.Skip(verb.Hi, end, lexicon.Determiner, lexicon.Mine)
	noun, ok := p.Longest(at, end, lexicon.SettingNoun)
	if !ok {
		return parse.Clause{}
	}
	to := p.Skip(at+noun.Len, end, lexicon.SetTo)
	if value, ok := p.value(noun.Value, parse.Span{Lo: to, Hi: end}); ok {
		return p.set(m, verb, parse.Span{Lo: at, Hi: at + noun.Len}, noun.Value, parse.Span{Lo: to, Hi: end}, value)
	}
	return parse.Clause{}
}

// readValueFirst reads "bing as my search engine", "spotify for music", "bing my default search
// engine".
func (p *Reader) readValueFirst(m lexicon.Match, verb parse.Span, end int) parse.Clause {
	for i := verb.Hi + 1; i < end; i++ {
		now := p.Skip(i, end, lexicon.SetNow, lexicon.SetDefault)
		as, _ := p.Longest(now, end, lexicon.SetAs)
		at := p.Skip(now+as.Len, end, lexicon.Determiner, lexicon.Mine)
		_, mine := p.FindEnding(now+as.Len, at, lexicon.Mine) // "spotify my music"
		noun, ok := p.Longest(at, end, lexicon.SettingNoun, lexicon.SettingMatter)
		if !ok || at+noun.Len != end || noun.Kind == lexicon.SettingMatter && as.Len == 0 && !mine {
			continue
		}
		if value, ok := p.value(noun.Value, parse.Span{Lo: verb.Hi, Hi: i}); ok {
			return p.set(m, verb, parse.Span{Lo: at, Hi: end}, noun.Value, parse.Span{Lo: verb.Hi, Hi: i}, value)
		}
	}
	return parse.Clause{}
}

// value reads words as the value of a setting: a site that can be searched, or a language.
func (p *Reader) value(key string, at parse.Span) (string, bool) {
	if key == language {
		m, ok := p.Longest(at.Lo, at.Hi, lexicon.Language)
		return m.Value, ok && m.Len == at.Hi-at.Lo
	}
	s, ok := p.Web.SiteAt(at.Lo, at.Hi, false)
	return s.ID, ok && s.Len == at.Hi-at.Lo
}

func (p *Reader) set(m lexicon.Match, verb, setting parse.Span, key string, at parse.Span, value string) parse.Clause {
	d := parse.Draft{Goal: Goal(key, value), Spans: []parse.SlotSpan{{Slot: "goal_type", Span: verb}, {Slot: "target", Span: setting}, {Slot: "value", Span: at}}}
	return parse.Clause{Frame: parse.ControlFrame, Outcome: parse.Understood, Verb: verb, VerbKind: m.Kind, Lang: m.Lang, Body: verb.Hi, Drafts: []parse.Draft{d}}
}

// Goal is the goal that sets a setting.
func Goal(key, value string) plan.Goal {
	return plan.Goal{GoalType: plan.SystemControl, Action: plan.SetAction, ObjectType: plan.SettingType, Target: key, Value: value}
}
