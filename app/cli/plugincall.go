package cli

import (
	"context"
	"os"
	"time"

	"github.com/spf13/cobra"

	"errand/app/core"
)

// compileTime is how long a module may take to compile before its call starts.
const compileTime = time.Minute

// pluginCall is what the flags of plugin call say.
type pluginCall struct {
	core.PluginCall
	tool, args, input, memory string
	settings, mounts, roots   []string
	verbose                   bool
}

func (s *shell) pluginCallCommand() *cobra.Command {
	var p pluginCall
	c := &cobra.Command{
		Use:   "call FILE.wasm FUNC | FOLDER",
		Short: "Call a function of a module, or a tool of a plugin that is not installed",
		Long: `Of a module, call runs an exported function of an Extism plugin with --input as its
input, or a WASI command when FUNC is _start, and prints the output. Of a plugin's
folder it calls the tool that --tool names with --args, as a run would: within the
limits of plugin.toml.

The plugin's error goes to standard error. It sees no file, no host and no
environment but what the flags grant.

  errand plugin call greeter.wasm greet --input '{"name": "Ada"}'
  errand plugin call . --tool greeter.greet --args '{"name": "Ada"}'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) > 2 {
				return usagef("%s needs a module and a function, or a plugin's folder", cmd.CommandPath()).
					hint("errand plugin inspect FILE.wasm lists the functions")
			}
			info, err := os.Stat(args[0])
			switch folder := err == nil && info.IsDir(); {
			case folder && len(args) == 2:
				return usagef("a plugin's folder takes no function").hint("name the tool: --tool %s", args[1])
			case !folder && len(args) == 1:
				return usagef("%s needs a function of %s", cmd.CommandPath(), args[0]).hint("errand plugin inspect %s lists them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if p.Timeout <= 0 {
				return usagef("--timeout %v is no time", p.Timeout).hint("give one such as 30s; compiling is not counted")
			}
			var err error
			if p.Config, err = pairs(p.settings); err != nil {
				return err
			}
			if len(args) == 1 {
				return s.callTool(cmd, args[0], &p)
			}
			p.File, p.Function = args[0], args[1]
			return s.callFunction(cmd, &p)
		},
	}
	f := c.Flags()
	f.StringVar(&p.input, "input", "", "the input: text, or `@FILE`, or - for standard input")
	f.StringVar(&p.tool, "tool", "", "of a folder: the `TOOL` to call; may be left out where there is one")
	f.StringVar(&p.args, "args", "", "of a folder: the arguments as `JSON`, or @FILE, or - for standard input")
	f.StringArrayVar(&p.settings, "config", nil, "a config value for the plugin, `KEY=VALUE`; may be repeated")
	f.StringArrayVar(&p.AllowHosts, "allow-host", nil, "let the plugin reach `HOST` (a pattern); may be repeated")
	f.StringArrayVar(&p.mounts, "mount", nil, "of a module: show a folder to it, `HOST:GUEST[:ro]`; may be repeated")
	f.StringArrayVar(&p.roots, "root", nil, "of a folder: a `FOLDER` that its [[paths]] stand for; may be repeated")
	f.DurationVar(&p.Timeout, "timeout", 30*time.Second, "end the call after this time")
	f.StringVar(&p.memory, "memory", "64MiB", "of a module: the most memory that it may use")
	f.BoolVarP(&p.verbose, "verbose", "v", false, "also say how long it took")
	return c
}

// callFunction calls a function of a module without a manifest.
func (s *shell) callFunction(cmd *cobra.Command, p *pluginCall) error {
	if err := alone(cmd, "of a plugin's folder", "tool", "args", "root"); err != nil {
		return err
	}
	var err error
	if p.Input, err = s.inputOf(p.input); err != nil {
		return err
	}
	if p.Mounts, err = parseMounts(p.mounts); err != nil {
		return err
	}
	if p.MemoryBytes, err = parseSize(p.memory); err != nil {
		return err
	}
	// Whoever types the command grants the hosts: they need not be on the list.
	app, err := s.open(core.Options{Allow: p.AllowHosts})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), p.Timeout+compileTime)
	defer cancel()
	start := time.Now()
	out, err := app.CallPlugin(ctx, p.PluginCall)
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
	if p.verbose {
		s.say("%v with compiling", time.Since(start).Round(time.Microsecond))
	}
	if out.Error != "" {
		s.say("errand: %s: %s", p.Function, out.Error)
		s.code = Failed
	} else if out.ExitCode != 0 {
		s.say("errand: %s: exit code %d", p.Function, out.ExitCode)
		s.code = Failed
	}
	return nil
}

// callTool calls a tool of a plugin's folder.
func (s *shell) callTool(cmd *cobra.Command, folder string, p *pluginCall) error {
	if err := alone(cmd, "of a module without a manifest", "input", "mount", "memory"); err != nil {
		return err
	}
	args, err := s.inputOf(p.args)
	if err != nil {
		return err
	}
	app, err := s.open(core.Options{Allow: p.AllowHosts})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), p.Timeout+compileTime)
	defer cancel()
	answer, err := app.CallTool(ctx, core.ToolCall{Folder: folder, Tool: p.tool, Args: args, Config: p.Config, Roots: p.roots})
	if err != nil {
		return err
	}
	for _, line := range answer.Logs {
		s.say("%s: %s", line.Level, line.Message)
	}
	if p.verbose {
		s.say("%d ms", answer.DurationMS)
	}
	if answer.Error != nil {
		return answer.Error
	}
	s.document(answer.Payload)
	return nil
}

// alone refuses flags that mean nothing in one of a command's two forms.
func alone(cmd *cobra.Command, what string, flags ...string) error {
	for _, name := range flags {
		if cmd.Flags().Changed(name) {
			return usagef("--%s is for a call %s", name, what)
		}
	}
	return nil
}
