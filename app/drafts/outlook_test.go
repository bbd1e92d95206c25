package drafts

import (
	"testing"

	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/approval"
)

// TestViewOutlook checks that a draft is worth another attempt if one of the actions is that
// are left and wait for no other.
func TestViewOutlook(t *testing.T) {
	m := message.New("test.failed")
	gone := tool.NewError(tool.ExecutionError, "not_found", m).WithAlternative(m)
	full := tool.NewError(tool.ExecutionError, "disk_full", m).WithHint(m)
	action := func(id string, status ActionStatus, e *tool.Error, needs ...string) Action {
		return Action{approval.Action{Action: plan.Action{ActionID: id, DependsOn: needs}}, Outcome{status, e}}
	}
	for name, tt := range map[string]struct {
		state   approval.State
		actions []Action
		why     *tool.Error
		want    tool.Outlook
	}{
		"one for good":        {approval.StateFailed, []Action{action("a1", ActionFailed, gone)}, gone, tool.NeverSucceeds},
		"what needs it":       {approval.StateFailed, []Action{action("a1", ActionFailed, gone), action("a2", ActionProposed, nil, "a1")}, gone, tool.NeverSucceeds},
		"what needs one done": {approval.StateReady, []Action{action("a1", ActionDone, nil), action("a2", ActionProposed, nil, "a1")}, nil, tool.MaySucceed},
		"another still waits": {approval.StateReady, []Action{action("a1", ActionFailed, gone), action("a2", ActionProposed, nil)}, gone, tool.MaySucceed},
		"after a fix":         {approval.StateFailed, []Action{action("a1", ActionFailed, gone), action("a2", ActionFailed, full)}, gone, tool.SucceedsAfterFix},
		"one was rejected":    {approval.StateFailed, []Action{action("a1", ActionFailed, gone), action("a2", ActionRejected, nil)}, gone, tool.NeverSucceeds},
		"blocked for good":    {approval.StateBlocked, []Action{action("a1", ActionProposed, nil)}, gone, tool.NeverSucceeds},
		"blocked":             {approval.StateBlocked, []Action{action("a1", ActionProposed, nil)}, full, tool.SucceedsAfterFix},
		"nothing is left":     {approval.StateApplied, []Action{action("a1", ActionDone, nil)}, nil, tool.MaySucceed},
	} {
		if got := (View{State: tt.state, Actions: tt.actions}).Outlook(tt.why); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}
