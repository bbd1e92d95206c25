package resident

import (
	"cmp"
	"context"
	"time"

	"errand/host/browser/chromium"
	"errand/host/browser/page"
	"errand/host/browser/window"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/guard"
)

// emptyWindow is how long a browser without a page stays, so that a page that opens when the last
// one is closed finds it.
const emptyWindow = 3 * time.Second

// windowProxy has the limits of the browser's connections, which may be those of a film.
var windowProxy = guard.ProxyOptions{Caller: policy.Request{Origin: plan.UserGoal}, MaxBytes: 64 << 30, MaxTime: 12 * time.Hour, IdleTime: 30 * time.Minute}

// running returns the browser, nil if it is not running.
func (p *Process) running() *page.Browser {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.browser == nil || !p.browser.IsAlive() {
		return nil
	}
	return p.browser
}

// open returns the browser and starts it at its first use, and after it has ended.
func (p *Process) open(ctx context.Context) (*page.Browser, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return nil, tool.NewError(tool.ToolUnavailable, "resident_ending", message.New("resident.ending"))
	case p.browser != nil && p.browser.IsAlive():
		return p.browser, nil
	}
	if err := p.closeBrowser(); err != nil {
		return nil, err
	}
	var err error
	if p.guard == nil {
		if p.guard, err = p.base.WindowGuard(p.decideAtProxy); err != nil {
			return nil, err
		}
	}
	if p.proxy, err = p.guard.StartProxy(context.WithoutCancel(ctx), windowProxy); err != nil {
		return nil, err
	}
	o := page.Options{Options: chromium.Options{Show: true}, DecideFor: p.decide, NoteOf: p.calls.note}
	if !p.o.Demo { // what is signed in there would be of no use
		o.Profile, o.Profiles = cmp.Or(p.o.Config.Browser.Profile, Profile), p.base.Profiles()
	}
	if o.TrustSPKI, err = p.base.TrustedKeys(); err != nil {
		return nil, err
	}
	if p.browser, err = p.base.Launch(ctx, p.proxy, o); err != nil {
		p.browser = nil
		return nil, err
	}
	p.window = window.New(p.browser)
	go p.endEmptyWindow(p.browser)
	return p.browser, nil
}

// openWindow is open for showing a page.
func (p *Process) openWindow(ctx context.Context) (*window.Window, error) {
	if _, err := p.open(ctx); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.window, nil
}

// endEmptyWindow ends a browser whose last page the user has closed.
func (p *Process) endEmptyWindow(b *page.Browser) {
	for b.IsAlive() {
		_ = b.Wait(context.Background()) // nil, because the context never ends
		time.Sleep(emptyWindow)
		if b.IsAlive() && len(b.AllTabs()) > 0 || p.calls.count() > 0 {
			continue
		}
		p.mu.Lock()
		if p.browser == b {
			_ = p.closeBrowser()
		}
		p.mu.Unlock()
		return
	}
}

// totals returns the traffic of the browser so far.
func (p *Process) totals() guard.Totals {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.guard == nil {
		return guard.Totals{}
	}
	return p.guard.Totals()
}
