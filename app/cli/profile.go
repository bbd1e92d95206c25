package cli

import (
	"context"

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
	return s.AddJSONFlag(&cobra.Command{
		Use:  "list",
		Args: print.NoArgs,
		RunE: s.WithApp(func(ctx context.Context, app *app.App, args []string) error {
			list, err := app.Profiles()
			if err != nil {
				return err
			}
			return s.Show(map[string]any{"profiles": list}, func() {
				if len(list) == 0 {
					s.Note("cli.no_profiles")
					return
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
			})
		}),
	})
}

func (s profileCommands) profileRemoveCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:  "remove",
		Args: print.OneArg("cli.want_profile", "cli.see_profiles"),
		RunE: s.WithApp(func(ctx context.Context, app *app.App, args []string) error {
			if err := app.RemoveProfile(args[0]); err != nil {
				return err
			}
			return s.Show(map[string]any{"removed": args[0]}, func() { s.Note("cli.profile_removed", "profile", args[0]) })
		}),
	})
}
