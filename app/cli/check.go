package cli

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/plancheck"
	"errand/planner/message"
)

func init() { addCommand("check", (*commands).checkCommand) }

func (s *commands) checkCommand() *cobra.Command {
	var junit string
	var update bool
	c := s.AddJSONFlag(&cobra.Command{
		Use: "check",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return print.BadUsage("cli.give_cases").Hint("cli.see_help", "command", cmd.CommandPath())
			}
			report := print.JUnitFile(junit)
			if err := report.Check(); err != nil {
				return err
			}
			files, err := readCases(args)
			if err != nil {
				return err
			}
			app, err := s.Open(app.Options{})
			if err != nil {
				return err
			}
			checker, err := app.PlanChecker(cmd.Context())
			if err != nil {
				return err
			}
			var all []plancheck.Outcome
			for i, cases := range files {
				outcomes, err := s.checkFile(cmd.Context(), checker, args[i], cases, update)
				if err != nil {
					return err
				}
				all = append(all, outcomes...)
			}
			if err := report.Write(func(w io.Writer) error { return plancheck.WriteJUnit(w, all, s.TextOf) }); err != nil {
				return err
			}
			s.PrintChecks(all, update)
			return nil
		},
	})
	c.Flags().StringVar(&junit, "junit", "", "")
	c.Flags().BoolVar(&update, "update", false, "")
	return c
}

// readCases reads every file before any case runs, and joins their errors.
func readCases(names []string) ([][]plancheck.Case, error) {
	files := make([][]plancheck.Case, len(names))
	var faults []error
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			faults = append(faults, message.Error("cli.file_given_twice", "file", name))
			continue
		}
		var err error
		if files[i], err = plancheck.Read(name); err != nil {
			faults = append(faults, err)
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, print.BadUsageOf(err)
	}
	return files, nil
}

func (s *commands) checkFile(ctx context.Context, checker *plancheck.Checker, name string, cases []plancheck.Case, update bool) ([]plancheck.Outcome, error) {
	outcomes := make([]plancheck.Outcome, len(cases))
	for i, c := range cases {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		outcomes[i] = checker.Run(ctx, c)
	}
	if update {
		n, err := plancheck.Update(name, outcomes)
		if err != nil {
			return nil, err
		}
		s.Note("cli.values_updated", "file", name, "count", n)
	}
	return outcomes, nil
}
