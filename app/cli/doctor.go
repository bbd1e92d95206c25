package cli

import (
	"context"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/doctor"
	"errand/planner/message"
)

func init() { addCommand("doctor", (*commands).doctorCommand) }

func (s *commands) doctorCommand() *cobra.Command {
	var egress bool
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "doctor",
		Args: print.NoArgs,
		RunE: s.WithApp(func(ctx context.Context, app *app.App, args []string) error {
			if egress {
				report, err := app.Doctor().TestEgress(ctx)
				if err != nil {
					return err
				}
				if !report.Passed {
					s.Code = print.Failed
				}
				return s.Show(report, func() { s.PrintEgress(report) })
			}
			checks := app.Doctor().Check(ctx)
			for _, c := range checks {
				if c.Status == doctor.Fail {
					s.Code = print.Failed
				}
			}
			return s.Show(map[string]any{"checks": checks}, func() {
				color := map[doctor.Status]string{doctor.OK: print.Green, doctor.Warn: print.Yellow, doctor.Fail: print.Red}
				for _, c := range checks {
					s.Printf("%s  %s: %s", print.PaintMessage(color[c.Status], "cli.check_status", "status", c.Status), message.New("cli.check_name", "name", c.Name), c.Detail)
					if !c.Hint.IsZero() {
						s.Printf("      %s", c.Hint)
					}
				}
			})
		}),
	})
	c.Flags().BoolVar(&egress, "egress-test", false, "")
	return c
}
