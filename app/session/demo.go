package session

import "errand/host/tool"

// CodeStaysInDemo is the code of the error where a call would leave the demo.
const CodeStaysInDemo = "stays_in_demo"

// leavesDemo refuses to hand a page to a browser that knows nothing of the demo.
func (ss *Sessions) leavesDemo(rawURL string) *tool.Error {
	if !ss.o.Demo {
		return nil
	}
	return tool.Errorf(tool.PolicyDenied, CodeStaysInDemo,
		"the demo opens no browser but its own: in yours %s is the site of the web", host(rawURL)).
		WithHint("outside of the demo it is opened: errand run, with the same goal")
}
