package plugincmd

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"errand/app/cli/print"
	"errand/app/plugins/author"
	"errand/host/tool"
)

// buildTime is how long compilers may take: a first build may fetch what the
// plugin depends on.
const buildTime = 15 * time.Minute

func (s *Shell) buildCommand() *cobra.Command {
	var o author.BuildOptions
	c := &cobra.Command{
		Use:   "build [FOLDER]",
		Short: "Compile a plugin and update its sha256 in plugin.toml",
		Long: `Build detects the language from the files of the folder (default: the current one),
finds the compiler on the PATH, compiles the module that plugin.toml names, and
updates its sha256 there. The same sources and compiler always give the same module.

If a compiler is missing, build prints how to install it. For a module that you build
in another way, --as-it-is only updates the sha256.`,
		Args: maxOneArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			built, err := s.build(cmd.Context(), folderOf(args), o)
			if err != nil {
				return err
			}
			if s.JSON {
				s.Document(built)
				return nil
			}
			s.printBuilt(built)
			return nil
		},
	}
	s.AddJSONFlag(c)
	c.Flags().BoolVar(&o.Debug, "debug", false, "keep debug information; the module gets several times larger")
	c.Flags().BoolVar(&o.AsItIs, "as-it-is", false, "only update the sha256; compile nothing")
	return c
}

// build builds a plugin; what compilers say goes to standard error.
func (s *Shell) build(ctx context.Context, folder string, o author.BuildOptions) (author.Built, error) {
	limited, cancel := context.WithTimeout(ctx, buildTime)
	defer cancel()
	o.Env, o.Output = s.Env, s.Stderr
	built, err := author.Build(limited, folder, o)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = tool.NewError(tool.ToolTimeout, "deadline_exceeded", "building %s took longer than %v", folder, buildTime)
	}
	return built, err
}

func (s *Shell) printBuilt(b author.Built) {
	by := ""
	if b.Compiler != "" {
		by = " by " + b.Compiler
	}
	s.Print("%s  %s%s", b.Module, print.FormatBytes(b.Size), by)
	s.Print("sha256 %s", b.SHA256)
	if b.Changed {
		s.Note("plugin.toml says so now")
	}
}

// folderOf is the plugin's folder: the argument, or where one stands.
func folderOf(args []string) string {
	if len(args) == 0 {
		return "."
	}
	return args[0]
}

func maxOneArg(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return print.Usagef("%s takes one folder, not %d", cmd.CommandPath(), len(args))
	}
	return nil
}
