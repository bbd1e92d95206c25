package approval

import (
	"slices"

	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// Action is an action of the plan as it is shown for approval, with what an approval of
// it binds to. Digests and hashes are SHA-256 in lower-case hex.
type Action struct {
	plan.Action        // Preview is made from the arguments
	ToolDigest  string `json:"tool_digest"` // the digest of the tool's spec
	ArgsHash    string `json:"args_hash"`   // the hash of the canonical arguments

	Verdict policy.Verdict  `json:"verdict"`
	Reason  message.Message `json:"reason,omitzero"` // of the verdict; JSON has no reason of the plan
	Flags   []string        `json:"flags,omitempty"` // of the verdict

	// What the action would do, as its tool says.
	Destroys   []string        `json:"destroys,omitempty"`
	Count      int             `json:"count,omitempty"`
	Reversible bool            `json:"reversible"`
	Note       message.Message `json:"note,omitzero"`
	Identity   string          `json:"identity,omitempty"` // fingerprint of what would be destroyed
}

// Binding is what an approval of an action binds to.
type Binding struct {
	ActionID   string `json:"action_id"`
	ToolDigest string `json:"tool_digest"`
	ArgsHash   string `json:"args_hash"`
}

func (a Action) binding() Binding { return Binding{a.ActionID, a.ToolDigest, a.ArgsHash} }

// binding returns what the approval of an action binds to.
func (a *Approval) binding(id string) (Binding, bool) {
	i := slices.IndexFunc(a.Actions, func(b Binding) bool { return b.ActionID == id })
	if i < 0 {
		return Binding{}, false
	}
	return a.Actions[i], true
}

// IDs returns the ids of the approved actions.
func (a *Approval) IDs() []string {
	ids := make([]string, len(a.Actions))
	for i, b := range a.Actions {
		ids[i] = b.ActionID
	}
	return ids
}

func (d Draft) action(id string) (Action, bool) { return find(d.Actions, id) }

func find(actions []Action, id string) (Action, bool) {
	i := slices.IndexFunc(actions, func(a Action) bool { return a.ActionID == id })
	if i < 0 {
		return Action{}, false
	}
	return actions[i], true
}

func cloneActions(actions []Action) []Action {
	out := clone(actions)
	for i := range out {
		out[i].DependsOn = slices.Clone(out[i].DependsOn)
	}
	return out
}
