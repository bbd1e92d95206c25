package plugincmd

import (
	"context"
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/plugins/author"
	"errand/host/tool"
	"errand/planner/message"
)

// compileTime limits the compilation of a module before its call.
const compileTime = time.Minute

// call has the flags of plugin call.
type call struct {
	author.ModuleCall
	tool, args, input, memory string
	settings, mounts, roots   []string
	verbose                   bool
}

func (s commands) callCommand() *cobra.Command {
	var p call
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "call",
		Args: folderOrFunction,
		RunE: func(cmd *cobra.Command, args []string) error {
			if p.Timeout <= 0 {
				return print.BadUsage("cli_plugin.not_positive", "flag", "--timeout", "value", p.Timeout).Hint("cli_plugin.call_timeout_hint")
			}
			var err error
			if p.Config, err = pairs(p.settings); err != nil {
				return err
			}
			if !isModule(args[0]) {
				if err := p.takeToolName(args); err != nil {
					return err
				}
				return s.callTool(cmd, args[0], &p)
			}
			p.File, p.Function = args[0], args[1]
			return s.callFunction(cmd, &p)
		},
	})
	f := c.Flags()
	callFlags(f, &p)
	f.DurationVar(&p.Timeout, "timeout", 30*time.Second, "")
	f.BoolVarP(&p.verbose, "verbose", "v", false, "")
	return c
}

// folderOrFunction requires a plugin's folder, or a module and a function.
func folderOrFunction(cmd *cobra.Command, args []string) error {
	if len(args) == 0 || len(args) > 2 {
		return print.BadUsage("cli_plugin.want_module_or_plugin", "command", cmd.CommandPath()).Hint("cli_plugin.want_module_or_plugin_hint")
	}
	if isModule(args[0]) && len(args) == 1 {
		return print.BadUsage("cli_plugin.want_function", "command", cmd.CommandPath(), "file", args[0]).Hint("cli_plugin.want_function_hint", "file", args[0])
	}
	return nil
}

// isModule reports whether an argument names a file, and not a folder or a plugin's id.
func isModule(word string) bool {
	info, err := os.Stat(word)
	return err == nil && !info.IsDir()
}

// takeToolName reads the tool's name from the arguments or the flag.
func (p *call) takeToolName(args []string) error {
	if len(args) < 2 {
		return nil
	}
	if p.tool != "" && p.tool != args[1] {
		return print.BadUsage("cli_plugin.two_tools", "tool", args[1], "other", p.tool).Hint("cli_plugin.leave_one_out")
	}
	p.tool = args[1]
	return nil
}

// callFlags are the flags that describe a call of a module or a folder.
func callFlags(f *pflag.FlagSet, p *call) {
	f.StringVar(&p.input, "input", "", "")
	f.StringVar(&p.tool, "tool", "", "")
	f.StringVar(&p.args, "args", "", "")
	f.StringArrayVar(&p.settings, "config", nil, "")
	f.StringArrayVar(&p.AllowHosts, "allow-host", nil, "")
	f.StringArrayVar(&p.mounts, "mount", nil, "")
	f.StringArrayVar(&p.roots, "root", nil, "")
	f.StringVar(&p.memory, "memory", "64MiB", "")
}

// functionArgs reads the flags of a call of a module.
func (s commands) functionArgs(cmd *cobra.Command, p *call) (err error) {
	if err := rejectFlags(cmd, "cli_plugin.flag_for_plugin", "tool", "args", "root"); err != nil {
		return err
	}
	if p.Input, err = s.inputOf(p.input); err != nil {
		return err
	}
	if p.Mounts, err = parseMounts(p.mounts); err != nil {
		return err
	}
	p.MemoryBytes, err = parseSize("memory", p.memory, author.MinMemory, author.MaxMemory)
	return err
}

// toolArgs reads the flags of a call of a plugin's folder.
func (s commands) toolArgs(cmd *cobra.Command, p *call) ([]byte, error) {
	if err := rejectFlags(cmd, "cli_plugin.flag_for_module", "input", "mount", "memory"); err != nil {
		return nil, err
	}
	return s.inputOf(p.args)
}

