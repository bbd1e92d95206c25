package cli

import (
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

func (s recordCommands) replayCommand() *cobra.Command {
	c := &cobra.Command{
		Use:               "replay ID|FILE",
		Short:             "Replay a recorded run offline and report the first difference",
		Args:              print.OneArg("the id of a run, or a file that errand export wrote", "errand runs lists them"),
		ValidArgsFunction: s.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(app.Options{})
			if err != nil {
				return err
			}
			id, err := resolveRun(cmd.Context(), app, args[0])
			if err != nil {
				return err
			}
			r, err := app.Replay(cmd.Context(), id)
			if err != nil {
				return err
			}
			if !r.Same {
				s.Code = print.Failed
			}
			if s.JSON {
				s.Document(r)
				return nil
			}
			s.PrintReplay(r)
			return nil
		},
	}
	s.AddJSONFlag(c)
	return c
}

func (s recordCommands) exportCommand() *cobra.Command {
	var format, file string
	var force bool
	c := &cobra.Command{
		Use:               "export ID",
		Short:             "Export a run as a file for replay, or as OpenTelemetry traces",
		Args:              print.OneArg("the id of a run", "errand runs lists them"),
		ValidArgsFunction: s.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(app.Options{})
			if err != nil {
				return err
			}
			id, err := resolveRun(cmd.Context(), app, args[0])
			if err != nil {
				return err
			}
			b, err := app.Export(cmd.Context(), id, format)
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
				return print.Usagef("%s exists", file).Hint("--force writes over it")
			}
			if err != nil {
				return err
			}
			_, err = f.Write(b)
			if err := errors.Join(err, f.Close()); err != nil {
				return err
			}
			if s.JSON {
				s.Document(map[string]any{"format": format, "file": file, "bytes": len(b)})
				return nil
			}
			s.Note("%s: %s", file, print.Count(len(b), "byte", "bytes"))
			return nil
		},
	}
	s.AddJSONFlag(c) // without -o what is printed is one JSON document anyway
	c.Flags().StringVar(&format, "format", "bundle", "bundle (for errand replay) or otlp")
	c.Flags().StringVarP(&file, "output", "o", "", "write to `FILE` (default: standard output)")
	c.Flags().BoolVar(&force, "force", false, "overwrite an existing file")
	return c
}
