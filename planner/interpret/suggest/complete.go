package suggest

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"errand/planner/catalogue"
	"errand/planner/interpret"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/web"
	"errand/planner/plan"
)

const (
	maxTyped   = 40  // words: users who typed more need no help
	maxTries   = 300 // candidates read for one completion
	maxDropped = 8   // words skipped before the unfinished goal
	maxUsual   = 4   // names offered if no letter of a name is typed
)

// Complete offers whole goals that start with prefix, best first, at most limit of
// them. Each one starts with the bytes of prefix (less the space before it), and
// [interpret.Interpreter.Read] understands it. The result depends on prefix and
// language alone; lang counts only if the words don't tell the language.
//
// A goal may follow other goals ("open github and o") or politeness: Complete skips
// words until one of the forms continues the rest, and reads the whole. After a verb
// that no form has it offers names.
func (s *Suggester) Complete(prefix, lang string, limit int) []string {
	prefix = strings.TrimLeftFunc(prefix, unicode.IsSpace)
	if limit <= 0 || len(prefix) > interpret.MaxBytes || !utf8.ValidString(prefix) {
		return nil
	}
	l := s.detectLanguage(prefix, lang)
	typed := strings.Fields(prefix)
	if end, _ := utf8.DecodeLastRuneInString(prefix); prefix == "" || unicode.IsSpace(end) {
		typed = append(typed, "")
	}
	if len(typed) > maxTyped {
		return nil
	}
	found := candidates{in: s.in, limit: limit, skipDeletes: strings.Join(typed, "") == ""}
	placed := false // the typed words say where to search
	for from := 0; from < len(typed) && from <= maxDropped && len(found.texts) == 0 && !placed; from++ {
		c := newCompleter(l, typed[from:])
		for _, f := range l.goals {
			c.form, c.nth = f, 0
			c.match(f, 0, false)
		}
		for _, next := range c.rank() {
			if s.namesPlaceTwice(prefix + next.rest) {
				placed = true
				continue
			}
			found.keep(prefix+next.rest, next.id)
		}
	}
	if len(found.texts) == 0 && !placed {
		s.completeName(&found, l, prefix, typed)
	}
	if typed[len(typed)-1] != "" {
		found.keep(prefix, "")
	}
	return found.texts
}

// detectLanguage is the language of a text by its script and phrases, or lang if the
// words don't tell.
func (s *Suggester) detectLanguage(text, lang string) *language {
	p := s.in.Parse(text)
	if detected := p.DetectLanguage(); detected != "" {
		one, own := p.Words.PackOf(detected), p.Words.PackOf(lang)
		all := p.Words.Packs
		if all[own].Language != lang || all[own].Alphabet() != all[one].Alphabet() || p.CountKnown(own) < p.CountKnown(one) {
			lang = detected
		}
	}
	all := s.speech().languages
	for n := range all {
		if all[n].pack.Language == lang {
			return &all[n]
		}
	}
	return &all[0]
}

// completeName completes a name after words that the interpreter knows and no form
// has: "fire up sp".
func (s *Suggester) completeName(found *candidates, l *language, prefix string, typed []string) {
	for k := min(3, len(typed)-1); k >= 1; k-- {
		names := l.names
		if k == 1 && typed[len(typed)-1] == "" {
			names = l.first
		}
		for _, name := range names {
			c := newCompleter(l, typed[len(typed)-k:])
			c.id = name.ID
			for _, in := range []catalogue.Case{catalogue.Prepositional, catalogue.Accusative} {
				for _, alias := range name.Plain {
					if c.mayBegin(alias, 0) {
						c.matchPhrase(catalogue.Decline(alias, in), nil, 0)
					}
				}
				for _, next := range c.continuations {
					if goals := s.in.Read(prefix + next.rest).Goals.Goals; len(goals) > 0 && (goals[len(goals)-1].GoalType == plan.BrowserSearch) == (in == catalogue.Prepositional) {
						found.keep(prefix+next.rest, name.ID)
						break
					}
				}
				c.continuations = nil
			}
		}
	}
}

// candidates are the texts to offer: those that are understood.
type candidates struct {
	in          *interpret.Interpreter
	limit       int
	skipDeletes bool // nothing is typed yet, so that no deletion is offered
	attempts    int
	texts       []string
}

// hasUserInfo reports whether a text holds an address with a user name and perhaps a
// password. Such a text is never offered.
func hasUserInfo(text string) bool {
	for word := range strings.FieldsSeq(text) {
		before, host, at := strings.Cut(word, "@")
		if at && host != "" && strings.Contains(before, ":") && !strings.HasPrefix(strings.ToLower(before), "mailto:") {
			return true
		}
	}
	return false
}

// namesPlaceTwice reports whether a text names a site twice, so that the query keeps
// one of them: "search wikipedia for cats on wikipedia".
func (s *Suggester) namesPlaceTwice(text string) bool {
	return slices.ContainsFunc(s.in.Read(text).Goals.Goals, func(g plan.Goal) bool {
		if g.GoalType != plan.BrowserSearch || g.Platform == "" {
			return false
		}
		p := &web.Reader{Text: s.in.Parse(g.Query)}
		hi := len(p.Tokens)
		_, _, last := p.TrailingSite(0, hi)
		on, isOn := p.Longest(0, hi, lexicon.On)
		where, first := p.SiteAt(on.Len, hi, false)
		_, about := p.Longest(on.Len+where.Len, hi, lexicon.For)
		return last || first && (isOn || about)
	})
}

// keep adds a text if it is understood and, if id is set, its goal is about that
// entry.
func (c *candidates) keep(text, id string) {
	if len(c.texts) >= c.limit || c.attempts >= maxTries || slices.Contains(c.texts, text) || hasUserInfo(text) {
		return
	}
	c.attempts++
	r := c.in.Read(text)
	about := id == "" || slices.ContainsFunc(r.Goals.Goals, func(g plan.Goal) bool { return g.Platform == id || g.Target == id })
	deletes := slices.ContainsFunc(r.Goals.Goals, func(g plan.Goal) bool { return g.Action == "delete" })
	if r.Status == interpret.OK && about && !(c.skipDeletes && deletes) {
		c.texts = append(c.texts, text)
	}
}
