package tabs

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// maxWords bounds the words that name a control, a field or a tab.
const maxWords = 8

// readNth reads "open the second result", "click the first link", "the third tab".
func (p *Reader) readNth(lo, hi int) (command, bool) {
	end := p.trimPage(lo, hi)
	verb, hasVerb := p.Longest(lo, end, lexicon.NthVerb, lexicon.ClickVerb, lexicon.TabVerb)
	at := p.Skip(lo+verb.Len, end, lexicon.Article, lexicon.Mine, lexicon.Filler)
	nth, from, to := 0, at, at
	if m, ok := p.Longest(at, end, lexicon.Ordinal); ok {
		nth, to = ordinal(m.Value), at+m.Len
	} else if at < end && parse.NthAt(p.Text, at) > 0 {
		nth, to = parse.NthAt(p.Text, at), at+1
	}
	noun, ok := p.Longest(to, end, lexicon.ResultNoun, lexicon.LinkNoun, lexicon.TabNoun)
	if !ok {
		return command{}, false
	}
	if noun.Kind != lexicon.TabNoun && verb.Kind == lexicon.TabVerb {
		return command{}, false // "show the first result" lists it
	}
	rest := to + noun.Len
	if nth == 0 { // "result number three"
		m, named := p.Longest(rest, end, lexicon.NumberNoun)
		n, words := p.numberAt(rest+m.Len, end)
		if words == 0 || !named && noun.Kind != lexicon.TabNoun { // "song 2" is a title
			return command{}, false
		}
		nth, from, to, rest = n, rest, rest+m.Len+words, rest+m.Len+words
	}
	if rest != end || !hasVerb && noun.Kind != lexicon.TabNoun {
		return command{}, false
	}
	c := begin(noun, to, map[lexicon.Kind]string{lexicon.ResultNoun: plan.OpenResult, lexicon.LinkNoun: plan.OpenLink, lexicon.TabNoun: plan.SwitchTab}[noun.Kind])
	c.verb = parse.Span{Lo: lo, Hi: max(lo+verb.Len, lo+1)}
	switch {
	case noun.Kind == lexicon.TabNoun && nth < 0:
		c.goal.Target = "last"
	case noun.Kind == lexicon.TabNoun:
		c.goal.Target = strconv.Itoa(nth)
	case nth < 0:
		c.goal.Value = plan.LastOne
	default:
		c.goal.Limit = nth
	}
	c.slot("limit", from, to)
	return c, true
}

func ordinal(value string) int {
	if value == plan.LastOne {
		return -1
	}
	n, _ := number(value)
	return n
}

// numberAt reads a number at token lo.
func (p *Reader) numberAt(lo, hi int) (n, words int) {
	if m, ok := p.Longest(lo, hi, lexicon.Count); ok {
		n, _ = number(m.Value)
		return n, m.Len
	}
	if lo < hi {
		if n, ok := number(p.Fold(lo)); ok && n > 0 {
			return n, 1
		}
	}
	return 0, 0
}

// readTab reads "close the second tab", "switch to the github tab", "go to the tab with the
// invoice".
func (p *Reader) readTab(lo, hi int) (command, bool) {
	verb, ok := p.Longest(lo, hi, lexicon.TabVerb, lexicon.CloseTabVerb)
	if !ok {
		return command{}, false
	}
	key := plan.SwitchTab
	if verb.Kind == lexicon.CloseTabVerb {
		key = plan.CloseTab
	}
	c := begin(verb, lo, key)
	at := p.Skip(lo+verb.Len, hi, lexicon.Article, lexicon.Mine, lexicon.Filler)
	if noun, ok := p.Longest(at, hi, lexicon.TabNoun); ok && at+noun.Len < hi { // "the tab with the invoice"
		from := p.Skip(at+noun.Len, hi, lexicon.With, lexicon.NameMarker, lexicon.Of, lexicon.NumberNoun, lexicon.Determiner)
		return p.nameTab(c, from, hi)
	}
	noun, ok := p.FindEnding(at, hi, lexicon.TabNoun)
	if _, how := p.FindEnding(at, hi, lexicon.AsPlace); how { // "… in a new tab"
		return command{}, false
	}
	if !ok || hi-noun.Len <= at {
		return command{}, false
	}
	if m, ok := p.Longest(at, hi-noun.Len, lexicon.Ordinal); ok && at+m.Len == hi-noun.Len {
		if c.goal.Target = m.Value; m.Value != plan.LastOne && m.Value == "" {
			return command{}, false
		}
		c.slot("target", at, at+m.Len)
		return c, true
	}
	return p.nameTab(c, at, hi-noun.Len)
}

