package policy

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/planner/plan"
)

var grantEnd = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)

func TestGrants(t *testing.T) {
	p := newPolicy(t, Settings{
		AllowedDomains: []string{"listed.example", "!banned.example"}, UserGoalTools: []string{"*"},
		Rules: []Rule{{Verdict: Deny, Host: "ruled.example"}, {Verdict: Ask, Host: "asked.example"}},
	}).WithGrants(
		Grant{ID: "g1", Pattern: "always.example", Scope: Always},
		Grant{ID: "g2", Pattern: "ends.example", Scope: Always, Until: grantEnd},
		Grant{ID: "g3", Pattern: "run.example", Scope: ForRun},
		Grant{ID: "g4", Pattern: "taken.example", Scope: ForRun, Run: "r1"},
		Grant{ID: "g5", Pattern: "once.example", Scope: Once},
		Grant{ID: "g6", Pattern: "used.example", Scope: Once, Run: "r1", Call: "a1"},
		Grant{ID: "g7", Pattern: "tool.example", Scope: Always, Tool: "weather.*"},
		Grant{ID: "g8", Pattern: "plugin.example", Scope: Always, Plugin: "weather"},
		Grant{ID: "g9", Pattern: "origin.example", Scope: Always, Origin: plan.Agent},
		Grant{ID: "g10", Pattern: "*.wild.example", Scope: Always},
		Grant{ID: "g11", Pattern: "banned.example", Scope: Always},
		Grant{ID: "g12", Pattern: "ruled.example", Scope: Always},
		Grant{ID: "g13", Pattern: "asked.example", Scope: Always},
		Grant{ID: "g14", Pattern: "127.0.0.1", Scope: Always},
		Grant{ID: "g15", Pattern: "noscope.example"},
		Grant{ID: "g16", Pattern: "twice.example", Scope: Once, Run: "r9", Call: "a1"},
		Grant{ID: "g17", Pattern: "twice.example", Scope: ForRun},
		Grant{ID: "g18", Pattern: "http://clear.example", Scope: Always},
	)
	fetch := func(host string) Request {
		return Request{Kind: KindFetch, URL: "https://" + host + "/", At: grantEnd.Add(-1), Run: "r1", Call: "a1", Tool: "weather.now", Plugin: "weather", Origin: plan.UserGoal}
	}
	with := func(r Request, change func(*Request)) Request { change(&r); return r }
	tests := []struct {
		name string
		r    Request
		want Verdict
		rule string
	}{
		{"for always", fetch("always.example"), Allow, "grants[g1]"},
		{"for always, of no run", with(fetch("always.example"), func(r *Request) { r.Run, r.Call = "", "" }), Allow, "grants[g1]"},
		{"another host", fetch("www.always.example"), Ask, RuleUnlisted},
		{"another scheme", with(fetch("x"), func(r *Request) { r.URL = "http://always.example/" }), Ask, RuleUnlisted},
		{"before its end", fetch("ends.example"), Allow, "grants[g2]"},
		{"at its end", with(fetch("ends.example"), func(r *Request) { r.At = grantEnd }), Ask, RuleUnlisted},
		{"with an end, at an unknown time", with(fetch("ends.example"), func(r *Request) { r.At = time.Time{} }), Ask, RuleUnlisted},
		{"for a run that needs it first", fetch("run.example"), Allow, "grants[g3]"},
		{"for a run, and there is none", with(fetch("run.example"), func(r *Request) { r.Run = "" }), Ask, RuleUnlisted},
		{"for the run that uses it", fetch("taken.example"), Allow, "grants[g4]"},
		{"for another run", with(fetch("taken.example"), func(r *Request) { r.Run = "r2" }), Ask, RuleUnlisted},
		{"for once", fetch("once.example"), Allow, "grants[g5]"},
		{"for once, and there is no call", with(fetch("once.example"), func(r *Request) { r.Call = "" }), Ask, RuleUnlisted},
		{"for the call that uses it", fetch("used.example"), Allow, "grants[g6]"},
		{"for another call", with(fetch("used.example"), func(r *Request) { r.Call = "a2" }), Ask, RuleUnlisted},
		{"for a call of this name in another run", with(fetch("used.example"), func(r *Request) { r.Run = "r2" }), Ask, RuleUnlisted},
		{"for the tool", fetch("tool.example"), Allow, "grants[g7]"},
		{"for another tool", with(fetch("tool.example"), func(r *Request) { r.Tool = "notes.now" }), Ask, RuleUnlisted},
		{"for the plugin", fetch("plugin.example"), Allow, "grants[g8]"},
		{"for another plugin", with(fetch("plugin.example"), func(r *Request) { r.Plugin = "notes" }), Ask, RuleUnlisted},
		{"for a plugin, and it is none", with(fetch("plugin.example"), func(r *Request) { r.Plugin = "" }), Ask, RuleUnlisted},
		{"for another origin", fetch("origin.example"), Ask, RuleUnlisted},
		{"for the origin", with(fetch("origin.example"), func(r *Request) { r.Origin = plan.Agent }), Allow, "grants[g9]"},
		{"by a pattern", fetch("a.wild.example"), Allow, "grants[g10]"},
		{"under a ban", fetch("banned.example"), Deny, RuleDenied},
		{"under a rule that denies", fetch("ruled.example"), Deny, "rules[0]"},
		{"under a rule that asks", fetch("asked.example"), Ask, "rules[1]"},
		{"outside of the manifest", with(fetch("always.example"), func(r *Request) { r.Hosts = []string{"other.example"} }), Deny, RuleManifest},
		{"a private address", with(fetch("x"), func(r *Request) { r.URL = "https://127.0.0.1/" }), Deny, RulePrivateAddress},
		{"for no scope", fetch("noscope.example"), Ask, RuleUnlisted},
		{"one that is used up beside one that isn't", fetch("twice.example"), Allow, "grants[g17]"},
		{"a page's load in clear text", Request{Kind: KindSubresource, URL: "http://clear.example/"}, Allow, "grants[g18]"},
		{"out of TLS", with(fetch("x"), func(r *Request) { r.URL, r.From = "http://clear.example/", "https://always.example/" }), Deny, RuleDowngrade},
		{"what is listed needs none", fetch("listed.example"), Allow, RuleListed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := p.Decide(tt.r)
			if d.Verdict != tt.want || d.Rule != tt.rule {
				t.Errorf("%v by %s (%s), want %v by %s", d.Verdict, d.Rule, d.Reason, tt.want, tt.rule)
			}
			if granted := len(d.Grants()) == 1 && d.Rule == "grants["+d.Grants()[0]+"]"; granted != (tt.want == Allow && tt.rule != RuleListed) {
				t.Errorf("it rests on %v", d.Grants())
			}
		})
	}
}

