package tool_test

import (
	"encoding/json"
	"testing"

	"errand/build/must"
	"errand/host/tool"
	"errand/planner/message"
)

func TestOutlook(t *testing.T) {
	m, hint := message.New("test.failed"), message.New("test.hint")
	for name, tt := range map[string]struct {
		e    *tool.Error
		want tool.Outlook
	}{
		"killed":                      {nil, tool.MaySucceed},
		"the network was away":        {tool.NewError(tool.ToolTimeout, "x", m), tool.MaySucceed},
		"the same with a hint":        {tool.NewError(tool.ToolUnavailable, "x", m).WithHint(hint), tool.MaySucceed},
		"it failed without a reason":  {tool.NewError(tool.ExecutionError, "x", m), tool.MaySucceed},
		"the user first":              {tool.NewError(tool.ExecutionError, "x", m).WithHint(hint), tool.SucceedsAfterFix},
		"no display":                  {tool.UnavailableError("x", m).WithHint(hint), tool.SucceedsAfterFix},
		"missing, without a hint":     {tool.UnavailableError("x", m), tool.SucceedsAfterFix},
		"denied, but can be allowed":  {tool.NewError(tool.PolicyDenied, "x", m).WithHint(hint), tool.SucceedsAfterFix},
		"denied for good":             {tool.NewError(tool.PolicyDenied, "x", m), tool.NeverSucceeds},
		"arguments that can't be":     {tool.NewError(tool.ValidationError, "x", m).WithHint(hint), tool.NeverSucceeds},
		"the file is gone":            {tool.NewError(tool.ExecutionError, "x", m).WithAlternative(hint), tool.NeverSucceeds},
		"gone, without a hint":        {tool.NewError(tool.ExecutionError, "x", m).WithAlternative(message.Message{}), tool.NeverSucceeds},
		"a timeout with another call": {tool.NewError(tool.ToolTimeout, "x", m).WithAlternative(hint), tool.NeverSucceeds},
	} {
		if got := tt.e.Outlook(); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
		if tt.e == nil {
			continue
		}
		var back tool.Error // as a record keeps it
		must.Succeed(t, json.Unmarshal(must.JSON(t, tt.e), &back))
		if got := back.Outlook(); got != tt.want {
			t.Errorf("%s, recorded: %d, want %d", name, got, tt.want)
		}
	}
}
