package interpret

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
	searchable    = "search"       // a search answers it
	SearchAbout   = "search_about" // the same; the words are no part of the query
	changesFiles  = "edit"
	sendsMessage  = "messages"
	deviceSetting = "control"
	otherThings   = "data"
	saving        = "save"
	uploads       = "upload"
	playing       = "play"
	commandLine   = "shell"
	resultOfPage  = "results"
)

// otherGoal begins the codes of the refusals of [lexicon.OtherGoal], howTo those of file actions
// that are not understood.
const (
	otherGoal = "other_goal."
	howTo     = "how_to."
)

// IsOtherGoal reports whether the code of a reason refuses what no goal expresses.
func IsOtherGoal(code string) bool { return strings.HasPrefix(code, otherGoal) }

// NothingToPlay is the reason of a text that plays what no site is searched for.
const NothingToPlay = otherGoal + playing

// WebQuestion is the reason of what a search of the web answers.
const WebQuestion = "reason.web_question"

// vagueReasons say less than the first words of a clause may say.
var vagueReasons = append([]string{"reason.out_of_reach", "reason.no_page", "reason.page_text_only", "reason.open_file"}, weakReasons...)

// explainedActions are the file actions with an example of how to say them.
var explainedActions = []string{plan.MoveAction, plan.CopyAction, plan.RenameAction, plan.AppendAction, plan.ZipAction, plan.UnzipAction, plan.MeasureAction, plan.HashAction}

// questionKinds begin a question.
var questionKinds = []lexicon.Kind{lexicon.Interrogative, lexicon.Finite, lexicon.Ask, lexicon.TopicLead}

// ownKinds are phrases for things of the user, which are never sent to a site.
var ownKinds = []lexicon.Kind{lexicon.Mine, lexicon.Place, lexicon.OwnFolder, lexicon.Files, lexicon.Folders, lexicon.File, lexicon.Folder, lexicon.OwnDeed}

// reasonFor is the code of the message that refuses a clause.
func (t *tally) reasonFor(c *parse.Clause) string {
	reason := cmp.Or(c.Reason, "reason.out_of_reach")
	if !slices.Contains(vagueReasons, reason) {
		return reason
	}
	lo, _ := t.SkipLead(c.Lo, c.Hi)
	if reason == "reason.open_file" {
		return t.reasonToOpen(lo, c.Hi)
	}
	if code := t.reasonForAct(lo, c.Hi, reason); code != "" {
		return code
	}
	first := t.SkipMarks(c.Lo, c.Hi) // "like this video": the verb reads as politeness
	if m, ok := t.Longest(first, c.Hi, lexicon.OtherGoal); ok && m.Value != searchable && m.Value != ownThings {
		if code := t.reasonForAct(first, c.Hi, reason); code != "" {
			return code
		}
	}
	switch {
	case (reason == "reason.no_page" || slices.Contains(weakReasons, c.Reason)) && t.setsDevice(c):
		return otherGoal + deviceSetting
	case t.hasPhrase(lo, c.Hi, lexicon.OwnDeed) && NamesFile(t.Text, lo, c.Hi):
		return "reason.no_local_search" // "i lost a file"
	case t.namesPrivate(lo, c.Hi):
		return otherGoal + ownThings
	case reason == "reason.no_page" && (t.hasShape(lo, c.Hi, lexicon.FileShape) || t.startsWith(lo, c.Hi, lexicon.PlayVerb, lexicon.PutOn)):
		return otherGoal + playing // "play my song"
	case reason == "reason.no_page" && c.VerbKind == lexicon.WriteIn && t.hasPhrase(lo, c.Hi, lexicon.Site, lexicon.App):
		return otherGoal + sendsMessage // «напиши васе в телеграме»
	case reason == "reason.no_type" && !NamesFile(t.Text, lo, c.Hi):
		reason = "reason.out_of_reach"
	}
	if t.asks(lo, c.Hi) && (reason == "reason.out_of_reach" || reason == "reason.no_site") {
		return t.reasonForQuestion(lo, c.Hi, reason)
	}
	return reason
}

