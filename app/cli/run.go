package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"errand/app/core"
	"errand/host/trace"
	"errand/planner/plan"
)

type runOptions struct {
	yes, show, dryRun bool
	allow             []string
	voice             string
}

func (s *shell) runCommand() *cobra.Command {
	var o runOptions
	c := &cobra.Command{
		Use:   "run GOAL",
		Short: "Interpret, plan, check and carry out a goal",
		Example: `  errand run "open youtube and search nvidia"
  errand run "create folder Reports in documents" --json
  errand run "open example.org" --allow example.org`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.runGoal(cmd.Context(), args, core.Options{Show: o.show, Allow: o.allow}, o)
		},
	}
	s.jsonFlag(c)
	s.runFlags(c, &o)
	c.Flags().StringSliceVar(&o.allow, "allow", nil, "allow `HOST` for this run (a pattern; may be repeated)")
	c.Flags().StringVar(&o.voice, "voice", "", "read the goal from a transcript in `FILE.json` {file_id, transcript, confidence}")
	return c
}

func (s *shell) runFlags(c *cobra.Command, o *runOptions) {
	c.Flags().BoolVar(&o.yes, "yes", false, "approve what would otherwise wait for approval")
	c.Flags().BoolVar(&o.show, "show", false, "show the browser, and leave it open until it is closed")
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "stop before the first call")
}

// runGoal carries out a goal for run and demo.
func (s *shell) runGoal(ctx context.Context, args []string, open core.Options, o runOptions) error {
	voice, err := s.voice(o.voice)
	if err != nil {
		return err
	}
	if len(args) > 0 && voice != nil {
		return usagef("give a goal or --voice, not both")
	}
	if len(args) == 0 && voice == nil {
		return usagef("give a goal").hint(`for example: errand run "open youtube and search nvidia"`)
	}
	app, err := s.open(open)
	if err != nil {
		return err
	}
	p := printer{shell: s, yes: o.yes}
	r := core.RunRequest{Text: words(args), Voice: voice, Yes: o.yes, DryRun: o.dryRun}
	if !s.json {
		r.Progress = p.progress
		if s.CanAsk {
			r.Approve, r.Ask = s.askApproval, s.askQuestion
		}
	}
	report, err := app.Run(ctx, r)
	if err != nil {
		return err
	}
	s.finished(p, report, o.dryRun)
	if open.Show && report.Status == trace.Done {
		s.say("the browser stays open until you close it (or Ctrl+C)")
		if err := app.WaitBrowser(ctx); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

func (s *shell) demoCommand() *cobra.Command {
	var o runOptions
	c := &cobra.Command{
		Use:   "demo [GOAL]",
		Short: "The main job against a site built into the program; needs no network",
		Long: `Demo serves pages of its own on loopback, points the sites' names at them by an
exception that it prints, and does the main job for real: interpret, plan,
policy, browser, screenshot, record.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"open youtube and search nvidia"}
			}
			return s.runGoal(cmd.Context(), args, core.Options{Demo: true, Show: o.show}, o)
		},
	}
	s.jsonFlag(c)
	s.runFlags(c, &o)
	return c
}

// finished reports how a run, or a stretch of one, ended.
func (s *shell) finished(p printer, report core.Report, dryRun bool) {
	s.code = exitOf(report.Status)
	if report.Status == trace.Done && report.Error != nil { // done, and not all on record
		s.code = Failed
	}
	if s.json {
		s.document(report)
		return
	}
	p.report(report, dryRun)
}

// printer shows a run to a person as it happens.
type printer struct {
	*shell
	yes  bool      // approved in advance: no draft is shown
	made plan.Plan // what is still to be shown; zero: nothing
}

// progress shows the plan before its first step begins. A draft shows it better:
// with what each action would destroy, and what it waits for.
func (p *printer) progress(e core.Progress) {
	switch data := e.Data.(type) {
	case core.Planned:
		if data.Result != nil {
			p.made, _ = data.Result.Plan()
		}
	case core.DraftView:
		if !p.yes {
			p.made = plan.Plan{}
		}
	default:
		p.plan()
	}
}

func (p *printer) plan() {
	if p.made.IsZero() {
		return
	}
	p.say("%s", paint(bold, steps(p.made.Len())))
	for _, a := range p.made.Actions() {
		p.action(p.Stderr, a, nil)
	}
	p.made = plan.Plan{}
}

func (p *printer) report(r core.Report, dryRun bool) {
	if r.Draft == nil {
		p.plan()
	}
	if r.Demo != nil {
		p.say("%s", paint(quiet, fmt.Sprintf(
			"demo: %d site names stand for pages built into the program, for this run only (--json lists them)", len(r.Demo.Hosts))))
	}
	if dryRun {
		p.verdicts(r.Verdicts)
	}
	for line := range strings.Lines(r.Answer) {
		p.print("%s", strings.TrimSuffix(line, "\n"))
	}
	for _, step := range r.Steps {
		for _, artifact := range step.Artifacts {
			where := artifact.Path
			if where == "" {
				where = "(could not be kept)"
			}
			p.print("%s", paint(quiet, artifact.Name+"  "+where))
		}
	}
	switch in := r.Interpretation; {
	case in != nil && len(in.Questions) > 0 && r.Draft == nil:
		p.questions(in.Questions)
	case r.Status == trace.Interrupted:
		p.say("errand: interrupted")
	case r.Error == nil:
	case r.Draft == nil || r.Status != trace.NeedsApproval:
		p.complain(r.Error)
	case r.Error.Code == core.CodeConfirm: // the draft is the one that was looked at
		p.complain(r.Error)
		return
	case r.Error.Code == core.CodeDrift:
		p.say("errand: %s", r.Error.Message)
	}
	if r.Draft != nil && !dryRun {
		p.draft(p.Stderr, *r.Draft)
	}
	if dryRun || len(r.Steps) == 0 {
		return
	}
	if r.Draft == nil && (r.Status == trace.Failed || r.Status == trace.Interrupted) {
		p.say("%s", paint(quiet, "errand resume "+r.RunID))
	}
	p.say("%s", paint(quiet, "errand show "+r.RunID))
}

func steps(n int) string {
	if n == 1 {
		return "1 step"
	}
	return fmt.Sprintf("%d steps", n)
}

func (s *shell) questions(questions []plan.Question) {
	for _, q := range questions {
		s.say("%s", q.Question)
		for _, c := range q.Choices {
			s.say("  - %s", c.Label)
		}
	}
}
