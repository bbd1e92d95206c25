package view

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"errand/app/answers"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// resultDoc is the JSON of a plan result. The view is made from it and not from
// plan.Result, because an earlier run is known only as JSON, and after redaction it may
// no longer be a valid plan.
type resultDoc struct {
	Status string          `json:"status"`
	Reason message.Message `json:"reason"`
	Unmet  []string        `json:"unmet"`
	Proof  struct {
		Kind string     `json:"kind"`
		Cuts [][]string `json:"cuts"`
	} `json:"proof"`
	Plan *struct {
		Summary            message.Message `json:"summary"`
		Actions            []plan.Action   `json:"actions"`
		NeedsClarification []plan.Question `json:"needs_clarification"`
		Risks              []plan.Risk     `json:"risks"`
		Inputs             struct {
			Voice *Voice `json:"voice"`
		} `json:"inputs"`
	} `json:"plan"`
}

// understood is the part of an interpretation's JSON that the views use.
type understood struct {
	Status      string          `json:"status"`
	Language    string          `json:"language"`
	Questions   []plan.Question `json:"questions"`
	Reason      message.Message `json:"reason"`
	Suggestions []string        `json:"suggestions"`
	FollowUp    struct {
		Says []message.Message `json:"says"`
	} `json:"follow_up"`
}

// NewPlan makes the view of a plan. interpretation and result are JSON documents of a report;
// both may be empty.
func NewPlan(text string, interpretation, result []byte) (Plan, error) {
	var in understood
	var out resultDoc
	if err := unmarshal(interpretation, &in); err != nil {
		return Plan{}, message.Error("window.read_interpretation", "cause", err)
	}
	if err := unmarshal(result, &out); err != nil {
		return Plan{}, message.Error("window.read_plan", "cause", err)
	}
	p := Plan{
		Text: text, Language: in.Language, Status: out.Status, Reason: out.Reason, Proof: Proof{Kind: out.Proof.Kind, Cuts: []Cut{}},
		Hosts: []string{}, Steps: []Step{}, Risks: []Risk{}, Unmet: OrEmpty(out.Unmet),
		Answers: []Answer{}, Nearest: OrEmpty(in.Suggestions), Scopes: []Scope{}, Means: OrEmpty(in.FollowUp.Says),
	}
	for _, tools := range out.Proof.Cuts {
		p.Proof.Cuts = append(p.Proof.Cuts, Cut{OrEmpty(tools)})
	}
	questions := in.Questions
	if out.Plan != nil {
		p.Summary, p.Voice = out.Plan.Summary, out.Plan.Inputs.Voice
		questions = append(questions, out.Plan.NeedsClarification...)
		for i, a := range out.Plan.Actions {
			s := NewStep(i, a)
			p.Steps = append(p.Steps, s)
			if s.Host != "" && !slices.Contains(p.Hosts, s.Host) {
				p.Hosts = append(p.Hosts, s.Host)
			}
		}
		for _, r := range out.Plan.Risks {
			p.Risks = append(p.Risks, Risk{string(r.Kind), r.Details})
		}
	}
	if p.Reason.IsZero() {
		p.Reason = in.Reason
	}
	p.Questions, p.Total = NewQuestions(questions), len(p.Steps)
	return p, nil
}

func unmarshal(b []byte, into any) error {
	if len(b) == 0 {
		return nil
	}
	return json.Unmarshal(b, into)
}

// NewStep returns the view of an action without a policy decision, with its index in the plan.
func NewStep(index int, a plan.Action) Step {
	if a.Preview.IsZero() {
		a.Preview = message.Verbatim(a.Tool)
	}
	a.DependsOn = OrEmpty(a.DependsOn)
	return Step{Action: a, Index: index, Args: PairsOf(a.Args), Host: hostOf(a.Args), Result: []Fact{}}
}

// MaxPlanSteps is the number of steps that are sent with a plan. The page reads the
// others in parts.
const MaxPlanSteps = 200

