package policycmd

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/grants"
	"errand/app/planning"
	"errand/planner/plan"
	"errand/policy"
)

func (s commands) explainCommand() *cobra.Command {
	var allow []string
	var goal, toolName, args, origin string
	var afterReading bool
	c := s.AddJSONFlag(&cobra.Command{
		Use: "explain",
		RunE: func(cmd *cobra.Command, urls []string) error {
			flagCount := 0
			for _, set := range []bool{len(urls) > 0, goal != "", toolName != ""} {
				if set {
					flagCount++
				}
			}
			switch {
			case flagCount > 1:
				return print.BadUsage("cli.explain_one")
			case toolName == "" && (args != "" || origin != "" || afterReading):
				return print.BadUsage("cli.explain_needs_tool")
			case toolName != "":
				return s.explainCall(cmd, allow, args, grants.CallQuestion{Tool: toolName, Origin: plan.Origin(origin), AfterReading: afterReading})
			case goal != "":
				return s.explainGoal(cmd, allow, goal)
			}
			return s.checkURLs(cmd, urls, allow, true)
		},
	})
	c.Flags().StringSliceVar(&allow, "allow", nil, "")
	c.Flags().StringVar(&goal, "goal", "", "")
	c.Flags().StringVar(&toolName, "tool", "", "")
	c.Flags().StringVar(&args, "args", "", "")
	c.Flags().StringVar(&origin, "origin", "", "")
	c.Flags().BoolVar(&afterReading, "after-reading", false, "")
	return c
}

func (s commands) explainCall(cmd *cobra.Command, allow []string, args string, q grants.CallQuestion) error {
	if args != "" {
		if err := json.Unmarshal([]byte(args), &q.Args); err != nil {
			return print.BadUsage("cli.bad_args", "cause", err).Hint("cli.bad_args_hint")
		}
	}
	app, err := s.Open(app.Options{Allow: allow})
	if err != nil {
		return err
	}
	check, err := app.Policy().ExplainCall(cmd.Context(), q)
	if err != nil {
		return err
	}
	return s.printChecks([]grants.CallCheck{check})
}

func (s commands) explainGoal(cmd *cobra.Command, allow []string, goal string) error {
	app, err := s.Open(app.Options{Allow: allow})
	if err != nil {
		return err
	}
	planned, err := app.Plan(cmd.Context(), planning.Request{Origin: plan.UserGoal, Text: goal})
	if err != nil {
		return err
	}
	checks := []grants.CallCheck{}
	if planned.Result != nil {
		if p, ok := planned.Result.Plan(); ok {
			if checks, err = app.Policy().ExplainPlan(cmd.Context(), p); err != nil {
				return err
			}
		}
	}
	if len(checks) == 0 {
		return print.BadUsage("cli.no_plan_to_explain").Hint("cli.no_plan_to_explain_hint", "goal", goal)
	}
	return s.printChecks(checks)
}

// printChecks prints the policy decisions about calls.
func (s commands) printChecks(checks []grants.CallCheck) error {
	for _, c := range checks {
		s.Code = worseExit(s.Code, map[policy.Verdict]print.Exit{policy.Allow: print.Done, policy.Ask: print.NeedsApproval, policy.Deny: print.Denied}[c.Verdict])
	}
	return s.Show(map[string]any{"checks": checks}, func() {
		for _, c := range checks {
			s.PrintCallCheck(c)
		}
		s.printStrictest(len(checks))
	})
}
