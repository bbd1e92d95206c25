package policy

import (
	"strings"
	"testing"
	"time"

	"errand/planner/message"
	"errand/planner/plan"
)

func TestOriginsWithoutApproval(t *testing.T) {
	p := newPolicy(t, Settings{UserGoalTools: []string{"files.create_*", "hash.*"}})
	call := func(tool, class string, origin plan.Origin) Request {
		return Request{Tool: tool, Class: class, Effect: "file", Origin: origin}
	}
	voice, approved := call("hash.md5", "read", plan.UserGoal), call("files.delete_file", "write", plan.Agent)
	voice.Voice, approved.Approved = true, true
	several, severalApproved, severalAgent := call("files.create_folder", "write", plan.UserGoal), call("files.create_folder", "write", plan.UserGoal), call("files.create_folder", "write", plan.Agent)
	severalRead := call("files.find", "read", plan.UserGoal)
	several.Several, severalApproved.Several, severalAgent.Several, severalRead.Several = true, true, true, true
	severalApproved.Approved = true
	tests := []struct {
		name string
		r    Request
		want Verdict
		rule string
	}{
		{"reading", call("system.query", "read", plan.MCP), Allow, RuleRead},
		{"a person's own goal", call("files.create_folder", "write", plan.UserGoal), Allow, RuleUserGoal},
		{"a person's own goal, another tool", call("files.delete_folder", "write", plan.UserGoal), Ask, RuleDefaultAsk},
		{"a person's own goal about several", several, Ask, RuleSeveral},
		{"several, approved", severalApproved, Allow, RuleApproved},
		{"several, of an agent", severalAgent, Ask, RuleDefaultAsk},
		{"several, to read", severalRead, Allow, RuleRead},
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

// TestUploadContactsNoHost: a recipe from elsewhere contacts no host without approval, not
// even to read, whatever the rules; what stays on the machine it reads.
func TestUploadContactsNoHost(t *testing.T) {
	p := newPolicy(t, Settings{
		AllowedDomains: []string{"example.com"}, UserGoalTools: []string{"*"},
		Rules: []Rule{{Verdict: Allow, Tool: "*"}},
	})
	for _, tt := range []struct {
		name string
		r    Request
		ask  bool
	}{
		{"opens a page", Request{Tool: "browser.open", Class: "read", Effect: "navigate", Args: map[string]any{"url": "https://example.com/?q=private"}}, true},
		{"searches", Request{Tool: "browser.search", Class: "read", Effect: "navigate", Args: map[string]any{"query": "private"}}, true},
		{"goes back", Request{Tool: "browser.back", Class: "read", Effect: "navigate"}, true},
		{"reads a page by its URL", Request{Tool: "browser.read", Class: "read", Effect: "read", Opens: []string{"https://example.com/"}}, true},
		{"a plugin that reaches a host", Request{Tool: "http.fetch", Class: "read", Effect: "read", Hosts: []string{"*"}, Args: map[string]any{"url": "https://example.com/"}}, true},
		{"a plugin that builds its URL", Request{Tool: "p.find", Class: "read", Effect: "read", Hosts: []string{"example.com"}, Args: map[string]any{"q": "private"}}, true},
		{"a plugin without hosts", Request{Tool: "hash.md5", Class: "read", Effect: "read", Hosts: []string{}}, false},
		{"reads the open page", Request{Tool: "browser.read", Class: "read", Effect: "read"}, false},
		{"reads a file", Request{Tool: "files.read", Class: "read", Effect: "read"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := tt.r
			r.Origin = plan.Upload
			want, rule := Allow, RuleRead
			if tt.ask {
				want, rule = Ask, RuleUpload
			}
			if d := p.Decide(r); d.Verdict != want || d.Rule != rule {
				t.Errorf("%v by %s, want %v by %s", d.Verdict, d.Rule, want, rule)
			}
			r.Approved = true
			if d := p.Decide(r); d.Verdict != Allow {
				t.Errorf("approved: %v by %s", d.Verdict, d.Rule)
			}
			r = tt.r
			r.Origin = plan.UserGoal
			if d := p.Decide(r); d.Verdict != Allow {
				t.Errorf("of a goal: %v by %s", d.Verdict, d.Rule)
			}
		})
	}
}

// TestCallsReachURLs checks that the decision about a call covers every URL that it would
// contact.
func TestCallsReachURLs(t *testing.T) {
	p := newPolicy(t, Settings{AllowedDomains: []string{"example.com", "!bad.example"}, UserGoalTools: []string{"*"}})
	open := func(args map[string]any) Request {
		return Request{Tool: "system.apps.launch.shell", Class: "write", Effect: "navigate", Origin: plan.UserGoal, Args: args, Hosts: []string{}}
	}
	download := func(url string) Request {
		return Request{Tool: "browser.download", Class: "write", Effect: "file", Origin: plan.UserGoal, Args: map[string]any{"url": url, "name": "http://10.0.0.1/"}, Opens: []string{url}}
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
		{"S3-H11 nested, under another name", open(map[string]any{"request": map[string]any{"uri": "http://10.0.0.1"}}), Deny, RulePrivateAddress},
		{"a list of texts", open(map[string]any{"a": []string{"http://10.0.0.1/"}}), Deny, RulePrivateAddress},
		{"inside of an option", open(map[string]any{"args": []any{"--app=http://10.0.0.1/x", "-v"}}), Deny, RulePrivateAddress},
		{"inside of a text", open(map[string]any{"text": "go to 'http://10.0.0.1/' now"}), Deny, RulePrivateAddress},
		{"the worst of two", open(map[string]any{"url": "https://example.com/", "next": "http://10.0.0.1/"}), Deny, RulePrivateAddress},
		{"script", open(map[string]any{"page": "javascript:alert(1)"}), Deny, RuleScheme},
		{"what is looked for in a page", open(map[string]any{"locator": map[string]any{"css": "li:first-child"}}), Allow, RuleUserGoal},
		{"what an engine is asked", open(map[string]any{"query": "site:other.example"}), Allow, RuleUserGoal},
		{"and a place beside it", open(map[string]any{"query": "x", "page": "https://other.example/"}), Ask, RuleUnlisted},
		{"script, with spaces around", open(map[string]any{"page": " java\nscript:alert(1)"}), Deny, RuleRaw},
		{"data", open(map[string]any{"page": "data:text/html,x"}), Deny, RuleScheme},
		{"protocol-relative", open(map[string]any{"page": "//10.0.0.1/"}), Deny, RuleRaw},
		{"share", open(map[string]any{"page": `\\10.0.0.1\share`}), Deny, RuleRaw},
		{"a text with a colon", open(map[string]any{"text": "note: buy milk"}), Allow, RuleUserGoal},
		{"one that it says it opens, listed", download("https://example.com/a.zip"), Allow, RuleUserGoal},
		{"one that it says it opens, unlisted", download("https://example.org/a.zip"), Ask, RuleUnlisted},
		{"one that it says it opens, private", download("http://10.0.0.1/a.zip"), Deny, RulePrivateAddress},
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

// TestApprovalOpensNoHost checks that approving a call does not list its host.
func TestApprovalOpensNoHost(t *testing.T) {
	p := newPolicy(t, Settings{})
	r := Request{Tool: "system.apps.launch.shell", Class: "write", Effect: "navigate", Args: map[string]any{"url": "https://example.org/"}, Approved: true}
	if d := p.Decide(r); d.Rule != RuleUnlisted {
		t.Errorf("%v by %s, want %s", d.Verdict, d.Rule, RuleUnlisted)
	}
}

func TestRules(t *testing.T) {
	end := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	before, after := end.Add(-time.Second), end
	p := newPolicy(t, Settings{
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
		{"several things, allowed by a glob", Request{Tool: "files.delete_file", Class: "write", Origin: plan.UserGoal, Several: true}, Allow, "rules[0]"},
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
	if d := p.Decide(timed(md5, before)); !d.Reason.Equal(message.Verbatim("not this year")) {
		t.Errorf("reason = %q, want the rule's own", d.Reason)
	}
}

// TestExactRule checks a rule whose arguments must be the only ones.
func TestExactRule(t *testing.T) {
	p := newPolicy(t, Settings{Rules: []Rule{{Verdict: Allow, Tool: "files.make", Args: map[string]string{"/path": "/a"}, Exact: true}}})
	ask := func(args map[string]any) Request {
		return Request{Kind: KindCall, Tool: "files.make", Class: "write", Effect: "file", Origin: plan.UserGoal, Args: args}
	}
	for name, tt := range map[string]struct {
		args map[string]any
		want Verdict
	}{
		"these":        {map[string]any{"path": "/a"}, Allow},
		"one more":     {map[string]any{"path": "/a", "force": true}, Ask},
		"another":      {map[string]any{"path": "/b"}, Ask},
		"none of them": {map[string]any{}, Ask},
	} {
		if d := p.Decide(ask(tt.args)); d.Verdict != tt.want {
			t.Errorf("%s: %v", name, d)
		}
	}
	_, steps := p.Explain(ask(map[string]any{"path": "/a", "force": true}))
	if !strings.Contains(printed(steps), "no other arguments") {
		t.Errorf("explained:\n%s", printed(steps))
	}
	loose := newPolicy(t, Settings{Rules: []Rule{{Verdict: Allow, Tool: "files.make", Args: map[string]string{"/path": "/a"}}}})
	if loose.Digest() == p.Digest() {
		t.Error("an approval under one would hold under the other")
	}
	for name, r := range map[string]Rule{
		"no tool": {Verdict: Allow, Args: map[string]string{"/path": "/a"}, Exact: true},
		"a part":  {Verdict: Allow, Tool: "x", Args: map[string]string{"/path/0": "/a"}, Exact: true},
	} {
		if _, err := New(Settings{Rules: []Rule{r}}); err == nil || !strings.Contains(english(message.FromError(err)), "exact") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