// nameTab puts the number of a tab or words of its title into a command.
func (p *Reader) nameTab(c command, lo, hi int) (command, bool) {
	if n, words := p.numberAt(lo, hi); words > 0 && lo+words == hi {
		c.goal.Target = strconv.Itoa(n)
	} else if lo >= hi || hi-lo > maxWords || !p.isName(lo, hi) {
		return command{}, false
	} else {
		c.goal.Target = p.Cut(lo, hi)
		if m, ok := p.Longest(lo, hi, lexicon.Site); ok && lo+m.Len == hi {
			c.goal.Target = p.hostOf(m.Value)
		}
	}
	c.slot("target", lo, hi)
	return c, true
}

// hostOf is the host of a site of the catalogue.
func (p *Reader) hostOf(id string) string {
	site, _ := p.Words.Catalogue.Site(id)
	u, err := url.Parse(site.Home)
	if err != nil {
		return id
	}
	return strings.TrimPrefix(u.Hostname(), "www.")
}

// isName reports whether words can be a name: no punctuation stands between them, and they are not
// only small words.
func (p *Reader) isName(lo, hi int) bool {
	if _, site := p.Longest(lo, hi, lexicon.Site); !site && p.IsPhrase(lo, hi, lexicon.App) {
		return false // "the firefox tab"
	}
	if slices.ContainsFunc(p.Tokens[lo:hi], func(t lexicon.Token) bool { return t.Shape == lexicon.MarkShape }) {
		return false
	}
	for i := lo; i < hi; i++ {
		if _, small := p.Longest(i, i+1, lexicon.Determiner, lexicon.Pronoun, lexicon.Nothing, lexicon.Bulk, lexicon.BulkAll, lexicon.Quality, lexicon.Rest); !small {
			return true
		}
	}
	return false
}

// readZoom reads "zoom to 150 percent".
func (p *Reader) readZoom(lo, hi int) (command, bool) {
	verb, ok := p.Longest(lo, hi, lexicon.ZoomTo)
	if !ok {
		return command{}, false
	}
	end := hi
	if m, ok := p.FindEnding(lo+verb.Len, hi, lexicon.Percent); ok {
		end -= m.Len
	}
	at := lo + verb.Len
	if at+1 != end {
		return command{}, false
	}
	word := p.Cut(at, end)
	if n := len(word); n > 1 && word[n-1] == '%' {
		word = word[:n-1]
	}
	n, ok := number(word)
	if !ok || n < 25 || n > 500 {
		return command{}, false
	}
	c := begin(verb, lo, plan.ZoomPage)
	c.goal.Value = strconv.Itoa(n)
	c.slot("value", at, hi)
	return c, true
}

// readKey reads "press enter".
func (p *Reader) readKey(lo, hi int) (command, bool) {
	verb, ok := p.Longest(lo, hi, lexicon.PressVerb, lexicon.ClickVerb)
	at := p.Skip(lo+verb.Len, hi, lexicon.Determiner)
	key, isKey := p.Longest(at, hi, lexicon.KeyName)
	if !ok || !isKey || p.Skip(at+key.Len, hi, lexicon.KeyNoun) != hi {
		return command{}, false
	}
	c := begin(verb, lo, plan.PressKey)
	c.goal.Value = key.Value
	c.slot("value", at, at+key.Len)
	return c, true
}

