package app

import (
	"context"
	"errors"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"errand/app/runs"
	"errand/host/browser/chromium"
	"errand/host/browser/page"
	"errand/host/run"
	"errand/host/system"
	"errand/host/tool"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/guard"
)

// session is what one run opens: a way to the network that notes every
// connection in the run's record, and at most one browser behind a proxy of
// its own.
type session struct {
	app   *App
	runID string // empty: of a run that is not there yet
	note  func(kind string, data map[string]any)

	approved atomic.Bool                    // a person has said yes to what this run's plan does
	opener   atomic.Pointer[policy.Request] // for whom a page was opened last
	several  atomic.Bool                    // more calls than one have opened pages
	outlet   outlet
	lost     atomic.Pointer[lostPage] // whose page of an earlier attempt is closed; nil: nobody's

	mu      sync.Mutex
	guard   *guard.Guard
	proxy   *guard.Proxy
	browser *page.Browser
	// attached: pages were opened in the person's own browser, around which there is
	// no proxy.
	attached bool
}

// newSession makes the session of a run. Until it is closed, [App.sessionOf]
// finds it by the run's id.
func (a *App) newSession(runID string, note func(kind string, data map[string]any)) (*session, error) {
	s := &session{app: a, runID: runID, note: note, outlet: outlet{most: a.conf.Policy.Budget.Requests}}
	var err error
	s.guard, err = a.newGuard(wire{s}, a.budget(), func(c guard.Connection) { note(connectionKind(c), s.connectionData(c)) })
	if err == nil && runID != "" {
		a.sessions.Store(runID, s)
	}
	return s, err
}

// sessionOf returns the session of a run that is under way, else nil.
func (a *App) sessionOf(runID string) *session {
	s, _ := a.sessions.Load(runID)
	found, _ := s.(*session)
	return found
}

// lostPage is why actions don't have the page that they need.
type lostPage struct {
	actions []string
	fault   *tool.Error
}

// LosePage implements [runs.Session].
func (s *session) LosePage(actions []string, e *tool.Error) { s.lost.Store(&lostPage{actions, e}) }

// Approve implements [runs.Session].
func (s *session) Approve() { s.approved.Store(true) }

// Approved implements [runs.Session].
func (s *session) Approved() bool { return s.approved.Load() }

// openSession opens the session of a run. With --show the browser stays until the
// user closes it.
func (a *App) openSession(runID string, note func(kind string, data map[string]any)) (runs.Session, error) {
	s, err := a.newSession(runID, note)
	if err != nil {
		return nil, err
	}
	if s.shown() {
		a.own(s.close)
		a.shown.Store(s)
	}
	return s, nil
}

// shown reports whether the session's browser is the user's to close.
func (s *session) shown() bool { return s.app.o.Show || s.app.conf.Browser.Show }

// End implements [runs.Session].
func (s *session) End() error {
	if s.shown() {
		s.app.sessions.CompareAndDelete(s.runID, s)
		return nil
	}
	return s.close()
}

