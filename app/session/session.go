package session

import (
	"cmp"
	"context"
	"errors"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/page"
	"errand/host/run"
	"errand/host/system"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/guard"
)

// Session has the resources of one run: network access that records every connection,
// and at most one browser behind its own proxy.
type Session struct {
	sessions *Sessions
	runID    string      // empty: of a run that is not there yet
	origin   plan.Origin // of the run's request
	note     func(trace.Note)

	isApproved atomic.Bool                    // the user has approved what this run's plan does
	opener     atomic.Pointer[policy.Request] // for whom a page was opened last
	several    atomic.Bool                    // more calls than one have opened pages
	budget     requestBudget
	lostPage   atomic.Pointer[lostPage] // the step whose page of an earlier attempt is closed; may be nil

	visit visit // in the window of the resident process

	mu      sync.Mutex
	guard   *guard.Guard
	proxy   *guard.Proxy
	browser *page.Browser
	// attached: pages were opened in the user's own browser, which has no proxy.
	attached bool
}

// lostPage is why actions don't have the page that they need.
type lostPage struct {
	actions  []string
	startErr *tool.Error
}

// LosePage makes the calls of the actions fail with the error.
func (s *Session) LosePage(actions []string, e *tool.Error) { s.lostPage.Store(&lostPage{actions, e}) }

// Approve notes that the user has approved what the run does.
func (s *Session) Approve() { s.isApproved.Store(true) }

// IsApproved reports whether the user has approved what the run does.
func (s *Session) IsApproved() bool { return s.isApproved.Load() }

// isShown reports whether the session's own browser is the user's to close.
func (s *Session) isShown() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions.showsAll() && s.browser != nil
}

// End closes the session, unless the user closes its browser.
func (s *Session) End() error {
	if s.isShown() {
		s.sessions.open.CompareAndDelete(s.runID, s)
		return nil
	}
	return s.close()
}

// close ends the session's browser and then its proxy, because the browser would report
// errors of a missing proxy.
func (s *Session) close() error {
	s.sessions.open.CompareAndDelete(s.runID, s)
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	if s.browser != nil {
		errs = append(errs, s.browser.Close())
		s.browser = nil
	}
	if s.proxy != nil {
		errs = append(errs, s.proxy.Close())
		s.proxy = nil
	}
	return errors.Join(errs...)
}

// OpenBrowser launches the session's browser at its first use.
func (s *Session) OpenBrowser(ctx context.Context) (*page.Browser, error) {
	s.visit.outside.Store(true)
	s.visit.inside.Store(false)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.browser != nil && s.browser.IsAlive() {
		return s.browser, nil
	}
	if s.browser != nil { // it crashed: the next page gets another
		if err := s.browser.Close(); err != nil {
			return nil, err
		}
		s.browser = nil
	}
	if s.sessions.Attaches() {
		var err error
		if s.browser, err = s.sessions.attach(ctx, page.Options{Decide: s.Decide, Note: s.browserNote}); err == nil {
			s.attached = true
		}
		return s.browser, err
	}
	trust, err := s.sessions.TrustedKeys()
	if err != nil {
		return nil, err
	}
	if s.proxy == nil {
		if s.proxy, err = s.guard.StartProxy(context.WithoutCancel(ctx), s.proxyOptions()); err != nil {
			return nil, err
		}
	}
	s.browser, err = s.sessions.Launch(ctx, s.proxy, page.Options{
		Options: chromium.Options{Profile: s.sessions.o.Config.Browser.Profile, Profiles: s.sessions.Profiles(), TrustSPKI: trust},
		Decide:  s.Decide, Note: s.browserNote,
	})
	if err == nil {
		s.sessions.leftovers.add(s.runID, s.browser)
	}
	return s.browser, err
}

// proxyOptions returns the options of the proxy of the session's browser.
func (s *Session) proxyOptions() guard.ProxyOptions {
	return guard.ProxyOptions{Caller: policy.Request{Origin: s.origin}, Charge: s.budget.pass}
}

// RunningBrowser returns the session's browser, nil if none is running.
func (s *Session) RunningBrowser() *page.Browser {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.browser == nil || !s.browser.IsAlive() {
		return nil
	}
	return s.browser
}

// Launch starts the configured browser behind a proxy. o brings what is the
// caller's: whom to ask, whom to tell, and which keys to trust.
func (ss *Sessions) Launch(ctx context.Context, proxy *guard.Proxy, o page.Options) (*page.Browser, error) {
	bin, _, err := chromium.Find(ss.o.Config.Browser.Bin)
	if err == nil {
		err = ss.o.Config.CheckProgram(bin)
	}
	if err != nil {
		return nil, err
	}
	o.Bin, o.Dir, o.Show = bin, filepath.Join(ss.o.Config.Paths.Cache, "browser"), o.Show || ss.showsAll()
	ss.Profiles().Sweep()
	if n, err := chromium.Sweep(o.Dir); err == nil && n > 0 && o.Note != nil {
		o.Note(trace.BrowserNote{SweptProfiles: n})
	}
	// The proxy is the browser's own: a session's close takes its proxy away
	// while requests may be under way.
	o.Admit, o.AdmitSocket, o.Explain = proxy.Admit, proxy.AdmitSocket, func(hostport string) error { return explain(proxy, hostport) }
	o.Proxy = chromium.Proxy{Addr: proxy.Addr(), Sockets: proxy.Sockets(), Username: proxy.Username(), Password: proxy.Password()}
	return page.Launch(ctx, o)
}

