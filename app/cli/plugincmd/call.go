package plugincmd

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/plugins/author"
	"errand/host/tool"
)

// compileTime is how long a module may take to compile before its call starts.
const compileTime = time.Minute

// call is what the flags of plugin call say.
type call struct {
	author.ModuleCall
	tool, args, input, memory string
	settings, mounts, roots   []string
	verbose                   bool
}

func (s *Shell) callCommand() *cobra.Command {
	var p call
	c := &cobra.Command{
		Use:   "call FILE.wasm FUNC | FOLDER [TOOL] | ID [TOOL]",
		Short: "Call a tool of a plugin or a function of a module",
		Long: `For a folder or an installed plugin, call runs a tool with --args under the limits of
plugin.toml, as a run does. TOOL is optional if the plugin has only one. For a module,
call runs an exported Extism function with --input, or a WASI command if FUNC is
_start, and prints the output.

Errors of the plugin go to standard error. The plugin gets only the files, hosts and
settings that the flags grant, and no environment variables.

--config here sets a setting of the plugin. ERRAND_CONFIG selects another errand.toml.

  errand plugin call greeter.wasm greet --input '{"name": "Ada"}'
  errand plugin call . greet --args '{"name": "Ada"}'
  errand plugin call hash sha256 --args '{"input": "abc"}'`,
		Args: folderOrFunction,
		RunE: func(cmd *cobra.Command, args []string) error {
			if p.Timeout <= 0 {
				return print.Usagef("--timeout must be positive, not %v", p.Timeout).Hint("for example: --timeout 30s; compiling is not counted")
			}
			var err error
			if p.Config, err = pairs(p.settings); err != nil {
				return err
			}
			if !isModule(args[0]) {
				if err := p.named(args); err != nil {
					return err
				}
				return s.callTool(cmd, args[0], &p)
			}
			p.File, p.Function = args[0], args[1]
			return s.callFunction(cmd, &p)
		},
	}
	s.AddJSONFlag(c)
	f := c.Flags()
	callFlags(f, &p)
	f.DurationVar(&p.Timeout, "timeout", 30*time.Second, "time limit of the call")
	f.BoolVarP(&p.verbose, "verbose", "v", false, "also print time, fuel and memory")
	return c
}

// folderOrFunction wants a plugin's folder, or a module and a function.
func folderOrFunction(cmd *cobra.Command, args []string) error {
	if len(args) == 0 || len(args) > 2 {
		return print.Usagef("%s needs a module and a function, or a plugin and, where it has several, a tool", cmd.CommandPath()).
			Hint("errand plugin inspect FILE.wasm lists functions, errand plugin list the tools")
	}
	if isModule(args[0]) && len(args) == 1 {
		return print.Usagef("%s needs a function of %s", cmd.CommandPath(), args[0]).Hint("errand plugin inspect %s lists them", args[0])
	}
	return nil
}

// isModule reports whether a word names a file, and not a folder or a plugin's id.
func isModule(word string) bool {
	info, err := os.Stat(word)
	return err == nil && !info.IsDir()
}

// named takes the tool's name from where it stands.
func (p *call) named(args []string) error {
	if len(args) < 2 {
		return nil
	}
	if p.tool != "" && p.tool != args[1] {
		return print.Usagef("two tools are named: %s and --tool %s", args[1], p.tool).Hint("leave one of them out")
	}
	p.tool = args[1]
	return nil
}

// callFlags are those by which a call is described, of a module or a folder.
func callFlags(f *pflag.FlagSet, p *call) {
	f.StringVar(&p.input, "input", "", "for a module: the input: text, `@FILE`, or - for standard input")
	f.StringVar(&p.tool, "tool", "", "for a plugin: the `TOOL` to call")
	f.StringVar(&p.args, "args", "", "for a plugin: the arguments as `JSON`, @FILE, or - for standard input")
	f.StringArrayVar(&p.settings, "config", nil, "a setting of the plugin, `KEY=VALUE`; may be repeated")
	f.StringArrayVar(&p.AllowHosts, "allow-host", nil, "let the plugin contact `HOST` (a pattern); may be repeated")
	f.StringArrayVar(&p.mounts, "mount", nil, "for a module: a folder that it may use, `HOST:GUEST[:ro]`; may be repeated")
	f.StringArrayVar(&p.roots, "root", nil, "for a plugin: a `FOLDER` for its [[paths]]; may be repeated")
	f.StringVar(&p.memory, "memory", "64MiB", "for a module: its memory limit")
}

// functionArgs reads the flags of a call of a module.
func (s *Shell) functionArgs(cmd *cobra.Command, p *call) (err error) {
	if err := alone(cmd, "of a plugin", "tool", "args", "root"); err != nil {
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
func (s *Shell) toolArgs(cmd *cobra.Command, p *call) ([]byte, error) {
	if err := alone(cmd, "of a module without a manifest", "input", "mount", "memory"); err != nil {
		return nil, err
	}
	return s.inputOf(p.args)
}

// callFunction calls a function of a module without a manifest.
func (s *Shell) callFunction(cmd *cobra.Command, p *call) error {
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
	if out.Error != "" || out.ExitCode != 0 {
		s.Code = print.Failed
	}
	if s.JSON {
		return nil
	}
	for _, line := range out.Logs {
		s.Say("%s: %s", line.Level, line.Message)
	}
	if err := s.Raw(out.Data); err != nil {
		return err
	}
	if len(out.Data) > 0 && s.Terminal && out.Data[len(out.Data)-1] != '\n' {
		s.Print("")
	}
	if p.verbose {
		s.Say("%v with compiling, fuel %d, memory %s", time.Since(start).Round(time.Microsecond), out.Fuel, memoryText(out.Memory))
	}
	if out.Error != "" {
		s.Say("errand: %s: %s", p.Function, out.Error)
	} else if out.ExitCode != 0 {
		s.Say("errand: %s: exit code %d", p.Function, out.ExitCode)
	}
	return nil
}

// memoryText is memory in bytes and in the pages that WebAssembly counts by.
func memoryText(n uint64) string {
	return fmt.Sprintf("%s (%s)", print.FormatBytes(n), print.Count(int(n>>16), "page", "pages"))
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
	case out.Error != "":
		a.Error = tool.NewError(tool.ExecutionError, "plugin_error", "%s", out.Error)
	}
	if err == nil {
		a.ExitCode = &out.ExitCode
	}
	return a
}

// callTool calls a tool of a plugin's folder.
func (s *Shell) callTool(cmd *cobra.Command, folder string, p *call) error {
	args, err := s.toolArgs(cmd, p)
	if err != nil {
		return err
	}
	app, err := s.Open(app.Options{Allow: p.AllowHosts})
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
		s.Say("%s: %s", line.Level, line.Message)
	}
	if p.verbose {
		s.Say("%d ms, fuel %s, memory %s", answer.DurationMS, answer.Fuel, memoryText(answer.Memory))
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
	s.Document(answer.Payload)
	return nil
}

// alone refuses flags that mean nothing in one of a command's two forms.
func alone(cmd *cobra.Command, what string, flags ...string) error {
	for _, name := range flags {
		if cmd.Flags().Changed(name) {
			return print.Usagef("--%s is for a call %s", name, what)
		}
	}
	return nil
}
