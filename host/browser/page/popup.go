package page

import (
	"context"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy"
)

// maxPopups is the maximum number of popups that become tabs of the run. Further ones are
// closed.
const maxPopups = 16

// popupPatience is how long an action waits until the popups that it opened are decided.
const popupPatience = 3 * time.Second

// opener returns the page that opened a popup, if it is known. A link in a new window
// doesn't report its page; the page with the current action is assumed if there is exactly
// one. The caller holds the mutex.
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

// adopt decides a popup. A popup that an action of the run opened becomes a tab if policy
// allows its address. In a visible window the user may have opened one, too. All others
// are closed. The requests of an adopted popup are decided as usual.
func (ts *tabList) adopt(info *proto.TargetTargetInfo, opener *Tab) policy.Decision {
	if ts.b.downloads.Inherit(info.OpenerID, info.TargetID) { // until the download is finished
		return policy.Decision{Verdict: policy.Allow}
	}
	d := policy.Decision{Rule: rulePopup, Reason: message.New("browser.popup_closed")}
	expected := ts.b.opts.Show && info.Subtype == "" || opener != nil && opener.snapshot().acting
	if !expected {
		return d
	}
	as := policy.Request{}
	ts.mu.Lock()
	if opener != nil {
		as = opener.caller
	}
	ts.popups++
	over := ts.popups > maxPopups && (opener != nil || !ts.b.opts.Show) // the user of a window may open more
	ts.mu.Unlock()
	if over {
		d.Reason = message.New("browser.too_many_popups")
		return d
	}
	if info.URL == "" || info.URL == "about:blank" {
		return policy.Decision{Verdict: policy.Allow}
	}
	as.Kind, as.URL, as.Preview = policy.KindNavigate, info.URL, true
	return decide(ts.b.life, ts.b.decider(actorOf(opener)), as)
}

// newTabURL is the page of a tab that the user opens. An empty page takes its place.
const newTabURL = "chrome://newtab/"

// handlePopup adopts or closes a popup.
func (ts *tabList) handlePopup(t *Tab, info *proto.TargetTargetInfo, opener *Tab) {
	if ts.b.opts.Show && opener == nil && info.URL == newTabURL {
		if empty, err := ts.open(ts.b.life); err == nil {
			ts.enter(empty, true)
		}
		t.refusePage()
		return
	}
	d := ts.adopt(info, opener)
	if d.Verdict != policy.Allow {
		ts.b.notes.Add(userOf(opener), trace.PageNote{Event: trace.PagePopupClosed, URL: address.StripUser(info.URL), Rule: d.Rule})
		t.refusePage()
	} else {
		if opener != nil {
			ts.mu.Lock()
			t.caller = opener.caller
			ts.mu.Unlock()
		}
		setupPopup(t)
		if isRefused(t) {
			ts.b.notes.Add(userOf(opener), trace.PageNote{Event: trace.PagePopupClosed, URL: address.StripUser(t.snapshot().refusal.url), Rule: t.snapshot().refusal.decision.Rule})
			t.Close()
		} else if !ts.b.downloads.IsAllowed(t.ID) { // a popup for a download is closed afterwards
			ts.enter(t, false)
			ts.b.notes.Add(userOf(opener), trace.PageNote{Event: trace.PagePopupOpened, URL: address.StripUser(info.URL), Tab: t.name()})
		}
	}
	if opener != nil {
		name := t.name()
		opener.update(func(s *state) {
			s.opening--
			if name != "" {
				s.popupNames = append(s.popupNames, name)
			}
		})
	}
}

// firstTimeout is how long a popup may take to request its first page. A popup that stays
// empty requests none.
const firstTimeout = 500 * time.Millisecond

// isRefused reports whether a popup that was opened without an address, as most are,
// requested one that policy doesn't allow.
func isRefused(t *Tab) bool {
	ctx, cancel := context.WithTimeout(t.Browser.life, firstTimeout)
	defer cancel()
	t.waitFor(ctx, func(s *state) bool { return s.navigationAllowed || s.refusal != nil || s.closed })
	return t.snapshot().refusal != nil
}

// openedTabs returns the tabs that an action opened, after all of them are decided.
func openedTabs(ctx context.Context, t *Tab) []any {
	ctx, cancel := context.WithTimeout(ctx, popupPatience)
	defer cancel()
	t.waitFor(ctx, func(s *state) bool { return s.opening <= 0 })
	t.mu.Lock()
	defer t.mu.Unlock()
	var names []any
	for _, n := range t.state.popupNames {
		names = append(names, n)
	}
	return names
}

// setupPopup is like setup, for a popup. It doesn't wait for responses before the popup
// runs: its opener may share its thread and be blocked until then. Calls take effect in
// order.
func setupPopup(t *Tab) {
	defer close(t.ready)
	sent := t.Call(t.Browser.life, time.Millisecond)
	for _, step := range t.steps() {
		_ = step(sent)
	}
	to := t.Call(t.Browser.life, chromium.CallTimeout)
	if t.setupErr = (proto.RuntimeRunIfWaitingForDebugger{}).Call(to); t.setupErr == nil {
		t.setupErr = proto.PageEnable{}.Call(to) // its response confirms the earlier calls
	}
}
