package policycmd

import (
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
	c := &cobra.Command{
		Use:  "grants",
		Args: print.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.Open(app.Options{})
			if err != nil {
				return err
			}
			grants, err := app.Grants().Grants(cmd.Context(), all)
			if err != nil {
				return err
			}
			if s.JSON {
				s.Document(map[string]any{"grants": grants})
				return nil
			}
			if len(grants) == 0 {
				s.Note("cli.no_grants")
				return nil
			}
			table := [][]string{s.Row("cli.column_id", "cli.column_host", "cli.column_for", "cli.column_only", "cli.column_until", "cli.column_state", "cli.column_granted")}
			for _, g := range grants {
				table = append(table, []string{
					g.ID, g.Pattern, s.Text("cli.scope", "scope", g.Scope), s.Text("cli.list", "items", print.GrantSubject(g)), print.GrantEnd(g), s.TextOf(print.GrantState(g)),
					s.Text("cli.granted_by", "time", g.GrantedAt.Local().Format("2006-01-02 15:04"), "user", g.GrantedBy),
				})
			}
			s.Columns(table)
			return nil
		},
	}
	s.AddJSONFlag(c)
	c.Flags().BoolVar(&all, "all", false, "")
	return c
}

func (s commands) allowCommand() *cobra.Command {
	var r grants.Request
	var scope, origin, until string
	c := &cobra.Command{
		Use:  "allow",
		Args: print.OneArg("cli.want_host", "cli.want_host_hint"),
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.Open(app.Options{})
			if err != nil {
				return err
			}
			if r.Until, err = parseUntil(until, time.Now()); err != nil {
				return err
			}
			r.Pattern, r.Scope, r.Origin = args[0], policy.Scope(scope), plan.Origin(origin)
			g, err := app.Grants().Grant(cmd.Context(), r)
			if err != nil {
				return err
			}
			s.ShowGrant(g)
			return nil
		},
	}
	s.AddJSONFlag(c)
	c.Flags().StringVar(&scope, "for", string(policy.ForRun), "")
	c.Flags().StringVar(&until, "until", "", "")
	c.Flags().StringVar(&r.Tool, "tool", "", "")
	c.Flags().StringVar(&r.Plugin, "plugin", "", "")
	c.Flags().StringVar(&origin, "origin", "", "")
	return c
}

func (s commands) revokeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:  "revoke",
		Args: print.AtLeastOne("cli.want_grant", "cli.see_grants"),
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.Open(app.Options{})
			if err != nil {
				return err
			}
			grants := []grants.Grant{}
			for _, id := range args {
				g, err := app.Grants().Revoke(cmd.Context(), id)
				if err != nil {
					return err
				}
				grants = append(grants, g)
			}
			if s.JSON {
				s.Document(map[string]any{"grants": grants})
				return nil
			}
			for _, g := range grants {
				s.ShowGrant(g)
			}
			return nil
		},
	}
	s.AddJSONFlag(c)
	return c
}

// parseUntil reads the end of a grant: a span from now, a day or a moment.
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
