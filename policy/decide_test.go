package policy

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"errand/planner/plan"
)

func must(t testing.TB, s Settings) *Policy {
	t.Helper()
	p, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
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
	p := must(t, Settings{
		AllowedDomains: []string{"example.com", "*.example.org", "http://plain.example", "!bad.example.org", "8.8.8.8"},
		AllowPrivate:   []string{"127.0.0.1:11434", "[::1]:8080", "10.20.0.0/16"},
	})
	listed := must(t, Settings{AllowedDomains: []string{"example.com", "*"}, Subresources: "listed"})
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
		{"opened, but banned", must(t, Settings{AllowedDomains: []string{"!10.20.0.1"}, AllowPrivate: []string{"10.20.0.0/16"}}), Request{Kind: KindFetch, URL: "http://10.20.0.1/"}, Deny, RuleDenied},
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
			if d.Verdict != tt.want || d.Rule != tt.rule || d.Reason == "" {
				t.Errorf("%v by %s (%s), want %v by %s", d.Verdict, d.Rule, d.Reason, tt.want, tt.rule)
			}
		})
	}
}

// TestHintsWork: the host in a hint, added to the list, changes the verdict.
func TestHintsWork(t *testing.T) {
	p := must(t, Settings{})
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
		if d.Rule != RuleUnlisted || !strings.Contains(d.Hint, "--allow "+pattern+"`") || !strings.Contains(d.Hint, "allowed_domains") {
			t.Errorf("%s: hint %q, want it to name %s", url, d.Hint, pattern)
		}
		wider, err := p.WithAllowed(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if d := wider.Decide(Request{Kind: KindNavigate, URL: url}); d.Verdict != Allow {
			t.Errorf("%s with %s: %v by %s", url, pattern, d.Verdict, d.Rule)
		}
	}
	d := p.Decide(Request{Kind: KindNavigate, URL: "http://127.0.0.1:3000/"})
	if !strings.Contains(d.Hint, `"127.0.0.1:3000" to allow_private`) {
		t.Errorf("hint = %q", d.Hint)
	}
	if d := p.Decide(Request{Kind: KindNavigate, URL: "https://example.org"}); strings.Contains(d.Reason, "floor") {
		t.Errorf("reason %q is not in plain words", d.Reason)
	}
}

func TestWithAllowedLeavesThePolicyAlone(t *testing.T) {
	p := must(t, Settings{AllowedDomains: []string{"a.example"}})
	one, err := p.WithAllowed("b.example")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.WithAllowed("c.example", "*.com", "x y"); err == nil || !strings.Contains(err.Error(), `"*.com"`) || !strings.Contains(err.Error(), `"x y"`) {
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

// TestPublicOnly: who is let in without being named may not use exceptions.
func TestPublicOnly(t *testing.T) {
	p := must(t, Settings{AllowedDomains: []string{"*", "named.example"}})
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
	p := must(t, Settings{AllowPrivate: []string{"127.0.0.1:11434", "10.20.0.0/16", "fd00::/8"}})
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
	for _, want := range []string{
		`allowed_domains[1] "*.com"`, `allowed_domains[2] "bad pattern"`,
		`allow_private[0] "localhost:3000"`, `allow_private[1] "10.1.2.3/8"`, "write 10.0.0.0/8", `allow_private[2]`, "write the IPv4 address 1.2.3.4", `allow_private[4]`, `allow_private[5]`, `allow_private[6]`,
		`subresources "some"`, `user_goal_tools[0]`,
		"rules[0]", `rules[1]: effect "fly"`, `rules[2]: origin "nobody"`, `args key "x"`, `host "*.*.com"`, "rules[3]", "rules[4]",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error doesn't say %s:\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "good.example") {
		t.Errorf("a good pattern is reported:\n%v", err)
	}
}

func TestWhoActsUnasked(t *testing.T) {
	p := must(t, Settings{UserGoalTools: []string{"files.create_*", "hash.*"}})
	call := func(tool, class string, origin plan.Origin) Request {
		return Request{Tool: tool, Class: class, Effect: "file", Origin: origin}
	}
	voice, approved := call("hash.md5", "read", plan.UserGoal), call("files.delete_file", "write", plan.Agent)
	voice.Voice, approved.Approved = true, true
	tests := []struct {
		name string
		r    Request
		want Verdict
		rule string
	}{
		{"reading", call("system.query", "read", plan.MCP), Allow, RuleRead},
		{"a person's own goal", call("files.create_folder", "write", plan.UserGoal), Allow, RuleUserGoal},
		{"a person's own goal, another tool", call("files.delete_folder", "write", plan.UserGoal), Ask, RuleDefaultAsk},
		{"a request", call("files.create_folder", "write", plan.Request), Ask, RuleDefaultAsk},
		{"an agent", call("files.create_folder", "write", plan.Agent), Ask, RuleDefaultAsk},
		{"another program", call("files.create_folder", "auth", plan.MCP), Ask, RuleDefaultAsk},
		{"nobody in particular", call("files.create_folder", "write", ""), Ask, RuleDefaultAsk},
		{"an upload", call("files.create_folder", "write", plan.Upload), Ask, RuleUpload},
		{"heard", voice, Ask, RuleVoice},
		{"approved", approved, Allow, RuleApproved},
		{"no class", call("files.create_folder", "", plan.UserGoal), Deny, RuleBadCall},
		{"an unknown class", call("files.create_folder", "harmless", plan.UserGoal), Deny, RuleBadCall},
		{"no tool", call("", "read", plan.UserGoal), Deny, RuleBadCall},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := p.Decide(tt.r); d.Verdict != tt.want || d.Rule != tt.rule {
				t.Errorf("%v by %s, want %v by %s", d.Verdict, d.Rule, tt.want, tt.rule)
			}
		})
	}
}

