package cli

import (
	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

// profileCommands has the commands below `errand profile`.
type profileCommands struct{ *commands }

func init() {
	addCommand("profile", func(s *commands) *cobra.Command { return profileCommands{s}.profileCommand() })
}

func (s profileCommands) profileCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "profile",
	}
	c.AddCommand(s.profileListCommand(), s.profileRemoveCommand())
	return c
}

func (s profileCommands) profileListCommand() *cobra.Command {
	c := &cobra.Command{
		Use:  "list",
		Args: print.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.Open(app.Options{})
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
				s.Note("cli.no_profiles")
				return nil
			}
			rows := [][]string{s.Row("cli.column_profile", "cli.column_size", "cli.column_last_used", "cli.column_in_use_by")}
			for _, p := range list {
				by, used := "", ""
				if p.InUse != nil {
					by = s.TextOf(p.InUse.Message())
				}
				if !p.Used.IsZero() {
					used = p.Used.Local().Format("2006-01-02 15:04")
				}
				rows = append(rows, []string{p.Name, s.Text("cli.size", "size", p.Size), print.OrDash(used), print.OrDash(by)})
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
		Use:  "remove",
		Args: print.OneArg("cli.want_profile", "cli.see_profiles"),
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.Open(app.Options{})
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
			s.Note("cli.profile_removed", "profile", args[0])
			return nil
		},
	}
	s.AddJSONFlag(c)
	return c
}
