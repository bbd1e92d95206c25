package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

// profileCommands has the commands below `errand profile`.
type profileCommands struct{ *shell }

func (s profileCommands) profileCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "profile",
		Short: "List and remove named browser profiles",
		Long: `By default a run uses a new browser profile and deletes it at the end. With --profile
NAME, or profile in [browser] of errand.toml, it uses a named profile, which keeps
logins from run to run. Errand creates it on first use. Only one browser can use it
at a time.`,
	}
	c.AddCommand(s.profileListCommand(), s.profileRemoveCommand())
	return c
}

func (s profileCommands) profileListCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "List profiles with their size and last use",
		Args:  print.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(app.Options{})
			if err != nil {
				return err
			}
			list, err := app.Profiles()
			if err != nil {
				return err
			}
			if s.JSON {
				s.Document(map[string]any{"profiles": list})
				return nil
			}
			if len(list) == 0 {
				s.Note("there are no named profiles; errand run … --profile NAME makes one")
				return nil
			}
			rows := [][]string{{"PROFILE", "SIZE", "LAST USED", "IN USE BY"}}
			for _, p := range list {
				by, used := "", ""
				if p.InUse != nil {
					by = p.InUse.String()
				}
				if !p.Used.IsZero() {
					used = p.Used.Local().Format("2006-01-02 15:04")
				}
				rows = append(rows, []string{p.Name, fmt.Sprintf("%.1f MB", float64(p.Size)/1e6), print.OrDash(used), print.OrDash(by)})
			}
			s.Columns(rows)
			return nil
		},
	}
	s.AddJSONFlag(c)
	return c
}

func (s profileCommands) profileRemoveCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "remove NAME",
		Short: "Delete a profile with its logins",
		Args:  print.OneArg("a profile", "errand profile list shows which there are"),
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(app.Options{})
			if err != nil {
				return err
			}
			if err := app.RemoveProfile(args[0]); err != nil {
				return err
			}
			if s.JSON {
				s.Document(map[string]any{"removed": args[0]})
				return nil
			}
			s.Note("%s is removed", args[0])
			return nil
		},
	}
	s.AddJSONFlag(c)
	return c
}
