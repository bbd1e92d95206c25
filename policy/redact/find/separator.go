package find

import (
	"strings"
	"sync"

	"errand/policy/rulefile"
)

// pairRules are the patterns of rules/pairs.toml, which explains them.
type pairRules struct {
	Separator, Option, Telling, Spoken, Addressed, Qualified, Becoming *rulefile.Pattern
	NamedValue                                                         *rulefile.Pattern `toml:"named_value"`
	NamedElement                                                       *rulefile.Pattern `toml:"named_element"`
	ElementName                                                        *rulefile.Pattern `toml:"element_name"`
	Blanks, Block, List, Quoted, Quote                                 *rulefile.Pattern
	End, Query                                                         *rulefile.Pattern
	EndQuery                                                           *rulefile.Pattern `toml:"end_query"`
	EndEscaped                                                         *rulefile.Pattern `toml:"end_escaped"`
	EscapedBlanks                                                      *rulefile.Pattern `toml:"escaped_blanks"`
	Equals, Colons                                                     rulefile.Words
	Fragments                                                          map[string]string
}

var pairs = sync.OnceValue(func() *pairRules {
	r := new(pairRules)
	rulefile.Read(files, "rules/pairs.toml", r)
	for _, p := range []*rulefile.Pattern{
		r.Separator, r.Option, r.Telling, r.Spoken, r.Addressed, r.Qualified, r.Becoming, r.NamedValue, r.NamedElement, r.Blanks, r.EscapedBlanks, r.Block, r.List, r.Quoted, r.Quote,
	} {
		p.Source = `\A(?:` + strings.ReplaceAll(p.Source, "QUOTE", r.Fragments["QUOTE"]) + `)`
	}
	r.ElementName.Source = strings.ReplaceAll(r.ElementName.Source, "QUOTE", r.Fragments["QUOTE"])
	r.EndQuery.Source += "|" + r.End.Source
	r.EndEscaped.Source += "|" + r.End.Source
	return r
})

// separator is the text between a name and its value.
type separator struct {
	end     int
	kind    byte // ':' '=' '>' ' ', '[' before a list, 'i' in a sentence
	spaced  bool // followed by blanks: YAML and prose
	query   bool // the name follows ? or &
	escaped bool // the separator was percent-encoded
}

// isFlag reports whether the name at start is a command-line option.
func (p *pairReader) isFlag(start int) bool {
	from := isName.startOfRun(p.Text, start, 64)
	return p.Text[from] == '-' && (from == 0 || isSpace[p.Text[from-1]] || strings.IndexByte("\"'`[", p.Text[from-1]) >= 0)
}

// readSeparator reads the separator after a name that ends at text[i].
func (p *pairReader) readSeparator(i int, flag bool) (separator, bool) {
	t := p.Text
	name := isName.startOfRun(t, i, 64)
	sep := separator{query: pairs().Query.Match(t[max(0, name-6):name])}
	if flag {
		if at, ok := p.match(pairs().Option, i); ok {
			return separator{end: at, kind: ' '}, true
		}
	}
	element := name > 0 && (t[name-1] == '<' || t[name-1] == ':')
	if n := strings.IndexAny(t[i:min(len(t), i+matchReach)], "<>"); element && n > 0 && t[i+n] == '>' && isSpace[t[i]] {
		sep.kind, sep.end = '>', i+n+1 // attributes
		p.skipLayout(&sep, false)
		return sep, true
	}
	m := pairs().Separator.Get().FindStringSubmatchIndex(t[i:min(len(t), i+matchReach)])
	if m == nil {
		return sep, false
	}
	sign := strings.ToLower(t[i+m[2] : i+m[1]])
	quoted := m[2] > 0 && t[i] != ' ' && t[i] != '\t' && t[i] != ']' && t[i] != ')'
	i += m[1]
	switch {
	case pairs().Equals[sign]:
		sep.kind = '='
	case pairs().Colons[sign]:
		sep.kind = ':'
	case sign == ">" && element, strings.HasPrefix(sign, "</"):
		sep.kind = '>'
	default:
		return sep, false
	}
	sep.escaped = sign[0] == '%'
	blanks := pairs().Blanks
	if sep.escaped {
		blanks = pairs().EscapedBlanks
	}
	for sep.end = i; sep.end < len(t); {
		at, _ := p.match(blanks, sep.end)
		if at == sep.end {
			break
		}
		sep.end = at
	}
	sep.spaced = sep.end > i
	p.skipLayout(&sep, quoted)
	return sep, true
}

// skipLayout moves on to a value on another line or in a list. quoted means that the
// name was in quotes.
func (p *pairReader) skipLayout(sep *separator, quoted bool) {
	if sep.end == len(p.Text) {
		return
	}
	switch c := p.Text[sep.end]; {
	case sep.kind == '>' && isSpace[c]:
		sep.end = isSpace.upTo(p.Text, sep.end, matchReach)
	case quoted && isSpace[c]:
		at := isSpace.upTo(p.Text, sep.end, maxRun)
		if _, ok := p.match(pairs().Quote, at); ok {
			sep.end = at
		}
	case sep.kind == ':' && (c == '|' || c == '>'):
		if at, ok := p.match(pairs().Block, sep.end); ok {
			sep.end = at
		}
	case c == '[' && sep.kind != '>':
		if at, ok := p.match(pairs().List, sep.end); ok {
			sep.kind, sep.end = '[', at
		}
	}
}
