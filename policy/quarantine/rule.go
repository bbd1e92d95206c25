package quarantine

import "strings"

// rule is one kind of evidence.
type rule struct {
	technique string
	weight    float64
	pattern   *pattern
	// need are words one of which every match has: the rule costs little where
	// none is in the text.
	need []string
	// order says that the match begins with a verb, which has to be an order:
	// not negated, not told of somebody else.
	order bool
	// verb says that the match begins with any word, which must be one that can
	// be a verb.
	verb bool
	// concealedOnly keeps a rule to views of what is not in plain sight.
	concealedOnly bool
	// raw matches the text before folding.
	raw bool
	// with names techniques: the rule counts only in a passage that has
	// evidence of one of them, of weight 2 or more.
	with []string
	// lang keeps a rule with such needs to evidence of its own language, whose
	// words may be words of others.
	lang string
	// contents are literals one of which is in every match; nil: unknown. The
	// book fills it in.
	contents []string
	// unopened keeps a rule on closing tags to those that nothing opened.
	unopened bool
}

// gap allows up to n words between two others, within a sentence.
func gap(n string) string {
	return `(?:[^\pL\pN.!?;"\x60]+[\pL\pN'_-]+){0,` + n + `}?[^\pL\pN.!?;"\x60]+`
}

func alt(classes ...string) string { return `(?:` + strings.Join(classes, "|") + `)` }

// word puts edges around a pattern.
func word(p string) string { return `\b(?:` + p + `)\b` }
