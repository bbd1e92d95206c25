package cli

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/replay"
)

func (s *shell) replayCommand() *cobra.Command {
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
			s.replayed(r)
			return nil
		},
	}
	s.AddJSONFlag(c)
	return c
}

func (s *shell) replayed(r replay.Result) {
	s.Print("%s", r.Goal)
	if d := r.Difference; d != nil {
		where := d.Where
		if d.StepID != "" {
			where += " " + d.StepID
		}
		s.Print("%s in the %s: %s", print.Paint(print.Yellow, "differs"), where, d.Field)
		s.Print("  recorded  %s", oneLine(d.Recorded))
		s.Print("  now       %s", oneLine(d.Now))
	} else {
		s.Print("%s as recorded", print.Paint(print.Green, "the same"))
	}
	for _, n := range r.NotCompared {
		s.Note("not compared: %s", oneLine(n))
	}
	if r.Recorded != r.Now {
		s.Note("recorded by version %s, replayed by %s", r.Recorded, r.Now)
	}
}

func oneLine(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	if v == nil {
		return "(nothing)"
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return print.Shorten(string(b), 400)
}

func (s *shell) exportCommand() *cobra.Command {
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
