package control

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// readHabit reads a command that says where something is done from now on: "from now on play music on
// spotify", «музыку теперь ищи на яндекс музыке». It names what is done, the site at its end, and
// that this stays.
func (p *Reader) readHabit(lo, hi int) parse.Clause {
	none := parse.Clause{Lang: lexicon.AnyLang}
	end := p.TrimTail(lo, hi, true)
	_, stays := p.FindEnding(0, lo, lexicon.HabitNow) // it may stand before the verb like politeness
	if m, ok := p.FindEnding(lo+1, end, lexicon.HabitNow); ok {
		end, stays = end-m.Len, true
	}
	from, site, ok := p.Web.TrailingSite(lo, end)
	if !ok || site.Fuzzy {
		return none
	}
	var verb, matter parse.Span
	var key string
	var lang uint8
	for i := lo; i < from; {
		now, isNow := p.Longest(i, from, lexicon.HabitNow)
		m, isMatter := p.Longest(i, from, lexicon.SettingMatter)
		v, isVerb := p.Longest(i, from, lexicon.HabitVerb)
		switch {
		case isNow:
			stays, i = true, i+now.Len
		case isMatter && matter.Hi == 0:
			matter, key, i = parse.Span{Lo: i, Hi: i + m.Len}, m.Value, i+m.Len
		case isVerb && verb.Hi == 0:
			verb, lang, i = parse.Span{Lo: i, Hi: i + v.Len}, v.Lang, i+v.Len
		default:
			return none
		}
	}
	if !stays || verb.Hi == 0 || matter.Hi == 0 || key == language {
		return none
	}
	return p.set(lexicon.Match{Entry: lexicon.Entry{Kind: lexicon.SetVerb, Lang: lang}}, verb, matter, key, parse.Span{Lo: end - site.Len, Hi: end}, site.ID)
}
