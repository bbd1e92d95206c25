//go:build unix

package browser_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"errand/build/must"
	"errand/host/browser/actions"
	"errand/host/browser/page"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
	"errand/policy"
)

// BenchmarkAction clicks a button of a small page: with the tool through the dispatcher,
// including schema, decision and record, and with rod alone. The two take turns, so that a busy
// machine slows both. The target, checked by hand, is 1.15 times rod's time or 2 ms more.
func BenchmarkAction(b *testing.B) {
	w := newWorld(b)
	w.https("a.example", html(`<title>a</title><button id="b" onclick="this.textContent = +this.textContent + 1">0</button>`))
	br := w.launch()
	must.Succeed(b, open(b.Context(), br, "https://a.example/"))
	set, err := tool.NewSet(actions.New(actions.Options{Running: func(context.Context) *page.Browser { return br }})...)
	must.Succeed(b, err)
	log := &trace.Memory{}
	must.Succeed(b, log.Begin(b.Context(), tracetest.NewRun("r1", 0)))
	d := run.NewDispatcher(run.DispatcherOptions{Tools: set, Log: log, Decide: func(policy.Request) policy.Decision {
		return policy.Decision{Verdict: policy.Allow, Rule: "bench"}
	}, Approve: func(context.Context, run.Ask) (bool, error) { return true, nil }}) // a page was read, so it asks
	defer d.Close(context.Background())
	page, err := rodPage(br)
	must.Succeed(b, err)
	for _, by := range []struct {
		name    string
		locator map[string]any
		rod     func(*rod.Page) (*rod.Element, error)
	}{
		{"css", map[string]any{"css": "#b"}, func(p *rod.Page) (*rod.Element, error) { return p.Element("#b") }},
		{"role", map[string]any{"role": "button"}, rodRole},
	} {
		b.Run(by.name, func(b *testing.B) {
			n := 0
			var ours, theirs []time.Duration
			for b.Loop() {
				n++
				began := time.Now()
				r, _ := d.Dispatch(b.Context(), tool.Call{RunID: "r1", ActionID: fmt.Sprint(by.name, b.N, "-", n, began.UnixNano()), Tool: "browser.click", Args: map[string]any{"locator": by.locator}})
				ours = append(ours, time.Since(began))
				if r.Error != nil {
					b.Fatal(r.Error)
				}
				began = time.Now()
				must.Succeed(b, rodClick(b.Context(), page, by.rod))
				theirs = append(theirs, time.Since(began))
			}
			b.ReportMetric(0, "ns/op") // the total has no meaning
			slices.Sort(ours)
			slices.Sort(theirs)
			ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
			b.ReportMetric(ms(ours[n/2]), "ours-median-ms")
			b.ReportMetric(ms(theirs[n/2]), "rod-median-ms")
			b.ReportMetric(ms(ours[0]), "ours-best-ms")
			b.ReportMetric(ms(theirs[0]), "rod-best-ms")
			b.ReportMetric(float64(ours[n/2])/float64(theirs[n/2]), "median-ours/rod")
		})
	}
}

func rodClick(ctx context.Context, page *rod.Page, find func(*rod.Page) (*rod.Element, error)) error {
	e, err := find(page.Context(ctx).Timeout(10 * time.Second))
	if err != nil {
		return err
	}
	return e.Click("left", 1)
}

// rodRole finds the button by its role. rod has no function for that, so it uses the protocol.
func rodRole(page *rod.Page) (*rod.Element, error) {
	doc, err := proto.DOMGetDocument{}.Call(page)
	if err != nil {
		return nil, err
	}
	found, err := proto.AccessibilityQueryAXTree{BackendNodeID: doc.Root.BackendNodeID, Role: "button"}.Call(page)
	if err != nil {
		return nil, err
	}
	if len(found.Nodes) != 1 {
		return nil, fmt.Errorf("%d buttons", len(found.Nodes))
	}
	return page.ElementFromNode(&proto.DOMNode{BackendNodeID: found.Nodes[0].BackendDOMNodeID})
}

// BenchmarkSnapshot prints pages with a number of nodes, elements and texts that assistive
// technology sees. The target for 5,000, checked by hand, is 300 ms.
func BenchmarkSnapshot(b *testing.B) {
	w := newWorld(b)
	br := w.launch()
	h := newHands(b, br)
	for i, nodes := range []int{500, 5_000, 10_000} {
		host := fmt.Sprintf("%c.example", 'a'+i)
		w.https(host, html("<title>big</title>"+strings.Repeat(`<p>some words</p><a href="/x">link</a><button>Push</button><input aria-label="field" value="x">`, nodes/9)))
		must.Succeed(b, open(b.Context(), br, "https://"+host+"/"))
		b.Run(fmt.Sprint(nodes), func(b *testing.B) {
			var p map[string]any
			best := time.Hour // the minimum is the most reliable on a busy machine
			for b.Loop() {
				began := time.Now()
				p = h.does("snapshot", `{"max_bytes": 1048576}`)
				best = min(best, time.Since(began))
			}
			b.ReportMetric(float64(p["nodes"].(int)), "nodes")
			b.ReportMetric(float64(best.Milliseconds()), "best-ms")
		})
	}
}
