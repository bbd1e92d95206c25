package app

import (
	"context"
	"slices"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"errand/app/external"
	"errand/build/must"
	"errand/host/tool"
)

// BenchmarkMCPOverhead reports the medians of a call by a client over pipes, of the same call without
// the protocol, and their difference. Both are recorded.
func BenchmarkMCPOverhead(b *testing.B) {
	a := openedForBenchmark(b)
	a.replaceTool = func(made tool.Tool) tool.Tool {
		if made.Spec().Name != "system.query" {
			return made
		}
		return tool.Func(made.Spec(), func(context.Context, tool.Call) (tool.Result, error) { return tool.OK("noon"), nil })
	}
	args := map[string]any{"target": "time"}
	direct := a.External.Open("bench")
	defer direct.Close()
	c := connect(b, a, "bench")
	var with, without []time.Duration
	for b.Loop() {
		start := time.Now()
		r, err := c.CallTool(b.Context(), &sdk.CallToolParams{Name: "system_query", Arguments: args})
		with = append(with, time.Since(start))
		if err != nil || r.IsError {
			b.Fatal(err)
		}
		start = time.Now()
		d := direct.Call(b.Context(), external.Call{Tool: "system.query", Args: args})
		without = append(without, time.Since(start))
		if !d.OK {
			b.Fatal(d.Error)
		}
	}
	median := func(all []time.Duration) float64 {
		slices.Sort(all)
		return float64(all[len(all)/2].Microseconds()) / 1000
	}
	x, y := median(with), median(without)
	b.ReportMetric(x, "ms/mcp-p50")
	b.ReportMetric(y, "ms/direct-p50")
	b.ReportMetric(x-y, "ms/overhead-p50")
}

func openedForBenchmark(b *testing.B) *App {
	b.Helper()
	var o Options
	o.Config.Env = []string{"HOME=" + b.TempDir(), "XDG_CACHE_HOME=" + cache}
	a, err := Open(o)
	must.Succeed(b, err)
	b.Cleanup(func() { _ = a.Close() })
	return a
}
