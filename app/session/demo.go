package session

import (
	"errand/host/browser/address"
	"errand/host/system"
	"errand/host/timers"
	"errand/host/tool"
	"errand/planner/message"
)

// CodeStaysInDemo is the code of the error where a call would leave the demo.
const CodeStaysInDemo = "stays_in_demo"

// leavesDemo refuses to hand a page to a browser that knows nothing of the demo.
func (ss *Sessions) leavesDemo(rawURL string) *tool.Error {
	if !ss.o.Demo {
		return nil
	}
	return tool.NewError(tool.PolicyDenied, CodeStaysInDemo,
		message.New("session.stays_in_demo", "host", address.Hostname(rawURL))).
		WithHint(message.New("session.stays_in_demo_hint"))
}

// outlivesDemo refuses a call whose effect would come after the demo, outside of it: what a timer
// or a watch does later reaches the real site, and a setting is that of all goals.
func (ss *Sessions) outlivesDemo(spec tool.Spec) *tool.Error {
	sets := system.ChangesSettings(spec.Name)
	if !ss.o.Demo || !sets && (!timers.ChangesTimers(spec.Name)) {
		return nil
	}
	what := "timer"
	if sets {
		what = "setting"
	}
	return tool.NewError(tool.PolicyDenied, CodeStaysInDemo, message.New("session.outlives_demo", "what", what)).
		WithHint(message.New("session.outlives_demo_hint"))
}
