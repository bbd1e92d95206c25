package cli

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

func (s policyCommands) grantsCommand() *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "grants",
		Short: "List hosts that you allowed with policy allow",
		Args:  print.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(app.Options{})
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
				s.Note("you allowed nothing beside the config")
				return nil
			}
			table := [][]string{{"ID", "HOST", "FOR", "ONLY", "UNTIL", "STATE", "GRANTED"}}
			for _, g := range grants {
				table = append(table, []string{
					g.ID, g.Pattern, string(g.Scope), print.GrantSubject(g), print.GrantEnd(g), print.GrantState(g),
					g.GrantedAt.Local().Format("2006-01-02 15:04") + " by " + g.GrantedBy,
				})
			}
			s.Columns(table)
			return nil
		},
	}
	s.AddJSONFlag(c)
	c.Flags().BoolVar(&all, "all", false, "also list used, expired and revoked ones")
	return c
}

func (s policyCommands) allowCommand() *cobra.Command {
	var r grants.Request
	var scope, origin, until string
	c := &cobra.Command{
		Use:   "allow PATTERN",
		Short: "Allow a host once, for one run, or always",
		Long: `Allow permits a host that is not in allowed_domains: for the next call that needs it
(--for once), for the next run (--for run) or for all runs (--for always). You can
limit it to a time, a tool, a plugin or an origin. It does not override deny rules
and private-network protection, and it approves no action.`,
		Example: `  errand policy allow example.org
  errand policy allow "*.example.org" --for always --until 7d
  errand policy allow api.example.org --for always --plugin weather`,
		Args: print.OneArg("a host or a pattern", "for example: errand policy allow example.org"),
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(app.Options{})
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
	c.Flags().StringVar(&scope, "for", string(policy.ForRun), "`SCOPE`: once, run or always")
	c.Flags().StringVar(&until, "until", "", "the `TIME` when it ends: 2h, 7d, 2027-01-31, 2027-01-31T18:00:00Z")
	c.Flags().StringVar(&r.Tool, "tool", "", "only for tools whose name matches `GLOB`")
	c.Flags().StringVar(&r.Plugin, "plugin", "", "only for the plugin `ID`")
	c.Flags().StringVar(&origin, "origin", "", "only for calls from `ORIGIN`: user_goal, request, upload, task, agent, mcp")
	return c
}

func (s policyCommands) revokeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "revoke ID…",
		Short: "Revoke hosts that you allowed",
		Args:  print.AtLeastOne("the id of a grant", "errand policy grants lists them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(app.Options{})
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
	return time.Time{}, print.Usagef("--until %q is not a future time", text).Hint("write 90m, 12h, 7d, 2027-01-31 or 2027-01-31T18:00:00Z")
}
