package demo_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"net/netip"
	"os"
	"sync"
	"testing"

	"errand/app/demo"
	"errand/build/must"
	"errand/host/browser/chromium"
	"errand/host/browser/page"
	"errand/host/trace"
	"errand/policy"
	"errand/policy/guard"
)

// TestDemoSite opens the demo's page in a real browser, under the program's own
// policy and proxy: the pictures of another host are loaded, and the screenshot
// has their colours.
func TestDemoSite(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	if _, _, err := chromium.Find(""); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	rules, err := policy.New(policy.Settings{AllowedDomains: []string{"youtube.com", "www.youtube.com"}})
	must.Succeed(t, err)
	site, err := demo.Start(t.Context())
	must.Succeed(t, err)
	proxy, err := guard.New(rules, guard.Options{
		Overrides: site.Hosts(),
		Resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
			return nil, fmt.Errorf("lookup %s: no such host", host)
		},
	}).StartProxy(t.Context(), guard.ProxyOptions{})
	must.Succeed(t, err)
	t.Cleanup(func() { proxy.Close() })
	var mu sync.Mutex
	images := 0
	b, err := page.Launch(t.Context(), page.Options{
		Options: chromium.Options{
			Dir: t.TempDir(), TrustSPKI: []string{site.SPKI()},
			Proxy: chromium.Proxy{Addr: proxy.Addr(), Sockets: proxy.Sockets(), Username: proxy.Username(), Password: proxy.Password()},
		},
		Decide: rules.Decide, Admit: proxy.Admit,
		Note: func(n trace.Note) {
			mu.Lock()
			defer mu.Unlock()
			if c, ok := n.(trace.ConnectionNote); ok && c.Request == "subresource" && c.Type == "image" && c.Verdict == "allow" {
				images++
			}
		},
	})
	must.Succeed(t, err)
	t.Cleanup(func() { b.Close() })
	got, err := b.Open(t.Context(), "https://www.youtube.com/results?search_query=nvidia")
	must.Succeed(t, err)
	if got.Title != "nvidia - YouTube (demo)" || got.URL != "https://youtube.com/results?search_query=nvidia" || got.Status != 200 {
		t.Errorf("page = %q at %s, %d", got.Title, got.URL, got.Status)
	}
	if err := b.Close(); err != nil { // a connection is recorded when it ends
		t.Error(err)
	}
	reached := false
	for _, c := range proxy.Connections() {
		reached = reached || c.Host == "i.ytimg.com" && c.Verdict == policy.Allow
	}
	mu.Lock()
	defer mu.Unlock()
	if !reached || images == 0 {
		t.Errorf("the pictures of another host were not loaded: reached %t, %d images", reached, images)
	}
	img, err := png.Decode(bytes.NewReader(got.Screenshot))
	must.Succeed(t, err)
	colours := map[[3]uint32]bool{}
	for y := 200; y < 600; y += 5 {
		for x := 160; x < 480; x += 5 { // where the thumbnails are
			r, g, b, _ := img.At(x, y).RGBA()
			colours[[3]uint32{r >> 8, g >> 8, b >> 8}] = true
		}
	}
	if len(colours) < 50 {
		t.Errorf("only %d colours: a page of results has pictures", len(colours))
	}
}
