package app

import (
	"context"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/browser/chromium"
	"errand/host/browser/page"
	"errand/host/browser/waysout"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/guard"
)

// TestEgressPublic: by default no way leads out, each is stopped where it should
// be, and a page can do what it may.
func TestEgressPublic(t *testing.T) {
	got := tryEgress(t, "ERRAND_POLICY_SUBRESOURCES=public")
	if len(got.Hits())+len(got.NotTried()) > 0 {
		t.Errorf("led out: %v, untried: %v", got.Hits(), got.NotTried())
	}
	for name, stops := range map[string][]waysout.Stop{
		"fetch": {{By: "interception", Rule: "floor.private_address"}},
		// DevTools tells of a socket and does not hold it up: the proxy may be first.
		"websocket":            {{By: "interception", Rule: "floor.private_address"}, {By: "proxy", Rule: "floor.private_address"}},
		"webrtc-stun":          {{By: "browser"}},
		"name-private":         {{By: "proxy", Rule: "floor.private_address"}},
		"outside-top-location": {{By: "interception", Rule: "allowlist.unlisted"}},
	} {
		i := slices.IndexFunc(got.Ways, func(o waysout.Outcome) bool { return o.Name == name })
		if i < 0 || !slices.Contains(stops, got.Ways[i].Stop) {
			t.Errorf("%s: %+v, want one of %+v", name, got.Ways[max(i, 0)].Stop, stops)
		}
	}
	for _, w := range got.Works {
		if !w.Done {
			t.Errorf("%s: broken", w.Name)
		}
	}
}

// TestEgressListed: under subresources = "listed" no way leads out either, and a
// page does not get a picture of a host that isn't listed.
func TestEgressListed(t *testing.T) {
	got := tryEgress(t, "ERRAND_POLICY_SUBRESOURCES=listed")
	if len(got.Hits())+len(got.NotTried()) > 0 {
		t.Errorf("led out: %v, untried: %v", got.Hits(), got.NotTried())
	}
	for _, w := range got.Works {
		if w.Done == w.Public {
			t.Errorf("%s: %t", w.Name, w.Done)
		}
	}
}

// TestEgressSeesHits: where the person opens all of loopback, the test says
// that it is open, and to what; the rest of the boundary stands.
func TestEgressSeesHits(t *testing.T) {
	got := tryEgress(t, "ERRAND_POLICY_ALLOW_PRIVATE=127.0.0.0/8")
	for _, name := range []string{"name-private", "name-mixed"} { // listed names; a page may not use the address itself
		if !slices.Contains(got.Hits(), name) {
			t.Errorf("%s did not lead out: %v", name, got.Hits())
		}
	}
	for _, name := range got.Hits() {
		switch name {
		case "webrtc-stun", "webrtc-turn-udp", "webtransport", "as-ipv6", "as-localhost", "name-unlisted":
			t.Errorf("%s led out", name) // UDP, another family, names: none is what was opened
		}
		if slices.Contains([]string{"img", "iframe", "fetch", "websocket", "worker-fetch", "redirect-chain", "top-location", "top-post"}, name) || strings.HasPrefix(name, "outside-") {
			t.Errorf("%s led out", name)
		}
	}
}

// Times of the attack.
const (
	attackTimeout = 60 * time.Second // for all pages
	attackTried   = 30 * time.Second // until the last way was tried, after that
	attackTabs    = 8                // pages at once
)

// tryEgress opens all pages of the attack site in the browser, behind the proxy
// and under the policy of a run.
func tryEgress(t *testing.T, env string) waysout.Report {
	t.Helper()
	needsBrowser(t)
	a, _ := opened(t, Options{}, env)
	site, err := waysout.Start(t.Context())
	must.Succeed(t, err)
	defer site.Close()
	b := attackedBrowser(t, a, site)
	pages := site.Pages()
	opening, cancel := context.WithTimeout(t.Context(), attackTimeout)
	defer cancel()
	var all sync.WaitGroup
	slots := make(chan struct{}, attackTabs)
	failed := make([]error, len(pages))
	for i, page := range pages {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			_, failed[i] = b.Open(opening, page)
		})
	}
	all.Wait()
	for i, page := range pages[:waysout.StayingPages] { // the others end in an error where the boundary holds
		if failed[i] != nil {
			t.Fatalf("open %s: %v", page, failed[i])
		}
	}
	wait, enough := context.WithTimeout(t.Context(), attackTried)
	defer enough()
	site.Wait(wait)
	poll.SettleDown() // for what comes late
	return site.Report()
}

// attackedBrowser is a run's browser behind a run's proxy, where the site's names
// exist and its page is allowed.
func attackedBrowser(t *testing.T, a *App, site *waysout.Site) *page.Browser {
	t.Helper()
	gate, err := a.gate.WithAllowed(site.Allowed()...)
	must.Succeed(t, err)
	proxy, err := guard.New(gate, guard.Options{
		Overrides: site.Hosts(), Resolve: site.Resolve,
		Record: func(c guard.Connection) {
			if c.Verdict != policy.Allow {
				site.RecordStop("proxy", "https://"+net.JoinHostPort(c.Host, strconv.Itoa(c.Port))+"/", c.Rule)
			}
		},
	}).StartProxy(t.Context(), guard.ProxyOptions{Caller: policy.Request{Origin: plan.UserGoal}})
	must.Succeed(t, err)
	t.Cleanup(func() { proxy.Close() })
	b, err := a.sessions.Launch(t.Context(), proxy, page.Options{
		Options: chromium.Options{TrustSPKI: []string{site.SPKI()}},
		Decide: func(r policy.Request) policy.Decision {
			r.Origin, r.At = plan.UserGoal, a.now()
			return gate.Decide(r)
		},
		Note: func(n trace.Note) {
			if c, ok := n.(trace.ConnectionNote); ok && c.Verdict != policy.Allow.String() {
				site.RecordStop("interception", c.URL, c.Rule)
			}
		},
	})
	must.Succeed(t, err)
	t.Cleanup(func() { b.Close() })
	return b
}
