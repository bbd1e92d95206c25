package planning

import (
	"errand/app/planning/places"
	"errand/planner/installed"
	"errand/planner/interpret"
	"errand/planner/interpret/filename"
	"errand/planner/interpret/followup"
	"errand/planner/interpret/named"
	"errand/planner/message"
	"errand/planner/plan"
)

// Interpretation is what was understood, with the goals as the planner's own
// merging leaves them.
type Interpretation struct {
	Status    interpret.Status     `json:"status"` // ok, ambiguous, unsupported
	Language  string               `json:"language"`
	Kind      plan.SetKind         `json:"kind,omitempty"`
	Goals     []plan.Goal          `json:"goals"`
	Deps      map[string][]string  `json:"deps,omitempty"`
	Questions []plan.Question      `json:"questions"`
	Reason    message.Message      `json:"reason,omitzero"`
	Evidence  []interpret.Evidence `json:"evidence,omitempty"` // the words that caused each slot

	Recipe string `json:"recipe,omitempty"` // the user's own recipe that the words run; there are no goals

	Call *named.Call `json:"call,omitempty"` // the call of a plugin's tool that a phrase asks for; there are no goals

	FollowUp *followup.About `json:"follow_up,omitempty"` // what it takes from earlier goals; nil: nothing

	Suggestions []string `json:"suggestions,omitempty"` // near goals, where it is unsupported

	files places.FileGoals

	entries []filename.Entry // that the words may name; a replay reads them in place of the disk

	apps    map[string]installed.App // installed apps that goals start, by their ids
	lookups installed.Answers
}

// Apps returns what was looked for among the installed apps, for the record of a run.
func (in Interpretation) Apps() installed.Answers { return in.lookups }

// AsksBareWords reports whether the words name a thing and don't say what to do with it.
func (in Interpretation) AsksBareWords() bool {
	return len(in.Questions) > 0 && in.Questions[0].ID == "bare"
}

// Planned is an interpretation with the plan that came of it. Result is nil
// unless the interpretation is ok.
type Planned struct {
	Interpretation Interpretation `json:"interpretation"`
	Result         *plan.Result   `json:"result"`
}

// Entries are the files and folders that the words may name without an extension.
func (in Interpretation) Entries() []filename.Entry { return in.entries }

// Asking is the interpretation with questions in place of the goals.
func (in Interpretation) Asking(questions []plan.Question) Interpretation {
	asked := withoutGoals(in, interpret.Ambiguous, questions[0].Question)
	asked.Questions, asked.FollowUp = questions, in.FollowUp
	return asked
}

// locate puts the goals of "here" into the working folder.
func (in *Interpretation) locate(work string) {
	in.files = in.files.Locate(work)
	in.Goals = in.files.Set.Goals
}
