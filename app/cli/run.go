package cli

import (
	"context"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/app/runs"
	"errand/host/trace"
	"errand/planner/plan"
)

type runOptions struct {
	yes, show, dryRun bool
	allow             []string
	voice             string
	recipe            recipeFlags
	call              callFlags
	profile           string
}

// profileFlag returns the value of --profile, or nil without the flag.
func (o *runOptions) profileFlag(c *cobra.Command) *string {
	if !c.Flags().Changed("profile") {
		return nil
	}
	return &o.profile
}

func init() {
	addCommand("run", (*commands).runCommand)
	addCommand("demo", (*commands).demoCommand)
}

func (s *commands) runCommand() *cobra.Command {
	var o runOptions
	c := s.AddJSONFlag(&cobra.Command{
		Use: "run",
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.runGoal(cmd.Context(), args, app.Options{Show: o.show, Allow: o.allow, Profile: o.profileFlag(cmd)}, o)
		},
		ValidArgsFunction: s.completeGoal,
	})
	s.runFlags(c, &o)
	c.Flags().StringSliceVar(&o.allow, "allow", nil, "")
	o.recipe.add(s, c)
	o.call.add(s, c)
	c.Flags().StringVar(&o.voice, "voice", "", "")
	return c
}

func (s *commands) runFlags(c *cobra.Command, o *runOptions) {
	c.Flags().BoolVar(&o.yes, "yes", false, "")
	c.Flags().BoolVar(&o.show, "show", false, "")
	c.Flags().StringVar(&o.profile, "profile", "", "")
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "")
}

// runGoal runs a goal for run and demo.
func (s *commands) runGoal(ctx context.Context, args []string, open app.Options, o runOptions) error {
	voice, err := s.readVoice(o.voice)
	if err != nil {
		return err
	}
	if len(args) > 0 && voice != nil {
		return print.BadUsage("cli.goal_and_flag", "flag", "--voice")
	}
	in := recipeInput{s}
	recipeRun, err := in.recipeRun(o.recipe, args)
	if err != nil {
		return err
	}
	if recipeRun != nil && voice != nil {
		return print.BadUsage("cli.flags_exclude", "flag", "--recipe", "other", "--voice")
	}
	if err := o.call.check(args, voice != nil, recipeRun != nil); err != nil {
		return err
	}
	if len(args) == 0 && voice == nil && recipeRun == nil && o.call.tool == "" {
		return print.BadUsage("cli.give_goal").Hint("cli.give_goal_hint", "command", "errand run")
	}
	text, err := s.goalText(args)
	if err != nil {
		return err
	}
	app, err := s.Open(open)
	if err != nil {
		return err
	}
	if recipeRun != nil {
		ref := recipeRun.Ref
		if recipeRun.Ref, err = shell.ResolveRecipe(ctx, app, ref); err != nil {
			return err
		}
		if o.yes && !o.dryRun {
			ask, err := s.ConfirmLastRecipe(ref, recipeRun.Ref, "errand run --yes --recipe "+recipeRun.Ref)
			if err != nil {
				return err
			}
			o.yes = !ask
		}
	}
	if recipeRun != nil && o.dryRun {
		recipeRun.AllowMissingSecrets = true
	} else if recipeRun != nil {
		if err := in.askSecrets(ctx, app, recipeRun); err != nil {
			return err
		}
	}
	if !s.JSON && text != "" { // questions come before the report
		s.SpeakOf(app.Interpret(text).Language)
	}
	p := print.RunPrinter{Console: s.Console, Yes: o.yes, DryRun: o.dryRun}
	r := runs.Request{Origin: plan.UserGoal, Words: text, Voice: voice, Yes: o.yes, DryRun: o.dryRun, Permit: print.Permit(s.Console, app)}
	if recipeRun != nil {
		if r.Plan, err = app.Recipes().Prepare(ctx, *recipeRun); err != nil {
			return err
		}
	}
	if o.call.tool != "" {
		if r.Plan, err = o.call.plan(ctx, s, app); err != nil {
			return err
		}
	}
	if !s.JSON {
		r.Progress = p.Progress
		if s.CanAsk {
			r.Approve, r.Ask = s.AskApproval, p.AskQuestion
		}
	}
	report, err := app.Start(ctx, r)
	if err != nil {
		return err
	}
	p.Finish(report)
	app.Agent().KeepTimers(ctx)
	if s.TerminalErr && !s.JSON {
		if err := print.NoteUnshown(ctx, s.Console, app); err != nil {
			return err
		}
	}
	print.NotePermitted(ctx, s.Console, app)
	return s.stayOpen(ctx, app, open.Show, report)
}

// stayOpen waits until the user closes a visible browser.
func (s *commands) stayOpen(ctx context.Context, app *app.App, show bool, report runs.Report) error {
	if show && report.Status == trace.Done {
		if err := app.WaitBrowser(ctx, func() { s.Note("cli.browser_stays_open") }); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

func (s *commands) demoCommand() *cobra.Command {
	var o runOptions
	c := s.AddJSONFlag(&cobra.Command{
		Use: "demo",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && o.recipe.ref == "" {
				args = []string{"open youtube and search nvidia"}
			}
			return s.runGoal(cmd.Context(), args, app.Options{Demo: true, Show: o.show, Profile: o.profileFlag(cmd)}, o)
		},
	})
	s.runFlags(c, &o)
	o.recipe.add(s, c)
	return c
}
