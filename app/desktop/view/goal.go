package view

import "errand/planner/message"

// Goal is a user's goal with the answers to its questions.
type Goal struct {
	Text    string   `json:"text"`
	Answers []Answer `json:"answers"` // to questions of earlier plans of the same goal
	Voice   *Voice   `json:"voice"`   // the goal was spoken; Text is ignored
}

// Answer answers a question.
type Answer struct {
	ID    string `json:"id"`    // of the question
	Value string `json:"value"` // of a choice, or free text if the question allows it
}

// Voice is a spoken goal. If its confidence is less than 0.70, the plan asks the user to
// confirm it.
type Voice struct {
	FileID     string  `json:"file_id"`
	Transcript string  `json:"transcript"`
	Confidence float64 `json:"confidence"` // 0 to 1
}

// CompleteAsk asks for completions of typed words.
type CompleteAsk struct {
	Text  string `json:"text"`
	Limit int    `json:"limit"` // 1 to 20
}

// Completion is a goal that completes the typed words. Earlier goals come first,
// ordered by frequency and age. The order depends only on the words and the history.
type Completion struct {
	Text   string `json:"text"`
	Source string `json:"source"`  // history, grammar
	Match  string `json:"match"`   // prefix, words, fuzzy: how the typed words match it
	UsedAt int64  `json:"used_at"` // last; 0 for the grammar's
	Uses   int    `json:"uses"`
}

// Reading describes what the typed words would do.
type Reading struct {
	Text      string            `json:"text"`   // the goal that was read, so that a late answer can be dropped
	Status    string            `json:"status"` // ok, ambiguous, unsupported; "" for no words
	Language  string            `json:"language"`
	Does      []message.Message `json:"does"` // one sentence for each step
	Hosts     []string          `json:"hosts"`
	Reason    message.Message   `json:"reason"`
	Nearest   []string          `json:"nearest"` // supported goals that are similar to an unsupported one
	Questions []Question        `json:"questions"`
	MayAsk    bool              `json:"may_ask"` // a language model may be offered the words
}

// Question is a question to answer before a plan can be made.
type Question struct {
	ID       string          `json:"id"`
	Question message.Message `json:"question"`
	Choices  []Choice        `json:"choices"`
	FreeText bool            `json:"free_text"`
	Unused   *Unused         `json:"unused"` // for a question about words that no rule used; null: none
}

// Unused are words of the goal that no rule used, with the rest of the goal.
type Unused struct {
	Before string `json:"before"`
	Words  string `json:"words"`
	After  string `json:"after"`
}

// Choice is an offered answer to a question.
type Choice struct {
	Label message.Message `json:"label"`
	Value string          `json:"value"`
}

// Gate is what a plan needs before it can run.
type Gate string

// Gates.
const (
	GateRuns     Gate = "runs"     // nothing: policy allows the user's own goal
	GateAsks     Gate = "asks"     // the user's approval
	GateRefused  Gate = "refused"  // policy; a step names the rule
	GateQuestion Gate = "question" // an answer
	GateDone     Gate = "done"     // the goal is already true
	GateNone     Gate = "none"     // there is no plan; the reason says why
)

// Plan is a plan with the policy decision for every step.
type Plan struct {
	Text     string            `json:"text"`
	Language string            `json:"language"`
	Gate     Gate              `json:"gate"`
	Status   string            `json:"status"` // of planning: success, partial, …
	Summary  message.Message   `json:"summary"`
	Reason   message.Message   `json:"reason"` // why there is no plan, or only a part
	Means    []message.Message `json:"means"`  // what its words mean by earlier goals: "it = ~/Documents/notes.txt"
	Proof    Proof             `json:"proof"`  // why there is no shorter plan
	Digest   string            `json:"digest"` // an approval is bound to it
	Hosts    []string          `json:"hosts"`  // hosts that the plan contacts
	Total    int               `json:"total"`  // number of steps
	Steps    []Step            `json:"steps"`  // the first 200; [API.PlanSteps] has the others, [API.Steps] those of a run
	// Destructive is the number of steps that need a confirmation of their own.
	Destructive int `json:"destructive"`

	Questions []Question `json:"questions"`
	Answers   []Answer   `json:"answers"` // the answers that it was made with
	Nearest   []string   `json:"nearest"` // similar supported goals, if this one is unsupported
	Risks     []Risk     `json:"risks"`
	Unmet     []string   `json:"unmet"`
	Confirm   int        `json:"confirm"` // the number of changes to confirm; 0: none
	Scopes    []Scope    `json:"scopes"`  // possible scopes of an approval, if the gate is asks
	Voice     *Voice     `json:"voice"`
	Recipe    *RecipeAsk `json:"recipe"`  // the recipe of the plan; null: a goal
	Key       string     `json:"key"`     // for [API.WishOf]; "" for the plan of a run
	MayAsk    bool       `json:"may_ask"` // there is no plan, and a language model may be offered the words
}

// Wish is the goal or recipe of a plan, without its secrets.
type Wish struct {
	Goal   *Goal      `json:"goal"`
	Recipe *RecipeAsk `json:"recipe"`
}

// Proof shows that no plan has fewer steps. Cuts are disjoint sets of tools; every plan needs a
// tool of each. Search means that all smaller sets of tools were tried. None means
// that there is no proof.
type Proof struct {
	Kind string `json:"kind"` // cuts, search, none; "" without a plan
	Cuts []Cut  `json:"cuts"`
}

// Cut is a set of tools; every plan needs at least one of them.
type Cut struct {
	Tools []string `json:"tools"`
}

// Risk is a flag on a whole plan.
type Risk struct {
	Kind    string          `json:"kind"` // bulk, destructive, ambiguous, missing_required, rate_limit_risk
	Details message.Message `json:"details"`
}

// ScopeName is the name of an approval's scope.
type ScopeName string

// Scopes of an approval.
const (
	ScopeOnce   ScopeName = "once"   // these steps, now
	ScopeRun    ScopeName = "run"    // these steps, and the hosts that they need, for this run
	ScopeAlways ScopeName = "always" // exactly these calls, in every run
)

// Scope is a scope that the user can approve, with everything that it covers.
type Scope struct {
	Scope     ScopeName       `json:"scope"`
	Available bool            `json:"available"`
	Why       message.Message `json:"why"`    // why it is not available
	Covers    []Cover         `json:"covers"` // exactly what is approved
	Writes    string          `json:"writes"` // for always: the lines to add to errand.toml
	File      string          `json:"file"`   // for always: that file
}

// Cover is one call or host that a scope approves.
type Cover struct {
	Tool string          `json:"tool"` // "" if it is only a host
	Does message.Message `json:"does"`
	Args []Pair          `json:"args"` // all arguments, in full
	Host string          `json:"host"`
}
