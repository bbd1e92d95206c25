package approval

import (
	"slices"

	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// Action is an action of the plan as shown for approval, with everything that an
// approval binds to. Digests and hashes are SHA-256 in lower-case hex.
type Action struct {
	plan.Action        // Preview is made from the arguments
	ToolDigest  string `json:"tool_digest"` // the digest of the tool's spec
	ArgsHash    string `json:"args_hash"`   // the hash of the canonical arguments
	// Site is the site of the page on which the action acts, such as "https://shop.example";
	// empty: any page.
	Site string `json:"site,omitempty"`

	Verdict policy.Verdict  `json:"verdict"`
	Reason  message.Message `json:"reason,omitzero"` // of the verdict; JSON has no reason of the plan
	Flags   []string        `json:"flags,omitempty"` // of the verdict

	// The effects of the action, as its tool describes them.
	Destroys   []string `json:"destroys,omitempty"`
	Count      int      `json:"count,omitempty"`
	Reversible bool     `json:"reversible"`
	// Destructive means that the action deletes or overwrites something for good. If
	// its tool can't say what it would destroy, any deletion is destructive.
	Destructive bool            `json:"destructive,omitempty"`
	Note        message.Message `json:"note,omitzero"`
	Files       []File          `json:"files,omitempty"`    // named in the arguments, with their current state
	Identity    string          `json:"identity,omitempty"` // fingerprint of Site, of Files and of what would be destroyed
}

// File is the state of a file or folder that an action names.
type File struct {
	Path     string `json:"path"`
	RealPath string `json:"real_path,omitempty"` // without links
	Kind     string `json:"kind"`                // missing, file, folder or other
	Size     int64  `json:"size,omitempty"`      // bytes of a file, entries of a folder
	SHA256   string `json:"sha256,omitempty"`    // of a file's content
	Mark     string `json:"mark,omitempty"`      // opaque; differs if the content does
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
		out[i].DependsOn, out[i].Files = slices.Clone(out[i].DependsOn), slices.Clone(out[i].Files)
	}
	return out
}
