package desktop

// The views are what crosses to the page: flat, JSON-tagged, no time.Time, no
// interface. Lists are never null. Times are Unix milliseconds.

// Boot is what the page has to know before it shows anything.
type Boot struct {
	Version  string   `json:"version"`
	Language string   `json:"language"` // "en", "ru"; "" follows the system
	Theme    string   `json:"theme"`    // system, light, dark, contrast
	Demo     bool     `json:"demo"`     // the built-in site stands for the web
	Active   string   `json:"active"`   // id of a run that is under way: the page was loaded again
	Faults   []Fault  `json:"faults"`   // safe mode: why nothing can run
	Examples Examples `json:"examples"` // goals that this program can reach
}

// Examples are goals in each language of the window.
type Examples struct {
	En []string `json:"en"`
	Ru []string `json:"ru"`
}

// Fault is one thing wrong with the configuration.
type Fault struct {
	Source  string `json:"source"`
	Line    int    `json:"line"` // from 1; 0 where there is none
	Key     string `json:"key"`
	Message string `json:"message"`
}

// Reading is what would happen if the words were sent as they are now.
type Reading struct {
	Text      string     `json:"text"`   // the words that were read, so that a late answer can be dropped
	Status    string     `json:"status"` // ok, ambiguous, unsupported; "" for no words
	Does      []string   `json:"does"`   // one sentence for each step
	Hosts     []string   `json:"hosts"`
	Reason    string     `json:"reason"`
	Questions []Question `json:"questions"`
}

// Question is what has to be answered before a plan can be made.
type Question struct {
	ID       string   `json:"id"`
	Question string   `json:"question"`
	Choices  []Choice `json:"choices"`
	FreeText bool     `json:"free_text"`
}

// Choice is one answer that a question offers.
type Choice struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// Gate says what stands between a plan and its run.
type Gate string

// Gates.
const (
	GateRuns     Gate = "runs"     // nothing: policy lets a person's own goal run
	GateAsks     Gate = "asks"     // a person's approval
	GateRefused  Gate = "refused"  // policy; a step says which rule
	GateQuestion Gate = "question" // an answer
	GateDone     Gate = "done"     // the goal holds already
	GateNone     Gate = "none"     // there is no plan; the reason says why
)

// Plan is a plan with policy's verdict on every step.
type Plan struct {
	Text      string     `json:"text"`
	Language  string     `json:"language"`
	Gate      Gate       `json:"gate"`
	Status    string     `json:"status"`  // of planning: success, partial, …
	Summary   string     `json:"summary"` // in the person's language
	Reason    string     `json:"reason"`  // why there is no plan, or only a part
	Proof     string     `json:"proof"`   // cuts, search, none: why it can't be smaller
	Digest    string     `json:"digest"`  // an approval binds to it
	Hosts     []string   `json:"hosts"`   // that the plan reaches by itself
	Steps     []Step     `json:"steps"`
	Questions []Question `json:"questions"`
	Risks     []Risk     `json:"risks"`
	Unmet     []string   `json:"unmet"`
}

// Risk is a flag on a whole plan.
type Risk struct {
	Kind    string `json:"kind"`
	Details string `json:"details"`
}

// Step is one action: what it will do, what policy says of it, and what came
// of it. Status is "" until it starts.
type Step struct {
	ID         string   `json:"id"`
	Tool       string   `json:"tool"`
	Does       string   `json:"does"` // in the person's language
	Why        string   `json:"why"`  // the words that caused it
	Args       []Pair   `json:"args"`
	Host       string   `json:"host"`
	Needs      []string `json:"needs"` // ids of the steps before it
	Risk       string   `json:"risk"`  // LOW, MEDIUM, HIGH
	ReadOnly   bool     `json:"read_only"`
	Verdict    string   `json:"verdict"` // allow, ask, deny; "" where nobody asked yet
	Rule       string   `json:"rule"`
	Because    string   `json:"because"`     // policy's reason
	WouldAllow string   `json:"would_allow"` // the one thing that would change the verdict
	Status     string   `json:"status"`
	StartedAt  int64    `json:"started_at"`
	DurationMS int64    `json:"duration_ms"`
	Result     []Pair   `json:"result"`
	Page       *Page    `json:"page"`
	Error      *Failure `json:"error"`
}

// Pair is a name and a value as a person reads them.
type Pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Page is where a browser step ended. Title and URL come from the page and are
// shown as text only.
type Page struct {
	URL        string `json:"url"`
	Title      string `json:"title"`
	Screenshot string `json:"screenshot"` // path on the asset server; "" for none
}

// Run is one run as it stands.
type Run struct {
	RunID       string      `json:"run_id"`
	Seq         int         `json:"seq"` // of the last event in this view
	Text        string      `json:"text"`
	Status      string      `json:"status"` // running, done, failed, denied, needs_approval, interrupted
	StartedAt   int64       `json:"started_at"`
	DurationMS  int64       `json:"duration_ms"`
	Plan        Plan        `json:"plan"` // its steps carry what came of them
	Answer      string      `json:"answer"`
	Connections Connections `json:"connections"`
	Error       *Failure    `json:"error"`
}

// Connections is what a run asked of the network.
type Connections struct {
	Allowed int    `json:"allowed"`
	Stopped int    `json:"stopped"`
	Hosts   []Host `json:"hosts"` // in the order of first contact
}

// Host is one host that a run wanted to reach.
type Host struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"` // the strictest that it met
	Because string `json:"because"`
	Count   int    `json:"count"`
}

// Line is one run in a list.
type Line struct {
	RunID      string `json:"run_id"`
	Text       string `json:"text"`
	Status     string `json:"status"`
	StartedAt  int64  `json:"started_at"`
	DurationMS int64  `json:"duration_ms"`
}

// Failure is an error at the page's edge.
type Failure struct {
	Class     string `json:"class"`
	Code      string `json:"code"`
	Message   string `json:"message"`
	Hint      string `json:"hint"`
	Retriable bool   `json:"retriable"` // the same call may work later
}

// Names of the events that the page may listen to.
const (
	EventRun   = "run"         // data: RunEvent
	EventClose = "close_asked" // no data: the window was asked to close while a run is active
)

// RunEvent is one change of a run. Seq counts up by one within a run; a page
// that sees a gap asks for the whole with [API.Get].
type RunEvent struct {
	RunID       string       `json:"run_id"`
	Seq         int          `json:"seq"`
	Run         *Run         `json:"run"`         // at the start and at the end
	Step        *Step        `json:"step"`        // when one starts or ends
	Connections *Connections `json:"connections"` // at most 20 a second
}
