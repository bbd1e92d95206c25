package website

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/publicsuffix"
)

func TestOf(t *testing.T) {
	for _, tt := range []struct{ name, url, want string }{
		{"a page", "https://Shop.example/cart?x=1#y", "https://shop.example"},
		{"the scheme's own port", "http://shop.example:80/", "http://shop.example"},
		{"another port", "https://shop.example:8443/", "https://shop.example:8443"},
		{"another port of http", "http://shop.example:443/", "http://shop.example:443"},
		{"a name of another script", "https://пример.рф/", "https://xn--e1afmkfd.xn--p1ai"},
		{"IPv6", "http://[::1]:8080/", "http://[::1]:8080"},
		{"a pattern of paths", "https://shop.example/*", "https://shop.example"},
		{"any scheme", "*://shop.example/*", "*://shop.example"},
		{"any scheme, with a port", "*://127.0.0.1:8080/*", "*://127.0.0.1:8080"},
		{"any subdomain", "https://*.shop.example/", ""},
		{"anything after the host", "https://shop.example*", ""},
		{"anything", "*", ""},
		{"anything before the host", "*shop.example/*", ""},
		{"a user", "https://shop.example@other.example/", ""},
		{"a socket", "wss://shop.example/", ""},
		{"a file", "file:///etc/passwd", ""},
		{"a blank page", "about:blank", ""},
		{"nothing", "", ""},
	} {
		if got := Of(tt.url); got != tt.want {
			t.Errorf("%s: Of(%q) = %q, want %q", tt.name, tt.url, got, tt.want)
		}
	}
}

func TestIsSame(t *testing.T) {
	for _, tt := range []struct {
		name, site, url string
		want            bool
	}{
		{"the same host", "https://shop.example", "https://shop.example/cart", true},
		{"a subdomain", "https://shop.example", "https://accounts.shop.example/", true},
		{"its parent", "https://www.shop.example", "https://shop.example/", true},
		{"a sibling", "https://www.shop.co.uk", "https://login.shop.co.uk/", true},
		{"https for http", "http://shop.example", "https://shop.example/", true},
		{"http for https", "https://shop.example", "http://shop.example/", false},
		{"a pattern takes both schemes", "*://shop.example", "http://shop.example/", true},
		{"another port of a domain", "https://shop.example", "https://shop.example:8443/", true},
		{"two ports of a domain", "https://shop.example:8443", "https://shop.example:9443/", true},
		{"http at another port", "https://shop.example", "http://shop.example:8080/", false},
		{"another customer", "https://acme.sharepoint.com", "https://evil.sharepoint.com/", false},
		{"a customer's own page", "https://acme.sharepoint.com", "https://acme.sharepoint.com/x", true},
		{"below a customer", "https://acme.zendesk.com", "https://x.acme.zendesk.com/", true},
		{"below another customer", "https://acme.zendesk.com", "https://acme.evil.zendesk.com/", false},
		{"the provider, from a customer", "https://acme.slack.com", "https://slack.com/", false},
		{"a customer, from the provider", "https://slack.com", "https://acme.slack.com/", false},
		{"two names of the provider", "https://app.slack.com", "https://www.slack.com/", true},
		{"the provider's name and domain", "https://slack.com", "https://app.slack.com/", true},
		{"a customer in a region", "https://acme.us.auth0.com", "https://evil.us.auth0.com/", false},
		{"a region, from a customer", "https://acme.eu.auth0.com", "https://acme.us.auth0.com/", false},
		{"a customer in each region", "https://acme.crm4.dynamics.com", "https://evil.crm4.dynamics.com/", false},
		{"a host in a region", "https://acme.crm4.dynamics.com", "https://x.acme.crm4.dynamics.com/", true},
		{"outside a shared domain", "https://help.salesforce.com", "https://www.salesforce.com/", true},
		{"a listed platform", "https://acme.myshopify.com", "https://evil.myshopify.com/", false},
		{"a domain that ends alike", "https://a.myslack.com", "https://b.myslack.com/", true},
		{"a trailing dot, which policy refuses", "https://shop.example", "https://shop.example./", false},
		{"another host", "https://shop.example", "https://other.example/", false},
		{"another host of a registry", "https://a.co.uk", "https://b.co.uk/", false},
		{"another owner of a platform", "https://ann.github.io", "https://bob.github.io/", false},
		{"the platform", "https://ann.github.io", "https://github.io/", false},
		{"a name that ends alike", "https://shop.example", "https://myshop.example/", false},
		{"a name that begins alike", "https://shop.example", "https://shop.example.evil.example/", false},
		{"another registry", "https://shop.com", "https://shop.de/", false},
		{"an address", "http://127.0.0.1", "http://127.0.0.1/x", true},
		{"an address, by https", "http://127.0.0.1", "https://127.0.0.1/x", true},
		{"a pattern of an address", "*://127.0.0.1", "http://127.0.0.1/x", true},
		{"another port of an address", "http://127.0.0.1:8080", "http://127.0.0.1:9090/", false},
		{"another address", "http://10.0.0.1", "http://11.0.0.1/", false},
		{"localhost", "http://localhost:8080", "http://localhost:8080/x", true},
		{"another port of localhost", "http://localhost:8080", "http://localhost:9090/", false},
		{"a blank page", "https://shop.example", "about:blank", false},
		{"a local document", "https://shop.example", "data:text/html,shop.example", false},
		{"a blob of it", "https://shop.example", "blob:https://shop.example/1", false},
		{"a socket", "https://shop.example", "wss://shop.example/", false},
		{"no site", "", "https://shop.example/", false},
		{"no site and no page", "", "", false},
	} {
		if got := IsSame(tt.site, tt.url); got != tt.want {
			t.Errorf("%s: IsSame(%q, %q) = %t", tt.name, tt.site, tt.url, got)
		}
	}
}

