package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// Origin says who asked. Policy decides by it who may act unasked.
type Origin string

// Origins.
const (
	UserGoal Origin = "user_goal"
	Request  Origin = "request"
	Upload   Origin = "upload"
	Task     Origin = "task"
	Agent    Origin = "agent"
	MCP      Origin = "mcp"
)

// Origins lists them all.
func Origins() []Origin { return []Origin{UserGoal, Request, Upload, Task, Agent, MCP} }

// Intent is query when every action only reads, else mutate.
type Intent string

// Intents.
const (
	Query  Intent = "query"
	Mutate Intent = "mutate"
)

// Content is what a plan is made of. [New] checks it and freezes a copy.
type Content struct {
	Origin             Origin
	Intent             Intent // derived from the actions
	Domain             string
	Summary            string
	Language           string // "en", "ru", …
	Inputs             Inputs
	Entities           []Entity
	Actions            []Action
	Modules            []Module
	NeedsClarification []Question
	Risks              []Risk
	GoalAchievedBy     string // id of the action that reaches the (last) goal
}

// Plan is a checked, immutable plan. The zero Plan is empty and refuses to
// marshal; every other one came through [New], so that the contract holds:
// at least one action, unique ids, known and acyclic dependencies, and a
// goal_achieved_by that is one of the actions.
type Plan struct {
	c  Content
	id string
}

// New checks content and returns it as a plan with a copy of its own.
// plan_id is derived from origin, words and language; intent from the actions.
func New(c Content) (Plan, error) {
	c, err := c.normalised()
	if err != nil {
		return Plan{}, err
	}
	if err := c.validate(); err != nil {
		return Plan{}, err
	}
	return Plan{c, ID(c.Origin, c.Inputs.RawText, c.Language)}, nil
}

// ID is the plan_id of every plan for these words, also of one that can't be
// made before a question is answered.
func ID(origin Origin, words, language string) string {
	sum := sha256.Sum256([]byte(string(origin) + "\x00" + words + "\x00" + language))
	return "p-" + hex.EncodeToString(sum[:8])
}

// ID is the plan_id: the same words from the same origin have the same one.
func (p Plan) ID() string { return p.id }

// IsZero reports whether p is the empty plan that did not come from [New].
func (p Plan) IsZero() bool { return p.id == "" }

// Content returns a copy that the caller may change.
func (p Plan) Content() Content {
	c, err := p.c.normalised()
	if err != nil {
		panic("plan: frozen content no longer copies: " + err.Error()) // New copied the same content before
	}
	return c
}

// Actions returns a copy of the plan's actions in canonical order.
func (p Plan) Actions() []Action { return p.Content().Actions }

// Len is the number of actions.
func (p Plan) Len() int { return len(p.c.Actions) }

// Origin says who asked for the plan.
func (p Plan) Origin() Origin { return p.c.Origin }

// GoalAchievedBy is the id of the action that reaches the goal.
func (p Plan) GoalAchievedBy() string { return p.c.GoalAchievedBy }

// Digest is the SHA-256, in hex, of the plan's canonical JSON without plan_id.
// An approval binds to it.
func (p Plan) Digest() string {
	sum := sha256.Sum256(p.canonical(false))
	return hex.EncodeToString(sum[:])
}

// CanonicalJSON is the plan with sorted keys and no insignificant space: equal
// plans have equal bytes.
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
	PlanID             string     `json:"plan_id,omitempty"`
	Origin             Origin     `json:"origin"`
	Intent             Intent     `json:"intent"`
	Domain             string     `json:"domain"`
	Summary            string     `json:"summary"`
	Language           string     `json:"language"`
	Inputs             Inputs     `json:"inputs"`
	Entities           []Entity   `json:"entities"`
	Actions            []Action   `json:"actions"`
	Modules            []Module   `json:"modules"`
	NeedsClarification []Question `json:"needs_clarification"`
	Risks              []Risk     `json:"risks"`
	GoalAchievedBy     string     `json:"goal_achieved_by"`
	TotalActions       int        `json:"total_actions"`
}

func (p Plan) json() planJSON {
	c := p.c
	return planJSON{
		p.id, c.Origin, c.Intent, c.Domain, c.Summary, c.Language, c.Inputs,
		c.Entities, c.Actions, c.Modules, c.NeedsClarification, c.Risks, c.GoalAchievedBy, len(c.Actions),
	}
}

// MarshalJSON writes the plan with total_actions counted, so that it can't be
// wrong.
func (p Plan) MarshalJSON() ([]byte, error) {
	if p.IsZero() {
		return nil, fmt.Errorf("marshal plan: it was not made by plan.New")
	}
	return marshal(p.json())
}

// UnmarshalJSON reads a plan and checks it as [New] does. An unknown field, or
// a plan_id, intent or total_actions that does not follow from the rest, is an
// error.
func (p *Plan) UnmarshalJSON(b []byte) error {
	var j planJSON
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	d.UseNumber() // so that a number in the arguments that would lose digits is seen
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
		return fmt.Errorf("plan_id %q does not belong to the plan's words: want %q", j.PlanID, made.id)
	case j.Intent != made.c.Intent:
		return fmt.Errorf("intent %q contradicts the actions: want %q", j.Intent, made.c.Intent)
	case j.TotalActions != len(made.c.Actions):
		return fmt.Errorf("total_actions is %d, the plan has %d", j.TotalActions, len(made.c.Actions))
	}
	*p = made
	return nil
}

// normalised copies c deeply, fills nil lists and derives the intent.
func (c Content) normalised() (Content, error) {
	c.Entities = cloneWith(c.Entities, func(e Entity) Entity { e.Candidates = filled(e.Candidates); return e })
	c.Modules = cloneWith(c.Modules, func(m Module) Module {
		m.ContextRefs, m.Actions = filled(m.ContextRefs), filled(m.Actions)
		return m
	})
	c.NeedsClarification = cloneWith(c.NeedsClarification, func(q Question) Question { q.Choices = filled(q.Choices); return q })
	c.Risks = filled(c.Risks)
	if c.Inputs.Voice != nil {
		v := *c.Inputs.Voice
		c.Inputs.Voice = &v
	}
	c.Intent = Query
	actions := make([]Action, len(c.Actions))
	for i, a := range c.Actions {
		args, err := cloneArgs(a.Args)
		if err != nil {
			return c, fmt.Errorf("action %s: args: %w", a.ActionID, err)
		}
		a.Args, a.DependsOn = args, filled(a.DependsOn)
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

func filled[T any](s []T) []T {
	if len(s) == 0 {
		return []T{}
	}
	return slices.Clone(s)
}

func cloneWith[T any](s []T, fix func(T) T) []T {
	s = filled(s)
	for i := range s {
		s[i] = fix(s[i])
	}
	return s
}