// TestGrantsOfCalls checks that the decision about a call names the grants that it used, and that
// a grant is not an approval.
func TestGrantsOfCalls(t *testing.T) {
	p := newPolicy(t, Settings{UserGoalTools: []string{"launch"}}).WithGrants(
		Grant{ID: "g1", Pattern: "a.example", Scope: Once}, Grant{ID: "g2", Pattern: "b.example", Scope: Always},
	)
	open := func(tool string, urls ...string) Request {
		return Request{Tool: tool, Class: "write", Effect: "navigate", Origin: plan.UserGoal, Run: "r", Call: "a1", Args: map[string]any{"urls": urls}}
	}
	if d := p.Decide(open("launch", "https://a.example/", "https://b.example/")); d.Verdict != Allow || !cmp.Equal(d.Grants(), []string{"g1", "g2"}) {
		t.Errorf("%+v", d)
	}
	if d := p.Decide(open("other", "https://a.example/")); d.Rule != RuleDefaultAsk || !cmp.Equal(d.Grants(), []string{"g1"}) {
		t.Errorf("a call that is asked about: %+v", d)
	}
	if d := p.Decide(open("launch", "https://a.example/", "https://c.example/")); d.Rule != RuleUnlisted {
		t.Errorf("one of the hosts is not granted: %+v", d)
	}
}

