package address

import (
	"net/url"
	"testing"

	"errand/build/must"
)

func TestHostport(t *testing.T) {
	for in, want := range map[string]string{
		"https://Example.COM/x":     "example.com:443",
		"http://example.com":        "example.com:80",
		"wss://example.com/s":       "example.com:443",
		"ws://example.com/s":        "example.com:80",
		"https://example.com:8443/": "example.com:8443",
		"http://[2606:4700::1]/":    "[2606:4700::1]:80",
	} {
		u, err := url.Parse(in)
		must.Succeed(t, err)
		if got := HostPort(u); got != want {
			t.Errorf("hostport(%s) = %s, want %s", in, got, want)
		}
	}
}
