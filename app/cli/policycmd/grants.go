package policycmd

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/grants"
	"errand/planner/plan"
	"errand/policy"
)

func (s commands) grantsCommand() *cobra.Command {
	var all bool
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "grants",
		Args: print.NoArgs,
		RunE: s.WithApp(func(ctx context.Context, app *app.App, args []string) error {
			grants, err := app.Grants().Grants(ctx, all)
			if err != nil {
				return err
			}
			return s.Show(map[string]any{"grants": grants}, func() {
				if len(grants) == 0 {
					s.Note("cli.no_grants")
					return
				}
				table := [][]string{s.Row("cli.column_id", "cli.column_host", "cli.column_for", "cli.column_only", "cli.column_until", "cli.column_state", "cli.column_granted")}
				for _, g := range grants {
					table = append(table, []string{
						g.ID, g.Name(), s.Text("cli.scope", "scope", g.Scope), s.Text("cli.list", "items", print.GrantSubject(g)), print.GrantEnd(g), s.TextOf(print.GrantState(g)),
						s.Text("cli.granted_by", "time", g.GrantedAt.Local().Format("2006-01-02 15:04"), "user", g.GrantedBy),
					})
				}
				s.Columns(table)
			})
		}),
	})
	c.Flags().BoolVar(&all, "all", false, "")
	return c
}

func (s commands) allowCommand() *cobra.Command {
	var r grants.Request
	var scope, origin, until string
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "allow",
		Args: print.OneArg("cli.want_host", "cli.want_host_hint"),
		RunE: s.WithApp(func(ctx context.Context, app *app.App, args []string) error {
			var err error
			if r.Expires, err = parseUntil(until, time.Now()); err != nil {
				return err
			}
			r.Pattern, r.Scope, r.Origin = args[0], policy.Scope(scope), plan.Origin(origin)
			g, err := app.Grants().Grant(ctx, r)
			if err != nil {
				return err
			}
			s.ShowGrant(g)
			return nil
		}),
	})
	c.Flags().StringVar(&scope, "for", string(policy.ForRun), "")
	c.Flags().StringVar(&until, "until", "", "")
	c.Flags().StringVar(&r.Tool, "tool", "", "")
	c.Flags().StringVar(&r.Plugin, "plugin", "", "")
	c.Flags().StringVar(&origin, "origin", "", "")
	return c
}

func (s commands) revokeCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:  "revoke",
		Args: print.AtLeastOne("cli.want_grant", "cli.see_grants"),
		RunE: s.WithApp(func(ctx context.Context, app *app.App, args []string) error {
			grants := []grants.Grant{}
			for _, id := range args {
				g, err := app.Grants().Revoke(ctx, id)
				if err != nil {
					return err
				}
				grants = append(grants, g)
			}
			return s.Show(map[string]any{"grants": grants}, func() {
				for _, g := range grants {
					s.ShowGrant(g)
				}
			})
		}),
	})
}

// parseUntil parses the end of a grant: a duration, a day or a time.
func parseUntil(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	var days int
	if n, err := fmt.Sscanf(text, "%dd", &days); n == 1 && err == nil && fmt.Sprintf("%dd", days) == text && 0 < days && days <= 36_500 {
		return now.AddDate(0, 0, days), nil
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return now.Add(d), nil
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02 15:04", time.RFC3339} {
		if t, err := time.ParseInLocation(layout, text, time.Local); err == nil && t.After(now) {
			return t, nil
		}
	}
	return time.Time{}, print.BadUsage("cli.not_future_time", "text", text).Hint("cli.not_future_time_hint")
}
