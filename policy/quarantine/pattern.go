package quarantine

import (
	"regexp/syntax"
	"strings"
)

// outline is the tree of a pattern for what is asked of it here: which of the
// letters a class holds doesn't matter, and the tables of all letters are slow
// to build.
func outline(source string) *syntax.Regexp {
	tree, err := syntax.Parse(strings.NewReplacer(`\pL`, `\w`, `\pN`, `\d`, `\pM`, `\d`).Replace(source), syntax.Perl)
	if err != nil {
		return nil
	}
	return tree
}

// beginnings are literals one of which begins every match of a pattern; nil
// where they can't be told. Edges of words don't count.
func beginnings(tree *syntax.Regexp) []string {
	if tree == nil {
		return nil
	}
	lits, whole := leading(tree)
	if whole {
		return nil // it may match nothing at all
	}
	return lits
}

// leading lists the literals that t can begin with, and whether it can match
// the empty text, so that what follows it may begin the match instead. No
// literals mean that they can't be told.
func leading(t *syntax.Regexp) (lits []string, empty bool) {
	switch t.Op {
	case syntax.OpLiteral:
		return []string{string(t.Rune)}, false
	case syntax.OpWordBoundary, syntax.OpEmptyMatch:
		return nil, true
	case syntax.OpCapture:
		return leading(t.Sub[0])
	case syntax.OpQuest, syntax.OpStar:
		lits, _ := leading(t.Sub[0])
		return lits, lits != nil
	case syntax.OpPlus:
		return leading(t.Sub[0])
	case syntax.OpRepeat:
		lits, empty := leading(t.Sub[0])
		return lits, lits != nil && (empty || t.Min == 0)
	case syntax.OpConcat:
		for _, s := range t.Sub {
			more, skip := leading(s)
			if more == nil && !skip {
				return nil, false
			}
			lits = append(lits, more...)
			if !skip {
				return lits, false
			}
		}
		return lits, true
	case syntax.OpAlternate:
		for _, s := range t.Sub {
			more, skip := leading(s)
			if more == nil && !skip {
				return nil, false
			}
			lits, empty = append(lits, more...), empty || skip
		}
		return lits, empty
	case syntax.OpCharClass:
		for i := 0; i+1 < len(t.Rune); i += 2 {
			if t.Rune[i+1]-t.Rune[i] > 8 {
				return nil, false
			}
			for r := t.Rune[i]; r <= t.Rune[i+1]; r++ {
				lits = append(lits, string(r))
			}
		}
	}
	return lits, false
}

// contents are literals one of which is in every match of a pattern, the last
// such set in it; nil where there is none.
func contents(tree *syntax.Regexp) []string {
	if tree == nil {
		return nil
	}
	return inside(tree)
}

func inside(t *syntax.Regexp) []string {
	switch t.Op {
	case syntax.OpLiteral:
		if s := string(t.Rune); len(s) >= 3 {
			return []string{s}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return inside(t.Sub[0])
	case syntax.OpRepeat:
		if t.Min > 0 {
			return inside(t.Sub[0])
		}
	case syntax.OpConcat:
		for i := len(t.Sub) - 1; i >= 0; i-- {
			if lits := inside(t.Sub[i]); lits != nil {
				return lits
			}
		}
	case syntax.OpAlternate:
		var all []string
		for _, s := range t.Sub {
			lits := inside(s)
			if lits == nil {
				return nil
			}
			all = append(all, lits...)
		}
		return all
	}
	return nil
}