func TestGrantValidate(t *testing.T) {
	good := Grant{ID: "g", Pattern: "example.com", Scope: Always}
	if err := good.Validate(); err != nil {
		t.Errorf("%+v: %v", good, err)
	}
	for name, change := range map[string]func(*Grant){
		"no id":             func(g *Grant) { g.ID = "" },
		"an id of two":      func(g *Grant) { g.ID = "a b" },
		"no pattern":        func(g *Grant) { g.Pattern = "" },
		"a ban":             func(g *Grant) { g.Pattern = "!example.com" },
		"a public suffix":   func(g *Grant) { g.Pattern = "*.com" },
		"a private address": func(g *Grant) { g.Pattern = "http://192.168.1.1" },
		"this machine":      func(g *Grant) { g.Pattern = "[::1]:8080" },
		"localhost":         func(g *Grant) { g.Pattern = "http://localhost:3000" },
		"a local name":      func(g *Grant) { g.Pattern = "https://router" },
		"a metadata name":   func(g *Grant) { g.Pattern = "metadata.goog" },
		"no scope":          func(g *Grant) { g.Scope = "" },
		"another scope":     func(g *Grant) { g.Scope = "forever" },
		"another origin":    func(g *Grant) { g.Origin = "plugin" },
	} {
		bad := good
		change(&bad)
		if bad.Validate() == nil {
			t.Errorf("%s: valid", name)
		}
	}
}

func drawGrant(r *rand.Rand) Grant {
	return Grant{
		ID: pick(r, []string{"g1", "g2", "g3"}), Pattern: pick(r, append(drawnHosts, "*", "*:*", "http://*:*", "127.0.0.1")),
		Scope: pick(r, []Scope{Once, ForRun, Always, ""}), Tool: maybe(r, drawnTools), Origin: maybe(r, drawnOrigins),
		Until: maybe(r, []time.Time{drawnTime}), Run: maybe(r, []string{"r1", "r2"}), Call: maybe(r, []string{"a1"}),
	}
}

// TestGrantsOpenNothingElse checks that grants only change denials for an unlisted host. Denials
// by the basic checks stay.
func TestGrantsOpenNothingElse(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	opened, kept := 0, 0
	for range 20_000 {
		s := Settings{AllowedDomains: []string{"good.example", "!bad.example"}, UserGoalTools: []string{"*"}}
		for range r.IntN(3) {
			s.Rules = append(s.Rules, drawRule(r))
		}
		var grants []Grant
		for range 1 + r.IntN(3) {
			grants = append(grants, drawGrant(r))
		}
		bare := newPolicy(t, s)
		p := bare.WithGrants(grants...)
		q := drawRequest(r)
		q.Run, q.Call = maybe(r, []string{"r1", "r2"}), maybe(r, []string{"a1", "a2"})
		before, after := bare.Decide(q), p.Decide(q)
		if !CanGrant(before) {
			if kept++; !cmp.Equal(before, after) {
				t.Fatalf("%+v\nis %+v, and %+v with %+v", q, before, after, grants)
			}
			continue
		}
		if after.Verdict == Allow {
			opened++
		}
		for _, id := range after.Grants() {
			if !slices.ContainsFunc(grants, func(g Grant) bool { return g.ID == id && g.applies(&q) && g.Validate() == nil }) {
				t.Fatalf("%+v\nrests on %s of %+v", q, id, grants)
			}
		}
		if _, floor := FloorURL(q.URL); q.Kind != KindCall && floor.Verdict != Allow && after.Verdict == Allow {
			t.Fatalf("%+v\nis allowed by %+v", q, grants)
		}
	}
	if opened < 200 || kept < 5000 {
		t.Errorf("%d opened, %d kept: the test looks at little", opened, kept)
	}
}

