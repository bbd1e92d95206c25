package policy

import (
	"testing"

	"errand/build/must"
)

// TestPrivateFromPage checks that the user and the address's own pages can contact an address of
// allow_private, and that other pages and redirects also need an entry of the list.
func TestPrivateFromPage(t *testing.T) {
	const at = "http://127.0.0.1:8099/x"
	plain := Settings{AllowedDomains: []string{"shop.example.com", "http://plain.example.com"}, AllowPrivate: []string{"127.0.0.1:8099", "[::1]:8099", "10.20.0.0/16"}}
	with := func(more ...string) Settings {
		s := plain
		s.AllowedDomains = append([]string{}, append(s.AllowedDomains, more...)...)
		return s
	}
	strict := plain
	strict.Subresources = "listed"
	const own, shop, denied = "http://127.0.0.1:8099/", "https://shop.example.com/", RulePrivateFromPage
	for _, tt := range []struct {
		name     string
		settings Settings
		r        Request
		want     string // the rule
	}{
		{"the user", plain, Request{Kind: KindNavigate, URL: at}, RuleAllowPrivate},
		{"a tool", plain, Request{Kind: KindFetch, URL: at}, RuleAllowPrivate},
		{"a call", plain, Request{Kind: KindCall, Tool: "browser.open", Class: "read", Effect: "navigate", Args: map[string]any{"url": at}}, RuleRead},
		{"its own page", plain, Request{Kind: KindSubresource, URL: at, Page: own}, RuleAllowPrivate},
		{"a link of its own page", plain, Request{Kind: KindNavigate, URL: at, Page: own}, RuleAllowPrivate},
		{"its own redirect", plain, Request{Kind: KindFetch, URL: at, From: own}, RuleAllowPrivate},
		{"its own socket", plain, Request{Kind: KindSubresource, URL: "ws://127.0.0.1:8099/hot", Page: own}, RuleAllowPrivate},
		{"IPv6", plain, Request{Kind: KindSubresource, URL: "http://[::1]:8099/x", Page: "http://[::1]:8099/"}, RuleAllowPrivate},

		{"another page", plain, Request{Kind: KindSubresource, URL: at, Page: shop}, denied},
		{"another page, listed only", strict, Request{Kind: KindSubresource, URL: at, Page: shop}, denied},
		{"an unknown page", plain, Request{Kind: KindSubresource, URL: at, Page: UnknownPage}, denied},
		{"a page that is not said", plain, Request{Kind: KindSubresource, URL: at}, denied},
		{"a socket of another page", plain, Request{Kind: KindSubresource, URL: "ws://127.0.0.1:8099/", Page: shop}, denied},
		{"a navigation of another page", plain, Request{Kind: KindNavigate, URL: at, Page: shop}, denied},
		{"a navigation of an unknown page", plain, Request{Kind: KindNavigate, URL: at, Page: UnknownPage}, denied},
		{"a redirect of a fetch", plain, Request{Kind: KindFetch, URL: at, From: "http://plain.example.com/"}, denied},
		{"a redirect of a navigation", plain, Request{Kind: KindNavigate, URL: at, From: "http://plain.example.com/"}, denied},
		{"a redirect of its own page's load", plain, Request{Kind: KindSubresource, URL: at, From: "http://plain.example.com/", Page: own}, denied},
		{"a redirect of another page's load", plain, Request{Kind: KindSubresource, URL: at, From: own, Page: shop}, denied},
		{"another port", Settings{AllowPrivate: []string{"127.0.0.1:8099", "127.0.0.1:9000"}}, Request{Kind: KindSubresource, URL: at, Page: "http://127.0.0.1:9000/"}, denied},
		{"another address of the range", plain, Request{Kind: KindSubresource, URL: "http://10.20.1.1/", Page: "http://10.20.1.2/"}, denied},
		{"with TLS from without", plain, Request{Kind: KindSubresource, URL: "https://10.20.1.1:80/", Page: "http://10.20.1.1/"}, denied},
		{"blob", plain, Request{Kind: KindSubresource, URL: at, Page: "blob:" + own}, denied},
		{"a user name in the page's URL", plain, Request{Kind: KindSubresource, URL: at, Page: "http://127.0.0.1:8099@shop.example.com/"}, denied},

		{"another page, listed", with("http://127.0.0.1:8099"), Request{Kind: KindSubresource, URL: at, Page: shop}, RuleAllowPrivate},
		{"a redirect, listed", with("http://127.0.0.1:8099"), Request{Kind: KindFetch, URL: at, From: "http://plain.example.com/"}, RuleAllowPrivate},
		{"a socket, listed for http", with("http://127.0.0.1:8099"), Request{Kind: KindSubresource, URL: "ws://127.0.0.1:8099/", Page: shop}, denied},
		{"a socket, listed", with("ws://127.0.0.1:8099"), Request{Kind: KindSubresource, URL: "ws://127.0.0.1:8099/", Page: shop}, RuleAllowPrivate},
		{"its own socket, another path than the page", plain, Request{Kind: KindSubresource, URL: "ws://127.0.0.1:8099/admin", Page: own + "v1/"}, RuleAllowPrivate},
		{"a socket, listed path", with("ws://127.0.0.1:8099/v1/"), Request{Kind: KindSubresource, URL: "ws://127.0.0.1:8099/v1/hot", Page: shop}, RuleAllowPrivate},
		{"a socket, another path than listed", with("ws://127.0.0.1:8099/v1/"), Request{Kind: KindSubresource, URL: "ws://127.0.0.1:8099/admin", Page: shop}, denied},
		{"a socket, back out of the listed path", with("ws://127.0.0.1:8099/v1/"), Request{Kind: KindSubresource, URL: "ws://127.0.0.1:8099/v1//../admin", Page: shop}, denied},
		{"its own socket, banned path", with("!ws://127.0.0.1:8099/admin/"), Request{Kind: KindSubresource, URL: "ws://127.0.0.1:8099/admin/x", Page: own}, RuleDenied},
		{"its own socket, beside the banned path", with("!ws://127.0.0.1:8099/admin/"), Request{Kind: KindSubresource, URL: "ws://127.0.0.1:8099/hot", Page: own}, RuleAllowPrivate},
		{"its own TLS socket, a path is banned", with("!wss://127.0.0.1:8099/admin/"), Request{Kind: KindSubresource, URL: "wss://127.0.0.1:8099/hot", PathHidden: true, Page: "https://127.0.0.1:8099/"}, RuleDenied},
		{"every name is listed", with("*", "http://*"), Request{Kind: KindSubresource, URL: at, Page: shop}, denied},
		{"banned", with("!http://127.0.0.1:8099"), Request{Kind: KindSubresource, URL: at, Page: own}, RuleDenied},
		{"not opened", plain, Request{Kind: KindSubresource, URL: "http://127.0.0.1:9000/", Page: "http://127.0.0.1:9000/"}, RulePrivateAddress},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := New(tt.settings)
			must.Succeed(t, err)
			d := p.Decide(tt.r)
			if d.Rule != tt.want {
				t.Errorf("%s (%s: %s), want %s", d.Verdict, d.Rule, d.Reason, tt.want)
			}
			if explained, steps := p.Explain(tt.r); explained.Rule != d.Rule || len(steps) == 0 || d.Verdict == Deny && steps[len(steps)-1].Rule != d.Rule {
				t.Errorf("explained as %v", steps)
			}
			if d.Rule != denied {
				return
			}
			change, ok := p.Change(tt.r)
			if tt.r.Page != UnknownPage && (!ok || change.Key != "allowed_domains" || len(change.Add) != 1) {
				t.Errorf("change %+v, %v", change, ok)
			}
		})
	}
}

