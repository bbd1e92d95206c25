package cli

import (
	"context"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/planning"
	"errand/app/runs"
)

// callFlags are the flags with which run makes one tool call instead of reaching a goal.
type callFlags struct{ tool, args string }

func (o *callFlags) add(s *commands, c *cobra.Command) {
	c.Flags().StringVar(&o.tool, "tool", "", "")
	c.Flags().StringVar(&o.args, "args", "", "")
}

// check refuses contradictory flags.
func (o *callFlags) check(goal []string, voice, recipe bool) error {
	switch {
	case o.tool == "" && o.args != "":
		return print.BadUsage("cli.flag_needs", "flag", "--args", "other", "--tool")
	case o.tool == "":
		return nil
	case len(goal) > 0:
		return print.BadUsage("cli.goal_and_flag", "flag", "--tool")
	case voice:
		return print.BadUsage("cli.flags_exclude", "flag", "--tool", "other", "--voice")
	case recipe:
		return print.BadUsage("cli.flags_exclude", "flag", "--tool", "other", "--recipe")
	}
	return nil
}

// plan returns the plan of the call. "-" reads the arguments from standard input.
func (o *callFlags) plan(ctx context.Context, s *commands, app *app.App) (*runs.Plan, error) {
	args := o.args
	if args == "-" {
		text, err := s.ReadInput()
		if err != nil {
			return nil, err
		}
		args = text
	}
	specs, err := app.Tools(ctx)
	if err != nil {
		return nil, err
	}
	p, err := app.PlanCall(planning.Call{Tool: o.tool, Args: []byte(args)}, specs)
	if err != nil {
		return nil, err
	}
	return &runs.Plan{Plan: p}, nil
}
