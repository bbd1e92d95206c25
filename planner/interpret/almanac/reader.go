// Package almanac reads questions about the time in other places and about days: "what time is it in
// tokyo", "days until christmas", «какой день недели 5 мая». Its words, places and holidays are in words/.
package almanac

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/moment"
	"errand/planner/plan"
	"errand/planner/wordlist"
)

//go:embed words/*.toml
var files embed.FS

// phrases are the values of phrases by their kind: for places a zone, for holidays a date.
type phrases struct {
	kinds   map[string]map[string]string
	longest int // words of the longest phrase
}

// words reads the files, at the first use.
var words = sync.OnceValue(func() *phrases {
	p := &phrases{kinds: map[string]map[string]string{}}
	add := func(kind, value string, list any) {
		if p.kinds[kind] == nil {
			p.kinds[kind] = map[string]string{}
		}
		for _, template := range list.([]any) {
			for _, phrase := range wordlist.Expand(template.(string)) {
				p.kinds[kind][phrase] = value
				p.longest = max(p.longest, strings.Count(phrase, " ")+1)
			}
		}
	}
	wordlist.Read(files, func(f map[string]any) {
		for kind, value := range f {
			if table, ok := value.(map[string]any); ok {
				for key, list := range table {
					add(kind, key, list)
				}
				continue
			}
			add(kind, "", value)
		}
	})
	return p
})

// longestAt is the number of words of the longest phrase of a kind at the beginning of text.
func (p *phrases) longestAt(text []string, kind string) int {
	for n := min(p.longest, len(text)); n > 0; n-- {
		if _, ok := p.kinds[kind][strings.Join(text[:n], " ")]; ok {
			return n
		}
	}
	return 0
}

// maxWords is the largest number of words of a question.
const maxWords = 20

// Read reads tokens [lo,hi) as one question. It must be that to the last word.
func Read(p *parse.Text, lo, hi int) parse.Clause {
	none := parse.Clause{Lang: lexicon.AnyLang}
	if !parse.HasPhrase(p, lo, hi, lexicon.Dated) {
		return none // most other commands, without the words of this package
	}
	at, _ := p.SkipLead(lo, hi)
	end := hi
	for end > at && (p.Tokens[end-1].Shape == lexicon.MarkShape || p.Tokens[end-1].Shape == lexicon.SymbolShape) {
		end--
	}
	for _, from := range []int{lo, at} { // "show me" may be politeness, or the beginning of the question
		for _, to := range []int{end, p.TrimTail(from, end, true)} {
			if from >= to || to-from > maxWords {
				continue
			}
			text := make([]string, to-from)
			for i, t := range p.Tokens[from:to] {
				text[i] = wordlist.Fold(p.Source[t.Start:t.End])
			}
			g, n, ok := read(text)
			if !ok {
				continue
			}
			verb := parse.Span{Lo: from, Hi: from + n}
			return parse.Clause{
				Lo: lo, Hi: hi, Frame: parse.SystemFrame, Outcome: parse.Understood, Lang: lexicon.AnyLang, Verb: verb, Body: from,
				Drafts: []parse.Draft{{Goal: g, Spans: []parse.SlotSpan{{Slot: "goal_type", Span: verb}, {Slot: "value", Span: parse.Span{Lo: verb.Hi, Hi: to}}}}},
			}
		}
	}
	return none
}

// read reads a question, and returns the number of words of its beginning.
func read(text []string) (g plan.Goal, n int, ok bool) {
	w := words()
	g.GoalType = plan.SystemQuery
	if n = w.longestAt(text, "time_in"); n > 0 {
		rest := text[n:]
		if len(rest) > 1 && w.kinds["places"][strings.Join(rest, " ")] == "" && slices.Contains([]string{"now", "сейчас"}, rest[len(rest)-1]) {
			rest = rest[:len(rest)-1]
		}
		g.Action, g.ObjectType, g.Target, g.Value = plan.ShowTimeAction, plan.ZoneType, "time", w.kinds["places"][strings.Join(rest, " ")]
		return g, n, g.Value != ""
	}
	if n = w.longestAt(text, "days_until"); n > 0 {
		g.Action, g.ObjectType, g.Target = plan.CountAction, plan.DaysType, "days"
		g.Value, ok = w.day(text[n:])
		return g, n, ok
	}
	if n = w.longestAt(text, "weekday_of"); n > 0 {
		rest := text[n:]
		for i := 1; i < len(rest); i++ {
			if _, tail := w.kinds["tail"][strings.Join(rest[i:], " ")]; tail {
				rest = rest[:i]
			}
		}
		g.Action, g.ObjectType, g.Target = plan.FindAction, plan.WeekdayType, "weekday"
		g.Value, ok = w.day(rest)
		return g, n, ok && strings.Contains(g.Value, "-") // "what day is friday" asks for a date
	}
	return g, 0, false
}

// day is the day that words name: "12-25", "2027-03-03", "fri", "tomorrow". It has no time.
func (p *phrases) day(text []string) (string, bool) {
	if date := p.kinds["holidays"][strings.Join(text, " ")]; date != "" {
		return date, true
	}
	when, ok := moment.NewWords(text).Exact()
	return when.Day, ok && when.Day != "" && when.Day != "today" && !when.Repeated && slices.Equal(when.Times, []moment.Clock{moment.Morning})
}