// FirstPage returns the plan with its first MaxPlanSteps steps.
func (p Plan) FirstPage() Plan {
	p.Destructive = 0
	for _, s := range p.Steps {
		if s.NeedsConfirmation {
			p.Destructive++
		}
	}
	p.Steps = slices.Clone(p.Steps[:min(len(p.Steps), MaxPlanSteps)])
	return p
}

// ApplyVerdicts sets policy's verdicts and the tools' forecasts on the steps.
func (p *Plan) ApplyVerdicts(verdicts []runs.Verdict) {
	at := p.StepIndexes()
	p.applyForecasts(verdicts)
	for _, v := range verdicts {
		i, known := at[v.ActionID]
		if !known {
			continue
		}
		s := &p.Steps[i]
		s.Forecast, s.Grantable = forecastOf(v.Forecast), v.Error == nil && IsGrantable(v.Decision.Verdict.String(), v.Decision.Rule)
		s.Action = drafts.Forecast(s.Action, v)
		s.NeedsConfirmation = v.Destructive() && len(p.Steps) > 1
		s.Verdict, s.Rule = verdict(v.Decision.Verdict.String(), v.Decision.Rule), v.Decision.Rule
		s.PolicyReason, s.WouldAllow = v.Decision.Reason, HintFor(s.Rule, v.Decision.Hint)
		if v.Error != nil { // what can't be called must not look allowed
			s.Verdict, s.Rule, s.PolicyReason, s.WouldAllow = policy.Deny.String(), v.Error.Code, v.Error.Message, HintFor(v.Error.Code, v.Error.Hint)
		}
	}
}

// applyForecasts sets the risks of the plan according to the forecasts.
func (p *Plan) applyForecasts(verdicts []runs.Verdict) {
	if len(verdicts) != len(p.Steps) {
		return
	}
	var static []plan.Risk
	for _, r := range p.Risks {
		static = append(static, plan.Risk{Kind: plan.RiskKind(r.Kind), Details: r.Details})
	}
	actions := make([]plan.Action, len(p.Steps))
	for i, s := range p.Steps {
		actions[i] = s.Action
	}
	p.Risks = []Risk{}
	for _, r := range drafts.ForecastRisks(static, actions, verdicts) {
		p.Risks = append(p.Risks, Risk{string(r.Kind), r.Details})
	}
}

// StepIndexes returns the index in the plan of each step.
func (p *Plan) StepIndexes() map[string]int {
	at := make(map[string]int, len(p.Steps))
	for i := range p.Steps {
		at[p.Steps[i].ActionID] = i
	}
	return at
}

func forecastOf(f *tool.Forecast) *Forecast {
	if f == nil {
		return nil
	}
	return &Forecast{Destroys: Names(f.Destroys), Count: max(f.Count, 1), Reversible: f.Reversible, Note: f.Note}
}

// IsGrantable reports whether a grant for the host would change a policy decision.
func IsGrantable(verdict, rule string) bool {
	return verdict != policy.Allow.String() && policy.CanGrant(policy.Decision{Rule: rule})
}

// verdict returns what the user can do about a policy decision. An approval does not
// allow a host that is not on the allowlist, so the window must not ask for one.
func verdict(word, rule string) string {
	if word == policy.Ask.String() && rule == policy.RuleUnlisted {
		return policy.Deny.String()
	}
	return word
}

// DecideGate returns the gate of a plan. The strictest decision counts; a step without a
// decision is not allowed.
func (p *Plan) DecideGate() Gate {
	switch {
	case len(p.Questions) > 0:
		return GateQuestion
	case p.Status == string(plan.AlreadySatisfied):
		return GateDone
	case len(p.Steps) == 0:
		return GateNone
	}
	gate := GateRuns
	for _, s := range p.Steps {
		switch s.Verdict {
		case "allow":
		case "ask":
			gate = GateAsks
		default:
			return GateRefused
		}
	}
	return gate
}

