package view

import (
	"errand/planner/message"
	"errand/planner/plan"
)

// Step is one action of a plan with its policy decision and its outcome. It embeds the
// plan's action. Its preview is never empty, and its arguments are texts. Status is ""
// until it starts.
type Step struct {
	plan.Action
	Index  int    `json:"index"` // in the plan, from 0
	Args   []Pair `json:"args"`  // all arguments, in full; they hide those of the action
	Host   string `json:"host"`
	Class  string `json:"class"`  // read, write, auth; "" if unknown
	Effect string `json:"effect"` // read, navigate, input, commit, file; "" if unknown

	Verdict      string          `json:"verdict"` // allow, ask, deny; "" before the policy check
	Rule         string          `json:"rule"`
	PolicyReason message.Message `json:"because"`     // policy's reason
	WouldAllow   message.Message `json:"would_allow"` // the one change that would change the verdict
	Grantable    bool            `json:"grantable"`   // [API.AllowHost] of its host would allow it

	Forecast *Forecast `json:"forecast"` // the expected changes, if its tool reports them

	NeedsConfirmation bool `json:"needs_confirmation"` // it destroys something for good and the plan has other steps: an approval has to name it in confirmed

	Status     string `json:"status"` // running, done, failed, denied, needs_approval, cancelled, interrupted, skipped, rejected, unknown
	StartedAt  int64  `json:"started_at"`
	DurationMS int64  `json:"duration_ms"`
	Result     []Fact `json:"result"`
	// Untrusted is set if the result of a model's call has text that others wrote.
	Untrusted *Untrusted `json:"untrusted"`
	Page      *Page      `json:"page"`
	Error     *Failure   `json:"error"`
}

// Fact is a name and a value in a result.
type Fact struct {
	Name    string          `json:"name"`
	Value   message.Message `json:"value"`
	LeftOut int             `json:"left_out,omitempty"` // bytes of the value that are not here
}

// Forecast is what a step would change.
type Forecast struct {
	Destroys   []string        `json:"destroys"` // what would be deleted or overwritten, the first 50
	Count      int             `json:"count"`    // number of changed things
	Reversible bool            `json:"reversible"`
	Note       message.Message `json:"note"`
}

// Page is where a browser step ended. Title and URL come from the page and are
// shown as text only.
type Page struct {
	URL        string `json:"url"`
	Title      string `json:"title"`
	Screenshot string `json:"screenshot"` // path on the asset server; "" for none
}

// PageWait is a page that waits for the user, such as a captcha. The user answers it in
// the browser's window, and the run continues.
type PageWait struct {
	Kind     string `json:"kind"`  // captcha, interstitial, consent
	URL      string `json:"url"`   // of the page
	Deadline int64  `json:"until"` // the step fails at this time
}

// Run is the current state of one run.
type Run struct {
	RunID       string          `json:"run_id"`
	Seq         int             `json:"seq"` // of the last event in this view
	Text        string          `json:"text"`
	Status      string          `json:"status"`   // running, done, failed, denied, needs_approval, cancelled, interrupted
	Stopping    bool            `json:"stopping"` // it was asked to stop and has not ended
	StartedAt   int64           `json:"started_at"`
	DurationMS  int64           `json:"duration_ms"`
	Plan        Plan            `json:"plan"` // its steps have their outcomes
	Counts      Counts          `json:"counts"`
	Answer      message.Message `json:"answer"`
	Connections Connections     `json:"connections"`
	DraftID     string          `json:"draft_id"`  // the draft that waits, or that the run applied
	Files       int             `json:"files"`     // number of files that its steps created: pictures, downloads
	CanUndo     bool            `json:"can_undo"`  // at least one step can be undone
	Waits       *PageWait       `json:"waits"`     // a page that waits for the user; null: none
	Processes   int             `json:"processes"` // processes of the run that are alive after its end; -1: not counted
	Error       *Failure        `json:"error"`
	Agent       *Agent          `json:"agent"` // the conversation, if a language model plans the run; null: it does not
}

// Counts are the numbers of a run's steps by status.
type Counts struct {
	Total   int `json:"total"`
	Running int `json:"running"`
	Done    int `json:"done"`
	Failed  int `json:"failed"` // also denied, interrupted and unknown ones
	Skipped int `json:"skipped"`
}

// StepsAsk asks for a part of a run's steps.
type StepsAsk struct {
	RunID string `json:"run_id"`
	From  int    `json:"from"`  // index of the first, from 0
	Limit int    `json:"limit"` // 1 to 500
}

// PlanStepsAsk asks for a part of the steps of the last plan.
type PlanStepsAsk struct {
	Digest string `json:"digest"` // of that plan
	From   int    `json:"from"`   // index of the first, from 0
	Limit  int    `json:"limit"`  // 1 to 500
}

