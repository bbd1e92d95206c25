package interpret

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"errand/planner/catalogue"
	"errand/planner/plan"
)

const (
	maxTyped   = 40  // words: who has typed more needs no help
	maxTries   = 300 // candidates read for one answer
	maxDropped = 8   // words passed over before the goal that is being typed
	maxUsual   = 4   // names offered where no letter of one is typed
)

// Complete offers whole goals that begin as prefix does, best first, at most
// limit of them. Each one begins with the bytes of prefix (less the space
// before it) and is understood: [Interpreter.Read] says OK. What is offered
// depends on prefix and language alone; language counts only where the words
// don't tell it.
//
// A goal may stand behind others ("open github and o") or behind politeness:
// words are passed over until one of the forms goes on from the rest, and the
// whole is read. Verbs that no form has are followed by a name at least.
func (i *Interpreter) Complete(prefix, lang string, limit int) []string {
	prefix = strings.TrimLeftFunc(prefix, unicode.IsSpace)
	if limit <= 0 || len(prefix) > MaxBytes || !utf8.ValidString(prefix) {
		return nil
	}
	l := i.speaks(prefix, lang)
	typed := strings.Fields(prefix)
	if end, _ := utf8.DecodeLastRuneInString(prefix); prefix == "" || unicode.IsSpace(end) {
		typed = append(typed, "")
	}
	if len(typed) > maxTyped {
		return nil
	}
	found := chosen{in: i, limit: limit, spare: strings.Join(typed, "") == ""}
	for from := 0; from < len(typed) && from <= maxDropped && len(found.texts) == 0; from++ {
		c := newCompleter(l, typed[from:])
		for _, f := range l.goals {
			c.form, c.nth = f, 0
			c.walk(f, 0, false)
		}
		for _, s := range c.ranked() {
			found.add(prefix+s.rest, s.id)
		}
	}
	if len(found.texts) == 0 {
		i.completeName(&found, l, prefix, typed)
	}
	if typed[len(typed)-1] != "" {
		found.add(prefix, "")
	}
	return found.texts
}

// speaks is the language of a text: that of its script and phrases, and the
// person's own where the words tell no other.
func (i *Interpreter) speaks(text, lang string) *language {
	p := i.parse(text)
	if told := i.language(p); told != "" {
		one, own := i.packOf(told), i.packOf(lang)
		all := i.words().packs
		if all[own].Language != lang || all[own].Cyrillic != all[one].Cyrillic || p.knownTo(own) < p.knownTo(one) {
			lang = told
		}
	}
	s := i.speech()
	for n := range s.languages {
		if s.languages[n].pack.Language == lang {
			return &s.languages[n]
		}
	}
	return &s.languages[0]
}

// completer follows forms along the words that are typed. The last word is
// unfinished; it is empty after a space.
type completer struct {
	*language
	typed []string
	fold  []string // the same as phrases are compared
	form  form
	nth   int    // of the form's continuations
	id    string // of the entry that a closed slot took
	alias bool   // by a name that is not its first
	found []continuation
}

func newCompleter(l *language, typed []string) *completer {
	c := &completer{language: l, typed: typed, fold: make([]string, len(typed))}
	for i, w := range typed {
		c.fold[i] = fold(w)
	}
	return c
}

// continuation is what may follow the words that are typed.
type continuation struct {
	rest     string
	id       string // of the entry it names, if any
	anchored bool   // the last word typed belongs to a word or a name of the form
	loose    bool   // it is one of several words of free text
	alias    bool   // it names its entry by an alias
	nth      int    // among the continuations of its form
}

// walk lets the parts of a form take the typed words from w on.
func (c *completer) walk(parts form, w int, anchored bool) {
	if len(parts) == 0 {
		return // more is typed than the form says
	}
	last := len(c.typed) - 1
	switch p := parts[0]; {
	case p.slot == "":
		c.say(p.word, parts[1:], w)
	case p.closed():
		id, alias := c.id, c.alias
		names := c.names
		if w == last && c.typed[last] == "" {
			names = c.usual(p, c.form)
		}
		for n, name := range names {
			if !c.form.fits(p, name) {
				continue
			}
			c.id, c.alias = name.ID, false
			if w == last && c.typed[last] == "" {
				c.say(catalogue.Decline(c.own(name), p.in), parts[1:], w)
				continue
			}
			for at, alias := range name.Plain {
				c.alias = at > 0 && n >= len(c.first)
				if c.mayBegin(alias, w) && c.say(catalogue.Decline(alias, p.in), parts[1:], w) {
					break
				}
			}
		}
		c.id, c.alias = id, alias
	case w == last && c.typed[last] == "":
		c.emit(c.sample(p.slot), parts[1:], continuation{anchored: anchored})
	default:
		for n := w; n < last; n++ {
			c.walk(parts[1:], n+1, anchored)
		}
		if c.typed[last] != "" {
			c.emit("", parts[1:], continuation{loose: last > w})
		}
	}
}

