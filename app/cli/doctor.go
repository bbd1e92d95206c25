package cli

import (
	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/doctor"
)

func (s *shell) doctorCommand() *cobra.Command {
	var egress bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check this machine and suggest fixes",
		Long: `Doctor checks this machine and suggests a fix for each problem.

With --egress-test a test page tries the common ways in which a page can send
data: in the browser, behind the proxy and under the policy of a real run. It
sends to servers on this machine that policy denies. The test takes about 5
seconds and needs no network. Exit code 1 means that data got out, or that the
test failed.`,
		Args: print.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(app.Options{})
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
				s.Print("%s  %s: %s", print.Paint(color[c.Status], string(c.Status)), c.Name, c.Detail)
				if c.Cure != "" {
					s.Print("      %s", c.Cure)
				}
			}
			return nil
		},
	}
	s.AddJSONFlag(c)
	c.Flags().BoolVar(&egress, "egress-test", false, "test whether a page can get past the network policy")
	return c
}