// StepsPage is a part of a run's steps, or of a plan's.
type StepsPage struct {
	RunID string `json:"run_id"` // "" for a plan
	Seq   int    `json:"seq"`    // of the last event in these steps
	From  int    `json:"from"`
	Total int    `json:"total"`
	Steps []Step `json:"steps"`
}

// Connections summarizes the network connections of a run.
type Connections struct {
	Allowed int    `json:"allowed"`
	Stopped int    `json:"stopped"`
	Hosts   []Host `json:"hosts"` // in the order of first contact, the first 500
}

// Host is one host that a run tried to contact.
type Host struct {
	Name      string          `json:"name"`
	Verdict   string          `json:"verdict"` // the strictest verdict
	Rule      string          `json:"rule"`
	Reason    message.Message `json:"because"`
	Grantable bool            `json:"grantable"` // [API.AllowHost] would allow it
	Count     int             `json:"count"`
}

// RunAsk asks to run a goal.
type RunAsk struct {
	Goal     Goal      `json:"goal"`
	Approved string    `json:"approved"` // digest of the plan that the user approved; "": a plan that needs approval becomes a draft
	Scope    ScopeName `json:"scope"`    // of that approval; "" is once
	Confirm  int       `json:"confirm"`  // the number that the user confirmed; 0: none

	Confirmed []string `json:"confirmed"` // ids of the steps with a confirmation of their own; others that need it wait in a draft
}

// RunsAsk asks for a part of the history.
type RunsAsk struct {
	Query  string `json:"query"`  // words in the goal or the answer, in any order and case; "" for all
	Status string `json:"status"` // of the runs; "" for all
	From   int    `json:"from"`   // index of the first, from 0
	Limit  int    `json:"limit"`  // 1 to 500
}

// RunsPage is a part of the history, the newest runs first.
type RunsPage struct {
	Total int    `json:"total"` // number of runs found
	From  int    `json:"from"`
	Runs  []Line `json:"runs"`
}

// Line is one run in a list.
type Line struct {
	RunID      string          `json:"run_id"`
	Text       string          `json:"text"`
	Status     string          `json:"status"`
	Answer     message.Message `json:"answer"`
	Actions    int             `json:"actions"`
	DraftID    string          `json:"draft_id"`
	StartedAt  int64           `json:"started_at"`
	DurationMS int64           `json:"duration_ms"`
}

// Replay is the outcome of an offline replay of a record.
type Replay struct {
	RunID          string        `json:"run_id"`
	IsSame         bool          `json:"same"`
	Difference     *Difference   `json:"difference"` // the first; null: Same
	Steps          int           `json:"steps"`      // number of compared steps
	Actions        int           `json:"actions"`    // number of compared actions of the plan
	NotCompared    []NotCompared `json:"not_compared"`
	Policy         []Difference  `json:"policy"` // how today's policy decides differently about the recorded plan
	Recorded       string        `json:"recorded_version"`
	CurrentVersion string        `json:"version"`
}

// Difference is one difference from the record.
type Difference struct {
	Where    string          `json:"where"` // setting, interpretation, plan, step, run, policy
	StepID   string          `json:"step_id"`
	Field    string          `json:"field"`
	Recorded message.Message `json:"recorded"`
	Now      message.Message `json:"now"`
}

// NotCompared is what a replay did not compare, and why.
type NotCompared struct {
	Where  string          `json:"where"`
	StepID string          `json:"step_id"`
	Field  string          `json:"field"`
	Why    message.Message `json:"why"`
}

// FolderAsk names the folder to show.
type FolderAsk struct {
	RunID string `json:"run_id"` // the folder of this run's files; "": of the last export
}

// ExportAsk asks for a run as one file.
type ExportAsk struct {
	RunID  string `json:"run_id"`
	Format string `json:"format"` // bundle, otlp; "" is bundle
}

// Exported is a run as one file. In a window the user chooses where to save it;
// elsewhere the page gets the text to save.
type Exported struct {
	Name      string `json:"name"` // suggested file name
	MediaType string `json:"media_type"`
	Saved     string `json:"saved"`     // path of the saved file; "" if the page saves it
	Cancelled bool   `json:"cancelled"` // the user chose no file
	Text      string `json:"text"`      // for the page to save
}

// ForgetAsk names the runs to delete.
type ForgetAsk struct {
	OlderThanDays int  `json:"older_than_days"` // 0: all
	CountOnly     bool `json:"count_only"`      // only count them
}

// DeletedRuns is what was deleted, or would be.
type DeletedRuns struct {
	Before    int64 `json:"before"`
	Runs      int   `json:"runs"`
	Drafts    int   `json:"drafts"`
	Artifacts int   `json:"artifacts"`
	Bytes     int64 `json:"bytes"`
}