// say lets a phrase take the typed words from w on, and reports whether it
// began as they do.
func (c *completer) say(phrase string, parts form, w int) bool {
	words := strings.Fields(phrase)
	for n, word := range words {
		if w == len(c.typed)-1 {
			rest, ok := after(word, c.typed[w])
			if ok {
				before := strings.Join(append([]string{rest}, words[n+1:]...), " ")
				c.emit(before, parts, continuation{anchored: c.typed[w] != ""})
			}
			return ok
		}
		if c.fold[w] != fold(word) {
			return false
		}
		w++
	}
	c.walk(parts, w, true)
	return true
}

// mayBegin spares most aliases their declension: no case changes the first
// letter.
func (c *completer) mayBegin(alias string, w int) bool {
	typed, _ := utf8.DecodeRuneInString(c.fold[w])
	first, _ := utf8.DecodeRuneInString(alias)
	return c.fold[w] == "" || typed == first
}

// after is what is left of word behind the part that is typed.
func after(word, typed string) (string, bool) {
	n := utf8.RuneCountInString(typed)
	runes := []rune(word)
	if n > len(runes) || n > 0 && strings.ToLower(string(runes[:n])) != catalogue.Fold(typed) && fold(string(runes[:n])) != fold(typed) {
		return "", false
	}
	return string(runes[n:]), true
}

// emit notes what may follow: the rest of a word, and the parts that are left
// with samples and usual names in their slots.
func (c *completer) emit(rest string, parts form, s continuation) {
	if len(parts) == 0 {
		s.rest, s.id, s.alias, s.nth = rest, c.id, c.alias, c.nth
		c.nth++
		c.found = append(c.found, s)
		return
	}
	switch p := parts[0]; {
	case p.slot == "":
		c.emit(rest+" "+p.word, parts[1:], s)
	case p.closed():
		before := c.id
		for _, name := range c.usual(p, c.form) {
			c.id = name.ID
			c.emit(rest+" "+catalogue.Decline(c.own(name), p.in), parts[1:], s)
		}
		c.id = before
	default:
		c.emit(rest+" "+c.sample(p.slot), parts[1:], s)
	}
}

// ranked puts first what goes on from a word or a name of a form, then what an
// entry is mostly called, and takes from each form in turn. Where something
// goes on from a name, long free text is left alone: in "search cats on y" the
// last word begins a site.
func (c *completer) ranked() []continuation {
	anchored := slices.ContainsFunc(c.found, func(s continuation) bool { return s.anchored })
	out := slices.DeleteFunc(c.found, func(s continuation) bool { return anchored && s.loose })
	last := func(yes bool) int {
		if yes {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(out, func(a, b continuation) int {
		return cmp.Or(
			last(!a.anchored)-last(!b.anchored),
			last(a.alias)-last(b.alias),
			a.nth-b.nth,
		)
	})
	return out
}

// completeName finishes a name behind words that the interpreter knows and no
// form has: "fire up sp".
func (i *Interpreter) completeName(found *chosen, l *language, prefix string, typed []string) {
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
						c.say(catalogue.Decline(alias, in), nil, 0)
					}
				}
				for _, s := range c.found {
					if goals := i.Read(prefix + s.rest).Goals.Goals; len(goals) > 0 && (goals[len(goals)-1].GoalType == plan.BrowserSearch) == (in == catalogue.Prepositional) {
						found.add(prefix+s.rest, name.ID)
						break
					}
				}
				c.found = nil
			}
		}
	}
}

// chosen are the candidates that are understood.
type chosen struct {
	in    *Interpreter
	limit int
	spare bool // nothing is typed yet: whoever wants to delete has to say so
	tried int
	texts []string
}

// add keeps a text that is understood and, if it names an entry, is about it.
func (c *chosen) add(text, id string) {
	if len(c.texts) >= c.limit || c.tried >= maxTries || slices.Contains(c.texts, text) {
		return
	}
	c.tried++
	r := c.in.Read(text)
	about := id == "" || slices.ContainsFunc(r.Goals.Goals, func(g plan.Goal) bool { return g.Platform == id || g.Target == id })
	deletes := slices.ContainsFunc(r.Goals.Goals, func(g plan.Goal) bool { return g.Action == "delete" })
	if r.Status == OK && about && !(c.spare && deletes) {
		c.texts = append(c.texts, text)
	}
}