// TestGrantSpends checks that a grant for one use or one run is marked as used the first time,
// and only then.
func TestGrantSpends(t *testing.T) {
	r := Request{Run: "r1", Call: "a1"}
	for _, tt := range []struct {
		g    Grant
		want bool
	}{
		{Grant{Scope: Always}, false},
		{Grant{Scope: ForRun}, true},
		{Grant{Scope: ForRun, Run: "r1"}, false},
		{Grant{Scope: Once}, true},
		{Grant{Scope: Once, Run: "r1", Call: "a1"}, false},
	} {
		if got := tt.g.Spends(r); got != tt.want {
			t.Errorf("%+v: %v", tt.g, got)
		}
	}
}

func TestGrantDigest(t *testing.T) {
	p := newPolicy(t, digested())
	g := Grant{ID: "g1", Pattern: "a.example", Scope: ForRun}
	other := Grant{ID: "g2", Pattern: "b.example", Scope: Always, Tool: "x"}
	digest := p.WithGrants(g, other).Digest()
	if digest == p.Digest() || p.WithGrants().Digest() != p.Digest() {
		t.Error("grants are not in the digest, or none are")
	}
	used := g
	used.Run = "r1"
	if p.WithGrants(other, used).Digest() != digest {
		t.Error("the order of grants, or who uses one, changes the digest")
	}
	for name, change := range map[string]func(*Grant){
		"pattern": func(g *Grant) { g.Pattern = "c.example" },
		"scope":   func(g *Grant) { g.Scope = Once },
		"tool":    func(g *Grant) { g.Tool = "y" },
		"plugin":  func(g *Grant) { g.Plugin = "y" },
		"origin":  func(g *Grant) { g.Origin = plan.Agent },
		"end":     func(g *Grant) { g.Until = grantEnd },
	} {
		changed := other
		change(&changed)
		if p.WithGrants(g, changed).Digest() == digest {
			t.Errorf("another %s: the same digest", name)
		}
	}
	wider, err := p.WithGrants(g).WithAllowed("more.example")
	if err != nil || wider.Decide(Request{Kind: KindFetch, URL: "https://a.example/", Run: "r"}).Verdict != Allow {
		t.Errorf("hosts for one run drop the grants (%v)", err)
	}
	if (*Policy)(nil).WithGrants(g).Decide(Request{Kind: KindFetch, URL: "https://a.example/", Run: "r"}).Verdict != Deny {
		t.Error("a grant makes a policy of none")
	}
	if FloorOnly().WithGrants(g).Digest() == "" {
		t.Error("the floor with a grant has no digest")
	}
}

// TestExampleURL checks that a pattern matches its example. Patterns for many hosts have none.
func TestExampleURL(t *testing.T) {
	for pattern, want := range map[string]string{
		"example.com": "https://example.com:443/", "http://example.com:8000-8999": "http://example.com:8000/", "example.com:*": "https://example.com:443/",
		"https://example.com/a b/":       "",
		"https://example.com/v1/ä/":      "https://example.com:443/v1/%C3%A4/",
		"[2606:4700:4700::1111]":         "https://[2606:4700:4700::1111]:443/",
		"*.example.com":                  "",
		"*":                              "",
		"not a pattern":                  "",
		"wss://example.com":              "wss://example.com:443/",
		"https://xn--bcher-kva.example/": "https://xn--bcher-kva.example:443/",
	} {
		got := ExampleURL(pattern)
		if got != want {
			t.Errorf("%s: %s, want %s", pattern, got, want)
		}
		if got == "" {
			continue
		}
		if d := newPolicy(t, Settings{AllowedDomains: []string{pattern}}).Decide(Request{Kind: KindNavigate, URL: got}); d.Verdict != Allow {
			t.Errorf("%s does not cover %s: %s", pattern, got, d.Reason)
		}
	}
}
