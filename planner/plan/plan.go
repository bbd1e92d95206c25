package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"errand/planner/message"
)

// Origin says who asked for a plan. Policy uses it to decide what needs approval.
type Origin string

// Origins.
const (
	UserGoal Origin = "user_goal"
	Request  Origin = "request"
	Upload   Origin = "upload"
	Task     Origin = "task"
	Agent    Origin = "agent"
	MCP      Origin = "mcp"
	API      Origin = "api"      // a job of the local API
	Schedule Origin = "schedule" // a goal of the user that is due; nothing that needs approval runs
)

// IsOwn reports whether the user said what the plan is for, now or for later. The user is there only
// for [UserGoal].
func (o Origin) IsOwn() bool { return o == UserGoal || o == Schedule }

// Origins lists all origins.
func Origins() []Origin { return []Origin{UserGoal, Request, Upload, Task, Agent, MCP, API, Schedule} }

// Intent is query if every action only reads, else mutate.
type Intent string

// Intents.
const (
	Query  Intent = "query"
	Mutate Intent = "mutate"
)

// Content is the content of a plan. [New] validates it and makes an immutable copy.
type Content struct {
	Origin             Origin
	Intent             Intent // derived from the actions
	Domain             string
	Summary            message.Message
	Language           string // "en", "ru", …
	Inputs             Inputs
	Entities           []Entity
	Actions            []Action
	Modules            []Module
	NeedsClarification []Question
	Risks              []Risk
	GoalAchievedBy     string // id of the action that reaches the (last) goal
}

// Plan is a valid, immutable plan. Every Plan except the zero value comes from [New], so
// it has at least one action, unique ids, known and acyclic dependencies, and a
// goal_achieved_by that names one of its actions. The zero Plan can't be marshalled.
type Plan struct {
	c  Content
	id string
}

// New validates content and returns a plan with a copy of it. The plan_id is derived from
// origin, words and language, the intent from the actions.
func New(c Content) (Plan, error) {
	c, err := c.normalise()
	if err != nil {
		return Plan{}, err
	}
	if err := c.validate(); err != nil {
		return Plan{}, err
	}
	return Plan{c, ID(c.Origin, c.Inputs.RawText, c.Language)}, nil
}

// ID returns the plan_id for these words. It works without a plan, for example while a
// question is open.
func ID(origin Origin, words, language string) string {
	sum := sha256.Sum256([]byte(string(origin) + "\x00" + words + "\x00" + language))
	return "p-" + ShortHash(hex.EncodeToString(sum[:]))
}

const (
	shortHash = 16 // digits of a plan_id
	cardRun   = 12 // the number of a payment card has more decimal digits
)

// ShortHash returns 16 digits of a hash in hex: the first ones without so many decimal digits in a row
// that they could be the number of a payment card, which is cut out of every text. A shorter hash is
// returned whole.
func ShortHash(hash string) string {
	for i := 0; i+shortHash <= len(hash); i++ {
		if part := hash[i : i+shortHash]; longestNumber(part) <= cardRun {
			return part
		}
	}
	return hash[:min(len(hash), shortHash)]
}