func TestIsSameName(t *testing.T) {
	for _, tt := range []struct {
		name, site, url string
		want            bool
	}{
		{"a country", "https://www.google.com", "https://www.google.ru/", true},
		{"a country with two labels", "https://shop.com", "https://shop.co.uk/", true},
		{"another name", "https://shop.com", "https://shop-evil.co.uk/", false},
		{"a subdomain of another", "https://shop.com", "https://shop.evil.com/", false},
		{"back", "https://shop.co.uk", "https://shop.com/", true},
		{"a general name of a country", "https://google.com", "https://google.com.au/", true},
		{"between countries", "https://shop.de", "https://shop.com.br/", true},
		{"another kind in the country", "https://wiki.org", "https://wiki.or.jp/", true},
		{"the kind of another owner", "https://shop.com", "https://shop.org.uk/", false},
		{"between general domains", "https://shop.com", "https://shop.org/", false},
		{"the same general domain", "https://shop.com", "https://shop.com/", false},
		{"zip", "https://google.com", "https://google.zip/", false},
		{"mov", "https://google.com", "https://google.mov/", false},
		{"app", "https://www.google.com", "https://www.google.app/", false},
		{"dev, from a country", "https://shop.de", "https://shop.dev/", false},
		{"from zip to a country", "https://shop.zip", "https://shop.de/", false},
		{"a domain of an industry", "https://shop.com", "https://shop.travel/", false},
		{"a country in another script", "https://shop.com", "https://shop.xn--p1ai/", false},
		{"a place in a country", "https://shop.com", "https://shop.shibuya.tokyo.jp/", false},
		{"a state's registry", "https://shop.com", "https://shop.gov.uk/", false},
		{"a customer of a provider", "https://acme.slack.com", "https://acme.slack.de/", false},
		{"a platform", "https://shop.com", "https://shop.github.io/", false},
		{"http for https", "https://shop.com", "http://shop.de/", false},
		{"an address", "https://10.0.0.1", "https://10.0.0.2/", false},
		{"localhost", "http://localhost", "http://localhost/", false},
	} {
		if got := IsSameName(tt.site, tt.url); got != tt.want {
			t.Errorf("%s: IsSameName(%q, %q) = %t", tt.name, tt.site, tt.url, got)
		}
	}
}

// TestTenants checks that the table is sorted and contains only domains that are missing in the
// list of public suffixes.
func TestTenants(t *testing.T) {
	var domains []string
	for line := range strings.Lines(tenantsText) {
		if domain, _, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "#") {
			domains = append(domains, domain)
		}
	}
	if !slices.IsSorted(domains) || len(domains) != len(tenants()) || len(domains) < 50 {
		t.Errorf("%d domains, %d without repetition; sorted: %t", len(domains), len(tenants()), slices.IsSorted(domains))
	}
	for _, d := range domains {
		d = strings.TrimPrefix(d, "*.")
		if suffix, _ := publicsuffix.PublicSuffix(d); suffix == d {
			t.Errorf("%s is a public suffix", d)
		}
	}
}

func TestHost(t *testing.T) {
	for site, want := range map[string]string{
		"https://shop.example": "shop.example", "*://shop.example": "shop.example", "http://shop.example": "http://shop.example",
		"https://shop.example:8443": "shop.example:8443", "": "",
	} {
		if got := Host(site); got != want {
			t.Errorf("Host(%q) = %q, want %q", site, got, want)
		}
	}
}
