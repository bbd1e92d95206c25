package plan

import "errand/planner/message"

// RiskLevel says how risky an action is.
type RiskLevel string

// Risk levels.
const (
	Low    RiskLevel = "LOW"
	Medium RiskLevel = "MEDIUM"
	High   RiskLevel = "HIGH"
)

// Action is one tool call of a plan.
type Action struct {
	ActionID         string          `json:"action_id"` // "a1", "a2", …
	Tool             string          `json:"tool"`
	Args             map[string]any  `json:"args"`
	DependsOn        []string        `json:"depends_on"`
	ExpectedEffect   string          `json:"expected_effect"`
	Reason           message.Message `json:"reason"`  // why the plan contains the action
	Preview          message.Message `json:"preview"` // what the action will do, in the user's language
	Confidence       float64         `json:"confidence"`
	RiskLevel        RiskLevel       `json:"risk_level"`
	ReadOnly         bool            `json:"read_only"`         // derived from the tool, never taken from a caller
	Several          bool            `json:"several,omitempty"` // the goal changes two or more existing things, so policy asks
	IdempotencyScope string          `json:"idempotency_scope"`
}

// Scope returns the idempotency_scope of an action that has an effect of its own within its
// run. It is made of no arguments: a hash of them could be tried out against short secrets.
func Scope(tool, actionID string) string { return tool + ":" + actionID }

// Module groups the actions of one objective (upload-first planning contract).
type Module struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Objective   string   `json:"objective"`
	ContextRefs []string `json:"context_refs"`
	Actions     []string `json:"actions"`
	Status      string   `json:"status"` // DRAFT, READY, BLOCKED
}

// Question must be answered before a plan can be made.
type Question struct {
	ID              string          `json:"id"`
	Question        message.Message `json:"question"`
	Choices         []Choice        `json:"choices"`
	FreeTextAllowed bool            `json:"free_text_allowed"`
	Unused          *Unused         `json:"unused,omitempty"` // of a question about words that no rule used
}

// Unused are words of a goal that no rule used, with the rest of the goal. They stop the run.
type Unused struct {
	Before string `json:"before"`
	Words  string `json:"words"`
	After  string `json:"after"`
}

// Choice is one answer that a [Question] offers.
type Choice struct {
	Label message.Message `json:"label"`
	Value string          `json:"value"`
}

// RiskKind is the reason why a plan deserves a closer look.
type RiskKind string

// Risk kinds of the planner contract.
const (
	Bulk            RiskKind = "bulk" // [BulkFrom] items or more
	Destructive     RiskKind = "destructive"
	Ambiguous       RiskKind = "ambiguous"
	MissingRequired RiskKind = "missing_required"
	RateLimitRisk   RiskKind = "rate_limit_risk"
)

// BulkFrom is the number of actions from which a plan counts as bulk.
const BulkFrom = 5

// Risk is a warning about a whole plan.
type Risk struct {
	Kind    RiskKind        `json:"kind"`
	Details message.Message `json:"details"`
}

// Entity is something that the goal mentions, with the result of looking it up.
type Entity struct {
	Kind       string      `json:"kind"`
	Query      string      `json:"query"`
	Candidates []Candidate `json:"candidates"`
	SelectedID string      `json:"selected_id,omitempty"`
	Confidence float64     `json:"confidence"`
}

// Candidate is a possible meaning of an [Entity].
type Candidate struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Subtitle string `json:"subtitle,omitempty"`
	URL      string `json:"url,omitempty"`
}

// Voice describes the transcript of a spoken goal. The user confirms a transcript with a
// low confidence, and spoken goals never run without approval.
type Voice struct {
	FileID     string  `json:"file_id"`
	Transcript string  `json:"transcript"`
	Confidence float64 `json:"confidence"`
}

// VoiceConfirmBelow is the confidence below which the user must confirm a transcript.
const VoiceConfirmBelow = 0.70

// Inputs is the text that a plan was made from.
type Inputs struct {
	RawText string `json:"raw_text"`
	Voice   *Voice `json:"voice,omitempty"`
}
