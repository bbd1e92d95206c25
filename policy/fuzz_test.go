package policy

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"errand/planner/message"
	"errand/policy/urlpath"
)

// seedURLs are those of every vector.
func seedURLs(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v.URL)
	}
}

// FuzzFloorURL checks that a URL that passes the basic checks is read in the same way by net/url,
// is canonical, and is public.
func FuzzFloorURL(f *testing.F) {
	seedURLs(f)
	f.Fuzz(func(t *testing.T, raw string) {
		target, d := FloorURL(raw)
		if d.Rule == "" || d.Reason.IsZero() {
			t.Fatalf("%q: no rule or reason", raw)
		}
		if d.Verdict != Allow {
			return
		}
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatalf("%q is let through, and net/url says %v", raw, err)
		}
		if u.User != nil || u.Opaque != "" || u.Scheme != target.Scheme {
			t.Fatalf("%q: net/url reads %#v, the floor %+v", raw, u, target)
		}
		if name := strings.ToLower(u.Hostname()); isASCII(name) && !target.Addr.Is6() && name != target.Host {
			t.Fatalf("%q: net/url reads the host %q, the floor %q", raw, name, target.Host)
		}
		port := u.Port()
		if port == "" {
			port = strconv.Itoa(int(defaultPort(u.Scheme)))
		}
		if port != strconv.Itoa(int(target.Port)) {
			t.Fatalf("%q: net/url reads port %s, the floor %d", raw, port, target.Port)
		}
		again, d := FloorURL(target.Origin() + "/")
		if d.Verdict != Allow || again.Origin() != target.Origin() {
			t.Fatalf("%q: its canonical origin %s is read as %s (%s)", raw, target.Origin(), again.Origin(), d.Reason)
		}
		host, _, err := net.SplitHostPort(target.HostPort())
		if err != nil || host != target.Host {
			t.Fatalf("%q: %s is no host and port: %v", raw, target.HostPort(), err)
		}
		if a, err := netip.ParseAddr(target.Host); (err == nil) != target.Addr.IsValid() || err == nil && FloorAddr(a).Verdict != Allow {
			t.Fatalf("%q: %s is an address and not public", raw, target.Host)
		}
		if target.Host != strings.ToLower(target.Host) || !isASCII(target.Host) || !target.Addr.IsValid() && !strings.Contains(target.Host, ".") {
			t.Fatalf("%q: the host %q is not canonical", raw, target.Host)
		}
	})
}

// FuzzParsePattern checks that a valid pattern prints as it was written, and never matches an
// address that is not public.
func FuzzParsePattern(f *testing.F) {
	for _, v := range vectors(f) {
		for _, pattern := range v.Allow {
			f.Add(pattern)
		}
	}
	never := []string{
		"http://127.0.0.1/", "https://localhost/", "https://10.0.0.1/v1/", "http://[::1]/", "https://router/", "https://a.local/",
		"https://com/", "https://example.com./", "https://example.com:22/", "ftp://example.com/", "https://user@example.com/",
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePattern(text)
		if err != nil {
			if strings.TrimSpace(english(message.FromError(err))) == "" {
				t.Fatalf("%q: refused without a reason", text)
			}
			return
		}
		again, err := ParsePattern(p.String())
		if err != nil || p.String() != text || again.base != p.base {
			t.Fatalf("%q is printed as %q and read as %+v, %v", text, p, again, err)
		}
		policy, err := New(Settings{AllowedDomains: []string{text}})
		if err != nil {
			t.Fatalf("%q is a pattern and no entry: %v", text, err)
		}
		for _, u := range never {
			if d := policy.Decide(Request{Kind: KindNavigate, URL: u}); d.Verdict == Allow {
				t.Fatalf("%q allows %s", text, u)
			}
		}
	})
}

// FuzzFloorIsNeverLoosened checks that no list or rule allows a URL that the basic checks deny,
// unless it is an address that allow_private permits.
func FuzzFloorIsNeverLoosened(f *testing.F) {
	for i, v := range vectors(f) {
		f.Add(v.URL, strings.Join(v.Allow, "\n"), i%3 == 0)
	}
	f.Fuzz(func(t *testing.T, raw, patterns string, open bool) {
		s := Settings{
			AllowedDomains: append(strings.Split(patterns, "\n"), "*:*", "http://*:*", "ws://*:*", "wss://*:*"),
			UserGoalTools:  []string{"*"},
			Rules:          []Rule{{Verdict: Allow, Tool: "*"}, {Verdict: Allow, Effect: "navigate"}},
		}
		if open {
			s.AllowPrivate = []string{"127.0.0.0/8", "[::1]:80"}
		}
		p, err := New(s)
		if err != nil {
			s.AllowedDomains = s.AllowedDomains[len(s.AllowedDomains)-4:]
			p = newPolicy(t, s)
		}
		target, floor := FloorURL(raw)
		opened := target.Addr.IsLoopback() && open
		named := floor.Rule == RuleMixedScript // naming such a host exactly is a person's decision
		for _, r := range []Request{
			{Kind: KindNavigate, URL: raw},
			{Kind: KindFetch, URL: raw, Hosts: []string{"*:*", "http://*:*"}},
			{Kind: KindSubresource, URL: raw, Approved: true},
			{Tool: "x", Class: "write", Effect: "navigate", Origin: "user_goal", Args: map[string]any{"url": raw}, Approved: true},
		} {
			if raw == "" && r.Kind == KindCall {
				continue // an argument that is left out reaches nothing
			}
			if d := p.Decide(r); d.Verdict == Allow && floor.Verdict != Allow && !opened && !named {
				t.Fatalf("%+v is allowed by %s; the floor says %s", r, d.Rule, floor.Reason)
			}
		}
	})
}

// FuzzRedirect checks that the target of a redirect is decided like any URL, and that a relative
// one never leaves the host.
func FuzzRedirect(f *testing.F) {
	for _, v := range vectors(f) {
		for _, location := range v.Redirects {
			f.Add(location)
		}
	}
	f.Fuzz(func(t *testing.T, location string) {
		const from = "https://name.example.net/a/b?c"
		next, d := Redirect(from, location)
		if d.Verdict != Allow {
			return
		}
		target, d := FloorURL(next)
		if d.Verdict == Allow && !strings.Contains(location, "//") && target.HostPort() != "name.example.net:443" {
			t.Fatalf("%q leads to %s", location, next)
		}
	})
}

// FuzzCleanPath checks that an allowing prefix never covers a path that leaves it.
func FuzzCleanPath(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v.URL)
	}
	f.Fuzz(func(t *testing.T, path string) {
		path = "/" + path
		if !urlpath.HasPrefix([]string{"v1"}, path, false) {
			return
		}
		u, err := url.Parse("https://example.com" + strings.NewReplacer("?", "", "#", "").Replace(path))
		if err != nil {
			return
		}
		if clean := u.JoinPath().Path; clean != "/v1" && !strings.HasPrefix(clean, "/v1/") && !strings.Contains(path, "//") {
			t.Fatalf("%q is taken for a path below /v1/, it is %q", path, clean)
		}
	})
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}
