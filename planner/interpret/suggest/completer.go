package suggest

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"errand/planner/catalogue"
	"errand/planner/interpret/lexicon"
)

// completer matches forms with the typed words. The last word is unfinished; it is
// empty after a space.
type completer struct {
	*language
	words         []string
	fold          []string // the same as phrases are compared
	form          form
	nth           int    // of the form's continuations
	id            string // of the entry that a closed slot took
	alias         bool   // by a name that is not its first
	continuations []continuation
}

func newCompleter(l *language, typed []string) *completer {
	c := &completer{language: l, words: typed, fold: make([]string, len(typed))}
	for i, w := range typed {
		c.fold[i] = lexicon.Fold(w)
	}
	return c
}

// continuation is a text that may follow the typed words.
type continuation struct {
	rest       string
	id         string // of the entry it names, if any
	isAnchored bool   // the last word typed belongs to a word or a name of the form
	isFreeText bool   // it is one of several words of free text
	isAlias    bool   // it names its entry by an alias
	nth        int    // among the continuations of its form
}

// match matches the parts of a form with the typed words from w on.
func (c *completer) match(parts form, w int, anchored bool) {
	if len(parts) == 0 {
		return // more is typed than the form says
	}
	last := len(c.words) - 1
	switch p := parts[0]; {
	case p.slot == "":
		c.matchPhrase(p.word, parts[1:], w)
	case p.isClosed():
		id, alias := c.id, c.alias
		names := c.names
		if w == last && c.words[last] == "" {
			names = c.usualNames(p, c.form)
		}
		for n, name := range names {
			if !c.form.fits(p, name) {
				continue
			}
			c.id, c.alias = name.ID, false
			if w == last && c.words[last] == "" {
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
	case w == last && c.words[last] == "":
		c.emit(c.sample(p.slot), parts[1:], continuation{isAnchored: anchored})
	default:
		for n := w; n < last; n++ {
			c.match(parts[1:], n+1, anchored)
		}
		if c.words[last] != "" {
			c.emit("", parts[1:], continuation{isFreeText: last > w})
		}
	}
}

// matchPhrase matches a phrase with the typed words from w on and reports whether
// they agree.
func (c *completer) matchPhrase(phrase string, parts form, w int) bool {
	words := strings.Fields(phrase)
	for n, word := range words {
		if w == len(c.words)-1 {
			rest, ok := remainder(word, c.words[w])
			if ok {
				before := strings.Join(append([]string{rest}, words[n+1:]...), " ")
				c.emit(before, parts, continuation{isAnchored: c.words[w] != ""})
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

// mayBegin reports whether an alias starts with the typed letter. It spares most
// aliases their declension, which never changes the first letter.
func (c *completer) mayBegin(alias string, w int) bool {
	typed, _ := utf8.DecodeRuneInString(c.fold[w])
	first, _ := utf8.DecodeRuneInString(alias)
	return c.fold[w] == "" || typed == first
}

// remainder is the part of word after the typed letters.
func remainder(word, typed string) (string, bool) {
	n := utf8.RuneCountInString(typed)
	runes := []rune(word)
	if n > len(runes) || n > 0 && strings.ToLower(string(runes[:n])) != catalogue.Fold(typed) && lexicon.Fold(string(runes[:n])) != lexicon.Fold(typed) {
		return "", false
	}
	return string(runes[n:]), true
}

// emit records a continuation: the rest of a word, and the remaining parts with
// samples and usual names in their slots.
func (c *completer) emit(rest string, parts form, s continuation) {
	if len(parts) == 0 {
		s.rest, s.id, s.isAlias, s.nth = rest, c.id, c.alias, c.nth
		c.nth++
		c.continuations = append(c.continuations, s)
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

// rank sorts the continuations: first those of a word or name of a form, then those
// by an entry's main name, one from each form in turn. If a name can be continued it
// drops long free text: in "search cats on y" the last word starts a site.
func (c *completer) rank() []continuation {
	anchored := slices.ContainsFunc(c.continuations, func(s continuation) bool { return s.isAnchored })
	out := slices.DeleteFunc(c.continuations, func(s continuation) bool { return anchored && s.isFreeText })
	last := func(match bool) int {
		if match {
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
