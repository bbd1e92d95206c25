package page

import (
	"context"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/policy"
)

// maxPopups is how many windows of pages are taken over as tabs of the run.
// The rest is closed.
const maxPopups = 16

// popupPatience is how long an action waits for windows that it opened to be
// looked at.
const popupPatience = 3 * time.Second

// opener is the page that opened a popup, as far as that is known. A link that
// opens a window says nothing of its page: it is the one that is acted on, where
// that is one alone. It is called under the mutex.
func (ts *tabList) opener(info *proto.TargetTargetInfo) *Tab {
	if info.OpenerID != "" {
		return ts.byTarget[info.OpenerID]
	}
	var acting *Tab
	for _, t := range ts.pages.order {
		if !t.snapshot().acting {
			continue
		}
		if acting != nil {
			return nil
		}
		acting = t
	}
	return acting
}

// adopt decides on a page that we did not open: a popup. One that an action of
// the run opened becomes a tab, where policy allows its address. In a visible
// window the person may have meant one, too. All others are closed. What an
// adopted one goes on to load is decided as ever.
func (ts *tabList) adopt(info *proto.TargetTargetInfo, opener *Tab) policy.Decision {
	if ts.b.downloads.inherit(info.OpenerID, info.TargetID) { // for as long as that takes
		return policy.Decision{Verdict: policy.Allow}
	}
	d := policy.Decision{Rule: rulePopup, Reason: "popups are closed"}
	meant := ts.b.opts.Show && info.Subtype == "" || opener != nil && opener.snapshot().acting
	if !meant {
		return d
	}
	as := policy.Request{}
	ts.mu.Lock()
	if opener != nil {
		as = opener.as
	}
	ts.popups++
	over := ts.popups > maxPopups
	ts.mu.Unlock()
	if over {
		d.Reason = "too many popups"
		return d
	}
	if info.URL == "" || info.URL == "about:blank" {
		return policy.Decision{Verdict: policy.Allow}
	}
	as.Kind, as.URL = policy.KindNavigate, info.URL
	return decide(ts.b.life, ts.b.opts.Decide, as)
}

// handlePopup takes a popup in or turns it away.
func (ts *tabList) handlePopup(t *Tab, info *proto.TargetTargetInfo, opener *Tab) {
	d := ts.adopt(info, opener)
	if d.Verdict != policy.Allow {
		ts.b.notes.add("page", map[string]any{"event": "popup_closed", "url": address.StripUser(info.URL), "rule": d.Rule})
		t.turnAway()
	} else {
		if opener != nil {
			ts.mu.Lock()
			t.as = opener.as
			ts.mu.Unlock()
		}
		setupPopup(t)
		if isRefused(t) {
			ts.b.notes.add("page", map[string]any{"event": "popup_closed", "url": address.StripUser(t.snapshot().refused.url), "rule": t.snapshot().refused.decision.Rule})
			t.Close()
		} else if ts.b.downloads.find(t) == nil { // that of a download is closed after it
			ts.enter(t, false)
			ts.b.notes.add("page", map[string]any{"event": "popup_opened", "url": address.StripUser(info.URL), "tab": t.name()})
		}
	}
	if opener != nil {
		name := t.name()
		opener.update(func(s *state) {
			s.opening--
			if name != "" {
				s.opened = append(s.opened, name)
			}
		})
	}
}

// firstTimeout is how long a window may take to ask for its first page. One that
// stays empty asks for none.
const firstTimeout = 500 * time.Millisecond

// isRefused says that a window which was opened without an address, as most seem to
// be, asked for one that policy does not allow.
func isRefused(t *Tab) bool {
	ctx, cancel := context.WithTimeout(t.Browser.life, firstTimeout)
	defer cancel()
	t.waitFor(ctx, func(s *state) bool { return s.asked || s.refused != nil || s.gone })
	return t.snapshot().refused != nil
}

// openedTabs are the tabs that an action opened, once all of them were looked at.
func openedTabs(ctx context.Context, t *Tab) []any {
	ctx, cancel := context.WithTimeout(ctx, popupPatience)
	defer cancel()
	t.waitFor(ctx, func(s *state) bool { return s.opening <= 0 })
	t.mu.Lock()
	defer t.mu.Unlock()
	var names []any
	for _, n := range t.state.opened {
		names = append(names, n)
	}
	return names
}

// setupPopup is setup for a page that another one opened. It answers nothing that
// is its own to answer before it runs, because its opener, which may share its
// thread, stands still until then: what is sent takes effect in its order.
func setupPopup(t *Tab) {
	defer close(t.ready)
	sent := t.Call(t.Browser.life, time.Millisecond)
	for _, step := range t.steps() {
		_ = step(sent)
	}
	to := t.Call(t.Browser.life, chromium.CallTimeout)
	if t.setupErr = (proto.RuntimeRunIfWaitingForDebugger{}).Call(to); t.setupErr == nil {
		t.setupErr = proto.PageEnable{}.Call(to) // the answer says that the others were taken in
	}
}
