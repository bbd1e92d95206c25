// Package resident is the resident process of a user: it owns the visible browser, makes the
// calls of other programs in it, and decides what the browser may request.
package resident

import (
	"context"
	"errors"
	"sync"
	"time"

	"errand/app/config"
	"errand/app/grants"
	"errand/app/session"
	"errand/host/browser/page"
	"errand/host/browser/window"
	"errand/host/resident"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
	"errand/policy/guard"
)

// Idle is how long the process lives without a call and without an open page.
const Idle = 15 * time.Minute

// Profile is the profile of the visible browser, unless browser.profile names another one. It
// keeps logins.
const Profile = "window"

// Options configure a process.
type Options struct {
	Config *config.Loaded
	Policy policy.Chain // without grants
	Grants *grants.Keeper
	// Sessions makes the sessions of calls, with another policy and its grants.
	Sessions func(policy.Chain, *grants.Keeper) *session.Sessions
	// Tools makes the browser's tools for a browser.
	Tools func(open func(context.Context) (*page.Browser, error), running func(context.Context) *page.Browser) []tool.Tool
	// Wake looks at the timers, for a client with this session bus.
	Wake func(bus string)
	Demo bool
	Now  func() time.Time
}

// Process implements [resident.Handler]. Its methods may be called by several goroutines at
// once.
type Process struct {
	o     Options
	base  *session.Sessions
	tools map[string]tool.Tool
	calls calls

	mu      sync.Mutex // held while the browser starts or ends
	closed  bool
	guard   *guard.Guard
	proxy   *guard.Proxy
	browser *page.Browser
	window  *window.Window // of the browser
}

// New makes a process. It opens nothing. The caller calls Close.
func New(o Options) *Process {
	p := &Process{o: o, base: o.Sessions(o.Policy, o.Grants), tools: map[string]tool.Tool{}, calls: calls{active: map[callID]*call{}}}
	for _, t := range o.Tools(p.open, func(context.Context) *page.Browser { return p.running() }) {
		p.tools[t.Spec().Name] = t
	}
	return p
}

// Handle implements [resident.Handler].
func (p *Process) Handle(ctx context.Context, r resident.Request, e resident.Events) resident.Answer {
	switch r.Do {
	case resident.DoPages:
		return p.pages(ctx)
	case resident.DoWake:
		p.o.Wake(r.Bus)
		return resident.Answer{}
	}
	c, err := p.begin(r, e)
	if err != nil {
		return resident.Answer{Err: tool.AsError(err)}
	}
	defer p.calls.end(c)
	ctx = tool.WithClock(tool.WithCaller(ctx, r.Caller), holder{e.Hold})
	a := p.do(ctx, r)
	a.Egress = c.egress(p.totals())
	return a
}

// do makes a call.
func (p *Process) do(ctx context.Context, r resident.Request) resident.Answer {
	if r.Do == resident.DoOpen {
		rawURL, _ := r.Call.Args["url"].(string)
		w, err := p.openWindow(ctx)
		if err != nil {
			return resident.Answer{Err: tool.AsError(err)}
		}
		opened, err := w.Show(ctx, rawURL)
		if err != nil {
			return resident.Answer{Err: tool.AsError(err)}
		}
		return resident.Answer{Result: opened.Result()}
	}
	t, ok := p.tools[r.Call.Tool]
	if !ok {
		return resident.Answer{Err: tool.NewError(tool.ToolUnavailable, "unknown_tool", message.New("resident.unknown_tool", "tool", r.Call.Tool))}
	}
	if r.Do == resident.DoClassify {
		c, ok := t.(tool.Classifier)
		if !ok {
			return resident.Answer{Err: tool.NewError(tool.ToolUnavailable, "unknown_tool", message.New("resident.unknown_tool", "tool", r.Call.Tool))}
		}
		effect, err := c.Classify(ctx, r.Call)
		return resident.Answer{Effect: effect, Err: tool.AsError(err)}
	}
	result, err := t.Call(ctx, r.Call)
	return resident.Answer{Result: result, Err: tool.AsError(err)}
}

// pages lists the open pages.
func (p *Process) pages(ctx context.Context) resident.Answer {
	b := p.running()
	if b == nil {
		return resident.Answer{}
	}
	tabs, err := b.Tabs(ctx)
	if err != nil {
		return resident.Answer{Err: tool.AsError(err)}
	}
	var a resident.Answer
	for _, t := range tabs {
		a.Pages = append(a.Pages, resident.Page(t))
	}
	return a
}

// Browser implements [resident.Handler].
func (p *Process) Browser() (product string, pages int) {
	b := p.running()
	if b == nil {
		return "", 0
	}
	return b.Info().Product, len(b.AllTabs())
}

// holder is the clock of a call of another program.
type holder struct{ hold func() (release func()) }

func (h holder) Stop() (start func()) { return h.hold() }

var (
	_ tool.Clock       = holder{}
	_ resident.Handler = (*Process)(nil)
)

// Close ends the browser. Calls that are running fail.
func (p *Process) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	return p.closeBrowser()
}

// closeBrowser ends the browser and then its proxy. The caller holds the mutex.
func (p *Process) closeBrowser() error {
	var errs []error
	if p.browser != nil {
		errs = append(errs, p.browser.Close())
		p.browser = nil
	}
	if p.proxy != nil {
		errs = append(errs, p.proxy.Close())
		p.proxy = nil
	}
	return errors.Join(errs...)
}
