// Package interpret reads text and finds the goals in it, or the question that must be
// answered first. It uses rules only. It has no model and no network access, and the same
// text always gives the same result.
//
// # How a text is read
//
//  1. Tokens. Quoted spans, URLs, paths and file names become one token each
//     and are not parsed further. Every token keeps its position, so that a
//     query or a name is cut from the original text.
//  2. Phrases. One automaton holds the whole vocabulary: the phrases of the
//     language files (lang/*.toml) and the names in the catalogue.
//  3. Clauses. A conjunction or punctuation separates two commands only if its
//     right side starts one. Otherwise it belongs to a list or to free text. So
//     "search cats and dogs" is one query and "open a and search b" is two
//     commands.
//  4. Frames. A clause is a search, a visit or launch, a file operation or a
//     question about the system. It counts only if every word is understood.
//  5. Outcome. If all clauses are understood, the result is their goals. If only
//     some are, or a choice is open, or a name is missing, the result is a
//     question without goals. Otherwise the text is unsupported. A partially
//     understood text never causes an action.
//
// Negation applies to its clause. A self-repair ("no wait, …") replaces the words before
// it. Spelling is corrected only where the set of words is closed (verbs, sites, apps),
// never in a query or a name, and never for verbs of deleting.
package interpret

import (
	"sync"

	"errand/planner/catalogue"
	"errand/planner/installed"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
)

// Limits of one text.
const (
	MaxBytes   = 4096
	MaxClauses = 64
)

// DefaultPlatform is the site of a search if neither the words nor the options name one.
const DefaultPlatform = "google"

// Options adapt an [Interpreter] to a user.
type Options struct {
	DefaultPlatform string                 // catalogue id of a searchable site; empty: [DefaultPlatform]
	TopicSites      map[string]string      // topic, such as "weather" → catalogue id of the searchable site that answers it; none: the default platform
	WakeWords       []string               // names by which the user addresses the program, besides those of the language files
	Apps            installed.Finder       // asked about names that the catalogue doesn't have; nil: there are none
	IsRecipe        func(*parse.Text) bool // reports whether a text runs a recipe of the user, as goals for later may; nil: there are none
	Words           *lexicon.Vocabulary    // nil: the embedded language files and the names of the catalogue
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
		return nil, message.Error("catalogue.default_not_searchable", "site", o.DefaultPlatform)
	}
	for _, site := range o.TopicSites {
		if !c.Searchable(site) {
			return nil, message.Error("catalogue.default_not_searchable", "site", site)
		}
	}
	i := &Interpreter{cat: c, options: o}
	if o.Words != nil {
		i.load = func() *lexicon.Vocabulary { return o.Words.WithWakeWords(o.WakeWords) }
		return i, nil
	}
	i.load = sync.OnceValue(func() *lexicon.Vocabulary {
		v, err := lexicon.Default(c)
		if err != nil {
			panic("interpret: embedded language files: " + err.Error()) // the package's tests load the files
		}
		return v.WithWakeWords(o.WakeWords)
	})
	return i, nil
}

// WithApps returns an interpreter that finds other installed apps.
func (i *Interpreter) WithApps(find installed.Finder) *Interpreter {
	next := *i
	next.options.Apps = find
	return &next
}

// Words returns the vocabulary of the interpreter. The first call builds it.
func (i *Interpreter) Words() *lexicon.Vocabulary { return i.load() }

// Parse splits a text into tokens and finds the phrases.
func (i *Interpreter) Parse(text string) *parse.Text {
	t := parse.New(i.Words(), i.options.DefaultPlatform, text)
	t.Sites, t.Apps = i.options.TopicSites, i.options.Apps
	return t
}
