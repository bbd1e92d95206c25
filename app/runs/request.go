package runs

import (
	"context"
	"encoding/json"
	"time"

	"errand/app/drafts"
	"errand/app/grants"
	"errand/app/setting"
	"errand/host/run"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// Request asks for a run of Words, Goals, a Plan or a Task.
type Request struct {
	Origin       plan.Origin // who wants it
	RunID        string      // the run's id, which no other run may have; empty: a new one
	Words        string
	Voice        *plan.Voice // in place of typed words; never runs unasked
	Work         string      // the folder of "here"; empty: that of the program, if it has one
	Conversation string      // whose earlier goals the words may be about; empty: as in [Options.Conversations]
	Goals        []plan.Goal // in place of words to be read
	Plan         *Plan       // in place of words to be planned
	Task         *Task       // a planner says the steps, one after another; Words name what it is about

	Yes    bool // approve what would become a draft
	DryRun bool // stop before the first call, and keep no draft
	// Answers are the answers to questions about the same words, by question id. An answer
	// must be one of the question's choices, unless the question allows free text.
	Answers map[string]string

	// Approve asks the user about the whole draft. Nil: the run waits for [Runs.Approve].
	Approve func(ctx context.Context, d drafts.View) (drafts.Answer, error)
	// Ask asks the user for one of a question's choices, or for free text if the question
	// allows it. It returns [ErrNoAnswer] if the user doesn't answer, and [ErrDeclined] for no. Nil: the question stays
	// open.
	Ask func(ctx context.Context, q plan.Question) (string, error)
	// Permit grants a host or a folder that the user allows when asked. Nil: the user is not asked,
	// and a run that needs it ends.
	Permit Permit
	// Progress hears what happens, in order, from one goroutine at a time. It
	// must not block.
	Progress func(Progress)
	States   func(trace.RunState) // hears which states the run enters, like Progress
}

// Permit grants a host or a folder to one run, or with always to every run until it is revoked,
// and returns the grant's id. Only the command line and the window may pass one: the answer has to
// be the user's own.
type Permit func(ctx context.Context, runID string, access grants.Access, always bool) (id string, err error)

// Plan is a plan that was not made from words, such as that of a recipe.
type Plan struct {
	Plan plan.Plan
	// Words are the goal in the record. Empty: those of the plan.
	Words string
	// Setting is where the plan came from, for the record.
	Setting setting.RunSetting
	Secrets tool.Secrets // that the plan refers to

	// Proposal makes the run a draft that waits, whatever policy decides. Nil: policy decides.
	Proposal *drafts.Proposal
	// Conflicts reports which other drafts keep the Proposal from being stored.
	Conflicts func(store.Draft) bool
}

// Task is a run whose steps come from a planner. It can wait for an approval, also in another
// program, and continue afterwards.
type Task struct {
	// Kind names the planner, and State is what it begins with: with them
	// [Options.TaskPlanner] makes it again when the run goes on. The ids of its calls
	// have to be unique in the run.
	Kind   string
	State  json.RawMessage
	Limits run.Limits
	// ContinueDenied hands a call that is denied or rejected back to the planner as a
	// result; otherwise it ends the run. ContinuePending does so with a call that
	// needs approval; otherwise the run waits for it.
	ContinueDenied, ContinuePending bool
}

// words are what the record says was asked for.
func (r Request) words() string {
	switch {
	case r.Words != "":
		return r.Words
	case r.Voice != nil:
		return r.Voice.Transcript
	case r.Plan != nil && r.Plan.Words != "":
		return r.Plan.Words
	case r.Plan != nil:
		return r.Plan.Plan.Content().Inputs.RawText
	}
	return ""
}

// ApproveRequest approves a draft and applies it, or only approves it.
type ApproveRequest struct {
	ID      string   // or an unambiguous prefix
	Actions []string // those that are approved; none: all that are left
	Confirm int      // the count, where [drafts.View.Confirm] asks for one
	// Confirmed are the destructive actions that the user confirmed by themselves, where
	// [drafts.View.Destructive] asks for it. The others wait.
	Confirmed []string
	By        string // who approves; empty: the user of the environment
	// Revision is that of the view which the user saw. If the draft has another one now,
	// nothing is approved. Empty: the draft as it was proposed ([drafts.View.ProposedRevision]).
	Revision string
	// ApplyLater approves the draft and applies nothing: it is READY and waits for
	// [Runs.Apply]. Its [Report] has no error.
	ApplyLater   bool
	Callback     string // names the press of a button: another call with it moves nothing
	Conversation string // as in [Request]
	Progress     func(Progress)

	expires    time.Time // when the approval ends; zero: after the usual term
	isApproved bool      // the draft is READY, and its approval counts
}

// ApplyRequest applies a draft that was approved.
type ApplyRequest struct {
	ID       string // or an unambiguous prefix
	Revision string // as in [ApproveRequest]; empty: the one that was approved
	Progress func(Progress)
}

// ResumeRequest resumes a run that was interrupted or failed.
type ResumeRequest struct {
	ID       string // or an unambiguous prefix
	Revision string // of a draft that is ready, as in [ApplyRequest]
	Yes      bool   // approve what would become a draft, and a draft that waits as it was proposed
	Approve  func(ctx context.Context, d drafts.View) (drafts.Answer, error)
	Progress func(Progress)
	States   func(trace.RunState) // as in [Request]; not heard while a draft is applied
}
