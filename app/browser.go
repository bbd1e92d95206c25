package app

import (
	"context"
	"strings"

	"errand/app/runs"
	"errand/host/browser/page"
	"errand/host/tool"
)

// WaitBrowser waits until the user has closed the visible browser of this program, or ctx
// ends. It first calls waits. Without such a browser it returns at once.
func (a *App) WaitBrowser(ctx context.Context, waits func()) error {
	return a.sessions.WaitBrowser(ctx, waits)
}

// CountProcesses counts the processes that one of the latest runs started and that are
// alive; -1: this platform can't tell.
func (a *App) CountProcesses(runID string) int { return a.sessions.CountProcesses(runID) }

// NeedsPerson reports whether only the user, at the browser's window, can fix a failure:
// the page shows a captcha or asks for consent.
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
