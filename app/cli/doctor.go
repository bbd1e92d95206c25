package cli

import (
	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/doctor"
	"errand/planner/message"
)

func init() { addCommand("doctor", (*commands).doctorCommand) }

func (s *commands) doctorCommand() *cobra.Command {
	var egress bool
	c := &cobra.Command{
		Use:  "doctor",
		Args: print.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.Open(app.Options{})
			if err != nil {
				return err
			}
			if egress {
				report, err := app.Doctor().TestEgress(cmd.Context())
				if err != nil {
					return err
				}
				if !report.Passed {
					s.Code = print.Failed
				}
				if s.JSON {
					s.Document(report)
					return nil
				}
				s.PrintEgress(report)
				return nil
			}
			checks := app.Doctor().Check(cmd.Context())
			for _, c := range checks {
				if c.Status == doctor.Fail {
					s.Code = print.Failed
				}
			}
			if s.JSON {
				s.Document(map[string]any{"checks": checks})
				return nil
			}
			color := map[doctor.Status]string{doctor.OK: print.Green, doctor.Warn: print.Yellow, doctor.Fail: print.Red}
			for _, c := range checks {
				s.Printf("%s  %s: %s", print.PaintMessage(color[c.Status], "cli.check_status", "status", c.Status), message.New("cli.check_name", "name", c.Name), c.Detail)
				if !c.Cure.IsZero() {
					s.Printf("      %s", c.Cure)
				}
			}
			return nil
		},
	}
	s.AddJSONFlag(c)
	c.Flags().BoolVar(&egress, "egress-test", false, "")
	return c
}
