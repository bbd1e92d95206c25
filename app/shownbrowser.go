package app

import (
	"context"
	"strings"

	"errand/app/runs"
	"errand/host/browser/page"
	"errand/host/tool"
)

// WaitBrowser waits until the user has closed the visible browser, or ctx
// ends. Without one it returns at once.
func (a *App) WaitBrowser(ctx context.Context) error {
	s := a.shown.Load()
	if s == nil {
		return nil
	}
	s.mu.Lock()
	b := s.browser
	s.mu.Unlock()
	if b == nil {
		return nil
	}
	return b.Wait(ctx)
}

// NeedsPerson says of a failure that it is for the user at the browser's window:
// a page wants to see one, or wants a yes, before it shows what was asked for.
func NeedsPerson(e *tool.Error) bool {
	return e != nil && (e.Code == page.CodeChallenge || e.Code == page.CodeConsent)
}

// demoHosts says which names the demo serves, and where; nil outside of the demo.
// Names are listed once, without the "www." and the ports that stand for the same
// pages.
func (a *App) demoHosts() *runs.DemoHosts {
	site, err := a.site()
	if err != nil || site == nil {
		return nil
	}
	out := map[string]string{}
	for hostport, addr := range site.Hosts() {
		name, tls := strings.CutSuffix(hostport, ":443")
		if tls && !strings.HasPrefix(name, "www.") {
			out[name] = addr.String()
		}
	}
	return &runs.DemoHosts{Hosts: out}
}
