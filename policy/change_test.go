package policy

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/planner/plan"
)

func TestChange(t *testing.T) {
	p := newPolicy(t, Settings{
		AllowedDomains: []string{"example.com", "!banned.example", "banned.example", "both.example", "!both.example"},
		AllowPrivate:   []string{"127.0.0.1:11434"}, UserGoalTools: []string{"hash.*"}, Subresources: "listed",
		Rules: []Rule{
			{Verdict: Deny, Host: "ruled.example"},
			{Verdict: Deny, Tool: "twice"},
			{Verdict: Deny, Tool: "twi*"},
			{Verdict: Ask, Tool: "asked"},
		},
	})
	call := func(tool, class, effect string, origin plan.Origin, args map[string]any) Request {
		return Request{Tool: tool, Class: class, Effect: effect, Origin: origin, Args: args}
	}
	load := func(kind Kind, url string) Request { return Request{Kind: kind, URL: url} }
	tests := []struct {
		name string
		r    Request
		want *Change
	}{
		{"unlisted", load(KindNavigate, "https://a.example/x"), &Change{Key: "allowed_domains", Add: []string{"a.example"}, Verdict: Allow}},
		{"unlisted, another port", load(KindFetch, "http://a.example:8080/"), &Change{Key: "allowed_domains", Add: []string{"http://a.example:8080"}, Verdict: Allow}},
		{"a page's load", load(KindSubresource, "https://a.example/"), &Change{Key: "allowed_domains", Add: []string{"a.example"}, Verdict: Allow}},
		{"a name of several scripts", load(KindNavigate, "https://р\u0430ypal.example/"), &Change{Key: "allowed_domains", Add: []string{"xn--ypal-43d9g.example"}, Verdict: Allow}},
		{"private", load(KindNavigate, "http://192.168.1.1/"), &Change{Key: "allow_private", Add: []string{"192.168.1.1:80"}, Verdict: Allow}},
		{"private, IPv6", load(KindNavigate, "http://[::1]:3000/"), &Change{Key: "allow_private", Add: []string{"[::1]:3000"}, Verdict: Allow}},
		{"private, on a bad port", load(KindNavigate, "http://192.168.1.1:22/"), nil},
		{"banned", load(KindNavigate, "https://banned.example/"), &Change{Key: "allowed_domains", Remove: "!banned.example", Verdict: Allow}},
		{"ruled out and unlisted", load(KindNavigate, "https://ruled.example/"), &Change{Key: "rules", To: Allow, Verdict: Ask}},
		{"two rules", call("twice", "read", "read", "", nil), nil},
		{"a rule that asks", call("asked", "read", "read", "", nil), &Change{Key: "rules", Index: 3, To: Allow, Verdict: Allow}},
		{"the floor", load(KindNavigate, "https://localhost/"), nil},
		{"another scheme", load(KindNavigate, "ftp://a.example/"), nil},
		{"not in the manifest", Request{Kind: KindFetch, URL: "https://a.example/", Hosts: []string{"b.example"}}, nil},
		{"a person's goal", call("files.delete", "write", "file", plan.UserGoal, nil), &Change{Key: "user_goal_tools", Add: []string{"files.delete"}, Verdict: Allow}},
		{"an agent's", call("files.delete", "write", "file", plan.Agent, nil), &Change{
			Key: "rules", Rule: &Rule{Verdict: Allow, Tool: "files.delete", Origin: "agent"}, Verdict: Allow,
		}},
		{"an upload's", call("files.delete", "write", "file", plan.Upload, nil), nil},
		{"two unlisted hosts", call("hash.open", "write", "navigate", plan.UserGoal, map[string]any{"a": "https://a.example/", "b": "https://b.example/", "c": "https://example.com/"}), &Change{
			Key: "allowed_domains", Add: []string{"a.example", "b.example"}, Verdict: Allow,
		}},
		{"allowed", load(KindNavigate, "https://example.com/x"), &Change{Key: "allowed_domains", Add: []string{"!example.com"}, Verdict: Deny}},
		{"a private address that is open", load(KindNavigate, "http://127.0.0.1:11434/"), &Change{Key: "allowed_domains", Add: []string{"!http://127.0.0.1:11434"}, Verdict: Deny}},
		{"a call that is allowed", call("hash.md5", "read", "read", "", nil), &Change{Key: "rules", Rule: &Rule{Verdict: Deny, Tool: "hash.md5"}, Verdict: Deny}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, ok := p.Change(tt.r)
			if ok != (tt.want != nil) {
				t.Fatalf("%+v, %v (decided by %s)", c, ok, p.Decide(tt.r).Rule)
			}
			if !ok {
				return
			}
			if diff := cmp.Diff(*tt.want, c); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for _, none := range []*Policy{nil, {}, FloorOnly()} {
		if c, ok := none.Change(load(KindNavigate, "https://a.example/")); ok {
			t.Errorf("%+v", c)
		}
	}
}

// TestChangeChanges checks that every suggested change has the stated effect, with settings of
// every kind, and that one is suggested whenever only a list denies.
func TestChangeChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	found := map[string]int{}
	for range 20_000 {
		s := Settings{
			AllowedDomains: []string{"good.example", pick(r, []string{"!bad.example", "x.example"})}, UserGoalTools: []string{pick(r, []string{"x", "*"})},
			Subresources: pick(r, []string{"public", "listed"}),
		}
		for range r.IntN(3) {
			s.Rules = append(s.Rules, drawRule(r))
		}
		p := newPolicy(t, s)
		q := drawRequest(r)
		if r.IntN(8) == 0 {
			q.URL = "http://10.0.0.1:8080/"
		}
		before := p.Decide(q)
		c, ok := p.Change(q)
		if !ok {
			if CanGrant(before) && q.Kind != KindCall && len(s.Rules) == 0 {
				t.Fatalf("%+v\nis %+v, and nothing is known to change it", q, before)
			}
			continue
		}
		found[c.Key]++
		changed, err := New(c.Apply(s))
		if err != nil {
			t.Fatalf("%+v makes a bad config: %v", c, err)
		}
		after := changed.Decide(q)
		if after.Verdict != c.Verdict || after.Verdict == before.Verdict || (before.Verdict == Allow) != (after.Verdict < before.Verdict) {
			t.Fatalf("%+v\nis %+v, and %+v with %+v", q, before, after, c)
		}
		if _, floor := FloorURL(q.URL); q.Kind != KindCall && floor.Verdict != Allow && after.Verdict != Deny && floor.Rule != RulePrivateAddress {
			t.Fatalf("%+v\nis opened by %+v", q, c)
		}
	}
	for _, key := range []string{"allowed_domains", "allow_private", "user_goal_tools", "rules"} {
		if found[key] < 50 {
			t.Errorf("only %d changes of %s: the test looks at little", found[key], key)
		}
	}
}

// TestExplainCalls checks that the stages of a call agree with the decision and name rules that
// almost match.
func TestExplainCalls(t *testing.T) {
	p := newPolicy(t, Settings{
		AllowedDomains: []string{"example.com", "!banned.example"}, UserGoalTools: []string{"launch"},
		Rules: []Rule{
			{Verdict: Allow, Tool: "files.delete_folder", Args: map[string]string{"/path": "/home/ann/Old*"}},
			{Verdict: Deny, Tool: "files.*", Origin: "agent"},
			{Verdict: Ask, Host: "pay.example.com"},
			{Verdict: Deny, Tool: "mail.send"},
		},
	}).WithGrants(Grant{ID: "g1", Pattern: "run.example", Scope: ForRun, Run: "r9"})
	open := func(url string) Request {
		return Request{Tool: "launch", Class: "write", Effect: "navigate", Origin: plan.UserGoal, Run: "r1", Args: map[string]any{"url": url}}
	}
	remove := func(path string) Request {
		return Request{Tool: "files.delete_folder", Class: "write", Effect: "file", Origin: plan.UserGoal, Args: map[string]any{"path": path}}
	}
	tests := []struct {
		name string
		r    Request
		want string
	}{
		{"allowed", open("https://example.com/"), "floor allow floor\nlist allow allowlist.listed\nwho allow user_goal\nrules allow rules\n  rules[2] (ask) is for the host pay.example.com"},
		{"refused by the floor", open("http://10.0.0.1/"), "floor deny floor.private_address"},
		{"banned", open("https://banned.example/"), "floor allow floor\nbans deny allowlist.denied"},
		{"another run's", open("https://run.example/"), "floor allow floor\nlist ask allowlist.unlisted\n  grants[g1] \"run.example\" was for the run r9\nwho allow user_goal"},
		{"by a rule", remove("/home/ann/Old 1"), "who ask default.ask\nrules allow rules[0]\n  rules[1] (deny) is for the origin agent, not user_goal"},
		{"nearly by a rule", remove("/home/ann/New"), "who ask default.ask\nrules allow rules\n  rules[0] (allow) wants /path = \"/home/ann/Old*\", not \"/home/ann/New\"\n  rules[1] (deny) is for the origin agent, not user_goal"},
		{"no class", Request{Tool: "x"}, "call deny call.invalid"},
		{"denied", Request{Tool: "mail.send", Class: "write", Effect: "commit"}, "who ask default.ask\nrules deny rules[3]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, steps := p.Explain(tt.r)
			if diff := cmp.Diff(p.Decide(tt.r), d); diff != "" {
				t.Errorf("Explain decides otherwise than Decide:\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, printed(steps)); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
		})
	}
}

// TestExplainSaysWhatDecided checks that for every denial a stage names the rule.
func TestExplainSaysWhatDecided(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 10_000 {
		s := Settings{AllowedDomains: []string{"good.example", "!bad.example"}, UserGoalTools: []string{"x"}}
		for range r.IntN(4) {
			s.Rules = append(s.Rules, drawRule(r))
		}
		p, q := newPolicy(t, s), drawRequest(r)
		d, steps := p.Explain(q)
		if d.Verdict != Allow && !strings.Contains(printed(steps), " "+d.Verdict.String()+" "+d.Rule) {
			t.Fatalf("%+v\nis %+v; the stages are\n%s", q, d, printed(steps))
		}
	}
}

// TestPatternMatches checks that a pattern matches the same URLs as a list that contains it.
func TestPatternMatches(t *testing.T) {
	urls := []string{
		"https://example.com/", "https://www.example.com/", "https://badexample.com/", "http://example.com/", "https://example.com:8443/", "https://8.8.8.8/",
		"https://[2606:4700:4700::1111]/", "https://127.0.0.1/", "https://р\u0430ypal.example/", "https://example.com/v1/a", "https://example.com/v10/", "wss://example.com/",
	}
	for _, text := range []string{
		"example.com", "*.example.com", "*", "!*", "!*.example.com", "!example.com", "*:*", "http://*", "http://example.com", "example.com:8000-8999", "8.8.8.8",
		"[2606:4700:4700::1111]", "127.0.0.1", "https://example.com/v1/", "!https://example.com/v1/", "wss://*.com.example",
	} {
		p, err := ParsePattern(text)
		if err != nil {
			t.Fatal(text, err)
		}
		var l list
		l.add(p, nil, 1)
		for _, u := range append(urls, "", "https://com/", "nonsense") {
			target, _ := checkSpelling(u)
			if got, want := p.matches(&target), l.find(&target, nil) != nil; got != want {
				t.Errorf("%s on %q: %v, in a list %v", text, u, got, want)
			}
		}
	}
}
