package cli

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"errand/app/core"
)

func (s *shell) pluginCommand() *cobra.Command {
	c := &cobra.Command{Use: "plugin", Short: "Make, install, call, inspect and list WebAssembly plugins"}
	c.AddCommand(s.pluginNewCommand(), s.pluginBuildCommand(), s.pluginTestCommand(), s.pluginCallCommand(), s.pluginInspectCommand())
	c.AddCommand(
		s.pluginInstallCommand(), s.pluginUpdateCommand(), s.pluginRemoveCommand(), s.pluginEnableCommand(), s.pluginDisableCommand(),
		s.pluginVerifyCommand(), s.pluginListCommand(),
	)
	return c
}

// compileTime is how long a module may take to compile before its call starts.
const compileTime = time.Minute

func (s *shell) pluginCallCommand() *cobra.Command {
	var r core.PluginCall
	var input, memory string
	var settings, mounts []string
	c := &cobra.Command{
		Use:   "call FILE.wasm FUNC",
		Short: "Call one function of a module, without a manifest",
		Long: `Call runs an exported function of an Extism plugin with --input as its input, or a
WASI command when FUNC is _start, and prints the output. The plugin's error goes
to standard error. The module sees no file, no host and no environment but what
the flags grant.`,
		Args: twoArgs("a module and a function", "errand plugin inspect FILE.wasm lists the functions"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			r.File, r.Function = args[0], args[1]
			if r.Input, err = s.inputOf(input); err != nil {
				return err
			}
			if r.Config, err = pairs(settings); err != nil {
				return err
			}
			if r.Mounts, err = parseMounts(mounts); err != nil {
				return err
			}
			if r.MemoryBytes, err = parseSize(memory); err != nil {
				return err
			}
			if r.Timeout <= 0 {
				return usagef("--timeout %v is no time", r.Timeout).hint("give one such as 30s; compiling is not counted")
			}
			// Whoever types the command grants the hosts: they need not be on the list.
			app, err := s.open(core.Options{Allow: r.AllowHosts})
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), r.Timeout+compileTime)
			defer cancel()
			out, err := app.CallPlugin(ctx, r)
			if err != nil {
				return err
			}
			for _, line := range out.Logs {
				s.say("%s: %s", line.Level, line.Message)
			}
			if _, err := s.Stdout.Write(out.Data); err != nil {
				return err
			}
			if len(out.Data) > 0 && s.Color && out.Data[len(out.Data)-1] != '\n' {
				s.print("")
			}
			if out.Error != "" {
				s.say("errand: %s: %s", r.Function, out.Error)
				s.code = Failed
			} else if out.ExitCode != 0 {
				s.say("errand: %s: exit code %d", r.Function, out.ExitCode)
				s.code = Failed
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&input, "input", "", "the input: text, or `@FILE`, or - for standard input")
	f.StringArrayVar(&settings, "config", nil, "a config value for the plugin, `KEY=VALUE`; may be repeated")
	f.StringArrayVar(&r.AllowHosts, "allow-host", nil, "let the plugin reach `HOST` (a pattern); may be repeated")
	f.StringArrayVar(&mounts, "mount", nil, "show a folder to the plugin, `HOST:GUEST[:ro]`; may be repeated")
	f.DurationVar(&r.Timeout, "timeout", 30*time.Second, "end the call after this time")
	f.StringVar(&memory, "memory", "64MiB", "the most memory that the module may use")
	return c
}

func (s *shell) pluginInspectCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "inspect FILE.wasm",
		Short: "Imports, exports, ABI and memory of a module",
		Args:  oneArg("a module", "a .wasm file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := readModule(args[0])
			if err != nil {
				return err
			}
			in, err := core.InspectPlugin(b)
			if err != nil {
				return err
			}
			if s.json {
				s.document(in)
				return nil
			}
			s.printInspection(in)
			return nil
		},
	}
	s.jsonFlag(c)
	return c
}

// printInspection says of a module what it is, what it asks for and what it
// offers.
func (s *shell) printInspection(in core.Inspection) {
	rows := [][]string{
		{"abi", string(in.ABI)},
		{"size", fmt.Sprintf("%d bytes", in.Size)},
		{"sha256", in.SHA256},
	}
	if in.Name != "" {
		rows = append(rows, []string{"name", in.Name})
	}
	for _, p := range in.Toolchain {
		rows = append(rows, []string{"made with", p})
	}
	if in.Problem != "" {
		rows = append(rows, []string{"problem", in.Problem}, []string{"cure", in.Cure})
	}
	s.columns(rows)
	var functions [][]string
	for _, e := range in.Exports {
		if e.Kind == "func" {
			functions = append(functions, []string{"  " + e.Name, e.Type})
		}
	}
	s.print("\nfunctions")
	s.columns(functions)
	s.print("\nneeds  %s", dash(in.Needs))
	asked := map[string]int{}
	for _, i := range in.Imports {
		asked[i.Module]++
	}
	for _, module := range slices.Sorted(maps.Keys(asked)) {
		s.print("  %d imports from %s", asked[module], module)
	}
}

func dash(list []string) string {
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, " ")
}

func twoArgs(what, hint string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 2 {
			return usagef("%s needs %s", cmd.CommandPath(), what).hint("%s", hint)
		}
		return nil
	}
}

func readModule(name string) ([]byte, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, usagef("read the module: %v", err)
	}
	return b, nil
}
