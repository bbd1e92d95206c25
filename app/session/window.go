package session

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"errand/app/config"
	"errand/host/resident"
	"errand/host/system"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// Window is the visible browser of the user's resident process, as this program uses it. It is
// nil where pages are not shown there.
type Window struct {
	Client func() *resident.Client
	Allow  []string // host patterns that are allowed beside the configured ones
}

// opensWindow reports whether pages may be shown in the window of the resident process.
func (ss *Sessions) opensWindow() bool {
	return ss.o.Window != nil && !ss.Attaches() && (ss.o.Config.Browser.Mode != "external" || ss.o.Demo) &&
		(ss.showsAll() || ss.o.Config.Browser.Show == config.ShowAuto) && ss.hasDisplay()
}

// showsAll reports whether every page is shown.
func (ss *Sessions) showsAll() bool {
	return ss.o.Show || ss.o.Config.Browser.Show == config.ShowAlways
}

// hasDisplay looks for a display once.
func (ss *Sessions) hasDisplay() bool {
	ss.displayOnce.Do(func() { ss.display = system.HasDisplay() })
	return ss.display
}

// visit is what a session does in the window of the resident process.
type visit struct {
	toShow  atomic.Pointer[[]string] // the actions whose pages are for the user to see
	inside  atomic.Bool              // the run's current page is in the window
	outside atomic.Bool              // the run has a page of its own, which is not
	used    atomic.Bool              // the process was used
	refused atomic.Bool              // there is no process

	mu     sync.Mutex
	egress trace.Egress // of the calls
}

// opensInWindow reports whether a call opens its page in the window.
func (s *Session) opensInWindow(ctx context.Context, actionID string, launches bool) bool {
	switch ss := s.sessions; {
	case !ss.opensWindow() || s.visit.refused.Load():
		return false
	case !s.origin.IsOwn(): // others get neither the user's logins nor attention
		return false
	case ss.showsAll():
		return true
	case launches:
		if actions := s.visit.toShow.Load(); actions != nil && slices.Contains(*actions, actionID) {
			return true
		}
	}
	// Only one browser can use a named profile.
	return s.sessions.o.Config.Browser.Profile != "" && s.sessions.o.Window.Client().Matches(ctx)
}

// ActsInWindow reports whether a call of a browser tool is for the window. A call about the
// current page is if the run has opened its page there, or if it has opened none and the
// process is running. opens is for a call that opens a page.
func (s *Session) ActsInWindow(ctx context.Context, opens bool) bool {
	switch {
	case opens:
		c, _ := tool.CallerFrom(ctx)
		return s.opensInWindow(ctx, c.ActionID, false)
	case s.visit.inside.Load():
		return true
	case s.visit.outside.Load() || !s.origin.IsOwn() || s.visit.refused.Load() || !s.sessions.opensWindow():
		return false
	}
	return s.sessions.o.Window.Client().Matches(ctx)
}

// HasOwnPage reports whether the run opened a page outside of the window.
func (s *Session) HasOwnPage() bool { return s.visit.outside.Load() }

// request makes a request of a call to the process. sent is false if there is none: the caller
// goes on in this program.
func (s *Session) request(ctx context.Context, do resident.Do, call tool.Call) (a resident.Answer, sent bool, err error) {
	w := s.sessions.o.Window
	caller, _ := tool.CallerFrom(ctx)
	s.budget.mu.Lock()
	made := s.budget.earlier + s.budget.requests
	s.budget.mu.Unlock()
	s.visit.mu.Lock()
	made += s.visit.egress.Requests
	s.visit.mu.Unlock()
	r := resident.Request{Do: do, Caller: caller, Call: call, Visit: resident.Visit{
		Run: s.run(), Origin: s.origin, Approved: s.isApproved.Load(), Allow: w.Allow, Requests: made,
	}}
	events := resident.Events{Note: s.note, Hold: func() func() { _, release := tool.Hold(ctx, maxHold); return release }}
	a, err = w.Client().Do(ctx, r, events, func(status resident.Status) {
		if status.Replaced && !s.visit.used.Swap(true) {
			s.note(trace.BrowserNote{Event: trace.BrowserReplaced})
		}
	})
	if none, ok := errors.AsType[*resident.UnavailableError](err); ok {
		s.visit.refused.Store(true)
		s.note(trace.BrowserNote{Event: trace.BrowserNotShown, Reason: none.AsMessage()})
		return a, false, nil
	}
	s.visit.add(a.Egress)
	if err == nil && a.Err != nil {
		err = a.Err
	}
	return a, true, err
}

