package interpret

import (
	"strings"
	"unicode/utf8"

	"errand/planner/interpret/calculation"
	"errand/planner/interpret/chat"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/interpret/timer"
	"errand/planner/message"
	"errand/planner/plan"
)

// Status is the result of reading a text.
type Status string

// Statuses. Only an OK reading has goals.
const (
	OK          Status = "ok"
	Ambiguous   Status = "ambiguous"   // a command that needs an answer first
	Unsupported Status = "unsupported" // not one of the five kinds of goals, or withdrawn
)

// Reading is the meaning of a text.
type Reading struct {
	Text      string          `json:"text"`
	Status    Status          `json:"status"`
	Language  string          `json:"language"` // of the commands: "en", "ru", …
	Goals     plan.GoalSet    `json:"goals"`    // in the order of the words, before merging
	Questions []plan.Question `json:"questions"`
	Reason    message.Message `json:"reason"` // why the status is not ok
	Evidence  []Evidence      `json:"evidence"`
}

// Evidence is a part of the text that caused a slot of a goal.
type Evidence struct {
	GoalID    string `json:"goal_id"`
	Slot      string `json:"slot"` // goal_type, platform, query, target, action, limit, save_to
	Start     int    `json:"start"`
	End       int    `json:"end"` // bytes of Text, half open
	Words     string `json:"words"`
	Corrected bool   `json:"corrected,omitempty"` // the spelling was corrected
}

// Read reads a text. Every text has a reading, even invalid UTF-8; Read never panics. The
// time is linear in the length of the text. Texts longer than [MaxBytes] bytes or
// [MaxClauses] clauses are Unsupported.
//
// A search that names no site has an empty platform. Merging the goals fills it with the
// site opened before it, or with the default.
func (i *Interpreter) Read(text string) Reading { return i.ReadWith(text, nil) }

// newReading is an empty reading. It is done if the text is too long or not UTF-8.
func (i *Interpreter) newReading(text string) (r Reading, done bool) {
	r = Reading{Text: text, Status: Unsupported, Goals: plan.NewGoalSet(nil, nil), Questions: []plan.Question{}, Evidence: []Evidence{}}
	switch {
	case len(text) > MaxBytes:
		r.Text = strings.ToValidUTF8(text[:MaxBytes], "")
		r.Reason = message.New("reason.too_long", "size", len(text), "limit", MaxBytes)
		return r, true
	case !utf8.ValidString(text):
		r.Text = strings.ToValidUTF8(text, "\uFFFD")
		r.Reason = message.New("reason.not_utf8")
		return r, true
	}
	return r, false
}

// evaluate reads a text, including the answers in it.
func (i *Interpreter) evaluate(t *parse.Text) (v verdict, language string) {
	own := *t // a command of it may set the default site for those that follow
	p := newParser(&own)
	language = p.Language
	if p.SkipMarks(0, len(p.Tokens)) == len(p.Tokens) {
		if len(p.Edits) > 0 { // the answers replaced all words
			return verdict{status: Unsupported, reason: "reason.forbidden"}, language
		}
		return verdict{status: Unsupported, reason: "reason.no_words"}, language
	}
	v, clauses := i.readVerdict(p)
	for _, c := range clauses {
		if c.Lang != lexicon.AnyLang && int(c.Lang) < len(i.Words().Packs) {
			language = i.Words().Packs[c.Lang].Language
			break
		}
	}
	if n := max(len(clauses), len(v.drafts)); n > MaxClauses {
		return verdict{status: Unsupported, reason: "reason.too_many", count: n}, language
	}
	return v, language
}

// readVerdict reads a text without its answers. It returns no clauses for small talk, a calculation
// or a timer, which are the whole text.
func (i *Interpreter) readVerdict(p *parser) (v verdict, clauses []parse.Clause) {
	if reason := chat.Find(p.Text); reason != "" {
		return verdict{status: Unsupported, reason: reason}, nil
	}
	if c, ok := calculation.ReadWhole(p.Text, true); ok {
		return newVerdict(p, []parse.Clause{c}), nil
	}
	if c, ok := timer.ReadWhole(p.Text, i.readGoals); ok {
		return newVerdict(p, []parse.Clause{c}), nil
	}
	clauses = p.readClauses()
	v = newVerdict(p, clauses)
	if v.status != OK {
		if c, ok := calculation.ReadWhole(p.Text, false); ok {
			return newVerdict(p, []parse.Clause{c}), nil
		}
	}
	return v, clauses
}

// readGoals returns the goals of a text that is understood. One that runs a recipe has none.
func (i *Interpreter) readGoals(text string) ([]plan.Goal, bool) {
	r := i.Read(text)
	return r.Goals.Goals, r.Status == OK || i.options.IsRecipe != nil && i.options.IsRecipe(i.Parse(text))
}

// fillReading puts a verdict into a reading.
func (i *Interpreter) fillReading(r Reading, v verdict, p *parse.Text) Reading {
	r.Status = v.status
	switch {
	case v.count > 0:
		r.Reason = message.New(v.reason, "count", v.count, "limit", MaxClauses)
	case v.status == Unsupported:
		r.Reason = message.New(v.reason)
	case v.status == Ambiguous:
		r.Questions = []plan.Question{v.question.Ask()}
		r.Questions[0].Unused = unusedWords(r.Text, v.question, p)
		r.Reason = r.Questions[0].Question
	case v.status == OK:
		r.Goals, r.Evidence = v.number(p, r.Text)
	}
	return r
}

// unusedWords are the words that a question is about because no rule used them. Words of an
// answer are not shown.
func unusedWords(text string, q parse.Question, p *parse.Text) *plan.Unused {
	if q.Kind() != "partial" && q.Kind() != "unknown" || q.At.Lo >= q.At.Hi {
		return nil
	}
	start, end := p.Origin(p.Bounds(q.At))
	if start >= end || end > len(text) {
		return nil
	}
	return &plan.Unused{Before: text[:start], Words: text[start:end], After: text[end:]}
}
