package plugincmd

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/plugins/author"
	"errand/host/tool"
	"errand/planner/message"
)

// buildTime limits compilation: a first build may download dependencies.
const buildTime = 15 * time.Minute

func (s commands) buildCommand() *cobra.Command {
	var o author.BuildOptions
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "build",
		Args: maxOneArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			built, err := s.build(cmd.Context(), folderOf(args), o)
			if err != nil {
				return err
			}
			return s.Show(built, func() { s.printBuilt(built) })
		},
	})
	c.Flags().BoolVar(&o.Debug, "debug", false, "")
	c.Flags().BoolVar(&o.AsItIs, "as-it-is", false, "")
	return c
}

// build builds a plugin. The compilers' output goes to standard error.
func (s commands) build(ctx context.Context, folder string, o author.BuildOptions) (author.BuildResult, error) {
	limited, cancel := context.WithTimeout(ctx, buildTime)
	defer cancel()
	o.Env, o.Output = s.Env, s.Stderr
	o.Note = func(m message.Message) { s.Notef("%s", m) }
	app, err := s.Open(app.Options{})
	if err != nil {
		return author.BuildResult{}, err
	}
	built, err := app.PluginKit().Build(limited, folder, o)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = tool.NewError(tool.ToolTimeout, "deadline_exceeded", message.New("cli_plugin.build_timeout", "folder", folder, "limit", buildTime))
	}
	return built, err
}

func (s commands) printBuilt(b author.BuildResult) {
	size := message.New("cli.size", "size", b.Size)
	if b.Compiler != "" {
		size = message.New("cli_plugin.size_by_compiler", "size", b.Size, "compiler", b.Compiler)
	}
	s.Printf("%s  %s", b.Module, size)
	s.Print("cli_plugin.sha256", "digest", b.SHA256)
	if b.Changed {
		s.Note("cli_plugin.manifest_updated")
	}
}

// folderOf returns the plugin's folder: the argument, or the current folder.
func folderOf(args []string) string {
	if len(args) == 0 {
		return "."
	}
	return args[0]
}

func maxOneArg(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return print.BadUsage("cli_plugin.one_folder", "command", cmd.CommandPath(), "count", len(args))
	}
	return nil
}
