package session

import (
	"errand/host/browser/address"
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
