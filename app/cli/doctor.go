package cli

import (
	"github.com/spf13/cobra"

	"errand/app/core"
)

func (s *shell) doctorCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "doctor",
		Short: "What is missing or off on this machine, and the cure",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			checks := app.Doctor(cmd.Context())
			for _, c := range checks {
				if c.Status == core.CheckFail {
					s.code = Failed
				}
			}
			if s.json {
				s.document(map[string]any{"checks": checks})
				return nil
			}
			color := map[core.CheckStatus]string{core.CheckOK: green, core.CheckWarn: yellow, core.CheckFail: red}
			for _, c := range checks {
				s.print("%s  %s: %s", paint(color[c.Status], string(c.Status)), c.Name, c.Detail)
				if c.Cure != "" {
					s.print("      %s", c.Cure)
				}
			}
			return nil
		},
	}
	s.jsonFlag(c)
	return c
}
