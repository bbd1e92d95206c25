// Package peers holds policy against what others built for the same question:
// a WHATWG parser (what browsers read in a URL) as an oracle of hosts, another
// guard as an oracle of addresses, and two more for speed. It is a module of
// its own, so that the program depends on none of them:
//
//	cd policy/testdata/peers && go test -bench . && go test -fuzz FuzzHostsAgree -fuzztime 30s
package peers

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"code.dny.dev/ssrf"
	"github.com/doyensec/safeurl"
	whatwg "github.com/nlnwa/whatwg-url/url"
	acl "github.com/stripe/smokescreen/pkg/smokescreen/acl/v1"
	"github.com/stripe/smokescreen/pkg/smokescreen/hostport"

	"errand/policy"
)

func vectorURLs(t testing.TB) (urls []string) {
	files, err := filepath.Glob("../*_vectors.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			var v struct{ URL string }
			if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
				t.Fatal(err)
			}
			urls = append(urls, v.URL)
		}
	}
	return urls
}

// FuzzHostsAgree: where the floor lets a URL through, a browser's parser reads
// the same scheme, host and port in it.
func FuzzHostsAgree(f *testing.F) {
	for _, u := range vectorURLs(f) {
		f.Add(u)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		target, d := policy.FloorURL(raw)
		if d.Verdict != policy.Allow {
			return
		}
		u, err := whatwg.Parse(raw)
		if err != nil {
			// A browser that refuses goes nowhere; that is safe, and its table
			// of letters may be older than ours.
			if strings.Contains(raw, "xn--") || !ascii(raw) {
				return
			}
			t.Fatalf("%q is let through, and a browser can't read it: %v", raw, err)
		}
		host := strings.Trim(u.Hostname(), "[]")
		port := u.Port()
		if port == "" {
			port = map[string]string{"http": "80", "ws": "80", "https": "443", "wss": "443"}[u.Scheme()]
		}
		if u.Scheme() != target.Scheme || host != target.Host || port != strconv.Itoa(int(target.Port)) || u.Username() != "" || u.Password() != "" {
			t.Fatalf("%q: a browser reads %s %s %s, the floor %+v", raw, u.Scheme(), host, port, target)
		}
	})
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// FuzzRedirectsAgree: a redirect that is followed leads where a browser would
// go.
func FuzzRedirectsAgree(f *testing.F) {
	for _, s := range []string{"/x", "//a.example/", "x", "?x", "#x", "https://a.example/", "///a.example/", `/\a.example`, "https:a", "../..", ".//a", "/%2e%2e//x", "a:b", ":x", "//a:1/", "http:/a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, location string) {
		const from = "https://name.example.net/a/b?c"
		next, d := policy.Redirect(from, location)
		if d.Verdict != policy.Allow {
			return
		}
		target, d := policy.FloorURL(next)
		if d.Verdict != policy.Allow {
			return
		}
		u, err := whatwg.ParseRef(from, location)
		if err != nil {
			return
		}
		if host := strings.Trim(u.Hostname(), "[]"); host != target.Host || u.Scheme() != target.Scheme {
			t.Fatalf("%q: a browser goes to %s://%s, we to %s", location, u.Scheme(), host, target.Origin())
		}
	})
}

// FuzzAddrsAgree: no address is public here that another guard holds back.
func FuzzAddrsAgree(f *testing.F) {
	for _, a := range []string{"8.8.8.8", "192.0.0.9", "100.64.0.1", "2606:4700::1", "2001:20::1", "64:ff9b::1", "4000::1", "3fff::1", "2001:1::1"} {
		f.Add(netip.MustParseAddr(a).AsSlice())
	}
	g := ssrf.New(ssrf.WithAnyPort())
	f.Fuzz(func(t *testing.T, b []byte) {
		a, ok := netip.AddrFromSlice(b)
		if !ok || policy.FloorAddr(a).Verdict != policy.Allow {
			return
		}
		if err := g.SafeAddr(a); err != nil {
			t.Fatalf("%s is public here, and %v", a, err)
		}
	})
}

func hosts(n int) (list []string) {
	for i := range n - 1 {
		list = append(list, fmt.Sprintf("host%d.example.org", i))
	}
	return append(list, "listed.example.com")
}

var sink any

// BenchmarkListed is the decision about one listed host, in a short and a long
// list.
func BenchmarkListed(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		decisions(b, n, "listed.example.com", true)
	}
}

// BenchmarkUnlisted is the refusal of a host that a list does not name, before
// any lookup: safeurl's client asks its list first.
func BenchmarkUnlisted(b *testing.B) {
	for _, n := range []int{10, 1000, 10_000} {
		decisions(b, n, "unlisted.example.net", false)
		b.Run(fmt.Sprintf("safeurl/%d", n), func(b *testing.B) {
			c := safeurl.Client(safeurl.GetConfigBuilder().SetAllowedHosts(hosts(n)...).Build())
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Get("https://unlisted.example.net/"); err == nil {
					b.Fatal("it went through")
				}
			}
		})
	}
}

// decisions are ours and smokescreen's about a host, with n hosts on the list.
func decisions(b *testing.B, n int, host string, allowed bool) {
	b.Run(fmt.Sprintf("errand/%d", n), func(b *testing.B) {
		p, err := policy.New(policy.Settings{AllowedDomains: hosts(n)})
		if err != nil {
			b.Fatal(err)
		}
		r := policy.Request{Kind: policy.KindFetch, URL: "https://" + host + "/"}
		b.ReportAllocs()
		var d policy.Decision
		for b.Loop() {
			d = p.Decide(r)
		}
		if (d.Verdict == policy.Allow) != allowed {
			b.Fatal(d)
		}
	})
	b.Run(fmt.Sprintf("smokescreen/%d", n), func(b *testing.B) {
		list := acl.ACL{Rules: map[string]acl.Rule{"s": {Policy: acl.Enforce, DomainGlobs: hosts(n)}}}
		b.ReportAllocs()
		var d acl.Decision
		for b.Loop() {
			h, err := hostport.NormalizeHost(host, false)
			if err != nil {
				b.Fatal(err)
			}
			d, _ = list.Decide(acl.DecideArgs{Service: "s", Host: h})
		}
		if (d.Result == acl.Allow) != allowed {
			b.Fatal(d)
		}
	})
}

// BenchmarkPrivate is the refusal of this machine's address: for errand and
// safeurl from the URL on, for the others from the address on.
func BenchmarkPrivate(b *testing.B) {
	b.Run("errand", func(b *testing.B) {
		p, err := policy.New(policy.Settings{AllowedDomains: []string{"*"}})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			sink = p.Decide(policy.Request{Kind: policy.KindFetch, URL: "http://127.0.0.1/"})
		}
	})
	b.Run("safeurl", func(b *testing.B) {
		c := safeurl.Client(safeurl.GetConfigBuilder().Build())
		b.ReportAllocs()
		for b.Loop() {
			if _, err := c.Get("http://127.0.0.1/"); err == nil {
				b.Fatal("it went through")
			}
		}
	})
	public := netip.MustParseAddr("93.184.215.14")
	b.Run("errand, address", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			policy.FloorAddr(public)
		}
	})
	b.Run("dny, address", func(b *testing.B) {
		g := ssrf.New(ssrf.WithAnyPort())
		b.ReportAllocs()
		for b.Loop() {
			if g.SafeAddr(public) != nil {
				b.Fatal("a public address is refused")
			}
		}
	})
}