// readClick reads "click sign in", "press the button save". A verb that means more than clicking
// needs the noun.
func (p *Reader) readClick(lo, hi int) (command, bool) {
	verb, ok := p.Longest(lo, hi, lexicon.ClickVerb, lexicon.PressVerb, lexicon.ChooseVerb)
	if !ok {
		return command{}, false
	}
	end := p.trimPage(lo, hi)
	c := begin(verb, lo, plan.ClickControl)
	at := p.Skip(lo+verb.Len, end, lexicon.Determiner, lexicon.Of)
	noun := false
	if m, ok := p.Longest(at, end, lexicon.ControlNoun, lexicon.LinkNoun); ok && at+m.Len < end {
		at, noun = p.Skip(at+m.Len, end, lexicon.NameMarker, lexicon.With), true
	} else if m, ok := p.FindEnding(at+1, end, lexicon.ControlNoun, lexicon.LinkNoun); ok {
		end, noun = end-m.Len, true
	}
	if verb.Kind != lexicon.ClickVerb && !noun && !p.IsQuoted(at, end) || at >= end || end-at > maxWords || !p.isName(at, end) {
		return command{}, false
	}
	c.goal.Target = p.Cut(at, end)
	c.slot("target", at, end)
	return c, true
}

// readFind reads "find pricing on this page", "search this page for pricing", "scroll to pricing".
func (p *Reader) readFind(lo, hi int) (command, bool) {
	verb, ok := p.Longest(lo, hi, lexicon.FindHere, lexicon.ScrollTo)
	end := hi
	if ok {
		end = p.trimPage(lo, hi)
	} else {
		m, on := p.FindEnding(lo+1, hi, lexicon.OnThisPage)
		if verb, ok = p.Longest(lo, hi, lexicon.FindVerb); !ok || !on {
			return command{}, false
		}
		end = hi - m.Len
	}
	at := p.Skip(lo+verb.Len, end, lexicon.TextNoun, lexicon.WordNoun)
	if at >= end || !p.isName(at, end) {
		return command{}, false
	}
	c := begin(verb, lo, plan.FindOnPage)
	c.goal.Value = p.Cut(at, end)
	c.slot("value", at, end)
	return c, true
}

// readTyping reads "type ann into the name field". What goes into the field for searching is read
// as a search, if a site was opened before.
func (p *Reader) readTyping(lo, hi int) (command, bool) {
	verb, ok := p.Longest(lo, hi, lexicon.TypeVerb)
	if !ok {
		return command{}, false
	}
	end := p.trimPage(lo, hi)
	if m, site := p.FindEnding(lo, end, lexicon.Site); site && p.IsPhrase(end-m.Len-1, end-m.Len, lexicon.On) {
		return command{}, false // "… in the search box on github"
	}
	for i := lo + verb.Len + 1; i < end; i++ {
		into, ok := p.Longest(i, end, lexicon.IntoField)
		if search, _ := p.Longest(i, end, lexicon.Field); !ok || i+search.Len == end {
			continue
		}
		from, to, ok := p.field(i+into.Len, end)
		if !ok || parse.HasPhrase(p.Text, lo+verb.Len+1, i, lexicon.NameMarker) { // "ann as the name"
			continue
		}
		c := begin(verb, lo, plan.TypeText)
		c.goal.Value, c.goal.Target = p.Cut(lo+verb.Len, i), p.Cut(from, to)
		c.slot("value", lo+verb.Len, i)
		c.slot("target", from, to)
		return c, true
	}
	return command{}, false
}

// field reads "name field" and «поле имя». Errand fills no field for a secret: recipes do that.
func (p *Reader) field(lo, hi int) (from, to int, ok bool) {
	if parse.HasPhrase(p.Text, lo, hi, lexicon.SecretField) {
		return 0, 0, false
	}
	if m, ok := p.FindEnding(lo+1, hi, lexicon.FieldWord); ok {
		return lo, hi - m.Len, hi-m.Len-lo <= maxWords && p.isName(lo, hi-m.Len)
	}
	if m, ok := p.Longest(lo, hi, lexicon.FieldWord, lexicon.FieldFirst); ok {
		at := lo + m.Len
		if marker, ok := p.Longest(at, hi, lexicon.NameMarker, lexicon.For); ok && at+marker.Len < hi { // only one: "called name"
			at += marker.Len
		}
		if at == lo+m.Len && !p.IsPhrase(lo, at, lexicon.FieldFirst) {
			return 0, 0, false
		}
		return at, hi, at < hi && hi-at <= maxWords && p.isName(at, hi)
	}
	return 0, 0, false
}
