package cli

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

func (s policyCommands) explainCommand() *cobra.Command {
	var allow []string
	var goal, toolName, args, origin string
	var afterReading bool
	c := &cobra.Command{
		Use:   "explain URL…",
		Short: "Explain a decision, and which setting would change it",
		Long: `Explain shows the policy decision for a URL, for each action of a goal or for a tool
call, step by step. It lists the rules that nearly match, and the setting that would
change the decision. It runs nothing.`,
		Example: `  errand policy explain https://example.org/
  errand policy explain --goal "delete folder Old in documents"
  errand policy explain --tool browser.open --args '{"url": "https://example.org/"}' --origin agent`,
		RunE: func(cmd *cobra.Command, urls []string) error {
			given := 0
			for _, set := range []bool{len(urls) > 0, goal != "", toolName != ""} {
				if set {
					given++
				}
			}
			switch {
			case given > 1:
				return print.Usagef("give URLs, --goal or --tool, and not two of them")
			case toolName == "" && (args != "" || origin != "" || afterReading):
				return print.Usagef("--args, --origin and --after-reading are of a call: name its --tool")
			case toolName != "":
				return s.explainCall(cmd, allow, args, grants.CallQuestion{Tool: toolName, Origin: plan.Origin(origin), AfterReading: afterReading})
			case goal != "":
				return s.explainGoal(cmd, allow, goal)
			}
			return s.checkURLs(cmd, urls, allow, true)
		},
	}
	s.AddJSONFlag(c)
	c.Flags().StringSliceVar(&allow, "allow", nil, "also allow `HOST`")
	c.Flags().StringVar(&goal, "goal", "", "explain each action of the plan for `GOAL`")
	c.Flags().StringVar(&toolName, "tool", "", "explain a call of the tool `NAME`")
	c.Flags().StringVar(&args, "args", "", "the call's arguments, as a `JSON` object")
	c.Flags().StringVar(&origin, "origin", "", "the origin of the call: user_goal (default), request, upload, task, agent, mcp")
	c.Flags().BoolVar(&afterReading, "after-reading", false, "explain the call after the run has read untrusted content")
	return c
}

func (s policyCommands) explainCall(cmd *cobra.Command, allow []string, args string, q grants.CallQuestion) error {
	if args != "" {
		if err := json.Unmarshal([]byte(args), &q.Args); err != nil {
			return print.Usagef("--args must be a JSON object: %v", err).Hint(`for example: --args '{"url": "https://example.org/"}'`)
		}
	}
	app, err := s.open(app.Options{Allow: allow})
	if err != nil {
		return err
	}
	check, err := app.Policy().CheckCall(cmd.Context(), q)
	if err != nil {
		return err
	}
	s.explained([]grants.CallCheck{check})
	return nil
}

func (s policyCommands) explainGoal(cmd *cobra.Command, allow []string, goal string) error {
	app, err := s.open(app.Options{Allow: allow})
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
			if checks, err = app.Policy().CheckPlan(cmd.Context(), p); err != nil {
				return err
			}
		}
	}
	if len(checks) == 0 {
		return print.Usagef("there is no plan for it: nothing to explain").Hint("errand plan %q says why", goal)
	}
	s.explained(checks)
	return nil
}

// explained prints what policy says of calls.
func (s policyCommands) explained(checks []grants.CallCheck) {
	for _, c := range checks {
		s.Code = worse(s.Code, map[policy.Verdict]print.Exit{policy.Allow: print.Done, policy.Ask: print.NeedsApproval, policy.Deny: print.Denied}[c.Verdict])
	}
	if s.JSON {
		s.Document(map[string]any{"checks": checks})
		return
	}
	for _, c := range checks {
		s.PrintCallCheck(c)
	}
}