// TestCallsReachURLs: a call is decided by every URL that it would reach.
func TestCallsReachURLs(t *testing.T) {
	p := must(t, Settings{AllowedDomains: []string{"example.com", "!bad.example"}, UserGoalTools: []string{"*"}})
	open := func(args map[string]any) Request {
		return Request{Tool: "system.apps.launch.shell", Class: "write", Effect: "navigate", Origin: plan.UserGoal, Args: args, Hosts: []string{}}
	}
	plugin := func(args map[string]any) Request {
		return Request{Tool: "p.fetch", Class: "read", Effect: "read", Args: args, Hosts: []string{"api.example"}}
	}
	tests := []struct {
		name string
		r    Request
		want Verdict
		rule string
	}{
		{"listed", open(map[string]any{"app_name": "chrome", "url": "https://example.com/"}), Allow, RuleUserGoal},
		{"no URL", open(map[string]any{"app_name": "notes"}), Allow, RuleUserGoal},
		{"unlisted", open(map[string]any{"url": "https://example.org/"}), Ask, RuleUnlisted},
		{"private", open(map[string]any{"url": "http://127.0.0.1:1/"}), Deny, RulePrivateAddress},
		{"banned", open(map[string]any{"url": "https://bad.example/"}), Deny, RuleDenied},
		{"without a scheme", open(map[string]any{"url": "example.com"}), Deny, RuleRaw},
		{"another scheme", open(map[string]any{"url": "file:///etc/passwd"}), Deny, RuleScheme},
		{"another key", open(map[string]any{"page": "http://10.0.0.1/"}), Deny, RulePrivateAddress},
		{"deep", open(map[string]any{"a": []any{map[string]any{"b": []any{"http://10.0.0.1/"}}}}), Deny, RulePrivateAddress},
		{"a list of texts", open(map[string]any{"a": []string{"http://10.0.0.1/"}}), Deny, RulePrivateAddress},
		{"inside of an option", open(map[string]any{"args": []any{"--app=http://10.0.0.1/x", "-v"}}), Deny, RulePrivateAddress},
		{"inside of a text", open(map[string]any{"text": "go to 'http://10.0.0.1/' now"}), Deny, RulePrivateAddress},
		{"the worst of two", open(map[string]any{"url": "https://example.com/", "next": "http://10.0.0.1/"}), Deny, RulePrivateAddress},
		{"script", open(map[string]any{"page": "javascript:alert(1)"}), Deny, RuleScheme},
		{"script, with spaces around", open(map[string]any{"page": " java\nscript:alert(1)"}), Deny, RuleRaw},
		{"data", open(map[string]any{"page": "data:text/html,x"}), Deny, RuleScheme},
		{"protocol-relative", open(map[string]any{"page": "//10.0.0.1/"}), Deny, RuleRaw},
		{"share", open(map[string]any{"page": `\\10.0.0.1\share`}), Deny, RuleRaw},
		{"a text with a colon", open(map[string]any{"text": "note: buy milk"}), Allow, RuleUserGoal},
		{"a plugin, private", plugin(map[string]any{"u": "http://10.0.0.1/"}), Deny, RulePrivateAddress},
		{"a plugin, public", plugin(map[string]any{"u": "https://elsewhere.example/"}), Allow, RuleRead},
		{"a plugin, a text about a URL", plugin(map[string]any{"text": "what is http://10.0.0.1/ about"}), Allow, RuleRead},
		{"a tool that reaches nothing", Request{Tool: "text.x", Class: "read", Effect: "read", Args: map[string]any{"u": "http://10.0.0.1/"}}, Allow, RuleRead},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := p.Decide(tt.r); d.Verdict != tt.want || d.Rule != tt.rule {
				t.Errorf("%v by %s (%s), want %v by %s", d.Verdict, d.Rule, d.Reason, tt.want, tt.rule)
			}
		})
	}
}

