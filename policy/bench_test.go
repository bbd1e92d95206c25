package policy

import (
	"fmt"
	"net/netip"
	"testing"

	"errand/build/must"
)

// sink keeps the compiler from dropping what a benchmark computes.
var sink Decision

// BenchmarkDecide makes one decision about a URL: with short and long lists, for a listed host,
// one below a wildcard, and an unlisted one.
func BenchmarkDecide(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		s := Settings{AllowedDomains: []string{"listed.example.com", "*.wild.example.com"}}
		for i := range n - 2 {
			s.AllowedDomains = append(s.AllowedDomains, fmt.Sprintf("host%d.example.org", i))
		}
		p := newPolicy(b, s)
		for _, c := range []struct{ name, url string }{
			{"listed", "https://listed.example.com/results?search_query=nvidia"},
			{"wildcard", "https://a.b.wild.example.com/results?search_query=nvidia"},
			{"unlisted", "https://unlisted.example.net/results?search_query=nvidia"},
			{"private", "http://127.0.0.1:8080/"},
			{"international", "https://bücher.example/"},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				r := Request{Kind: KindNavigate, URL: c.url}
				b.ReportAllocs()
				for b.Loop() {
					sink = p.Decide(r)
				}
			})
		}
		b.Run(fmt.Sprintf("subresource/%d", n), func(b *testing.B) {
			r := Request{Kind: KindSubresource, URL: "https://cdn.example.net/a/b/c.js?v=1"}
			b.ReportAllocs()
			for b.Loop() {
				sink = p.Decide(r)
			}
		})
	}
}

// BenchmarkGrants makes one decision by a grant, among few and many grants.
func BenchmarkGrants(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		grants := []Grant{{ID: "g", Pattern: "*.granted.example.com", Scope: ForRun, Tool: "browser.*"}}
		for i := range n - 1 {
			grants = append(grants, Grant{ID: fmt.Sprint("g", i), Pattern: fmt.Sprintf("host%d.example.org", i), Scope: Always})
		}
		p := newPolicy(b, Settings{AllowedDomains: []string{"listed.example.com"}}).WithGrants(grants...)
		r := Request{Kind: KindNavigate, URL: "https://a.granted.example.com/x", Tool: "browser.open", Run: "r", Call: "a1"}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sink = p.Decide(r)
			}
		})
	}
}

// BenchmarkRules makes one decision about a call and one about a request with many rules that
// don't match.
func BenchmarkRules(b *testing.B) {
	for _, n := range []int{1, 100} {
		s := Settings{AllowedDomains: []string{"listed.example.com"}, UserGoalTools: []string{"launch"}}
		for i := range n {
			s.Rules = append(s.Rules, Rule{Verdict: Deny, Tool: fmt.Sprintf("tool%d.*", i), Host: fmt.Sprintf("*.host%d.example.org", i), Args: map[string]string{"/path": "/etc/*"}})
		}
		p := newPolicy(b, s)
		for name, r := range map[string]Request{
			"wire": {Kind: KindNavigate, URL: "https://listed.example.com/x", Tool: "browser.open"},
			"call": {Tool: "launch", Class: "write", Effect: "file", Origin: "user_goal", Args: map[string]any{"path": "/home/ann/x"}},
		} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					sink = p.Decide(r)
				}
			})
		}
	}
}

func BenchmarkDecideAddr(b *testing.B) {
	p := newPolicy(b, Settings{})
	for _, text := range []string{"93.184.215.14:443", "[2606:4700:4700::1111]:443"} {
		a := netip.MustParseAddrPort(text)
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sink = p.DecideAddr(a)
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	var s Settings
	for i := range 1000 {
		s.AllowedDomains = append(s.AllowedDomains, fmt.Sprintf("host%d.example.org", i))
	}
	for b.Loop() {
		newPolicy(b, s)
	}
}

// TestCommonDecisionsDontAllocate checks that common decisions allocate no memory.
func TestCommonDecisionsDontAllocate(t *testing.T) {
	p := newPolicy(t, Settings{
		AllowedDomains: []string{"example.com", "*.example.com"}, UserGoalTools: []string{"files.*"},
		Rules: []Rule{{Verdict: Deny, Tool: "files.delete_*", Args: map[string]string{"/path": "/etc/*"}}, {Verdict: Deny, Host: "*.bad.example"}},
	}).WithGrants(Grant{ID: "g", Pattern: "granted.example", Scope: ForRun, Tool: "browser.*"})
	for _, r := range []Request{
		{Kind: KindNavigate, URL: "https://granted.example/", Run: "r", Tool: "browser.open"},
		{Tool: "files.create_file", Class: "write", Effect: "file", Origin: "user_goal", Args: map[string]any{"path": "/home/ann/x"}},
		{Tool: "files.delete_file", Class: "write", Effect: "file", Origin: "user_goal", Args: map[string]any{"path": "/home/ann/x"}},
		{Kind: KindNavigate, URL: "https://example.com/a?b"},
		{Kind: KindFetch, URL: "https://a.b.example.com/"},
		{Kind: KindSubresource, URL: "https://cdn.example.net/x.js"},
	} {
		if n := testing.AllocsPerRun(100, func() { sink = p.Decide(r) }); n != 0 {
			t.Errorf("%s%s: %v allocations", r.Tool, r.URL, n)
		}
	}
}

// BenchmarkManifest makes decisions for a plugin with many hosts.
func BenchmarkManifest(b *testing.B) {
	var hosts []string
	for i := range 50 {
		hosts = append(hosts, fmt.Sprintf("host%d.example.com", i))
	}
	p, err := New(Settings{AllowedDomains: []string{"*"}})
	must.Succeed(b, err)
	for name, declared := range map[string]*HostSet{"read_each_time": nil, "read_once": ParseHosts(hosts)} {
		b.Run(name, func(b *testing.B) {
			r := Request{Kind: KindFetch, URL: "https://host49.example.com/", Hosts: hosts, HostSet: declared}
			for b.Loop() {
				if p.Decide(r).Verdict != Allow {
					b.Fatal("denied")
				}
			}
		})
	}
}
