package actions

import (
	"cmp"
	"context"

	"errand/host/browser/address"
	"errand/host/browser/document"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
)

// decideFrame decides whether an action may give something to a frame: to the main frame,
// to frames of its origin, and to frames of hosts that policy allows as a page. A page may
// show any frame, but only the hosts on the list get what the user enters.
func decideFrame(ctx context.Context, t *page.Tab, f *document.Frame) policy.Decision {
	top := f
	for top.Parent != nil {
		top = top.Parent
	}
	from := f.Origin()
	if f == top || from != "" && address.Origin(from) == address.Origin(top.Origin()) {
		return policy.Decision{Verdict: policy.Allow}
	}
	if from == "" {
		return policy.Decision{Reason: message.New("browser.unknown_frame_host")}
	}
	return t.Browser.EvaluateFrom(ctx, pageOf(top), from)
}

// pageOf returns the document that a frame shows, for policy.
func pageOf(f *document.Frame) string { return cmp.Or(f.Origin(), policy.UnknownPage) }

// checkFrame returns an error for an element in a frame that may not get input.
func checkFrame(ctx context.Context, t *page.Tab, e *document.Element) error {
	d := decideFrame(ctx, t, e.Frame)
	if d.Verdict == policy.Allow {
		return nil
	}
	if err := e.Describe(ctx); err != nil { // for its name
		return err
	}
	return frameError(message.New("browser.frame_denied", "element", e.Message(), "reason", d.Reason), d)
}

// checkFocus returns an error if a frame that may not get input has the focus.
func checkFocus(ctx context.Context, t *page.Tab, at document.Focus) error {
	d := decideFrame(ctx, t, at.Frame)
	if d.Verdict == policy.Allow {
		return nil
	}
	return frameError(message.New("browser.frame_focused", "reason", d.Reason), d)
}

func frameError(m message.Message, d policy.Decision) *tool.Error {
	e := tool.NewError(tool.PolicyDenied, "frame_denied", m)
	if d.Hint.IsZero() {
		return e
	}
	return e.WithHint(d.Hint)
}

// hasForeignFrame reports whether the page has a frame that may not get input.
func hasForeignFrame(ctx context.Context, t *page.Tab) bool {
	all, err := t.Frames(ctx)
	if err != nil {
		return false
	}
	for _, f := range all {
		if d := decideFrame(ctx, t, f); d.Verdict != policy.Allow {
			return true
		}
	}
	return false
}
