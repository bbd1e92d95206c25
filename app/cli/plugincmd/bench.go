package plugincmd

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/plugins/author"
)

func (s commands) benchCommand() *cobra.Command {
	var p call
	var b author.Bench
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "bench",
		Args: folderOrFunction,
		RunE: func(cmd *cobra.Command, args []string) error {
			if b.Duration <= 0 {
				return print.BadUsage("cli_plugin.not_positive", "flag", "--for", "value", b.Duration).Hint("cli_plugin.bench_for_hint")
			}
			if b.Calls < 0 {
				return print.BadUsage("cli.negative", "flag", "--calls", "number", b.Calls)
			}
			var err error
			if p.Config, err = pairs(p.settings); err != nil {
				return err
			}
			if !isModule(args[0]) {
				if err := p.takeToolName(args); err != nil {
					return err
				}
				b.ToolCall = author.ToolCall{Folder: args[0], Tool: p.tool, Config: p.Config, Roots: p.roots}
				b.Args, err = s.toolArgs(cmd, &p)
			} else {
				p.File, p.ModuleCall.Function = args[0], args[1]
				err = s.functionArgs(cmd, &p)
				b.Function = p.ModuleCall
			}
			if err != nil {
				return err
			}
			app, err := s.Open(app.Options{Allow: p.AllowHosts})
			if err != nil {
				return err
			}
			r, err := app.PluginKit().Bench(cmd.Context(), b)
			if err != nil {
				return err
			}
			return s.Show(r, func() { s.printBench(r) })
		},
	})
	f := c.Flags()
	callFlags(f, &p)
	f.DurationVar(&p.Timeout, "timeout", 30*time.Second, "")
	f.DurationVar(&b.Duration, "for", 2*time.Second, "")
	f.IntVar(&b.Calls, "calls", 0, "")
	return c
}

func (s commands) printBench(r author.BenchReport) {
	share := func(code string, part float64, key string, limit any, whole float64) string {
		if whole == 0 {
			return ""
		}
		return s.Text(code, "percent", fmt.Sprintf("%.2g", 100*part/whole), "key", "limits."+key, "limit", limit)
	}
	var latency, fuel, memory, output string
	if l := r.Limits; l != nil {
		timeout := time.Duration(l.TimeoutMS) * time.Millisecond
		latency = share("cli_plugin.bench_max_of_limit", float64(r.Max), "timeout_ms", timeout.String(), float64(timeout))
		fuel = share("cli_plugin.bench_of_limit", float64(r.Fuel), "fuel", l.Fuel, float64(l.Fuel))
		memory = share("cli_plugin.bench_of_limit", float64(r.Memory), "memory", l.Memory, float64(l.Memory))
		output = share("cli_plugin.bench_of_limit", float64(r.Output), "output", l.Output, float64(l.Output))
	}
	rows := [][]string{
		{s.Text("cli_plugin.bench_compile"), s.Text("cli_plugin.bench_compile_times", "cold", formatDuration(r.Cold), "cached", formatDuration(r.Cached))},
		{s.Text("cli_plugin.bench_first_call"), formatDuration(r.First)},
		{s.Text("cli_plugin.bench_calls"), s.Text("cli_plugin.bench_rate", "count", r.Calls, "time", formatDuration(r.Total), "rate", fmt.Sprintf("%.0f", float64(r.Calls)/r.Total.Seconds()))},
		{s.Text("cli_plugin.bench_latency"), fmt.Sprintf("min %s  p50 %s  p90 %s  p99 %s  max %s", formatDuration(r.Min), formatDuration(r.P50), formatDuration(r.P90), formatDuration(r.P99), formatDuration(r.Max)), latency},
		{s.Text("cli_plugin.bench_fuel"), s.Text("cli_plugin.bench_fuel_of_call", "fuel", r.Fuel, "steady", r.Steady), fuel},
		{s.Text("cli_plugin.memory"), s.Text("cli.size", "size", r.Memory), memory},
		{s.Text("cli_plugin.bench_output"), s.Text("cli.bytes", "count", r.Output), output},
	}
	if !r.NotShared.IsZero() {
		rows = append(rows, []string{s.Text("cli_plugin.bench_instance"), s.Text("cli_plugin.new_instance", "reason", r.NotShared)})
	}
	s.Printf("%s %s", r.Name, string(r.Args))
	s.Columns(rows)
}

// formatDuration formats a duration with its significant digits.
func formatDuration(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		return d.Round(100 * time.Millisecond).String()
	case d >= 10*time.Millisecond:
		return d.Round(time.Millisecond).String()
	case d >= 10*time.Microsecond:
		return d.Round(time.Microsecond).String()
	}
	return d.Round(10 * time.Nanosecond).String()
}
