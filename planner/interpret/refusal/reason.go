// Package refusal chooses the reason why a command is not understood.
package refusal

import (
	"cmp"
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// Values of [lexicon.OtherGoal] that say more than which refusal fits.
const (
	ownThings     = "own"          // may stand anywhere
	Searchable    = "search"       // a search answers it
	SearchAbout   = "search_about" // the same; the words are no part of the query
	changesFiles  = "edit"
	sendsMessage  = "messages"
	deviceSetting = "control"
	OtherThings   = "data"
	Saving        = "save"
	uploads       = "upload"
	playing       = "play"
	CommandLine   = "shell"
	ResultOfPage  = "results"
)

// OtherGoal begins the codes of the refusals of [lexicon.OtherGoal], HowTo those of file actions
// that are not understood.
const (
	OtherGoal = "other_goal."
	HowTo     = "how_to."
)

// IsOtherGoal reports whether the code of a reason refuses what no goal expresses.
func IsOtherGoal(code string) bool { return strings.HasPrefix(code, OtherGoal) }

// NothingToPlay is the reason of a text that plays what no site is searched for.
const NothingToPlay = OtherGoal + playing

// WebQuestion is the reason of what a search of the web answers.
const WebQuestion = "reason.web_question"

// WeakReasons are less precise than the reason of the page reader.
var WeakReasons = []string{"", "reason.no_site", "reason.no_type", "reason.nothing_to_open"}

// vagueReasons say less than the first words of a clause may say.
var vagueReasons = append([]string{"reason.out_of_reach", "reason.no_page", "reason.page_text_only", "reason.open_file"}, WeakReasons...)

// ExplainedActions are the file actions with an example of how to say them.
var ExplainedActions = []string{plan.MoveAction, plan.CopyAction, plan.RenameAction, plan.AppendAction, plan.ZipAction, plan.UnzipAction, plan.MeasureAction, plan.HashAction}

// questionKinds begin a question.
var questionKinds = []lexicon.Kind{lexicon.Interrogative, lexicon.Finite, lexicon.Ask, lexicon.TopicLead}

// ownKinds are phrases for things of the user, which are never sent to a site.
var ownKinds = []lexicon.Kind{lexicon.Mine, lexicon.Place, lexicon.OwnFolder, lexicon.Files, lexicon.Folders, lexicon.File, lexicon.Folder, lexicon.OwnDeed}

// Reader chooses the reason of the commands of a text.
type Reader struct{ *parse.Text }

// Reason is the code of the message that refuses a clause.
func (r *Reader) Reason(c *parse.Clause) string {
	reason := cmp.Or(c.Reason, "reason.out_of_reach")
	if !slices.Contains(vagueReasons, reason) {
		return reason
	}
	lo, _ := r.SkipLead(c.Lo, c.Hi)
	if reason == "reason.open_file" {
		return r.reasonToOpen(lo, c.Hi)
	}
	if code := r.reasonForAct(lo, c.Hi, reason); code != "" {
		return code
	}
	first := r.SkipMarks(c.Lo, c.Hi) // "like this video": the verb reads as politeness
	if m, ok := r.Longest(first, c.Hi, lexicon.OtherGoal); ok && m.Value != Searchable && m.Value != ownThings {
		if code := r.reasonForAct(first, c.Hi, reason); code != "" {
			return code
		}
	}
	switch {
	case (reason == "reason.no_page" || slices.Contains(WeakReasons, c.Reason)) && r.setsDevice(c):
		return OtherGoal + deviceSetting
	case r.hasPhrase(lo, c.Hi, lexicon.OwnDeed) && NamesFile(r.Text, lo, c.Hi):
		return "reason.no_local_search" // "i lost a file"
	case r.namesPrivate(lo, c.Hi):
		return OtherGoal + ownThings
	case reason == "reason.no_page" && (r.hasShape(lo, c.Hi, lexicon.FileShape) || r.startsWith(lo, c.Hi, lexicon.PlayVerb, lexicon.PutOn)):
		return OtherGoal + playing // "play my song"
	case reason == "reason.no_page" && c.VerbKind == lexicon.WriteIn && r.hasPhrase(lo, c.Hi, lexicon.Site, lexicon.App):
		return OtherGoal + sendsMessage // «напиши васе в телеграме»
	case reason == "reason.no_type" && !NamesFile(r.Text, lo, c.Hi):
		reason = "reason.out_of_reach"
	}
	if r.asks(lo, c.Hi) && (reason == "reason.out_of_reach" || reason == "reason.no_site") {
		return r.reasonForQuestion(lo, c.Hi, reason)
	}
	return reason
}

// setsDevice reports whether a clause wants to change something of the desktop that goals can't
// change: the volume, the screen, a timer.
func (r *Reader) setsDevice(c *parse.Clause) bool {
	lo, _ := r.SkipLead(c.Lo, c.Hi)
	if _, asks := r.Longest(lo, c.Hi, lexicon.Finite, lexicon.Ask, lexicon.Interrogative); asks {
		return false
	}
	for i := lo; i < c.Hi; i++ {
		if _, ok := r.Longest(i, c.Hi, lexicon.ControlThing); ok {
			return true
		}
	}
	return false
}

// reasonForAct is the reason of a clause that begins with an act, or "".
func (r *Reader) reasonForAct(lo, hi int, reason string) string {
	other, isOther := r.Longest(lo, hi, lexicon.OtherGoal)
	action, isAction := r.Longest(lo, hi, lexicon.FileAction)
	isAction = isAction && slices.Contains(ExplainedActions, action.Value)
	_, saves := r.Longest(lo, hi, lexicon.Save)
	switch {
	case isOther && (other.Value == Searchable || other.Value == SearchAbout):
		if other.Value == Searchable && r.hasShape(lo, hi, lexicon.FileShape) && !r.asks(lo, hi) {
			return OtherGoal + changesFiles // "translate letter.txt"
		}
		if reason != "reason.page_text_only" {
			return r.reasonForQuestion(lo, hi, reason)
		}
	case isOther && other.Value == sendsMessage && r.hasShape(lo, hi, lexicon.FileShape) && r.hasPhrase(lo, hi, lexicon.Place, lexicon.OwnFolder):
		return HowTo + plan.MoveAction // "send a.txt to my documents"
	case isOther && slices.Contains(ExplainedActions, other.Value):
		if other.Value == plan.AppendAction || IsOwn(r.Text, lo, hi) {
			return HowTo + other.Value
		}
	case isOther && other.Value != ownThings:
		return OtherGoal + other.Value
	case saves && r.hasPhrase(lo, hi, lexicon.Site, lexicon.PageNoun) || saves && r.hasShape(lo, hi, lexicon.LinkShape):
		return HowTo + Saving
	case isAction && reason != "reason.no_page" && !(r.hasPhrase(lo, hi, lexicon.ControlThing) && !IsOwn(r.Text, lo, hi)):
		return HowTo + action.Value
	}
	return ""
}

// reasonToOpen is the reason of a clause that opens a file in a way that goals can't express.
func (r *Reader) reasonToOpen(lo, hi int) string {
	named := r.hasShape(lo, hi, lexicon.FileShape)
	switch {
	case named && r.hasPhrase(lo, hi, lexicon.App):
		return "reason.open_with"
	case named && r.hasPhrase(lo, hi, lexicon.Site):
		return OtherGoal + uploads // «загрузи cv.pdf на гугл диск»
	}
	return "reason.open_file"
}

// reasonForQuestion is the reason of what a search answers, unless it is about things of the user.
func (r *Reader) reasonForQuestion(lo, hi int, otherwise string) string {
	action, isAction := r.Longest(lo, hi, lexicon.FileAction)
	switch {
	case r.namesPrivate(lo, hi):
		return OtherGoal + ownThings
	case !IsOwn(r.Text, lo, hi):
		return WebQuestion
	case isAction && slices.Contains(ExplainedActions, action.Value):
		return HowTo + action.Value
	case isAction && (action.Value == plan.FindAction || action.Value == plan.ListAction && NamesFile(r.Text, lo, hi)):
		return "reason.no_local_search"
	}
	return otherwise
}

// IsOtherThing reports whether a clause that asks for a file deletes something else: "delete
// cookies".
func (r *Reader) IsOtherThing(c *parse.Clause) bool {
	lo, _ := r.SkipLead(c.Lo, c.Hi)
	m, ok := r.Longest(lo, c.Hi, lexicon.OtherGoal)
	return ok && m.Value == OtherThings && lo+m.Len == r.TrimTail(lo, c.Hi, true)
}

// IsNote reports whether a clause that asks for a file makes a note: «создай заметку купить хлеб».
func (r *Reader) IsNote(c *parse.Clause) bool {
	lo, _ := r.SkipLead(c.Lo, c.Hi)
	m, ok := r.Longest(lo, c.Hi, lexicon.OtherGoal)
	return ok && m.Value == plan.AppendAction
}

// asks reports whether words begin a question.
func (r *Reader) asks(lo, hi int) bool {
	_, ok := r.Longest(lo, hi, questionKinds...)
	return ok
}

// namesPrivate reports whether words are about the user's mail, calendar, contacts and the like.
func (r *Reader) namesPrivate(lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if m, ok := r.Longest(i, hi, lexicon.OtherGoal); ok && m.Value == ownThings {
			return true
		}
	}
	return r.hasPhrase(lo, hi, lexicon.OwnDeed) || r.hasPhrase(lo, hi, lexicon.Mine) && r.hasPhrase(lo, hi, lexicon.Private)
}

