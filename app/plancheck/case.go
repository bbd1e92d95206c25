// Package plancheck compares plans with expected results. A case has a text, a list of
// goals or a problem, and its expected result; a run reports the differences.
//
// Cases are TOML ([[case]]) or JSON ({"case": […]}). Every field of an expectation is
// optional; a missing field is not checked.
package plancheck

import (
	"encoding/json"

	"errand/planner/plan"
)

// Case is one check.
type Case struct {
	Name string `json:"name"`

	// One of these says what is to be planned, or what policy is asked about.
	Text    string      `json:"text,omitempty"`
	Goals   []plan.Goal `json:"goals,omitempty"`
	Problem *Facts      `json:"problem,omitempty"`
	Call    *Call       `json:"call,omitempty"`
	URL     string      `json:"url,omitempty"` // that a person's goal would open

	World        *plan.World     `json:"world,omitempty"`
	Capabilities json.RawMessage `json:"capabilities,omitempty"` // "default", a list, or the name of a JSON file beside the cases
	Expect       Expect          `json:"expect"`

	File string `json:"-"`
	Line int    `json:"-"` // 0 where there is none
	path string // "case[3]" in the document
	caps []plan.Capability
}

// Facts is a problem without words.
type Facts struct {
	World []string `json:"world"`
	Goal  []string `json:"goal"`
}

// Call is a call that policy is asked about, without a plan around it.
type Call struct {
	Tool   string         `json:"tool"`
	Args   map[string]any `json:"args,omitempty"`
	Origin plan.Origin    `json:"origin,omitempty"` // empty: the user's own goal
	// AfterReading: the run has read what others wrote.
	AfterReading bool `json:"after_reading,omitempty"`
}

// Expect is what shall come of a case; nil fields are not checked.
type Expect struct {
	Interpretation *string          `json:"interpretation,omitempty"` // ok | ambiguous | unsupported
	Goals          []map[string]any `json:"goals,omitempty"`          // any subset of each goal's fields
	Status         *string          `json:"status,omitempty"`
	Actions        *int             `json:"actions,omitempty"`
	Tools          []string         `json:"tools,omitempty"` // in the plan's order
	Args           []map[string]any `json:"args,omitempty"`  // of each action, exactly
	DependsOn      [][]string       `json:"depends_on,omitempty"`
	Unmet          []string         `json:"unmet,omitempty"`
	Verdict        *string          `json:"verdict,omitempty"` // the strictest of the plan's actions
	Rule           *string          `json:"rule,omitempty"`    // what gave that verdict: rules[0], default.ask, …
}

// expectFields are the fields of [Expect], in the order in which a case goes
// through the program.
var expectFields = []string{"interpretation", "goals", "status", "unmet", "actions", "tools", "args", "depends_on", "verdict", "rule"}

func (e Expect) empty() bool {
	return e.Interpretation == nil && e.Goals == nil && e.Status == nil && e.Actions == nil && e.Tools == nil &&
		e.Args == nil && e.DependsOn == nil && e.Unmet == nil && e.Verdict == nil && e.Rule == nil
}
