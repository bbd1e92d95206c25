package policy

import (
	"testing"

	"errand/build/must"
)

// TestManifestMeansHTTPS checks that a host without a scheme in a manifest means https, and that
// the denial of http says so.
func TestManifestMeansHTTPS(t *testing.T) {
	const means, other = "policy.manifest_means_https", "policy.not_in_manifest"
	p, err := New(Settings{AllowedDomains: []string{"*", "http://*"}})
	must.Succeed(t, err)
	for _, tt := range []struct {
		name, host, url, want string
	}{
		{"http", "a.example", "http://a.example/", means},
		{"http of a subdomain", "*.a.example", "http://b.a.example/", means},
		{"https", "a.example", "https://a.example/", ""},
		{"http that is listed", "http://a.example", "http://a.example/", ""},
		{"another host", "a.example", "http://b.example/", other},
		{"another port", "a.example", "http://a.example:8080/", other},
		{"https where http is listed", "http://a.example", "https://a.example/", other},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := p.Decide(Request{Kind: KindFetch, URL: tt.url, Hosts: []string{tt.host}})
			if got := d.Reason.Code; tt.want != "" && got != tt.want || tt.want == "" && (got == means || got == other) {
				t.Errorf("%v %s, want %q", d.Verdict, got, tt.want)
			}
		})
	}
}
