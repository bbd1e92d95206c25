package suggest

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"errand/planner/catalogue"
	"errand/planner/interpret/lexicon"
)

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
		c.fold[i] = lexicon.Fold(w)
	}
	return c
}

// continuation is what may follow the words that are typed.
type continuation struct {
	rest       string
	id         string // of the entry it names, if any
	isAnchored bool   // the last word typed belongs to a word or a name of the form
	isFreeText bool   // it is one of several words of free text
	isAlias    bool   // it names its entry by an alias
	nth        int    // among the continuations of its form
}

// match lets the parts of a form take the typed words from w on.
func (c *completer) match(parts form, w int, anchored bool) {
	if len(parts) == 0 {
		return // more is typed than the form says
	}
	last := len(c.typed) - 1
	switch p := parts[0]; {
	case p.slot == "":
		c.matchPhrase(p.word, parts[1:], w)
	case p.isClosed():
		id, alias := c.id, c.alias
		names := c.names
		if w == last && c.typed[last] == "" {
			names = c.usualNames(p, c.form)
		}
		for n, name := range names {
			if !c.form.fits(p, name) {
				continue
			}
			c.id, c.alias = name.ID, false
			if w == last && c.typed[last] == "" {
				c.matchPhrase(catalogue.Decline(c.ownName(name), p.in), parts[1:], w)
				continue
			}
			for at, alias := range name.Plain {
				c.alias = at > 0 && n >= len(c.first)
				if c.mayBegin(alias, w) && c.matchPhrase(catalogue.Decline(alias, p.in), parts[1:], w) {
					break
				}
			}
		}
		c.id, c.alias = id, alias
	case w == last && c.typed[last] == "":
		c.emit(c.sample(p.slot), parts[1:], continuation{isAnchored: anchored})
	default:
		for n := w; n < last; n++ {
			c.match(parts[1:], n+1, anchored)
		}
		if c.typed[last] != "" {
			c.emit("", parts[1:], continuation{isFreeText: last > w})
		}
	}
}

// matchPhrase lets a phrase take the typed words from w on, and reports whether it
// began as they do.
func (c *completer) matchPhrase(phrase string, parts form, w int) bool {
	words := strings.Fields(phrase)
	for n, word := range words {
		if w == len(c.typed)-1 {
			rest, ok := remainder(word, c.typed[w])
			if ok {
				before := strings.Join(append([]string{rest}, words[n+1:]...), " ")
				c.emit(before, parts, continuation{isAnchored: c.typed[w] != ""})
			}
			return ok
		}
		if c.fold[w] != lexicon.Fold(word) {
			return false
		}
		w++
	}
	c.match(parts, w, true)
	return true
}

// mayBegin spares most aliases their declension: no case changes the first
// letter.
func (c *completer) mayBegin(alias string, w int) bool {
	typed, _ := utf8.DecodeRuneInString(c.fold[w])
	first, _ := utf8.DecodeRuneInString(alias)
	return c.fold[w] == "" || typed == first
}

// remainder is what is left of word behind the part that is typed.
func remainder(word, typed string) (string, bool) {
	n := utf8.RuneCountInString(typed)
	runes := []rune(word)
	if n > len(runes) || n > 0 && strings.ToLower(string(runes[:n])) != catalogue.Fold(typed) && lexicon.Fold(string(runes[:n])) != lexicon.Fold(typed) {
		return "", false
	}
	return string(runes[n:]), true
}

// emit notes what may follow: the rest of a word, and the parts that are left
// with samples and usual names in their slots.
func (c *completer) emit(rest string, parts form, s continuation) {
	if len(parts) == 0 {
		s.rest, s.id, s.isAlias, s.nth = rest, c.id, c.alias, c.nth
		c.nth++
		c.found = append(c.found, s)
		return
	}
	switch p := parts[0]; {
	case p.slot == "":
		c.emit(rest+" "+p.word, parts[1:], s)
	case p.isClosed():
		before := c.id
		for _, name := range c.usualNames(p, c.form) {
			c.id = name.ID
			c.emit(rest+" "+catalogue.Decline(c.ownName(name), p.in), parts[1:], s)
		}
		c.id = before
	default:
		c.emit(rest+" "+c.sample(p.slot), parts[1:], s)
	}
}

// rank puts first what goes on from a word or a name of a form, then what an
// entry is mostly called, and takes from each form in turn. Where something
// goes on from a name, long free text is left alone: in "search cats on y" the
// last word begins a site.
func (c *completer) rank() []continuation {
	anchored := slices.ContainsFunc(c.found, func(s continuation) bool { return s.isAnchored })
	out := slices.DeleteFunc(c.found, func(s continuation) bool { return anchored && s.isFreeText })
	last := func(yes bool) int {
		if yes {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(out, func(a, b continuation) int {
		return cmp.Or(
			last(!a.isAnchored)-last(!b.isAnchored),
			last(a.isAlias)-last(b.isAlias),
			a.nth-b.nth,
		)
	})
	return out
}
