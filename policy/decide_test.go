package policy

import (
	"net/netip"
	"strings"
	"testing"

	"errand/build/must"
	"errand/planner/message"
)

func newPolicy(t testing.TB, s Settings) *Policy {
	t.Helper()
	p, err := New(s)
	must.Succeed(t, err)
	return p
}

func TestNothingIsAllowedWithoutAPolicy(t *testing.T) {
	for name, p := range map[string]*Policy{"nil": nil, "zero": {}} {
		for _, r := range []Request{
			{Kind: KindNavigate, URL: "https://example.com/"},
			{Kind: KindSubresource, URL: "https://example.com/"},
			{Tool: "x", Class: "read"},
		} {
			if d := p.Decide(r); d.Verdict != Deny || d.Rule != RuleNone {
				t.Errorf("%s policy: %v by %s", name, d.Verdict, d.Rule)
			}
		}
		if d := p.DecideAddr(netip.MustParseAddrPort("8.8.8.8:443")); d.Verdict != Deny {
			t.Errorf("%s policy: address %v", name, d.Verdict)
		}
		if _, err := p.WithAllowed("example.com"); err == nil {
			t.Errorf("%s policy was widened", name)
		}
		if c := p.Check(Check{URL: "https://example.com/"}); c.Verdict != "deny" {
			t.Errorf("%s policy: check %s", name, c.Verdict)
		}
	}
}

