package parse

import "errand/planner/interpret/lexicon"

// Clause is one command as read so far.
type Clause struct {
	Lo, Hi        int // tokens
	Frame         Frame
	Outcome       Outcome
	Negated       bool
	JoinedByAnd   bool // by "and" to the clause before, whose negation it shares
	AfterOthers   bool // by "then" to the clauses before, which come first
	FreeText      bool // its slot is free text, which may hold anything
	UnknownAction bool // an action outside the five kinds of goals
	Drafts        []Draft
	Ask           Question
	Reason        string // code of the message that says why it is not understood

	Verb         Span
	VerbKind     lexicon.Kind
	Lang         uint8
	Body         int    // first token after the verb
	NamesSite    bool   // search: the words name a site
	SiteFirst    bool   // search: the site is named before the query
	SiteUnmarked bool   // search: nothing stands between site and query: "on youtube cats"
	NeedsPage    bool   // search: it types into a page, so that one must be open
	HasField     bool   // search: the words name the field for searching
	PointsAtPage bool   // search: the words point at that page: "there"
	IsSubmitted  bool   // search: words after it submit the page's form: "and press enter"
	PageWords    int    // search: number of words at the end of the query that point at a page, if one is open
	CarrierWords int    // search: number of words at its start that a site without other things doesn't need: "videos of"
	Plural       bool   // files: a list of names follows
	IsTopic      bool   // search: it was read as a topic, such as "the weather"
	Media        Media  // search: it asks to play something
	HasText      bool   // files: the text of the file follows
	Object       string // files: type of the last item; the next item may share it
	Ext          string // files: the extension that it implies
	Fuzzy        bool   // the spelling of the verb was corrected

	Destination  *Destination // pages: the clause only says where to save the result of the clause before it
	Shorthand    bool         // "<site> <query>" without a verb
	VerbLast     bool         // the verb stands at the end
	NeedsReading bool         // it has grown since it was read
	Reads        int          // how often it was read again; bounded
	HasList      bool         // it has items that another reading would lose
}

// Action is the action of the verb of a file command.
func (c *Clause) Action() string {
	if lexicon.HasKind(lexicon.DeleteVerbs, c.VerbKind) {
		return "delete"
	}
	return "create"
}

// Commander reads tokens [lo,hi) as one command of any kind. With gerund a verb
// may be a gerund: "avoid opening".
type Commander interface {
	Command(lo, hi int, gerund bool) Clause
}

// Frame is the kind of command of a clause.
type Frame uint8

const (
	NoFrame Frame = iota
	SearchFrame
	OpenFrame
	FileFrame
	SystemFrame
	PageFrame
	ActFrame     // an action on files that exist
	ControlFrame // sets something
	TabFrame     // the open page, or tabs
	FrameCount
)

// Outcome is the result of reading a clause.
type Outcome uint8

const (
	Unknown    Outcome = iota // not a command that Errand supports
	Understood                // understood to the last word
	Asks                      // a command with an open question
	Polite                    // only politeness
	Cancels                   // withdraws the text before it
)

// Media says how sure it is that a search asks to play music or a video.
type Media uint8

const (
	NoMedia      Media = iota
	MaybeMedia         // "put on X", which may be a device as well
	CertainMedia       // "play X", "put on a song"
)