func (r *Reader) startsWith(lo, hi int, kinds ...lexicon.Kind) bool {
	_, ok := r.Longest(lo, hi, kinds...)
	return ok
}

func (r *Reader) hasPhrase(lo, hi int, kinds ...lexicon.Kind) bool {
	return parse.HasPhrase(r.Text, lo, hi, kinds...)
}

func (r *Reader) hasShape(lo, hi int, shapes ...lexicon.Shape) bool {
	return HasShape(r.Text, lo, hi, shapes...)
}

// IsOwn reports whether words name files, folders or things of the user, which no search of the web
// finds. "how do i open a zip file" names none.
func IsOwn(p *parse.Text, lo, hi int) bool {
	kinds := ownKinds
	if _, how := p.Longest(lo, hi, lexicon.AskHow); how {
		kinds = []lexicon.Kind{lexicon.Mine, lexicon.Place, lexicon.OwnFolder, lexicon.OwnDeed}
	}
	return parse.HasPhrase(p, lo, hi, kinds...) || HasShape(p, lo, hi, lexicon.FileShape, lexicon.PathShape)
}

// NamesFile reports whether words name a file or a folder.
func NamesFile(p *parse.Text, lo, hi int) bool {
	return parse.HasPhrase(p, lo, hi, lexicon.File, lexicon.Folder, lexicon.Files, lexicon.Folders) || HasShape(p, lo, hi, lexicon.FileShape, lexicon.PathShape)
}

// HasShape reports whether a token of [lo,hi) has one of shapes.
func HasShape(p *parse.Text, lo, hi int, shapes ...lexicon.Shape) bool {
	return slices.ContainsFunc(p.Tokens[lo:hi], func(t lexicon.Token) bool { return slices.Contains(shapes, t.Shape) })
}