func TestDecideURL(t *testing.T) {
	p := newPolicy(t, Settings{
		AllowedDomains: []string{"example.com", "*.example.org", "http://plain.example", "!bad.example.org", "8.8.8.8"},
		AllowPrivate:   []string{"127.0.0.1:11434", "[::1]:8080", "10.20.0.0/16"},
	})
	listed := newPolicy(t, Settings{AllowedDomains: []string{"example.com", "*"}, Subresources: "listed"})
	tests := []struct {
		name string
		p    *Policy
		r    Request
		want Verdict
		rule string
	}{
		{"listed", p, Request{Kind: KindNavigate, URL: "https://example.com/"}, Allow, RuleListed},
		{"listed, fetched", p, Request{Kind: KindFetch, URL: "https://a.example.org/"}, Allow, RuleListed},
		{"unlisted", p, Request{Kind: KindNavigate, URL: "https://example.net/"}, Ask, RuleUnlisted},
		{"unlisted address", p, Request{Kind: KindNavigate, URL: "https://1.1.1.1/"}, Ask, RuleUnlisted},
		{"listed address", p, Request{Kind: KindNavigate, URL: "https://8.8.8.8/"}, Allow, RuleListed},
		{"banned", p, Request{Kind: KindNavigate, URL: "https://bad.example.org/"}, Deny, RuleDenied},
		{"private", p, Request{Kind: KindNavigate, URL: "http://127.0.0.1/"}, Deny, RulePrivateAddress},
		{"opened, exact", p, Request{Kind: KindNavigate, URL: "http://127.0.0.1:11434/"}, Allow, RuleAllowPrivate},
		{"opened, another port", p, Request{Kind: KindNavigate, URL: "http://127.0.0.1:11435/"}, Deny, RulePrivateAddress},
		{"opened, range", p, Request{Kind: KindFetch, URL: "https://10.20.255.1:8443/"}, Allow, RuleAllowPrivate},
		{"opened, beside the range", p, Request{Kind: KindFetch, URL: "https://10.21.0.1/"}, Deny, RulePrivateAddress},
		{"opened, IPv6", p, Request{Kind: KindFetch, URL: "http://[::1]:8080/"}, Allow, RuleAllowPrivate},
		{"opened, but the port is bad", p, Request{Kind: KindFetch, URL: "https://10.20.0.1:22/"}, Deny, RuleBadPort},
		{"localhost is a name", p, Request{Kind: KindNavigate, URL: "http://localhost:11434/"}, Deny, RuleSpecialName},
		{"opened, but banned", newPolicy(t, Settings{AllowedDomains: []string{"!10.20.0.1"}, AllowPrivate: []string{"10.20.0.0/16"}}), Request{Kind: KindFetch, URL: "http://10.20.0.1/"}, Deny, RuleDenied},
		{"opened by a redirect out of TLS", p, Request{Kind: KindFetch, URL: "http://127.0.0.1:11434/", From: "https://example.com/"}, Deny, RuleDowngrade},
		{"opened, but not in the manifest", p, Request{Kind: KindFetch, URL: "http://127.0.0.1:11434/", Hosts: []string{"example.com"}}, Deny, RuleManifest},
		{"redirect out of TLS", p, Request{Kind: KindFetch, URL: "http://plain.example/", From: "https://example.com/"}, Deny, RuleDowngrade},
		{"redirect in clear text", p, Request{Kind: KindFetch, URL: "http://plain.example/", From: "http://plain.example/x"}, Allow, RuleListed},
		{"redirect from what can't be read", p, Request{Kind: KindFetch, URL: "http://plain.example/", From: "nonsense"}, Deny, RuleDowngrade},

		{"a page's own load", p, Request{Kind: KindSubresource, URL: "https://cdn.example.net/x.js"}, Allow, RulePublic},
		{"a page's own WebSocket", p, Request{Kind: KindSubresource, URL: "wss://push.example.net/"}, Allow, RulePublic},
		{"a page's own load in clear text", p, Request{Kind: KindSubresource, URL: "http://cdn.example.net/"}, Deny, RuleInsecure},
		{"a page's own load, listed in clear text", p, Request{Kind: KindSubresource, URL: "http://plain.example/"}, Allow, RuleListed},
		{"a page's own load, banned", p, Request{Kind: KindSubresource, URL: "https://bad.example.org/"}, Deny, RuleDenied},
		{"a page's own load, private", p, Request{Kind: KindSubresource, URL: "https://192.168.0.1/"}, Deny, RulePrivateAddress},
		{"a page's own load, an address", p, Request{Kind: KindSubresource, URL: "https://1.1.1.1/"}, Deny, RuleUnlisted},
		{"a page's own load, mixed scripts", p, Request{Kind: KindSubresource, URL: "https://раypal.com/"}, Deny, RuleUnlisted},
		{"a page's own load, listed only", listed, Request{Kind: KindSubresource, URL: "wss://x.example/"}, Deny, RuleUnlisted},
		{"a page's own load, listed only and listed", listed, Request{Kind: KindSubresource, URL: "https://example.com/"}, Allow, RuleListed},

		{"manifest", p, Request{Kind: KindFetch, URL: "https://example.com/", Hosts: []string{"example.com"}}, Allow, RuleListed},
		{"manifest without the host", p, Request{Kind: KindFetch, URL: "https://example.com/", Hosts: []string{"a.example.org"}}, Deny, RuleManifest},
		{"manifest without hosts", p, Request{Kind: KindFetch, URL: "https://example.com/", Hosts: []string{}}, Deny, RuleManifest},
		{"manifest wider than the list", p, Request{Kind: KindFetch, URL: "https://example.net/", Hosts: []string{"*"}}, Ask, RuleUnlisted},
		{"manifest with a ban", p, Request{Kind: KindFetch, URL: "https://example.com/", Hosts: []string{"*", "!example.com"}}, Deny, RuleManifest},
		{"manifest that can't be read", p, Request{Kind: KindFetch, URL: "https://example.com/", Hosts: []string{"example.com", "*.com"}}, Deny, RuleManifest},

		{"no kind", p, Request{Kind: Kind(99), URL: "https://example.com/"}, Deny, RuleBadRequest},
		{"no URL", p, Request{Kind: KindFetch}, Deny, RuleRaw},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := tt.p.Decide(tt.r)
			if d.Verdict != tt.want || d.Rule != tt.rule || d.Reason.IsZero() {
				t.Errorf("%v by %s (%s), want %v by %s", d.Verdict, d.Rule, d.Reason, tt.want, tt.rule)
			}
		})
	}
}

