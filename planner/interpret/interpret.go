// Package interpret reads words and finds the goals in them, or the question
// that has to be answered first. It works by rules alone: no model, no
// network, the same answer for the same words, always.
//
// # How a text is read
//
//  1. Tokens. Quoted spans, URLs, paths and file names become one token each
//     and are never looked into again. Every token keeps its bytes, so that a
//     query or a name is cut from the original text.
//  2. Phrases. One automaton holds everything that is known: the phrases of
//     the language files (lang/*.toml) and the names in the catalogue.
//  3. Clauses. A conjunction or punctuation parts two commands only where its
//     right side begins one; else it belongs to a list or to free text. So
//     "search cats and dogs" is one query and "open a and search b" is two
//     commands.
//  4. Frames. A clause is a search, a visit or launch, a file operation or a
//     question about the system. It counts only if it is understood to its
//     last word.
//  5. Outcome. All clauses understood: the goals. Something understood and
//     something not, a choice left open, a missing name: a question and no
//     goals. Nothing: unsupported. A half-understood text never acts.
//
// Negation is scoped to its clause; self-repair ("no wait, …") replaces what
// stands before it. Spelling is corrected only where a closed set of words can
// stand (verbs, sites, apps), never in a query or a name, and what deletes is
// never guessed.
package interpret

import (
	"fmt"
	"sync"

	"errand/planner/catalogue"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// Limits of one text.
const (
	MaxBytes   = 4096
	MaxClauses = 64
)

// DefaultPlatform is the site of a search if neither the words nor the options name
// one.
const DefaultPlatform = "google"

// Options adapt an [Interpreter] to a user.
type Options struct {
	DefaultPlatform string              // catalogue id of a searchable site; empty: [DefaultPlatform]
	Words           *lexicon.Vocabulary // nil: the embedded language files and the names of the catalogue
}

// Interpreter reads texts. It is immutable and safe for concurrent use.
type Interpreter struct {
	cat     *catalogue.Catalogue
	options Options
	load    func() *lexicon.Vocabulary // called at the first text
}

// New returns an interpreter over the catalogue's names and the embedded
// language files. It fails if the default platform can't be searched.
func New(c *catalogue.Catalogue, o Options) (*Interpreter, error) {
	if o.DefaultPlatform == "" {
		o.DefaultPlatform = DefaultPlatform
	}
	if !c.Searchable(o.DefaultPlatform) {
		return nil, fmt.Errorf("search on %q by default: it is not a searchable site of the catalogue", o.DefaultPlatform)
	}
	i := &Interpreter{cat: c, options: o}
	if o.Words != nil {
		i.load = func() *lexicon.Vocabulary { return o.Words }
		return i, nil
	}
	i.load = sync.OnceValue(func() *lexicon.Vocabulary {
		v, err := lexicon.Default(c)
		if err != nil {
			panic("interpret: embedded language files: " + err.Error()) // the package's tests prove that it can't be
		}
		return v
	})
	return i, nil
}

// explainReason is the text of a reason in a language.
func (i *Interpreter) explainReason(language, key string, args ...any) string {
	m := i.Words().Message(i.Words().PackOf(language), key)
	if len(args) > 0 {
		m = fmt.Sprintf(m, args...)
	}
	return m
}

// Words is the vocabulary of the interpreter. The first call builds it.
func (i *Interpreter) Words() *lexicon.Vocabulary { return i.load() }

// Parse cuts a text into tokens and finds the phrases.
func (i *Interpreter) Parse(text string) *parse.Text {
	return parse.New(i.Words(), i.options.DefaultPlatform, text)
}