// OpenURL shows a page in the managed browser: what the launcher does with a
// browser and a URL.
func (s *Session) OpenURL(ctx context.Context, rawURL string) (tool.Result, error) {
	if s.sessions.o.Config.Browser.Mode == "external" && !s.sessions.o.Demo {
		if fault := s.CheckHandOver(ctx, rawURL); fault != nil {
			return tool.Result{Error: fault}, nil
		}
		return system.OpenExternal(ctx, system.CheckedLookPath(s.sessions.o.Config.CheckProgram), rawURL)
	}
	if c, _ := tool.CallerFrom(ctx); s.opensInWindow(ctx, c.ActionID, true) {
		if r, done, err := s.openInWindow(ctx, rawURL); done {
			r.UserOnlyKeys = pageWords
			return r, err
		}
	}
	b, err := s.OpenBrowser(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	page, err := b.Open(ctx, rawURL)
	if err != nil {
		return tool.Result{}, err
	}
	r := page.Result()
	r.UserOnlyKeys = pageWords
	return r, nil
}

// pageWords are the keys with the page's words, and where it led: the user sees them.
var pageWords = []string{"title", "url"}

// CheckHandOver returns why an address can't be opened in the user's own browser; nil
// if it can.
func (s *Session) CheckHandOver(ctx context.Context, rawURL string) *tool.Error {
	if fault := s.sessions.leavesDemo(rawURL); fault != nil {
		return fault
	}
	c, _ := tool.CallerFrom(ctx)
	r := s.subject(c)
	r.Kind, r.URL = policy.KindNavigate, rawURL
	if d := s.Decide(r); d.Verdict != policy.Allow {
		return run.DenialError(d)
	}
	return nil
}

// Decide is policy's decision on what the browser is about to do. A request without
// an origin has that of the call that opened the page, else that of the run.
func (s *Session) Decide(r policy.Request) policy.Decision {
	r.At, r.Approved = s.sessions.o.Now(), r.Approved || s.isApproved.Load()
	as := r // for whom the page was opened
	if r.Call == "" {
		as = s.someOpener()
	}
	r.Origin = cmp.Or(r.Origin, as.Origin, s.origin)
	r.Tool, r.Effect, r.Plugin, r.Run, r.Call = "", "", as.Plugin, as.Run, as.Call
	if r.Kind == policy.KindNavigate && r.Tool == "" { // rules speak of the tool that opens the page
		r.Tool, r.Effect = as.Tool, string(tool.EffectNavigate)
	}
	d := s.sessions.o.Policy.Decide(r)
	if policy.CanGrant(d) {
		r.Tool = as.Tool // a page loads for the tool that opened it, as far as grants go
		d = s.sessions.o.Grants.Use(r)
	}
	if s.sessions.Attaches() && isSocket(r.URL) { // the user's browser opens it anyway
		s.budget.count()
		return d
	}
	return s.budget.pass(r, d)
}

func isSocket(rawURL string) bool {
	return strings.HasPrefix(rawURL, "ws:") || strings.HasPrefix(rawURL, "wss:")
}

// someOpener returns the request for a page whose call is unknown. If several calls may
// have opened it, it names none of them, so that no call's grants apply.
func (s *Session) someOpener() policy.Request {
	as := policy.Request{Run: s.run()}
	if last := s.opener.Load(); last != nil {
		as = *last
	}
	if s.several.Load() {
		as.Call = ""
	}
	return as
}

// CheckReach checks the address of a call before the user
// is asked and before anything is opened: the name must resolve, to addresses that
// policy allows.
func (s *Session) CheckReach(ctx context.Context, spec tool.Spec, call tool.Call) *tool.Error {
	raw, _ := call.Args["url"].(string)
	if raw != "" && spec.Effect == tool.EffectNavigate && spec.PageUse(call.Args) == tool.NoPage { // it opens in another browser
		if fault := s.sessions.leavesDemo(raw); fault != nil {
			return fault
		}
	}
	if spec.Effect != tool.EffectNavigate && len(spec.OpenedURLs(call.Args)) == 0 || raw == "" {
		return nil
	}
	as := s.subject(spec.Caller(call))
	if last := s.opener.Swap(&as); last != nil && last.Call != as.Call {
		s.several.Store(true)
	}
	r := as
	r.Kind, r.URL, r.At, r.Approved = policy.KindNavigate, raw, s.sessions.o.Now(), s.isApproved.Load()
	if s.sessions.o.Grants.Decide(r).Verdict != policy.Allow {
		return nil // a name that may not be reached is not looked up either
	}
	d, _, err := s.guard.Check(ctx, r)
	var unresolved *guard.ResolveError
	switch {
	case errors.As(err, &unresolved):
		return tool.NewError(tool.ToolUnavailable, "name_not_resolved", message.New("session.name_not_resolved", "host", address.Hostname(raw))).
			WithHint(message.New("session.name_not_resolved_hint"))
	case err != nil:
		return tool.AsError(err)
	case d.Verdict != policy.Allow:
		return run.DenialError(d)
	}
	return nil
}

// explain answers why the proxy did not open for host:port: the browser sees a
// tunnel that failed, and not why.
func explain(proxy *guard.Proxy, hostport string) error {
	for _, c := range slices.Backward(proxy.Connections()) {
		if net.JoinHostPort(c.Host, strconv.Itoa(c.Port)) != hostport {
			continue
		}
		switch {
		case c.Verdict != policy.Allow:
			return run.DenialError(policy.Decision{Rule: c.Rule, Reason: c.Reason})
		case !c.Error.IsZero():
			return tool.NewError(tool.ToolUnavailable, "host_unreachable", message.New("session.host_unreachable", "host", hostport, "cause", c.Error))
		}
		return nil
	}
	return nil
}