// close ends the session's browser and proxy, the browser first: it would
// report errors of a proxy that went away.
func (s *session) close() error {
	s.app.sessions.CompareAndDelete(s.runID, s)
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

// open launches the session's browser at its first use.
func (s *session) open(ctx context.Context) (*page.Browser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.browser != nil && s.browser.Alive() {
		return s.browser, nil
	}
	if s.browser != nil { // it crashed: the next page gets another
		if err := s.browser.Close(); err != nil {
			return nil, err
		}
		s.browser = nil
	}
	if s.app.attaches() {
		var err error
		if s.browser, err = s.app.attach(ctx, page.Options{Decide: s.decide, Note: s.browserNote}); err == nil {
			s.attached = true
		}
		return s.browser, err
	}
	site, err := s.app.site()
	if err != nil {
		return nil, err
	}
	var trust []string
	if site != nil {
		trust = []string{site.SPKI()}
	}
	if s.proxy == nil {
		if s.proxy, err = s.guard.StartProxy(context.WithoutCancel(ctx), guard.ProxyOptions{As: policy.Request{Origin: plan.UserGoal}}); err != nil {
			return nil, err
		}
	}
	s.browser, err = s.app.launch(ctx, s.proxy, page.Options{
		Options: chromium.Options{Profile: s.app.conf.Browser.Profile, Profiles: s.app.profiles(), TrustSPKI: trust},
		Decide:  s.decide, Note: s.browserNote,
	})
	if err == nil {
		s.app.leftovers.add(s.runID, s.browser)
	}
	return s.browser, err
}

// running is the session's browser, if it has one that runs.
func (s *session) running() *page.Browser {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.browser == nil || !s.browser.Alive() {
		return nil
	}
	return s.browser
}

// launch starts the configured browser behind a proxy. o brings what is the
// caller's: whom to ask, whom to tell, and which keys to trust.
func (a *App) launch(ctx context.Context, proxy *guard.Proxy, o page.Options) (*page.Browser, error) {
	bin, _, err := chromium.Find(a.conf.Browser.Bin)
	if err != nil {
		return nil, err
	}
	o.Bin, o.Dir, o.Show = bin, a.browserDir(), a.o.Show || a.conf.Browser.Show
	a.profiles().Sweep()
	if n, err := chromium.Sweep(o.Dir); err == nil && n > 0 {
		o.Note("browser", map[string]any{"swept_profiles": n})
	}
	// The proxy is the browser's own: a session's close takes its proxy away
	// while requests may be under way.
	o.Admit, o.Explain = proxy.Admit, func(hostport string) error { return explain(proxy, hostport) }
	o.Proxy = chromium.Proxy{Addr: proxy.Addr(), Username: proxy.Username(), Password: proxy.Password()}
	return page.Launch(ctx, o)
}

func (a *App) browserDir() string { return filepath.Join(a.conf.Paths.Cache, "browser") }

// openURL shows a page in the managed browser: what the launcher does with a
// browser and a URL.
func (s *session) openURL(ctx context.Context, rawURL string) (tool.Result, error) {
	if s.app.conf.Browser.Mode == "external" && !s.app.o.Demo {
		if fault := s.mayHandOver(ctx, rawURL); fault != nil {
			return tool.Result{Error: fault}, nil
		}
		return system.OpenExternal(ctx, rawURL)
	}
	b, err := s.open(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	page, err := b.Open(ctx, rawURL)
	if err != nil {
		return tool.Result{}, err
	}
	r := page.Result()
	r.Aside = []string{"title", "url"} // the page's words, and where it led: the person sees them
	return r, nil
}

// mayHandOver says why an address is not handed to a browser that is not ours;
// nil: it may be.
func (s *session) mayHandOver(ctx context.Context, rawURL string) *tool.Error {
	if fault := s.app.leavesDemo(rawURL); fault != nil {
		return fault
	}
	c, _ := tool.CallerFrom(ctx)
	r := s.subject(c)
	r.Kind, r.URL = policy.KindNavigate, rawURL
	if d := s.decide(r); d.Verdict != policy.Allow {
		return run.Denied(d)
	}
	return nil
}

// decide is policy's word on what the browser is about to do.
func (s *session) decide(r policy.Request) policy.Decision {
	if r.Origin == "" {
		r.Origin = plan.UserGoal
	}
	r.At, r.Approved = s.app.now(), r.Approved || s.approved.Load()
	as := r // for whom the page was opened
	if r.Call == "" {
		as = s.someOpener()
	}
	r.Tool, r.Effect, r.Plugin, r.Run, r.Call = "", "", as.Plugin, as.Run, as.Call
	if r.Kind == policy.KindNavigate && r.Tool == "" { // rules speak of the tool that opens the page
		r.Tool, r.Effect = as.Tool, string(tool.EffectNavigate)
	}
	d := s.app.gate.Decide(r)
	if policy.CanGrant(d) {
		r.Tool = as.Tool // a page loads for the tool that opened it, as far as grants go
		d = s.app.grants.Use(r)
	}
	return s.outlet.pass(r, d)
}

// someOpener is for whom a page was opened, of which nothing more is known. Where
// it may have been one of several calls it is none of them: what is granted to
// one call is not for it.
func (s *session) someOpener() policy.Request {
	as := policy.Request{Run: s.run()}
	if last := s.opener.Load(); last != nil {
		as = *last
	}
	if s.several.Load() {
		as.Call = ""
	}
	return as
}

// resolve is the check before anybody is asked and anything is opened: every
// address that the call would reach must have a name that resolves, to public
// addresses.
func (s *session) Reach(ctx context.Context, spec tool.Spec, call tool.Call) *tool.Error {
	raw, _ := call.Args["url"].(string)
	if raw != "" && spec.Effect == tool.EffectNavigate && spec.PageUse(call.Args) == tool.NoPage { // it opens in another browser
		if fault := s.app.leavesDemo(raw); fault != nil {
			return fault
		}
	}
	if spec.Effect != tool.EffectNavigate && len(spec.Opened(call.Args)) == 0 || raw == "" {
		return nil
	}
	as := s.subject(spec.Caller(call))
	if last := s.opener.Swap(&as); last != nil && last.Call != as.Call {
		s.several.Store(true)
	}
	r := as
	r.Kind, r.URL, r.At, r.Approved = policy.KindNavigate, raw, s.app.now(), s.approved.Load()
	if s.app.grants.Decide(r).Verdict != policy.Allow {
		return nil // a name that may not be reached is not looked up either
	}
	d, _, err := s.guard.Check(ctx, r)
	var unresolved *guard.ResolveError
	switch {
	case errors.As(err, &unresolved):
		return tool.Errorf(tool.ToolUnavailable, "name_not_resolved", "%s could not be resolved", host(raw)).
			WithHint("check the network connection; `errand demo` does the same job without a network")
	case err != nil:
		return tool.AsError(err)
	case d.Verdict != policy.Allow:
		return run.Denied(d)
	}
	return nil
}

func host(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	return u.Hostname()
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
			return run.Denied(policy.Decision{Rule: c.Rule, Reason: c.Reason})
		case c.Error != "":
			return tool.Errorf(tool.ToolUnavailable, "host_unreachable", "%s can't be reached: %s", hostport, c.Error)
		}
		return nil
	}
	return nil
}
