package plan

// RiskLevel says how much a person should care before an action runs.
type RiskLevel string

// Risk levels.
const (
	Low    RiskLevel = "LOW"
	Medium RiskLevel = "MEDIUM"
	High   RiskLevel = "HIGH"
)

// Action is one call of a tool that a plan proposes.
type Action struct {
	ActionID         string         `json:"action_id"` // "a1", "a2", …
	Tool             string         `json:"tool"`
	Args             map[string]any `json:"args"`
	DependsOn        []string       `json:"depends_on"`
	ExpectedEffect   string         `json:"expected_effect"`
	Reason           string         `json:"reason"`  // why the action is in the plan
	Preview          string         `json:"preview"` // what it will do, in the person's language
	Confidence       float64        `json:"confidence"`
	RiskLevel        RiskLevel      `json:"risk_level"`
	ReadOnly         bool           `json:"read_only"` // derived from the tool, never believed from a caller
	IdempotencyScope string         `json:"idempotency_scope"`
}

// Module groups actions under one objective (upload-first planning contract).
type Module struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Objective   string   `json:"objective"`
	ContextRefs []string `json:"context_refs"`
	Actions     []string `json:"actions"`
	Status      string   `json:"status"` // DRAFT, READY, BLOCKED
}

// Question is what has to be answered before a plan can be made.
type Question struct {
	ID              string   `json:"id"`
	Question        string   `json:"question"`
	Choices         []Choice `json:"choices"`
	FreeTextAllowed bool     `json:"free_text_allowed"`
}

// Choice is one answer that a [Question] offers.
type Choice struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// RiskKind names why a plan deserves a second look.
type RiskKind string

// Risk kinds of the planner contract.
const (
	Bulk            RiskKind = "bulk" // five items or more
	Destructive     RiskKind = "destructive"
	Ambiguous       RiskKind = "ambiguous"
	MissingRequired RiskKind = "missing_required"
	RateLimitRisk   RiskKind = "rate_limit_risk"
)

// BulkFrom is the number of actions from which a plan is bulk.
const BulkFrom = 5

// Risk is a flag on a whole plan.
type Risk struct {
	Kind    RiskKind `json:"kind"`
	Details string   `json:"details"`
}

// Entity is a thing that the words name and that was looked up.
type Entity struct {
	Kind       string      `json:"kind"`
	Query      string      `json:"query"`
	Candidates []Candidate `json:"candidates"`
	SelectedID string      `json:"selected_id,omitempty"`
	Confidence float64     `json:"confidence"`
}

// Candidate is one thing that an [Entity] may mean.
type Candidate struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Subtitle string `json:"subtitle,omitempty"`
	URL      string `json:"url,omitempty"`
}

// Voice is a transcript in place of typed words. Below 0.70 confidence it has
// to be confirmed, and voice never runs unasked.
type Voice struct {
	FileID     string  `json:"file_id"`
	Transcript string  `json:"transcript"`
	Confidence float64 `json:"confidence"`
}

// VoiceConfirmBelow is the confidence under which a transcript is confirmed.
const VoiceConfirmBelow = 0.70

// Inputs are the words that a plan was made from.
type Inputs struct {
	RawText string `json:"raw_text"`
	Voice   *Voice `json:"voice,omitempty"`
}