// callFunction calls a function of a module without a manifest.
func (s commands) callFunction(cmd *cobra.Command, p *call) error {
	if err := s.functionArgs(cmd, p); err != nil {
		return err
	}
	// The command grants the hosts: they need not be on the list.
	app, err := s.Open(app.Options{Allow: p.AllowHosts})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), p.Timeout+compileTime)
	defer cancel()
	start := time.Now()
	out, err := app.PluginKit().CallModule(ctx, p.ModuleCall)
	if s.JSON {
		s.Document(newFunctionAnswer(out, err))
	}
	if err != nil {
		return err
	}
	if !out.Error.IsZero() || out.ExitCode != 0 {
		s.Code = print.Failed
	}
	if s.JSON {
		return nil
	}
	for _, line := range out.Logs {
		s.Sayf("%s: %s", line.Level, s.TextOf(line.Message))
	}
	if err := s.Raw(out.Data); err != nil {
		return err
	}
	if len(out.Data) > 0 && s.Terminal && out.Data[len(out.Data)-1] != '\n' {
		s.Printf("")
	}
	if p.verbose {
		s.Say("cli_plugin.call_cost_compiled", "time", time.Since(start).Round(time.Microsecond).String(), "fuel", out.Fuel, "memory", memoryOf(out.Memory))
	}
	if !out.Error.IsZero() {
		s.Sayf("errand: %s: %s", p.Function, out.Error)
	} else if out.ExitCode != 0 {
		s.Sayf("errand: %s: %s", p.Function, message.New("cli_plugin.exit_code", "code", out.ExitCode))
	}
	return nil
}

// memoryOf returns memory in bytes and in WebAssembly pages.
func memoryOf(n uint64) message.Message {
	return message.New("cli_plugin.memory_pages", "size", n, "pages", n>>16)
}

// functionAnswer is the JSON document for the result of a function.
type functionAnswer struct {
	Output   string      `json:"output"`
	Encoding string      `json:"encoding"` // of the output: utf-8, or base64 of what isn't that
	Error    *tool.Error `json:"error,omitempty"`
	ExitCode *int32      `json:"exit_code"` // null if the function did not end
	author.ModuleOutput
}

// newFunctionAnswer makes the document from the output of a call and its error.
func newFunctionAnswer(out author.ModuleOutput, err error) functionAnswer {
	a := functionAnswer{Output: string(out.Data), Encoding: "utf-8", ModuleOutput: out}
	if !utf8.Valid(out.Data) {
		a.Output, a.Encoding = base64.StdEncoding.EncodeToString(out.Data), "base64"
	}
	switch {
	case err != nil:
		a.Error, _ = print.TypedError(err)
	case !out.Error.IsZero():
		a.Error = tool.NewError(tool.ExecutionError, "plugin_error", out.Error)
	}
	if err == nil {
		a.ExitCode = &out.ExitCode
	}
	return a
}

// callTool calls a tool of a plugin's folder.
func (s commands) callTool(cmd *cobra.Command, folder string, p *call) error {
	app, err := s.Open(app.Options{Allow: p.AllowHosts})
	if err != nil {
		return err
	}
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) { // a wrong name matters more than wrong flags
		if _, err := app.Plugins().Find(folder); err != nil {
			return err
		}
	}
	args, err := s.toolArgs(cmd, p)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), p.Timeout+compileTime)
	defer cancel()
	answer, err := app.PluginKit().CallTool(ctx, author.ToolCall{Folder: folder, Tool: p.tool, Args: args, Config: p.Config, Roots: p.roots})
	if err != nil {
		return err
	}
	for _, line := range answer.Logs {
		s.Sayf("%s: %s", line.Level, s.TextOf(line.Message))
	}
	if p.verbose {
		s.Say("cli_plugin.call_cost", "ms", answer.DurationMS, "fuel", answer.Fuel, "memory", memoryOf(answer.Memory))
	}
	if s.JSON {
		s.Document(answer)
	}
	if answer.Error != nil {
		return answer.Error
	}
	if s.JSON {
		return nil
	}
	s.Payload(answer.Payload)
	return nil
}

// rejectFlags returns an error with code if a flag is set that this form of the command
// does not use.
func rejectFlags(cmd *cobra.Command, code string, flags ...string) error {
	for _, name := range flags {
		if cmd.Flags().Changed(name) {
			return print.BadUsage(code, "flag", "--"+name)
		}
	}
	return nil
}