// Adopt copies the steps, gate, questions and scopes of another view with the same
// digest. It ignores another plan.
func (p *Plan) Adopt(shown Plan) {
	if shown.Digest == "" || shown.Digest != p.Digest || len(shown.Steps) != len(p.Steps) {
		return
	}
	p.Steps = slices.Clone(shown.Steps)
	p.Gate, p.Answers, p.Confirm, p.Scopes = shown.Gate, shown.Answers, shown.Confirm, shown.Scopes
}

// SetOutcome sets the outcome of a step's call.
func (s *Step) SetOutcome(t trace.Step) {
	s.Status, s.StartedAt, s.DurationMS = string(t.Status), Millis(t.StartedAt), t.DurationMS
	s.Error = NewFailure(t.Error)
	if t.Verdict != "" {
		s.Verdict, s.Rule = verdict(t.Verdict, t.Rule), t.Rule
		s.Grantable = IsGrantable(t.Verdict, t.Rule)
		if !t.Reason.IsZero() {
			s.PolicyReason = t.Reason
		}
	}
	if t.Effect == tool.Unknown {
		s.Status = "unknown"
	}
	payload, _ := t.Payload.(map[string]any)
	s.Result = s.newFacts(t.ToolName, payload)
	s.Page = pageOf(t, payload)
}

// newFacts returns the facts in a result that are not arguments of the call. It leaves
// out "text", which is the answer of the run.
func (s *Step) newFacts(tool string, payload map[string]any) []Fact {
	out := []Fact{}
	for _, p := range PairsOf(payload) {
		if p.Name == "text" || slices.Contains(s.Args, p) {
			continue
		}
		value := answers.MessageIn(tool, p.Name, payload[p.Name])
		if value.IsZero() && payload[p.Name] != nil {
			value = message.Verbatim(FormatValue(payload[p.Name]))
		}
		out = append(out, Fact{Name: p.Name, Value: value})
	}
	return out
}

// pageOf returns the page on which a step ended, if its result names one.
func pageOf(t trace.Step, payload map[string]any) *Page {
	title, _ := payload["title"].(string)
	address, _ := payload["url"].(string)
	p := Page{URL: address, Title: title}
	for _, a := range t.Artifacts {
		if PictureTypes[a.MediaType] {
			p.Screenshot = ArtifactURL(t.RunID, t.StepID, a.Name)
			break
		}
	}
	if p == (Page{}) {
		return nil
	}
	return &p
}

// PairsOf returns a JSON object as pairs, sorted by name.
func PairsOf(object map[string]any) []Pair {
	out := make([]Pair, 0, len(object))
	for _, name := range slices.Sorted(maps.Keys(object)) {
		p := Pair{Name: name, Value: FormatValue(object[name])}
		if shown := message.Visible(p.Value); shown != p.Value && !strings.Contains(p.Value, "\n") {
			p.Shown = shown
		}
		out = append(out, p)
	}
	return out
}

// ValueOf returns a value that a replay compared, for the page. It is the zero Message
// for nil. JSON that looks like a message is data, such as an argument or the text of a
// site.
func ValueOf(v any) message.Message {
	switch v := v.(type) {
	case nil:
		return message.Message{}
	case message.Message:
		return v
	}
	return message.Verbatim(FormatValue(v))
}

// Names returns names as [message.Visible] writes them; never nil.
func Names(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = message.Visible(name)
	}
	return out
}

// FormatValue returns a text unchanged, and another value as JSON.
func FormatValue(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return answers.FormatJSON(v)
}

func hostOf(args map[string]any) string {
	raw, _ := args["url"].(string)
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

func NewQuestions(in []plan.Question) []Question {
	out := make([]Question, len(in))
	for i, q := range in {
		out[i] = Question{ID: q.ID, Question: q.Question.MapText(message.Visible), Choices: make([]Choice, len(q.Choices)), FreeText: q.FreeTextAllowed}
		if q.Unused != nil {
			out[i].Unused = new(Unused(*q.Unused))
		}
		for j, c := range q.Choices {
			c.Label = c.Label.MapText(message.Visible)
			out[i].Choices[j] = Choice(c)
		}
	}
	return out
}

// OrEmpty returns the list, or an empty one for nil, because JSON lists are never null.
func OrEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
