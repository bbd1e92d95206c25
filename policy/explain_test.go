package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExplain(t *testing.T) {
	p := newPolicy(t, Settings{
		AllowedDomains: []string{
			"example.com", "*.wild.example", "http://other.example:8000-8080", "https://api.example/v1/", "!banned.example", "8.8.8.8:8443", "*:8443",
		},
		AllowPrivate: []string{"127.0.0.1:11434"},
		Rules:        []Rule{{Verdict: Deny, Host: "ruled.example:8443"}, {Verdict: Allow, Tool: "browser.*"}},
	})
	tests := []struct {
		name string
		r    Request
		want string // "stage verdict rule" a line, near misses indented
	}{
		{"listed", Request{URL: "https://example.com/"}, "floor allow floor\nlist allow allowlist.listed"},
		{"refused by the floor", Request{URL: "http://10.0.0.1/"}, "floor deny floor.private_address"},
		{"opened", Request{URL: "http://127.0.0.1:11434/"}, "floor deny floor.private_address\nexceptions allow allow_private\nlist allow allow_private"},
		{"banned", Request{URL: "https://banned.example/"}, "floor allow floor\nbans deny allowlist.denied"},
		{"not in the manifest", Request{URL: "https://example.com/", Hosts: []string{"x.example"}}, "floor allow floor\nmanifest deny manifest.hosts"},
		{"in the manifest", Request{URL: "https://example.com/", Hosts: []string{"*"}}, "floor allow floor\nmanifest allow manifest.hosts\nlist allow allowlist.listed"},
		{"out of TLS", Request{URL: "http://example.com/", From: "https://example.com/"}, "floor allow floor\nredirect deny floor.downgrade"},
		{"a subdomain, another scheme", Request{URL: "http://www.example.com/"}, `floor allow floor
list ask allowlist.unlisted
  "example.com" covers only example.com, not its subdomains
  "*:8443" is for https, not for http`},
		{"an apex", Request{URL: "https://wild.example/"}, `floor allow floor
list ask allowlist.unlisted
  "*.wild.example" covers the subdomains of wild.example, not wild.example itself
  "*:8443" is for port 8443, not for port 443`},
		{"another port of a range", Request{URL: "http://other.example/"}, `floor allow floor
list ask allowlist.unlisted
  "http://other.example:8000-8080" is for the ports 8000 to 8080, not for port 80
  "*:8443" is for https, not for http`},
		{"another path", Request{URL: "https://api.example/v2/"}, `floor allow floor
list ask allowlist.unlisted
  "https://api.example/v1/" is for paths below /v1/
  "*:8443" is for port 8443, not for port 443`},
		{"an address", Request{URL: "https://8.8.8.8/"}, `floor allow floor
list ask allowlist.unlisted
  "8.8.8.8:8443" is for port 8443, not for port 443
  "*:8443" covers names, not addresses`},
		{"a rule", Request{URL: "https://ruled.example:8443/"}, "floor allow floor\nlist allow allowlist.listed\nrules deny rules[0]"},
		{"a rule about calls", Request{URL: "https://example.com/", Tool: "browser.open"}, "floor allow floor\nlist allow allowlist.listed\nrules allow rules[1]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.r.Kind = KindNavigate
			d, steps := p.Explain(tt.r)
			if diff := cmp.Diff(tt.want, printed(steps)); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(p.Decide(tt.r), d); diff != "" {
				t.Errorf("Explain decides otherwise than Decide:\n%s", diff)
			}
		})
	}
	if d, steps := (*Policy)(nil).Explain(Request{Kind: KindFetch, URL: "https://example.com/"}); d.Rule != RuleNone || steps != nil {
		t.Errorf("without a policy: %v, %v", d, steps)
	}
	if d, steps := FloorOnly().Explain(Request{Kind: KindFetch, URL: "https://example.com/"}); d.Verdict != Allow || len(steps) != 1 {
		t.Errorf("the floor alone: %v, %v", d, steps)
	}
}

// printed is "stage verdict rule" a line, near misses indented.
func printed(steps []Step) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "%s %s %s\n", s.Name, s.Verdict, s.Rule)
		for _, n := range s.Near {
			fmt.Fprintf(&b, "  %s\n", english(n))
		}
	}
	return strings.TrimSpace(b.String())
}