// TestHintOfPage: where a page or a redirect led to a private address, the hint does not open it.
func TestHintOfPage(t *testing.T) {
	p, err := New(Settings{AllowedDomains: []string{"shop.example.com"}})
	must.Succeed(t, err)
	const router, shop = "http://192.168.1.1/admin", "https://shop.example.com/"
	for _, tt := range []struct {
		name string
		r    Request
		want string // the code of the hint
	}{
		{"the user", Request{Kind: KindNavigate, URL: router}, "policy.allow_private_hint"},
		{"a tool", Request{Kind: KindFetch, URL: router}, "policy.allow_private_hint"},
		{"a link", Request{Kind: KindNavigate, URL: router, Page: shop}, "policy.page_private_hint"},
		{"a redirect", Request{Kind: KindNavigate, URL: router, From: shop}, "policy.page_private_hint"},
		{"a redirect of a fetch", Request{Kind: KindFetch, URL: router, From: shop}, "policy.page_private_hint"},
		{"a load", Request{Kind: KindSubresource, URL: router, Page: shop}, "policy.page_private_hint"},
		{"an unknown page", Request{Kind: KindNavigate, URL: router, Page: UnknownPage}, "policy.page_private_hint"},
		{"a name, by the user", Request{Kind: KindNavigate, URL: "http://localhost:8080/"}, "policy.open_loopback_hint"},
		{"a name, by a page", Request{Kind: KindNavigate, URL: "http://localhost:8080/", Page: shop}, "policy.page_private_hint"},
		{"another host", Request{Kind: KindNavigate, URL: "https://other.example.com/", Page: shop}, "policy.allow_host_hint"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := p.Decide(tt.r); d.Verdict == Allow || d.Hint.Code != tt.want {
				t.Errorf("%s, hint %s, want %s", d.Verdict, d.Hint.Code, tt.want)
			}
		})
	}
}