// TestApprovalOpensNoHost: approving a call is not listing its host.
func TestApprovalOpensNoHost(t *testing.T) {
	p := must(t, Settings{})
	r := Request{Tool: "system.apps.launch.shell", Class: "write", Effect: "navigate", Args: map[string]any{"url": "https://example.org/"}, Approved: true}
	if d := p.Decide(r); d.Rule != RuleUnlisted {
		t.Errorf("%v by %s, want %s", d.Verdict, d.Rule, RuleUnlisted)
	}
}

func TestRules(t *testing.T) {
	end := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	before, after := end.Add(-time.Second), end
	p := must(t, Settings{
		AllowedDomains: []string{"*", "http://*"},
		Rules: []Rule{
			0: {Verdict: Allow, Tool: "files.delete_*", Origin: "user_goal"},
			1: {Verdict: Deny, Tool: "files.delete_folder"},
			2: {Verdict: Ask, Tool: "system.query", Args: map[string]string{"/target": "ip*"}},
			3: {Verdict: Allow, Effect: "commit", Until: end},
			4: {Verdict: Deny, Tool: "hash.md5", Until: end, Reason: "not this year"},
			5: {Verdict: Deny, Host: "*.bad.example"},
			6: {Verdict: Ask, Host: "pay.example"},
			7: {Verdict: Allow, Tool: "browser.open", Host: "*.good.example"},
			8: {Verdict: Allow, Tool: "run", Args: map[string]string{"/list/1": "x", "/o/a~1b": "7", "/yes": "true"}},
			9: {Verdict: Allow, Origin: "upload"},
		},
	})
	write := func(tool string, origin plan.Origin) Request {
		return Request{Tool: tool, Class: "write", Effect: "file", Origin: origin}
	}
	opens := func(url string) Request {
		return Request{Tool: "browser.open", Class: "write", Effect: "navigate", Origin: plan.Agent, Args: map[string]any{"url": url}}
	}
	query := func(target string) Request {
		return Request{Tool: "system.query", Class: "read", Effect: "read", Args: map[string]any{"target": target}}
	}
	timed := func(r Request, at time.Time) Request { r.At = at; return r }
	commit := Request{Tool: "x", Class: "write", Effect: "commit"}
	md5 := Request{Tool: "hash.md5", Class: "read", Effect: "read"}
	args := map[string]any{"list": []any{"y", "x"}, "o": map[string]any{"a/b": 7}, "yes": true}
	tests := []struct {
		name string
		r    Request
		want Verdict
		rule string
	}{
		{"allowed by a glob", write("files.delete_file", plan.UserGoal), Allow, "rules[0]"},
		{"of another origin", write("files.delete_file", plan.Agent), Ask, RuleDefaultAsk},
		{"a ban beats an earlier permission", write("files.delete_folder", plan.UserGoal), Deny, "rules[1]"},
		{"an argument", query("ip_address"), Ask, "rules[2]"},
		{"another argument", query("time"), Allow, RuleRead},
		{"without the argument", Request{Tool: "system.query", Class: "read"}, Allow, RuleRead},
		{"asked and approved", Request{Tool: "system.query", Class: "read", Args: map[string]any{"target": "ip"}, Approved: true}, Allow, RuleApproved},
		{"a permission before its end", timed(commit, before), Allow, "rules[3]"},
		{"a permission at its end", timed(commit, after), Ask, RuleDefaultAsk},
		{"a permission at an unknown time", commit, Ask, RuleDefaultAsk},
		{"a ban before its end", timed(md5, before), Deny, "rules[4]"},
		{"a ban at its end", timed(md5, after), Allow, RuleRead},
		{"a ban at an unknown time", md5, Deny, "rules[4]"},
		{"a host in the arguments", opens("https://x.bad.example/"), Deny, "rules[5]"},
		{"a host in the arguments, clear text", opens("http://x.bad.example/"), Deny, "rules[5]"},
		{"a host that is asked about", opens("https://pay.example/"), Ask, "rules[6]"},
		{"a host that is allowed", opens("https://a.good.example/"), Allow, "rules[7]"},
		{"a host beside it", opens("https://good.example/"), Ask, RuleDefaultAsk},
		{"every kind of value", Request{Tool: "run", Class: "write", Effect: "input", Args: args}, Allow, "rules[8]"},
		{"an upload is asked about whatever the rules", write("x", plan.Upload), Ask, RuleUpload},
		{"on the wire: a ban", Request{Kind: KindFetch, URL: "http://x.bad.example/"}, Deny, "rules[5]"},
		{"on the wire: a ban for a page's own load", Request{Kind: KindSubresource, URL: "https://x.bad.example/"}, Deny, "rules[5]"},
		{"on the wire: a host that is asked about", Request{Kind: KindNavigate, URL: "https://pay.example/"}, Ask, "rules[6]"},
		{"on the wire: asked and approved", Request{Kind: KindNavigate, URL: "https://pay.example/", Approved: true}, Allow, RuleListed},
		{"on the wire: approved, but banned", Request{Kind: KindNavigate, URL: "https://x.bad.example/", Approved: true}, Deny, "rules[5]"},
		{"on the wire: rules without a host have spoken before", Request{Kind: KindFetch, Tool: "files.delete_folder", URL: "https://a.example/"}, Allow, RuleListed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := p.Decide(tt.r); d.Verdict != tt.want || d.Rule != tt.rule {
				t.Errorf("%v by %s (%s), want %v by %s", d.Verdict, d.Rule, d.Reason, tt.want, tt.rule)
			}
		})
	}
	if d := p.Decide(timed(md5, before)); d.Reason != "not this year" {
		t.Errorf("reason = %q, want the rule's own", d.Reason)
	}
}

func TestGlob(t *testing.T) {
	for _, tt := range []struct {
		pattern, s string
		want       bool
	}{
		{"", "", true},
		{"", "x", false},
		{"*", "", true},
		{"*", "a/b", true},
		{"hash.*", "hash.md5", true},
		{"hash.*", "hash", false},
		{"a*b*c", "aXXbYYc", true},
		{"a*b*c", "aXXcYYb", false},
		{"*.open", "browser.open", true},
		{"?", "é", true},
		{"?", "", false},
		{`\*`, "*", true},
		{`\*`, "x", false},
		{"a**b", "ab", true},
		{"*a", "aaa", true},
		{"Chrome", "chrome", false},
	} {
		if got := glob(tt.pattern, tt.s); got != tt.want {
			t.Errorf("glob(%q, %q) = %v", tt.pattern, tt.s, got)
		}
	}
}