func (v *visit) add(e trace.Egress) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.egress.Requests += e.Requests
	v.egress.Stopped += e.Stopped
	v.egress.Connections += e.Connections
	v.egress.Hosts = max(v.egress.Hosts, e.Hosts)
	v.egress.Sent += e.Sent
	v.egress.Received += e.Received
}

// openInWindow shows a page in the window. done is false if there is none: the page opens in this
// program.
func (s *Session) openInWindow(ctx context.Context, rawURL string) (r tool.Result, done bool, err error) {
	a, sent, err := s.request(ctx, resident.DoOpen, tool.Call{Args: map[string]any{"url": rawURL}})
	if !sent {
		return r, false, nil
	}
	s.visit.inside.Store(err == nil)
	if err != nil { // opening a page again changes nothing
		return tool.Result{Error: tool.AsError(err)}, true, nil
	}
	return a.Result, true, nil
}

// CallInWindow makes a call of a browser tool in the window. done is false if there is no
// process: nothing was done.
func (s *Session) CallInWindow(ctx context.Context, call tool.Call) (r tool.Result, done bool) {
	a, sent, err := s.request(ctx, resident.DoCall, call)
	switch {
	case !sent:
		return r, false
	case err != nil: // one that was lost was perhaps made
		e := tool.AsError(err)
		return tool.Result{Error: e, Partial: e.Code == resident.CodeLost}, true
	}
	if a.Result.OK {
		s.visit.inside.Store(true)
	}
	return a.Result, true
}

// ClassifyInWindow is [tool.Classifier] for a call in the window.
func (s *Session) ClassifyInWindow(ctx context.Context, call tool.Call) (tool.Effect, error) {
	a, sent, err := s.request(ctx, resident.DoClassify, call)
	if !sent {
		return "", noWindowError()
	}
	return a.Effect, err
}

func noWindowError() *tool.Error {
	return tool.UnavailableError("no_window", message.New("session.no_window")).WithHint(message.New("session.no_window_hint"))
}

// WindowPages lists the pages of the visible browser in the order of opening. Without a running
// process, or where pages are not shown, there are none. It starts nothing.
func (ss *Sessions) WindowPages(ctx context.Context) ([]resident.Page, error) {
	if !ss.opensWindow() || !ss.o.Window.Client().Matches(ctx) {
		return nil, nil
	}
	a, _, err := ss.o.Window.Client().Ask(ctx, resident.Request{Do: resident.DoPages})
	if _, none := errors.AsType[*resident.UnavailableError](err); none {
		return nil, nil
	}
	if err == nil && a.Err != nil {
		err = a.Err
	}
	return a.Pages, err
}

// HasWindowPage reports whether a page is open in the visible browser. It starts nothing.
func (ss *Sessions) HasWindowPage() bool {
	pages, err := ss.WindowPages(context.Background())
	return err == nil && len(pages) > 0
}

// HasLostWindow reports whether the process of the visible browser was killed, and none runs now.
func (ss *Sessions) HasLostWindow() bool {
	return ss.opensWindow() && ss.o.Window.Client().WasKilled(context.Background())
}

// maxHold limits the time that the process may hold the clock of a call.
const maxHold = time.Hour
