package lexicon

import (
	"fmt"
	"slices"
	"strings"
)

// maxStrands bounds the forms of one word, so that a careless template in a language
// file is an error and not a long wait.
const maxStrands = 4096

// A template is a short form of several phrases: "[the] file" for "file" and "the
// file", "(make|create) it" for "make it" and "create it". Brackets nest, and
// may stand inside a word: "when(|ever)".
//
// A weaver reads a template once, from left to right, and adds it to a lexicon
// without listing its phrases: alternatives meet again in one state, so the
// work grows with the template and not with the number of its phrases.
type phraseExpander struct {
	*builder
	rest string // of the template
}

// structure marks the bytes of a template that are not part of a word.
var structure = [256]bool{'|': true, '(': true, ')': true, '[': true, ']': true, ' ': true}

// phrasePath is an unfinished phrase: a state, and the start of the word that leads out
// of it.
type phrasePath struct {
	state int32
	word  string
}

// expandTemplate adds the phrases of a template, which is folded, as entry number e.
func (b *builder) expandTemplate(template string, e int32) error {
	w := phraseExpander{b, template}
	ends, err := w.choice([]phrasePath{{state: start}})
	switch {
	case err != nil:
		return fmt.Errorf("template %q: %w", template, err)
	case w.rest != "":
		return fmt.Errorf("template %q: unmatched %q", template, w.rest[:1])
	}
	for _, s := range ends {
		b.end(s, e)
	}
	b.spare = append(b.spare, ends)
	return nil
}

// choice reads alternatives separated by "|", up to a closing bracket or the end.
// Each continues the strands of in.
func (w *phraseExpander) choice(in []phrasePath) ([]phrasePath, error) {
	var out []phrasePath
	if n := len(w.spare); n > 0 {
		out, w.spare = w.spare[n-1][:0], w.spare[:n-1]
	}
	for {
		var err error
		if out, err = w.sequence(out, in); err != nil {
			return nil, err
		}
		if !strings.HasPrefix(w.rest, "|") {
			return out, nil
		}
		w.rest = w.rest[1:]
	}
}

// sequence reads text and brackets, and appends the strands that continue those of
// in to out.
func (w *phraseExpander) sequence(out, in []phrasePath) ([]phrasePath, error) {
	before := len(out)
	out = append(out, in...)
	for w.rest != "" {
		switch c := w.rest[0]; c {
		case '|', ')', ']':
			return out, nil
		case '(', '[':
			w.rest = w.rest[1:]
			inner, err := w.choice(out[before:])
			if err != nil {
				return nil, err
			}
			closing := ")"
			if c == '[' {
				closing = "]"
			}
			if !strings.HasPrefix(w.rest, closing) {
				return nil, fmt.Errorf("missing %q", closing)
			}
			w.rest = w.rest[1:]
			if c == '(' {
				out = out[:before]
			}
			for _, s := range inner { // a word begun is seldom begun twice; a state is often reached again
				if s.word != "" || !slices.Contains(out[before:], s) {
					out = append(out, s)
				}
			}
			w.spare = append(w.spare, inner)
		case ' ':
			w.rest = strings.TrimLeft(w.rest, " ")
			out = w.space(out, before)
		default:
			n := 1
			for n < len(w.rest) && !structure[w.rest[n]] {
				n++
			}
			for i := before; i < len(out); i++ {
				out[i].word += w.rest[:n]
			}
			w.rest = w.rest[n:]
		}
		if len(out)-before > maxStrands {
			return nil, fmt.Errorf("more than %d forms", maxStrands)
		}
	}
	return out, nil
}

// space ends the words of out[from:] in one new state. A strand without a word
// stays.
func (w *phraseExpander) space(out []phrasePath, from int) []phrasePath {
	done, next := out[:from], int32(start)
	for _, s := range out[from:] {
		if s.word == "" {
			done = append(done, s)
			continue
		}
		if next == start {
			next = w.state(none)
		}
		w.edge(s.state, s.word, next)
	}
	if next != start {
		done = append(done, phrasePath{state: next})
	}
	return done
}
