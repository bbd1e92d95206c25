package runs

import (
	"testing"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// TestReportOutlook checks that a run is worth another attempt if one of its failed steps is.
func TestReportOutlook(t *testing.T) {
	m := message.New("test.failed")
	gone := tool.NewError(tool.ExecutionError, "not_found", m).WithAlternative(m)
	offline := tool.NewError(tool.ToolTimeout, "offline", m)
	full := tool.NewError(tool.ExecutionError, "disk_full", m).WithHint(m)
	skipped := tool.NewError(tool.ExecutionError, "skipped", m)
	step := func(status trace.Status, e *tool.Error) trace.Step { return trace.Step{Status: status, Error: e} }
	for name, tt := range map[string]struct {
		steps []trace.Step
		why   *tool.Error
		want  tool.Outlook
	}{
		"one for good":           {[]trace.Step{step(trace.Failed, gone)}, gone, tool.NeverSucceeds},
		"what needs it":          {[]trace.Step{step(trace.Failed, gone), step(trace.Skipped, skipped)}, gone, tool.NeverSucceeds},
		"another that can":       {[]trace.Step{step(trace.Failed, gone), step(trace.Failed, offline)}, gone, tool.MaySucceed},
		"another after a fix":    {[]trace.Step{step(trace.Failed, gone), step(trace.Failed, full)}, gone, tool.SucceedsAfterFix},
		"done, and one for good": {[]trace.Step{step(trace.Done, nil), step(trace.Failed, gone)}, gone, tool.NeverSucceeds},
		"interrupted":            {[]trace.Step{step(trace.Failed, gone), step(trace.Interrupted, skipped)}, gone, tool.MaySucceed},
		"no step":                {nil, full, tool.SucceedsAfterFix},
		"killed":                 {nil, nil, tool.MaySucceed},
	} {
		if got := (Report{Steps: tt.steps, Error: tt.why}).Outlook(); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}