// reasonForAct is the reason of a clause that begins with an act, or "".
func (t *tally) reasonForAct(lo, hi int, reason string) string {
	other, isOther := t.Longest(lo, hi, lexicon.OtherGoal)
	action, isAction := t.Longest(lo, hi, lexicon.FileAction)
	isAction = isAction && slices.Contains(explainedActions, action.Value)
	_, saves := t.Longest(lo, hi, lexicon.Save)
	switch {
	case isOther && (other.Value == searchable || other.Value == SearchAbout):
		if other.Value == searchable && t.hasShape(lo, hi, lexicon.FileShape) && !t.asks(lo, hi) {
			return otherGoal + changesFiles // "translate letter.txt"
		}
		if reason != "reason.page_text_only" {
			return t.reasonForQuestion(lo, hi, reason)
		}
	case isOther && other.Value == sendsMessage && t.hasShape(lo, hi, lexicon.FileShape) && t.hasPhrase(lo, hi, lexicon.Place, lexicon.OwnFolder):
		return howTo + plan.MoveAction // "send a.txt to my documents"
	case isOther && slices.Contains(explainedActions, other.Value):
		if other.Value == plan.AppendAction || IsOwn(t.Text, lo, hi) {
			return howTo + other.Value
		}
	case isOther && other.Value != ownThings:
		return otherGoal + other.Value
	case saves && t.hasPhrase(lo, hi, lexicon.Site, lexicon.PageNoun) || saves && t.hasShape(lo, hi, lexicon.LinkShape):
		return howTo + saving
	case isAction && reason != "reason.no_page" && !(t.hasPhrase(lo, hi, lexicon.ControlThing) && !IsOwn(t.Text, lo, hi)):
		return howTo + action.Value
	}
	return ""
}

// reasonToOpen is the reason of a clause that opens a file in a way that goals can't express.
func (t *tally) reasonToOpen(lo, hi int) string {
	named := t.hasShape(lo, hi, lexicon.FileShape)
	switch {
	case named && t.hasPhrase(lo, hi, lexicon.App):
		return "reason.open_with"
	case named && t.hasPhrase(lo, hi, lexicon.Site):
		return otherGoal + uploads // «загрузи cv.pdf на гугл диск»
	}
	return "reason.open_file"
}

// reasonForQuestion is the reason of what a search answers, unless it is about things of the user.
func (t *tally) reasonForQuestion(lo, hi int, otherwise string) string {
	action, isAction := t.Longest(lo, hi, lexicon.FileAction)
	switch {
	case t.namesPrivate(lo, hi):
		return otherGoal + ownThings
	case !IsOwn(t.Text, lo, hi):
		return WebQuestion
	case isAction && slices.Contains(explainedActions, action.Value):
		return howTo + action.Value
	case isAction && (action.Value == plan.FindAction || action.Value == plan.ListAction && NamesFile(t.Text, lo, hi)):
		return "reason.no_local_search"
	}
	return otherwise
}

// isOtherThing reports whether a clause that asks for a file deletes something else: "delete
// cookies".
func (t *tally) isOtherThing(c *parse.Clause) bool {
	lo, _ := t.SkipLead(c.Lo, c.Hi)
	m, ok := t.Longest(lo, c.Hi, lexicon.OtherGoal)
	return ok && m.Value == otherThings && lo+m.Len == t.TrimTail(lo, c.Hi, true)
}

// asks reports whether words begin a question.
func (t *tally) asks(lo, hi int) bool {
	_, ok := t.Longest(lo, hi, questionKinds...)
	return ok
}

// namesPrivate reports whether words are about the user's mail, calendar, contacts and the like.
func (t *tally) namesPrivate(lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if m, ok := t.Longest(i, hi, lexicon.OtherGoal); ok && m.Value == ownThings {
			return true
		}
	}
	return t.hasPhrase(lo, hi, lexicon.OwnDeed) || t.hasPhrase(lo, hi, lexicon.Mine) && t.hasPhrase(lo, hi, lexicon.Private)
}

func (t *tally) startsWith(lo, hi int, kinds ...lexicon.Kind) bool {
	_, ok := t.Longest(lo, hi, kinds...)
	return ok
}

func (t *tally) hasPhrase(lo, hi int, kinds ...lexicon.Kind) bool {
	return parse.HasPhrase(t.Text, lo, hi, kinds...)
}

func (t *tally) hasShape(lo, hi int, shapes ...lexicon.Shape) bool {
	return parse.HasShape(t.Text, lo, hi, shapes...)
}

// IsOwn reports whether words name files, folders or things of the user, which no search of the web
// finds. "how do i open a zip file" names none.
func IsOwn(p *parse.Text, lo, hi int) bool {
	kinds := ownKinds
	if _, how := p.Longest(lo, hi, lexicon.AskHow); how {
		kinds = []lexicon.Kind{lexicon.Mine, lexicon.Place, lexicon.OwnFolder, lexicon.OwnDeed}
	}
	return parse.HasPhrase(p, lo, hi, kinds...) || parse.HasShape(p, lo, hi, lexicon.FileShape, lexicon.PathShape)
}

// NamesFile reports whether words name a file or a folder.
func NamesFile(p *parse.Text, lo, hi int) bool {
	return parse.HasPhrase(p, lo, hi, lexicon.File, lexicon.Folder, lexicon.Files, lexicon.Folders) || parse.HasShape(p, lo, hi, lexicon.FileShape, lexicon.PathShape)
}
