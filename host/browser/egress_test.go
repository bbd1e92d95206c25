//go:build unix

package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/browser/chromium"
	"errand/host/browser/page"
	"errand/host/browser/waysout"
	"errand/policy"
	"errand/policy/guard"
)

// TestProxyIsTheBoundary checks that if interception permits everything, the proxy and the
// browser's settings still let nothing out, including clicks. Package waysout shows that the ways
// lead out of an unprotected browser, and package app that all layers together stop them. In the
// browser's own network log every connection goes to the proxy, and no name is resolved.
func TestProxyIsTheBoundary(t *testing.T) {
	t.Parallel()
	site, err := waysout.Start(t.Context())
	must.Succeed(t, err)
	defer site.Close()
	rules, err := policy.New(policy.Settings{AllowedDomains: site.Allowed()})
	must.Succeed(t, err)
	proxy, err := guard.New(rules, guard.Options{
		Overrides: site.Hosts(), Resolve: site.Resolve,
		Record: func(c guard.Connection) {
			if c.Verdict != policy.Allow {
				site.RecordStop("proxy", fmt.Sprintf("https://%s:%d/", c.Host, c.Port), c.Rule)
			}
		},
	}).StartProxy(t.Context(), guard.ProxyOptions{})
	must.Succeed(t, err)
	defer proxy.Close()
	notes := &notebook{}
	log := filepath.Join(t.TempDir(), "net.json")
	b := (&world{t: t, spki: site.SPKI()}).launchAt(proxy.Addr(), func(o *page.Options) {
		o.Bin = withFlags(t, "--log-net-log="+log, "--short-reporting-delay")
		o.Proxy.Sockets, o.Proxy.Username, o.Proxy.Password = proxy.Sockets(), proxy.Username(), proxy.Password()
		o.Note = notes.write
	})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	pages := site.Pages()
	var all sync.WaitGroup
	slots := make(chan struct{}, 8)
	for i, page := range pages {
		if i == 1 {
			continue
		}
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			_, _ = b.Open(ctx, page)
		})
	}
	all.Wait()
	_, _ = b.Open(ctx, pages[1]) // the last one, so that it is in front and can be clicked
	wait, enough := context.WithTimeout(ctx, 30*time.Second)
	site.Wait(wait)
	enough()
	for range 8 { // one per popup: a click permits one window; the page has followed a link within itself
		must.Succeed(t, click(ctx, b, pages[1]+"#x", 640, 400))
		time.Sleep(100 * time.Millisecond)
	}
	if !poll.WaitUntil(func() bool { return notes.count("page", map[string]any{"event": "popup_closed"}) >= 7 }) {
		t.Errorf("%d popups were closed, want those of 7 clicks", notes.count("page", map[string]any{"event": "popup_closed"}))
	}
	poll.SettleDown()
	if err := b.Close(); err != nil { // which ends the log
		t.Fatal(err)
	}

	r := site.Report()
	if hits := r.Hits(); len(hits) > 0 {
		t.Errorf("led out: %v", hits)
	}
	if untried := r.NotTried(); len(untried) > 0 {
		t.Errorf("not tried: %v", untried)
	}
	for _, w := range r.Works {
		if !w.Done && !w.Public { // the public host was not admitted
			t.Errorf("does not work: %s", w.Name)
		}
	}
	wire := readNetLog(t, log)
	if len(wire.connected) == 0 {
		t.Error("the log holds no connection: it shows nothing")
	}
	if past := slices.DeleteFunc(wire.connected, func(a string) bool {
		return a == proxy.Addr().String() || a == proxy.Sockets().String()
	}); len(past) > 0 {
		t.Errorf("the browser connected past the proxy: %v", past)
	}
	if len(wire.asked) > 0 {
		t.Errorf("the browser asked for names: %v", wire.asked)
	}
	if wire.packets > 0 {
		t.Errorf("the browser sent %d UDP packets", wire.packets)
	}
}

// withFlags is a program that runs the browser with further flags.
func withFlags(t testing.TB, flags ...string) string {
	t.Helper()
	needsChromium(t)
	bin, _, err := chromium.Find("")
	must.Succeed(t, err)
	path := filepath.Join(t.TempDir(), "chromium")
	script := fmt.Sprintf("#!/bin/sh\nexec %q \"$@\" %s\n", bin, strings.Join(flags, " "))
	must.Succeed(t, os.WriteFile(path, []byte(script), 0o700))
	return path
}

// netLog is the part of Chromium's network log that the test needs.
type netLog struct {
	connected []string // addresses that TCP was opened to
	asked     []string // names that went to a resolver
	packets   int      // of UDP, sent
}

// readNetLog reads the log's lines, of which the last may be missing: a browser
// that was slow to end was killed.
//
//	{"constants": …,
//	"events": [
//	{…},
func readNetLog(t *testing.T, path string) netLog {
	t.Helper()
	text := must.ReadFile(t, path)
	first, events, _ := strings.Cut(string(text), ",\n\"events\": [\n")
	var head struct {
		Constants struct {
			LogEventTypes map[string]int `json:"logEventTypes"`
		} `json:"constants"`
	}
	must.Succeed(t, json.Unmarshal([]byte(first+"}"), &head))
	kind := func(name string) int {
		n, ok := head.Constants.LogEventTypes[name]
		if !ok {
			t.Fatalf("the log knows no event %s: it has changed", name)
		}
		return n
	}
	connect, sent := kind("TCP_CONNECT_ATTEMPT"), kind("UDP_BYTES_SENT")
	names := []int{kind("HOST_RESOLVER_SYSTEM_TASK"), kind("HOST_RESOLVER_DNS_TASK")}
	var out netLog
	for line := range strings.Lines(events) {
		var e struct {
			Type   int `json:"type"`
			Params struct {
				Address  string `json:"address"`
				Hostname string `json:"hostname"`
			} `json:"params"`
		}
		if json.Unmarshal([]byte(strings.TrimSuffix(strings.TrimSpace(line), ",")), &e) != nil {
			continue
		}
		switch {
		case e.Type == connect && e.Params.Address != "" && !slices.Contains(out.connected, e.Params.Address):
			out.connected = append(out.connected, e.Params.Address)
		case e.Type == sent:
			out.packets++
		case slices.Contains(names, e.Type):
			out.asked = append(out.asked, e.Params.Hostname)
		}
	}
	return out
}
