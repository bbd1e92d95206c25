package quarantine

import (
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// parse returns the tree of a pattern, to find its literals. It replaces the classes of
// all letters, which are slow to build and contain no literals.
func parse(source string) *syntax.Regexp {
	tree, err := syntax.Parse(strings.NewReplacer(`\pL`, `\w`, `\pN`, `\d`, `\pM`, `\d`).Replace(source), syntax.Perl)
	if err != nil {
		panic("quarantine: rule " + source + ": " + err.Error())
	}
	return tree
}

// prefix is a possible beginning of a match. If it is exact, the match continues with
// the next part of the pattern.
type prefix struct {
	text  string
	exact bool
}

// firstWords returns literals, one of which begins every match of a pattern at the edge
// of a word; nil if they aren't known.
func firstWords(tree *syntax.Regexp) []string {
	var out []string
	for _, p := range prefixes(tree) {
		first, _ := utf8.DecodeRuneInString(p.text)
		if len(p.text) < 2 || !unicode.IsLetter(first) && !unicode.IsDigit(first) {
			return nil
		}
		out = append(out, p.text)
	}
	return out
}

// prefixes returns the possible beginnings of the matches of t; nil if they aren't
// known.
func prefixes(t *syntax.Regexp) []prefix {
	switch t.Op {
	case syntax.OpLiteral:
		return []prefix{{string(t.Rune), true}}
	case syntax.OpWordBoundary, syntax.OpEmptyMatch:
		return []prefix{{"", true}}
	case syntax.OpCapture:
		return prefixes(t.Sub[0])
	case syntax.OpQuest, syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		out := prefixes(t.Sub[0])
		for i := range out {
			out[i].exact = out[i].exact && t.Op == syntax.OpQuest
		}
		if out == nil || t.Op == syntax.OpPlus || t.Op == syntax.OpRepeat && t.Min > 0 {
			return out
		}
		return append(out, prefix{"", true})
	case syntax.OpConcat:
		return concatenate(t.Sub)
	case syntax.OpAlternate:
		return unite(t.Sub, prefixes)
	case syntax.OpCharClass:
		var out []prefix
		for i := 0; i+1 < len(t.Rune); i += 2 {
			if t.Rune[i+1]-t.Rune[i] > 8 {
				return nil
			}
			for r := t.Rune[i]; r <= t.Rune[i+1]; r++ {
				out = append(out, prefix{string(r), true})
			}
		}
		return out
	}
	return nil
}

// concatenate returns the prefixes of consecutive parts, as long as they are short and
// few.
func concatenate(parts []*syntax.Regexp) []prefix {
	const long, many = 5, 64
	out := []prefix{{"", true}}
	for _, part := range parts {
		more := prefixes(part)
		var next []prefix
		for _, p := range out {
			switch {
			case p.exact && p.text == "" && more == nil:
				return nil
			case !p.exact || len(p.text) >= long || more == nil || p.text != "" && len(out)*len(more) > many:
				next = append(next, prefix{p.text, false})
			default:
				for _, m := range more {
					next = append(next, prefix{p.text + m.text, m.exact})
				}
			}
		}
		out = next
	}
	return out
}

// content returns literals, one of which is in every match of t: the last such set in
// it. It returns nil if there is none.
func content(t *syntax.Regexp) []string {
	switch t.Op {
	case syntax.OpLiteral:
		if s := string(t.Rune); len(s) >= 3 {
			return []string{s}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return content(t.Sub[0])
	case syntax.OpRepeat:
		if t.Min > 0 {
			return content(t.Sub[0])
		}
	case syntax.OpConcat:
		for i := len(t.Sub) - 1; i >= 0; i-- {
			if literals := content(t.Sub[i]); literals != nil {
				return literals
			}
		}
	case syntax.OpAlternate:
		return unite(t.Sub, content)
	}
	return nil
}

// unite joins the results of a function for all alternatives. It returns nil if one of
// the results is nil.
func unite[T any](alternatives []*syntax.Regexp, of func(*syntax.Regexp) []T) []T {
	var all []T
	for _, a := range alternatives {
		more := of(a)
		if more == nil {
			return nil
		}
		all = append(all, more...)
	}
	return all
}
