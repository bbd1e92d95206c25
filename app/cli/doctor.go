package cli

import (
	"slices"

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
				s.printEgress(report)
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

// printEgress prints a line for each way, then what the page could do, then the
// sum of it.
func (s *shell) printEgress(r doctor.EgressReport) {
	listed := r.Subresources == "listed"
	for _, w := range r.Report.Ways {
		by := w.Stop.By + ", " + w.Stop.Rule
		if w.Stop.Rule == "" {
			by = "the browser made no request"
		}
		switch {
		case w.Hits > 0:
			s.Print("%s  %-24s %s: it led out", print.Paint(print.Red, "OUT    "), w.Name, w.About)
		case !w.Tried:
			s.Print("%s  %-24s %s: nothing is known", print.Paint(print.Yellow, "untried"), w.Name, w.About)
		default:
			s.Print("%s  %-24s %s (%s)", print.Paint(print.Green, "stopped"), w.Name, w.About, by)
		}
	}
	for _, w := range r.Report.Works {
		switch {
		case slices.Contains(r.Broken, w.Name):
			s.Print("%s  %s", print.Paint(print.Yellow, "broken "), w.Name)
		default:
			s.Print("%s  %s", print.Paint(print.Green, "works  "), w.Name)
		}
	}
	s.Print("%d ways out tried in %s, %d led out (a page may load from %s hosts)",
		len(r.Report.Ways)-len(r.Untried), r.Browser, len(r.Hits), map[bool]string{true: "listed", false: "public"}[listed])
	if len(r.Hits) > 0 {
		s.Print("  unless allow_private means to open it, this is a fault: set mode = \"external\" in [browser], and report it with --json")
	}
}
