package parse

import (
	"errand/planner/interpret/lexicon"
)

// Action of the verb.
func (c *Clause) Action() string {
	if lexicon.HasKind(lexicon.DeleteVerbs, c.VerbKind) {
		return "delete"
	}
	return "create"
}

// Commander reads tokens [lo,hi) as one command of any kind. With gerund a verb
// may be a gerund: "avoid opening".
type Commander interface {
	Command(lo, hi int, IsGerund bool) Clause
}

// frame is the kind of command that a clause is.
type frame uint8

const (
	NoFrame frame = iota
	SearchFrame
	OpenFrame
	FileFrame
	SystemFrame
	PageFrame
	FrameCount
)

// outcome is what became of a clause.
type outcome uint8

const (
	Unknown    outcome = iota // no command that can be carried out
	Understood                // understood to the last word
	Asks                      // a command that needs an answer
	Polite                    // only politeness
	Cancels                   // takes back what was said before
)

// Clause is one command as read so far.
type Clause struct {
	Lo, Hi        int // tokens
	Frame         frame
	Outcome       outcome
	Negated       bool
	JoinedByAnd   bool // by "and" to the clause before, whose negation it shares
	FreeText      bool // its slot is free text, which may hold anything
	UnknownAction bool // a deed outside the five kinds
	Drafts        []Draft
	Ask           Question
	Reason        string // key of the language's messages: why it is not understood

	Verb         Span
	VerbKind     lexicon.Kind
	Lang         uint8
	Body         int    // first token after the verb
	NamesSite    bool   // search: the words name a site
	SiteFirst    bool   // search: the site is named before the query
	SiteUnmarked bool   // … and nothing stands between them: "on youtube cats"
	NeedsPage    bool   // typing into a page needs a page
	PointsAtPage bool   // … which the words point at
	PageWords    int    // search: so many words at the query's end point at a page, if one was opened
	Plural       bool   // files: a list of names follows
	Object       string // files: type of the last item, which the next may share
	Ext          string // files: the extension that it implies
	Fuzzy        bool   // the spelling of the verb was corrected

	Saves        *Destination // pages: it only says that and where what the clause before it makes is kept
	Shorthand    bool         // "<site> <query>" without a verb
	VerbLast     bool         // the verb stands at the end
	NeedsReading bool         // took up more text since it was read
	Reads        int          // how often it was read again
	HasList      bool         // has items that a new reading would lose
}
