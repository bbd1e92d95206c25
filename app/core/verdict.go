package core

import (
	"context"
	"net/netip"
	"strings"

	"errand/host/run"
	"errand/host/tool"
	"errand/policy"
)

func verdicts(all []run.Verdict) []Verdict {
	out := make([]Verdict, len(all))
	for i, v := range all {
		out[i] = Verdict{ActionID: v.ActionID, Tool: v.Tool, Decision: v.Decision, Error: v.Error}
		if v.Forecast != nil {
			f := *v.Forecast
			f.Identity, out[i].Forecast = "", &f // nobody can read it
		}
	}
	return out
}

func denied(d policy.Decision) *tool.Error {
	e := tool.Errorf(tool.PolicyDenied, d.Rule, "%s", d.Reason)
	if d.Hint != "" {
		e = e.WithHint("%s", d.Hint)
	}
	return e
}

// stepped passes the engine's progress on, as far as it is about steps.
func (x *execution) stepped(e run.Event) {
	if e.Kind != run.StateEntered {
		x.tell(string(e.Kind), e)
	}
}

// WaitBrowser waits until the person has closed the visible browser, or ctx
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

// demoHosts says which names stand for which addresses: the exception that the
// demo makes. Names are printed once, without the "www." and the ports that
// stand for the same pages.
func demoHosts(hosts map[string]netip.AddrPort) *DemoHosts {
	out := map[string]string{}
	for hostport, addr := range hosts {
		name, tls := strings.CutSuffix(hostport, ":443")
		if tls && !strings.HasPrefix(name, "www.") {
			out[name] = addr.String()
		}
	}
	return &DemoHosts{Hosts: out}
}
