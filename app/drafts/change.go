package drafts

import (
	"maps"
	"slices"

	"errand/app/answers"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy/approval"
)

// ChangeKind is what differs between two revisions of a draft.
type ChangeKind string

// Kinds of changes.
const (
	ChangeAdded    ChangeKind = "added"    // the action
	ChangeRemoved  ChangeKind = "removed"  // the action
	ChangeTool     ChangeKind = "tool"     // of the action, or its definition
	ChangeArgument ChangeKind = "argument" // of the action: set, removed or given another value
	ChangeEffect   ChangeKind = "effect"   // what the action would do or change
	ChangePolicy   ChangeKind = "policy"   // the rules that decide about the draft
)

// Change is one difference between two revisions of a draft. Was and Now are values of an
// argument; one that is nil means that the argument is not set.
type Change struct {
	ActionID string          `json:"action_id,omitempty"`
	Kind     ChangeKind      `json:"kind"`
	Argument string          `json:"argument,omitempty"`
	OldValue any             `json:"old_value,omitempty"`
	NewValue any             `json:"new_value,omitempty"`
	Text     message.Message `json:"text"`
}

// compare lists the differences between two revisions, by action.
func compare(was, now Snapshot) []Change {
	var changes []Change
	for _, a := range was.Actions {
		b, there := findAction(now.Actions, a.ActionID)
		if !there {
			changes = append(changes, Change{ActionID: a.ActionID, Kind: ChangeRemoved, Text: message.New("drafts.action_removed", "action", a.ActionID, "what", a.Preview)})
			continue
		}
		changes = append(changes, compareActions(a, b)...)
	}
	for _, b := range now.Actions {
		if _, there := findAction(was.Actions, b.ActionID); !there {
			changes = append(changes, Change{ActionID: b.ActionID, Kind: ChangeAdded, Text: message.New("drafts.action_added", "action", b.ActionID, "what", b.Preview)})
		}
	}
	if was.PolicyDigest != now.PolicyDigest {
		changes = append(changes, Change{Kind: ChangePolicy, Text: message.New("drafts.other_policy")})
	}
	return changes
}

func findAction(actions []approval.Action, id string) (approval.Action, bool) {
	i := slices.IndexFunc(actions, func(a approval.Action) bool { return a.ActionID == id })
	if i < 0 {
		return approval.Action{}, false
	}
	return actions[i], true
}

// compareActions lists what differs between two revisions of an action. It compares the
// effects only of the same call: those of different calls differ anyway.
func compareActions(was, now approval.Action) []Change {
	changes := compareArgs(was, now)
	if was.Tool != now.Tool || was.ToolDigest != now.ToolDigest {
		changes = append(changes, Change{ActionID: now.ActionID, Kind: ChangeTool, Text: message.New("drafts.other_tool", "action", now.ActionID, "tool", now.Tool)})
	}
	if len(changes) > 0 {
		return changes
	}
	if m := foresees(was, now); !m.IsZero() {
		changes = append(changes, Change{ActionID: now.ActionID, Kind: ChangeEffect, Text: m})
	}
	return changes
}

func compareArgs(was, now approval.Action) []Change {
	var changes []Change
	names := slices.Collect(maps.Keys(was.Args))
	for name := range now.Args {
		if _, both := was.Args[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		before, hadIt := was.Args[name]
		after, hasIt := now.Args[name]
		if hadIt == hasIt && tool.HashArgs(map[string]any{name: before}) == tool.HashArgs(map[string]any{name: after}) {
			continue
		}
		c := Change{ActionID: now.ActionID, Kind: ChangeArgument, Argument: name, OldValue: before, NewValue: after}
		is, wasBefore := message.Verbatim(answers.FormatValue(after)), message.Verbatim(answers.FormatValue(before))
		switch {
		case !hadIt:
			c.Text = message.New("drafts.argument_set", "action", now.ActionID, "argument", name, "now", is)
		case !hasIt:
			c.Text = message.New("drafts.argument_removed", "action", now.ActionID, "argument", name, "was", wasBefore)
		default:
			c.Text = message.New("drafts.argument_changed", "action", now.ActionID, "argument", name, "was", wasBefore, "now", is)
		}
		changes = append(changes, c)
	}
	return changes
}