// longestNumber returns the length of the longest run of decimal digits.
func longestNumber(text string) (longest int) {
	run := 0
	for _, c := range text {
		if run++; c < '0' || c > '9' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// ID returns the plan_id. Plans for the same words from the same origin have the same id.
func (p Plan) ID() string { return p.id }

// IsZero reports whether p is the zero Plan.
func (p Plan) IsZero() bool { return p.id == "" }

// Content returns a copy that the caller may change.
func (p Plan) Content() Content {
	c, err := p.c.normalise()
	if err != nil {
		panic("plan: frozen content no longer copies: " + err.Error()) // New has copied the same content before
	}
	return c
}

// Actions returns a copy of the plan's actions in canonical order.
func (p Plan) Actions() []Action { return p.Content().Actions }

// Len returns the number of actions.
func (p Plan) Len() int { return len(p.c.Actions) }

// Origin returns who asked for the plan.
func (p Plan) Origin() Origin { return p.c.Origin }

// GoalAchievedBy returns the id of the action that reaches the goal.
func (p Plan) GoalAchievedBy() string { return p.c.GoalAchievedBy }

// Digest returns the SHA-256, in hex, of the plan's canonical JSON without plan_id. An
// approval binds to it.
func (p Plan) Digest() string {
	sum := sha256.Sum256(p.canonical(false))
	return hex.EncodeToString(sum[:])
}

// CanonicalJSON returns the plan with sorted keys and no insignificant space. Equal plans
// have equal bytes.
func (p Plan) CanonicalJSON() []byte { return p.canonical(true) }

func (p Plan) canonical(withID bool) []byte {
	j := p.json()
	if !withID {
		j.PlanID = ""
	}
	b, err := Canonical(j)
	if err != nil {
		panic("plan: frozen content no longer marshals: " + err.Error())
	}
	return b
}

type planJSON struct {
	PlanID             string          `json:"plan_id,omitempty"`
	Origin             Origin          `json:"origin"`
	Intent             Intent          `json:"intent"`
	Domain             string          `json:"domain"`
	Summary            message.Message `json:"summary"`
	Language           string          `json:"language"`
	Inputs             Inputs          `json:"inputs"`
	Entities           []Entity        `json:"entities"`
	Actions            []Action        `json:"actions"`
	Modules            []Module        `json:"modules"`
	NeedsClarification []Question      `json:"needs_clarification"`
	Risks              []Risk          `json:"risks"`
	GoalAchievedBy     string          `json:"goal_achieved_by"`
	TotalActions       int             `json:"total_actions"`
}

func (p Plan) json() planJSON {
	c := p.c
	return planJSON{
		p.id, c.Origin, c.Intent, c.Domain, c.Summary, c.Language, c.Inputs,
		c.Entities, c.Actions, c.Modules, c.NeedsClarification, c.Risks, c.GoalAchievedBy, len(c.Actions),
	}
}

// MarshalJSON writes the plan. It computes total_actions.
func (p Plan) MarshalJSON() ([]byte, error) {
	if p.IsZero() {
		return nil, message.Error("plan_file.plan_without_id")
	}
	return message.EncodeJSON(p.json())
}

// UnmarshalJSON reads a plan and validates it as [New] does. It rejects unknown fields and
// a plan_id, intent or total_actions that doesn't match the rest.
func (p *Plan) UnmarshalJSON(b []byte) error {
	var j planJSON
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	d.UseNumber() // to detect numbers that would lose digits
	if err := d.Decode(&j); err != nil {
		return err
	}
	made, err := New(Content{
		j.Origin, j.Intent, j.Domain, j.Summary, j.Language, j.Inputs, j.Entities,
		j.Actions, j.Modules, j.NeedsClarification, j.Risks, j.GoalAchievedBy,
	})
	if err != nil {
		return err
	}
	switch {
	case j.PlanID != made.id:
		return message.Error("plan_file.wrong_plan_id", "plan_id", j.PlanID, "want", made.id)
	case j.Intent != made.c.Intent:
		return message.Error("plan_file.wrong_intent", "intent", j.Intent, "want", made.c.Intent)
	case j.TotalActions != len(made.c.Actions):
		return message.Error("plan_file.wrong_total", "total_actions", j.TotalActions, "count", len(made.c.Actions))
	}
	*p = made
	return nil
}

// normalise returns a deep copy of c with empty instead of nil lists and the derived
// intent.
func (c Content) normalise() (Content, error) {
	c.Entities = cloneWith(c.Entities, func(e Entity) Entity { e.Candidates = orEmptySlice(e.Candidates); return e })
	c.Modules = cloneWith(c.Modules, func(m Module) Module {
		m.ContextRefs, m.Actions = orEmptySlice(m.ContextRefs), orEmptySlice(m.Actions)
		return m
	})
	c.NeedsClarification = cloneWith(c.NeedsClarification, func(q Question) Question { q.Choices = orEmptySlice(q.Choices); return q })
	c.Risks = orEmptySlice(c.Risks)
	if c.Inputs.Voice != nil {
		v := *c.Inputs.Voice
		c.Inputs.Voice = &v
	}
	c.Intent = Query
	actions := make([]Action, len(c.Actions))
	for i, a := range c.Actions {
		args, err := cloneArgs(a.Args)
		if err != nil {
			return c, message.Error("plan_file.bad_action_args", "action_id", a.ActionID, "cause", err)
		}
		a.Args, a.DependsOn = args, orEmptySlice(a.DependsOn)
		if a.RiskLevel == "" {
			a.RiskLevel = Low
		}
		if !a.ReadOnly {
			c.Intent = Mutate
		}
		actions[i] = a
	}
	c.Actions = actions
	c.utf8()
	return c, nil
}

func orEmptySlice[T any](s []T) []T {
	if len(s) == 0 {
		return []T{}
	}
	return slices.Clone(s)
}

func cloneWith[T any](s []T, fix func(T) T) []T {
	s = orEmptySlice(s)
	for i := range s {
		s[i] = fix(s[i])
	}
	return s
}
