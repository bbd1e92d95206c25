package cli

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/input"
	"errand/app/cli/print"
	"errand/app/drafts"
	"errand/app/planning"
	"errand/app/recipes"
	"errand/app/runs"
	"errand/planner/message"
	"errand/planner/plan"
)

type planOptions struct {
	jsonl, problem          bool
	world, caps, transcript string
	recipe                  recipeFlags
}

func init() { addCommand("plan", (*commands).planCommand) }

func (s *commands) planCommand() *cobra.Command {
	var o planOptions
	c := s.AddJSONFlag(&cobra.Command{
		Use:               "plan",
		RunE:              func(cmd *cobra.Command, args []string) error { return s.plan(cmd, args, o) },
		ValidArgsFunction: s.completeGoal,
	})
	c.Flags().BoolVar(&o.jsonl, "jsonl", false, "")
	c.Flags().BoolVar(&o.problem, "problem", false, "")
	c.Flags().StringVar(&o.world, "world", "", "")
	c.Flags().StringVar(&o.caps, "capabilities", "", "")
	o.recipe.add(s, c)
	c.Flags().StringVar(&o.transcript, "voice", "", "")
	return c
}

func (s *commands) plan(cmd *cobra.Command, args []string, o planOptions) error {
	if o.problem && !o.jsonl {
		return print.BadUsage("cli.flag_needs", "flag", "--problem", "other", "--jsonl").Hint("cli.problem_hint")
	}
	app, err := s.Open(app.Options{})
	if err != nil {
		return err
	}
	if o.jsonl {
		if len(args) > 0 || o.transcript != "" {
			return print.BadUsage("cli.jsonl_reads_stdin")
		}
		if o.problem {
			return s.AnswerLines(s.Console, s.solveLine(app))
		}
		return s.AnswerLines(s.Console, s.planLine(cmd, app))
	}
	recipeRun, err := recipeInput{s}.recipeRun(o.recipe, args)
	if err != nil {
		return err
	}
	if recipeRun != nil {
		return s.planRecipe(cmd, app, *recipeRun, o)
	}
	r := planning.Request{Origin: plan.UserGoal}
	if r.Text, err = s.goalText(args); err != nil {
		return err
	}
	if r.Voice, err = s.readVoice(o.transcript); err != nil {
		return err
	}
	if r.Voice != nil && len(args) > 0 {
		return print.BadUsage("cli.goal_and_flag", "flag", "--voice")
	}
	if r.Voice != nil {
		r.Text = r.Voice.Transcript
	} else if len(args) == 0 {
		return print.BadUsage("cli.give_goal").Hint("cli.give_goal_hint", "command", cmd.CommandPath())
	}
	if err := planning.CheckGoal(r.Text); err != nil {
		return err
	}
	if err := s.readJSON(o.world, &r.World); err != nil {
		return err
	}
	if err := s.readJSON(o.caps, &r.Capabilities); err != nil {
		return err
	}
	r.Look = true
	planned, err := app.Plan(cmd.Context(), r)
	if err != nil {
		return err
	}
	if s.JSON && r.World == nil && r.Capabilities == nil {
		if err := setForecasts(cmd.Context(), app, &planned); err != nil {
			return err
		}
	}
	return s.showPlanned(cmd, app, planned)
}

// setForecasts sets the risks of a plan from the forecasts of its calls on this machine, as a
// draft of the plan shows them. A plan that only reads has none.
func setForecasts(ctx context.Context, app *app.App, p *planning.Planned) error {
	if p.Result == nil {
		return nil
	}
	made, ok := p.Result.Plan()
	if !ok || !slices.ContainsFunc(made.Actions(), func(a plan.Action) bool { return !a.ReadOnly }) {
		return nil
	}
	verdicts, err := app.Preview(ctx, made, "")
	if err == nil {
		p.Result = drafts.ForecastResult(p.Result, verdicts)
	}
	return err
}

// planRecipe shows the plan of a recipe.
func (s *commands) planRecipe(cmd *cobra.Command, app *app.App, r recipes.Run, o planOptions) error {
	if o.transcript != "" || o.world != "" || o.caps != "" {
		return print.BadUsage("cli.recipe_has_plan")
	}
	planned, err := app.Recipes().Plan(cmd.Context(), r)
	if err != nil {
		return err
	}
	if s.JSON {
		if err := setForecasts(cmd.Context(), app, &planned); err != nil {
			return err
		}
	}
	return s.showPlanned(cmd, app, planned)
}

// exitOfPlanned returns OK for a plan and for a goal that needs none, and another code for a
// question.
func exitOfPlanned(p planning.Planned) print.Exit {
	switch {
	case p.Interpretation.Status == "ambiguous":
		return print.NeedsApproval
	case p.Result == nil:
		return print.Failed
	}
	switch p.Result.Status() {
	case plan.Success, plan.AlreadySatisfied:
		if made, ok := p.Result.Plan(); ok && len(made.Content().NeedsClarification) > 0 {
			return print.NeedsApproval
		}
		return print.Done
	}
	return print.Failed
}

