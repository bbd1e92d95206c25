package core

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	"errand/app/demo/waysout"

	"errand/host/browser/chromium"
	"errand/host/browser/page"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/guard"
)

// Times of the egress test.
const (
	egressTimeout = 60 * time.Second        // for all pages
	egressTried   = 30 * time.Second        // until the last way was tried, after that
	egressQuiet   = 1500 * time.Millisecond // for what comes late
	egressTabs    = 8                       // pages at once
)

// EgressReport says whether a page of an allowed host finds a way past the
// network boundary on this machine.
type EgressReport struct {
	Passed       bool           `json:"passed"`
	Browser      string         `json:"browser"`
	Subresources string         `json:"subresources"` // what a page may load by itself: public or listed
	Hits         []string       `json:"hits"`         // ways that got out
	Untried      []string       `json:"untried"`      // ways that nothing is known of
	Broken       []string       `json:"broken"`       // what the page should do, and could not, or should not, and could
	Report       waysout.Report `json:"report"`
}

// EgressTest opens pages that try every way out that a page has, in the
// browser, behind the proxy and under the policy that a run would have, towards
// servers on loopback that nothing may reach. It takes some 15 s and needs no
// network. The error is for a test that could not be made; what got out is in
// the report.
func (a *App) EgressTest(ctx context.Context) (EgressReport, error) {
	site, err := waysout.Start(ctx)
	if err != nil {
		return EgressReport{}, err
	}
	defer site.Close()
	b, closeAll, err := a.egressBrowser(ctx, site)
	if err != nil {
		return EgressReport{}, err
	}
	defer closeAll()

	pages := site.Pages()
	opening, cancel := context.WithTimeout(ctx, egressTimeout)
	defer cancel()
	var all sync.WaitGroup
	slots := make(chan struct{}, egressTabs)
	failed := make([]error, len(pages))
	for i, page := range pages {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			_, failed[i] = b.Open(opening, page)
		})
	}
	all.Wait()
	for i, page := range pages[:waysout.Lasting] { // the others end in an error where all is well
		if failed[i] != nil {
			return EgressReport{}, fmt.Errorf("open %s for the egress test: %w", page, failed[i])
		}
	}
	wait, enough := context.WithTimeout(ctx, egressTried)
	defer enough()
	site.Wait(wait)
	select {
	case <-time.After(egressQuiet):
	case <-ctx.Done():
		return EgressReport{}, ctx.Err()
	}
	return a.egressReport(b.Info().Product, site.Report()), nil
}

// egressBrowser is a run's browser behind a run's proxy, where the site's names
// exist and its page is allowed.
func (a *App) egressBrowser(ctx context.Context, site *waysout.Site) (*page.Browser, func(), error) {
	gate, err := a.gate.WithAllowed(site.Allowed()...)
	if err != nil {
		return nil, nil, err
	}
	proxy, err := guard.New(gate, guard.Options{
		Overrides: site.Hosts(), Resolve: site.Resolve,
		Record: func(c guard.Connection) {
			if c.Verdict != policy.Allow {
				site.Stopped("proxy", "https://"+net.JoinHostPort(c.Host, strconv.Itoa(c.Port))+"/", c.Rule)
			}
		},
	}).StartProxy(ctx, guard.ProxyOptions{As: policy.Request{Origin: plan.UserGoal}})
	if err != nil {
		return nil, nil, err
	}
	b, err := a.launch(ctx, proxy, page.Options{
		Options: chromium.Options{TrustSPKI: []string{site.SPKI()}},
		Decide: func(r policy.Request) policy.Decision {
			r.Origin, r.At = plan.UserGoal, a.now()
			return gate.Decide(r)
		},
		Note: func(kind string, data map[string]any) {
			if kind == trace.KindConnection && data["verdict"] != policy.Allow.String() {
				url, _ := data["url"].(string)
				rule, _ := data["rule"].(string)
				site.Stopped("interception", url, rule)
			}
		},
	})
	if err != nil {
		proxy.Close()
		return nil, nil, err
	}
	return b, func() { b.Close(); proxy.Close() }, nil
}

func (a *App) egressReport(product string, r waysout.Report) EgressReport {
	out := EgressReport{
		Browser: product, Subresources: a.conf.Policy.Subresources, Report: r,
		Hits: append([]string{}, r.Hits()...), Untried: append([]string{}, r.Untried()...), Broken: []string{},
	}
	for _, w := range r.Works {
		want := !w.Public || out.Subresources != "listed"
		if w.Done != want {
			out.Broken = append(out.Broken, w.Name)
		}
	}
	out.Passed = len(out.Hits)+len(out.Untried)+len(out.Broken) == 0
	return out
}
