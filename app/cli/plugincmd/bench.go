package plugincmd

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/plugins/author"
)

func (s *Shell) benchCommand() *cobra.Command {
	var p call
	var b author.Bench
	c := &cobra.Command{
		Use:   "bench FILE.wasm FUNC | FOLDER [TOOL] | ID [TOOL]",
		Short: "Measure calls of a plugin",
		Long: `Bench calls a tool of a plugin, or a function of a module, many times and reports
the cost: compile time with and without the code cache, the first call, the latency,
fuel, memory and output of later calls, and their share of the limits in plugin.toml.

Without --args Errand takes the arguments of the first case in plugin.toml that needs
no files, settings or network. The calls are real: a tool that changes something
changes it each time. --config here sets a setting of the plugin.`,
		Args: folderOrFunction,
		RunE: func(cmd *cobra.Command, args []string) error {
			if b.For <= 0 {
				return print.Usagef("--for must be positive, not %v", b.For).Hint("for example: --for 2s")
			}
			if b.Calls < 0 {
				return print.Usagef("--calls %d is negative", b.Calls)
			}
			var err error
			if p.Config, err = pairs(p.settings); err != nil {
				return err
			}
			if !isModule(args[0]) {
				if err := p.named(args); err != nil {
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
			if s.JSON {
				s.Document(r)
				return nil
			}
			s.printBench(r)
			return nil
		},
	}
	s.AddJSONFlag(c)
	f := c.Flags()
	callFlags(f, &p)
	f.DurationVar(&p.Timeout, "timeout", 30*time.Second, "for a module: time limit of a call")
	f.DurationVar(&b.For, "for", 2*time.Second, "how long to measure")
	f.IntVar(&b.Calls, "calls", 0, "make at most `N` calls; 0: no limit")
	return c
}

func (s *Shell) printBench(r author.BenchReport) {
	share := func(part float64, key string, limit any, whole float64) string {
		if whole == 0 {
			return ""
		}
		return fmt.Sprintf("%.2g %% of limits.%s (%v)", 100*part/whole, key, limit)
	}
	var latency, fuel, memory, output string
	if l := r.Limits; l != nil {
		timeout := time.Duration(l.TimeoutMS) * time.Millisecond
		latency = "max is " + share(float64(r.Max), "timeout_ms", timeout, float64(timeout))
		fuel = share(float64(r.Fuel), "fuel", l.Fuel, float64(l.Fuel))
		memory = share(float64(r.Memory), "memory", l.Memory, float64(l.Memory))
		output = share(float64(r.Output), "output", l.Output, float64(l.Output))
	}
	steady := ", the same each call"
	if !r.Steady {
		steady = " in the last call, and not the same each time"
	}
	rows := [][]string{
		{"compile", fmt.Sprintf("%s cold, %s from the cache", short(r.Cold), short(r.Cached))},
		{"first call", short(r.First)},
		{"calls", fmt.Sprintf("%d in %s, %.0f/s", r.Calls, short(r.Took), float64(r.Calls)/r.Took.Seconds())},
		{"latency", fmt.Sprintf("min %s  p50 %s  p90 %s  p99 %s  max %s", short(r.Min), short(r.P50), short(r.P90), short(r.P99), short(r.Max)), latency},
		{"fuel", fmt.Sprintf("%d%s", r.Fuel, steady), fuel},
		{"memory", print.FormatBytes(r.Memory), memory},
		{"output", fmt.Sprintf("%d bytes", r.Output), output},
	}
	if r.Held != "" {
		rows = append(rows, []string{"anew", "each call has a new instance: " + r.Held})
	}
	s.Print("%s %s", r.What, string(r.Args))
	s.Columns(rows)
}

// short is a duration with as many digits as mean something.
func short(d time.Duration) string {
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