func (s *commands) planLine(cmd *cobra.Command, app *app.App) func([]byte) (any, error) {
	return func(line []byte) (any, error) {
		var in struct {
			ID           json.RawMessage   `json:"id"`
			Text         string            `json:"text"`
			World        *plan.World       `json:"world"`
			Capabilities []plan.Capability `json:"capabilities"`
		}
		if err := input.Decode(line, &in); err != nil {
			return nil, err
		}
		planned, err := app.Plan(cmd.Context(), planning.Request{Origin: plan.UserGoal, Text: in.Text, World: in.World, Capabilities: in.Capabilities})
		if err != nil {
			return nil, err
		}
		if in.World == nil && in.Capabilities == nil {
			if err := setForecasts(cmd.Context(), app, &planned); err != nil {
				return nil, err
			}
		}
		s.SpeakOf(planned.Interpretation.Language)
		return struct {
			ID json.RawMessage `json:"id"`
			planning.Planned
		}{in.ID, planned}, nil
	}
}

func (s *commands) solveLine(app *app.App) func([]byte) (any, error) {
	return func(line []byte) (any, error) {
		var in struct {
			ID json.RawMessage `json:"id"`
			plan.Problem
		}
		if err := input.Decode(line, &in); err != nil {
			return nil, err
		}
		if in.Goal == nil || in.Capabilities == nil {
			return nil, message.Error("cli.incomplete_problem")
		}
		result, err := app.Solve(in.Problem)
		if err != nil {
			return nil, err
		}
		return struct {
			ID     json.RawMessage `json:"id"`
			Result plan.Result     `json:"result"`
		}{in.ID, result}, nil
	}
}

// showPlanned shows a planned goal, as JSON or text, and sets the exit code.
func (s *commands) showPlanned(cmd *cobra.Command, app *app.App, p planning.Planned) error {
	s.SpeakOf(p.Interpretation.Language)
	s.Code = exitOfPlanned(p)
	if s.JSON {
		s.Document(p)
		return nil
	}
	return s.printPlanned(cmd, app, p)
}

func (s *commands) printPlanned(cmd *cobra.Command, app *app.App, p planning.Planned) error {
	print.NoteMeanings(s.Console, p.Interpretation.FollowUp)
	if p.Result == nil {
		if len(p.Interpretation.Questions) == 0 {
			s.Sayf("errand: %s", p.Interpretation.Reason)
		}
		s.PrintSuggestions(p.Interpretation)
		s.PrintQuestions(p.Interpretation.Questions)
		return nil
	}
	made, ok := p.Result.Plan()
	switch {
	case !ok && p.Result.Status() == plan.AlreadySatisfied:
		s.Printf("%s", p.Result.Reason())
		return nil
	case !ok:
		s.Sayf("errand: %s", p.Result.Reason())
		return nil
	}
	verdicts, err := app.Preview(cmd.Context(), made, "")
	if err != nil {
		return err
	}
	s.Printf("%s", print.PaintMessage(print.Bold, stepsWithProof(*p.Result, made), "count", made.Len()))
	for i, a := range made.Actions() {
		var v *runs.Verdict
		if i < len(verdicts) {
			v = &verdicts[i]
		}
		s.PrintAction(s.Stdout, a, v)
	}
	print.PrintRisks(s.Console, s.Stdout, drafts.ForecastRisks(made.Content().Risks, made.Actions(), verdicts))
	if reason := p.Result.Reason(); !reason.IsZero() {
		s.Printf("%s", reason)
	}
	s.Printf("%s", print.Paint(print.Quiet, made.ID()+"  "+made.Digest()))
	return nil
}

// stepsWithProof returns the code of the number of steps. The text says whether a plan of several
// steps is the shortest. A recipe's plan needs no proof.
func stepsWithProof(result plan.Result, made plan.Plan) string {
	proof, _ := result.Proof()
	switch {
	case made.Len() == 1 || made.Content().Domain == "recipe":
		return "cli.steps"
	case proof.Kind == plan.ByCuts || proof.Kind == plan.BySearch:
		return "cli.steps_minimum"
	}
	return "cli.steps_maybe_minimum"
}

// readJSON reads a file into v. Without a name it leaves v unchanged.
func (s *commands) readJSON(name string, v any) error {
	if name == "" {
		return nil
	}
	b, err := s.ReadNamed(name)
	if err != nil {
		return input.ReadError(name, err)
	}
	if err := input.DecodeFile(b, v); err != nil {
		return print.BadUsage("cli.bad_file", "file", name, "cause", err)
	}
	return nil
}