// TestMixedScripts checks that the question about a name that looks like another one says so.
func TestMixedScripts(t *testing.T) {
	p := newPolicy(t, Settings{AllowedDomains: []string{"example.com", "аpple.com"}})
	for url, mixed := range map[string]bool{
		"https://раypal.com/": true, "https://www.раypal.com/": true, "https://xn--ypal-43d9g.com/": true, "https://пример.рф/": false, "https://paypal.com/": false,
	} {
		d := p.Decide(Request{Kind: KindNavigate, URL: url})
		if d.Verdict != Ask || strings.Contains(english(d.Reason), "mixes letters of several scripts") != mixed {
			t.Errorf("%s: %s, %q", url, d.Verdict, english(d.Reason))
		}
	}
	if d := p.Decide(Request{Kind: KindNavigate, URL: "https://аpple.com/"}); d.Verdict != Allow {
		t.Errorf("a name that is listed: %+v", d)
	}
}

// TestHintsWork checks that adding the host of a hint to the list changes the verdict.
func TestHintsWork(t *testing.T) {
	p := newPolicy(t, Settings{})
	for url, pattern := range map[string]string{
		"https://example.org/a":          "example.org",
		"http://example.org/":            "http://example.org",
		"https://example.org:8443/":      "example.org:8443",
		"ws://example.org:8080/":         "ws://example.org:8080",
		"https://8.8.8.8/":               "8.8.8.8",
		"https://[2606:4700::1111]/":     "[2606:4700::1111]",
		"http://[2606:4700::1111]:8080/": "http://[2606:4700::1111]:8080",
		"https://bücher.example/":        "xn--bcher-kva.example",
	} {
		d := p.Decide(Request{Kind: KindNavigate, URL: url})
		if d.Rule != RuleUnlisted || !strings.Contains(english(d.Hint), "--allow "+message.ShellWord(pattern)+"`") || !strings.Contains(english(d.Hint), "errand config add policy.allowed_domains "+message.ShellWord(pattern)+"`") {
			t.Errorf("%s: hint %q, want it to name %s", url, d.Hint, pattern)
		}
		wider, err := p.WithAllowed(pattern)
		must.Succeed(t, err)
		if d := wider.Decide(Request{Kind: KindNavigate, URL: url}); d.Verdict != Allow {
			t.Errorf("%s with %s: %v by %s", url, pattern, d.Verdict, d.Rule)
		}
	}
	d := p.Decide(Request{Kind: KindNavigate, URL: "http://127.0.0.1:3000/"})
	if !strings.Contains(english(d.Hint), "errand config add policy.allow_private 127.0.0.1:3000") {
		t.Errorf("hint = %q", d.Hint)
	}
	for url, want := range map[string]string{
		"http://localhost:3000/":     "allow the address with `errand config add policy.allow_private 127.0.0.1:3000`, and open http://127.0.0.1:3000/",
		"https://app.localhost/":     "allow the address with `errand config add policy.allow_private 127.0.0.1:443`, and open https://127.0.0.1:443/",
		"http://printer.local/":      "errand config add policy.allow_private ADDRESS:PORT",
		"http://metadata.goog/":      "",
		"https://example.org:65000/": "--allow",
	} {
		if d := p.Decide(Request{Kind: KindNavigate, URL: url}); !strings.Contains(english(d.Hint), want) || want == "" && !d.Hint.IsZero() {
			t.Errorf("%s: hint %q, want %q in it", url, d.Hint, want)
		}
	}
	if d := p.Decide(Request{Kind: KindNavigate, URL: "https://example.org"}); strings.Contains(english(d.Reason), "floor") {
		t.Errorf("reason %q is not in plain words", d.Reason)
	}
}

