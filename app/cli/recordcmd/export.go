package recordcmd

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/host/tool"
)

func (s commands) exportCommand() *cobra.Command {
	var format, file string
	var force bool
	c := &cobra.Command{
		Use:               "export",
		Args:              print.OneArg("cli.want_run", "cli.see_runs"),
		ValidArgsFunction: s.CompleteRuns,
		RunE: s.WithID(shell.ResolveRun, func(ctx context.Context, app *app.App, id string, rest []string) error {
			b, err := app.Export(ctx, id, format)
			if err != nil {
				return err
			}
			if file == "" || file == "-" {
				return s.Raw(b)
			}
			flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
			if force {
				flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
			}
			f, err := os.OpenFile(file, flags, 0o600)
			if errors.Is(err, fs.ErrExist) {
				return print.BadUsage("cli.file_exists", "file", file).Hint("cli.file_exists_hint")
			}
			if err != nil {
				if _, folderErr := os.Stat(filepath.Dir(file)); folderErr != nil {
					err = folderErr
				}
				return tool.FileFault(err).Err()
			}
			_, err = f.Write(b)
			if err := errors.Join(err, f.Close()); err != nil {
				return err
			}
			return s.Show(map[string]any{"format": format, "file": file, "bytes": len(b)}, func() {
				s.Note("cli.file_written", "file", file, "size", len(b))
			})
		}),
	}
	s.AddJSONFlag(c) // without -o what is printed is one JSON document anyway
	c.Flags().StringVar(&format, "format", "bundle", "")
	c.Flags().StringVarP(&file, "output", "o", "", "")
	c.Flags().BoolVar(&force, "force", false, "")
	return c
}