func TestWithAllowedLeavesThePolicyAlone(t *testing.T) {
	p := newPolicy(t, Settings{AllowedDomains: []string{"a.example"}})
	one, err := p.WithAllowed("b.example")
	must.Succeed(t, err)
	if _, err := p.WithAllowed("c.example", "*.com", "x y"); err == nil || !strings.Contains(english(message.FromError(err)), `"*.com"`) || !strings.Contains(english(message.FromError(err)), `"x y"`) {
		t.Errorf("error = %v, want both bad patterns named", err)
	}
	for _, tt := range []struct {
		p    *Policy
		host string
		want Verdict
	}{{p, "a", Allow}, {p, "b", Ask}, {one, "a", Allow}, {one, "b", Allow}, {one, "c", Ask}} {
		if d := tt.p.Decide(Request{Kind: KindFetch, URL: "https://" + tt.host + ".example/"}); d.Verdict != tt.want {
			t.Errorf("%s: %v, want %v", tt.host, d.Verdict, tt.want)
		}
	}
}

// TestPublicOnly checks that requests that may only contact public hosts can't use exceptions.
func TestPublicOnly(t *testing.T) {
	p := newPolicy(t, Settings{AllowedDomains: []string{"*", "named.example"}})
	for url, want := range map[string]bool{"https://named.example/": false, "https://other.example/": true} {
		if got := len(p.Decide(Request{Kind: KindNavigate, URL: url}).Flags) == 1; got != want {
			t.Errorf("%s: public only = %v, want %v", url, got, want)
		}
	}
	if d := p.Decide(Request{Kind: KindSubresource, URL: "wss://other.example/"}); len(d.Flags) != 1 || d.Flags[0] != FlagPublicOnly {
		t.Errorf("a page's own load has flags %v", d.Flags)
	}
}

func TestDecideAddr(t *testing.T) {
	p := newPolicy(t, Settings{AllowPrivate: []string{"127.0.0.1:11434", "10.20.0.0/16", "fd00::/8"}})
	for text, want := range map[string]Verdict{
		"8.8.8.8:443": Allow, "[2606:4700::1111]:443": Allow, "127.0.0.1:11434": Allow, "10.20.1.1:80": Allow, "[fd00::1]:80": Allow,
		"127.0.0.1:11435": Deny, "10.21.1.1:80": Deny, "[::1]:11434": Deny, "[::ffff:127.0.0.1]:11434": Deny, "[::ffff:8.8.8.8]:443": Deny,
		"8.8.8.8:22": Deny, "10.20.1.1:22": Deny, "8.8.8.8:0": Deny, "[fd00::1%eth0]:80": Deny,
	} {
		if d := p.DecideAddr(netip.MustParseAddrPort(text)); d.Verdict != want {
			t.Errorf("%s: %v by %s, want %v", text, d.Verdict, d.Rule, want)
		}
	}
}

func TestNewReportsEverything(t *testing.T) {
	_, err := New(Settings{
		AllowedDomains: []string{"good.example", "*.com", "bad pattern"},
		AllowPrivate:   []string{"localhost:3000", "10.1.2.3/8", "0.0.0.0/0", "[::ffff:1.2.3.4]:80", "1.2.3.4:0", "127.0.0.1", "::/0"},
		Subresources:   "some",
		UserGoalTools:  []string{""},
		Rules: []Rule{
			{Verdict: Allow},
			{Tool: "x", Effect: "fly"},
			{Host: "*.*.com", Origin: "nobody", Args: map[string]string{"x": "y"}},
			{Verdict: Allow, Host: "!x.example"},
			{Verdict: 7, Tool: "x"},
		},
	})
	if err == nil {
		t.Fatal("bad settings were taken")
	}
	text := english(message.FromError(err))
	for _, want := range []string{
		`allowed_domains[1] "*.com"`, `allowed_domains[2] "bad pattern"`,
		`allow_private[0] "localhost:3000"`, `allow_private[1] "10.1.2.3/8"`, "write 10.0.0.0/8", `allow_private[2]`, "write the IPv4 address 1.2.3.4", `allow_private[4]`, `allow_private[5]`, `allow_private[6]`,
		`subresources "some"`, `user_goal_tools[0]`,
		"rules[0]", `rules[1]: effect "fly"`, `rules[2]: origin "nobody"`, `args key "x"`, `host "*.*.com"`, "rules[3]", "rules[4]",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the error doesn't say %s:\n%v", want, text)
		}
	}
	if strings.Contains(text, "good.example") {
		t.Errorf("a good pattern is reported:\n%v", text)
	}
}
