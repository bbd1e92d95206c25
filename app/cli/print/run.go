package print

import (
	"context"
	"strings"

	"errand/app"
	"errand/app/answers"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/interpret/followup"
	"errand/planner/message"
	"errand/planner/plan"
)

// RunPrinter prints a run as it happens.
type RunPrinter struct {
	*Console
	Yes     bool      // approved in advance: no draft is shown
	DryRun  bool      // nothing is called: the report has verdicts
	pending plan.Plan // what is still to be shown; zero: nothing
	// meansShown reports that the user saw what the words mean by earlier goals.
	meansShown bool

	verdicts []runs.Verdict // on the actions of pending, if they are known
	speech   speech
}

// Finish prints how a run ended, and sets the exit code.
func (p *RunPrinter) Finish(report runs.Report) {
	if report.Interpretation != nil {
		p.SpeakOf(report.Interpretation.Language)
	} else if report.Draft != nil {
		p.SpeakOf(report.Draft.Language)
	}
	p.Code = exitOf(report.Status)
	if report.Status == trace.Done && report.Error != nil { // done, but not completely recorded
		p.Code = Failed
	}
	if report.Status == trace.Failed && app.NeedsPerson(report.Error) {
		p.Code = NeedsApproval
	}
	if p.JSON {
		p.Document(report.WithForecasts())
		return
	}
	p.report(report)
	NoteRun(p.Console, p.Stderr, report.RunID)
}

// Progress prints the plan before its first step begins. A draft is shown instead if there is
// one: it also has what each action destroys and what it waits for.
func (p *RunPrinter) Progress(e runs.Progress) {
	p.hear(e.Event)
	switch e := e.Event.(type) {
	case runs.PlanEvent:
		p.SpeakOf(e.Interpretation.Language)
		if !p.meansShown {
			NoteMeanings(p.Console, e.Interpretation.FollowUp)
			p.meansShown = e.Interpretation.FollowUp != nil && len(e.Interpretation.FollowUp.Says) > 0
		}
		if e.Result != nil {
			p.pending, _ = e.Result.Plan()
		}
	case runs.DecisionEvent:
		p.verdicts = e.Verdicts
	case runs.DraftEvent:
		if !p.Yes {
			p.pending = plan.Plan{}
		}
	case runs.NoteEvent:
		p.printPlan()
		n, _ := e.Note.(trace.PageNote)
		b, _ := e.Note.(trace.BrowserNote)
		switch {
		case b.Event == trace.BrowserReplaced:
			p.Sayf("%s", PaintMessage(Yellow, "cli.window_replaced"))
		case b.Event == trace.BrowserNotShown:
			p.Notef("%s", PaintMessage(Quiet, "cli.window_missing", "cause", b.Reason))
		case n.WaitSeconds > 0:
			p.Sayf("%s", PaintMessage(Yellow, "cli.page_wants_person", "kind", n.Challenge, "minutes", n.WaitSeconds/60))
		case n.Event == trace.PageRepeated:
			p.Notef("%s", PaintMessage(Quiet, "cli.step_again", "step", n.Step))
		}
	default:
		p.printPlan()
	}
}

// NoteMeanings tells what the words of a goal mean by earlier goals.
func NoteMeanings(c *Console, f *followup.About) {
	if f == nil {
		return
	}
	for _, says := range f.Says {
		c.Notef("%s", ColoredText{Quiet, says})
	}
}

// AskQuestion is that of the console, after the plan if the question is about it.
func (p *RunPrinter) AskQuestion(ctx context.Context, q plan.Question) (string, error) {
	p.printPlan()
	return p.Console.AskQuestion(ctx, q)
}

func (p *RunPrinter) printPlan() {
	if p.pending.IsZero() {
		return
	}
	p.Notef("%s", PaintMessage(Bold, "cli.steps", "count", p.pending.Len()))
	if !p.Quiet {
		actions := p.pending.Actions()
		for i, a := range actions {
			if i < len(p.verdicts) {
				a = drafts.Forecast(a, p.verdicts[i])
			}
			p.PrintAction(p.Stderr, a, nil)
		}
		PrintRisks(p.Console, p.Stderr, drafts.ForecastRisks(p.pending.Content().Risks, actions, p.verdicts))
	}
	p.pending = plan.Plan{}
}

// printAnswer prints an answer. On a terminal its lines are marked, because they may be those
// of a page or a file.
func (p *RunPrinter) printAnswer(text string) {
	if isTerminal(p.Console, p.Stdout) {
		text = markLines(text)
	}
	p.PrintLines(text)
}

// markLines begins the lines of an answer with a bar, as no line of Errand does, so that they
// can't look like a plan, a draft or a command of Errand. An answer of one line is indented.
func markLines(text string) string {
	text = strings.TrimSuffix(text, "\n")
	switch {
	case text == "":
		return ""
	case !strings.Contains(text, "\n"):
		return "  " + text
	}
	return "│ " + strings.ReplaceAll(text, "\n", "\n│ ")
}

func (p *RunPrinter) report(r runs.Report) {
	if r.Draft == nil {
		p.printPlan()
	}
	if r.Demo != nil {
		p.Notef("%s", PaintMessage(Quiet, "cli.demo_hosts", "count", len(r.Demo.Hosts)))
	}
	if p.DryRun {
		p.PrintVerdicts(r.Verdicts)
	}
	if r.NetworkPolicy != "" {
		p.Sayf("%s", PaintMessage(Yellow, "cli.network_not_enforced"))
	}
	if answer := p.Lines(r.Answer); answer == "" || answer != p.speech.text { // a model's answer was shown as it came
		p.printAnswer(answer)
	}
	// A call without a goal, or of a tool that is not part of the program, whose result has no view.
	if r.Answer.IsZero() && r.Status == trace.Done && len(r.Steps) == 1 &&
		(r.Interpretation == nil || len(r.Interpretation.Goals) == 0 || !answers.IsOwn(r.Steps[0].ToolName)) {
		p.printAnswer(resultText(r.Steps[0]))
	}
	for _, artifact := range answers.ShownArtifacts(r.Answer, r.Steps) {
		where := artifact.Path
		if where == "" {
			where = p.Text("cli.artifact_not_kept")
		}
		p.Printf("%s", Paint(Quiet, artifact.Name+"  "+where))
	}
	// What went wrong is the last that is read, and what is left of a draft stands
	// before it. A draft that waits says by itself what it waits for.
	stoppedOver := r.Draft != nil && !p.DryRun && r.Error != nil && r.Status != trace.NeedsApproval
	if stoppedOver {
		p.PrintStoppedDraft(p.Stderr, *r.Draft, r.Error)
	}
	switch in := r.Interpretation; {
	case in != nil && len(in.Questions) > 0 && r.Draft == nil && r.Status != trace.Cancelled:
		p.PrintQuestions(in.Questions)
	case r.Status == trace.Interrupted:
		p.Sayf("errand: %s", message.New("cli.interrupted"))
		if r.DraftID != "" && r.Draft == nil && len(r.Steps) == 0 { // while the user was asked
			p.Sayf("  %s", message.New("cli.draft_still_waits", "draft", r.DraftID))
		}
	case r.Error == nil:
	case r.Draft == nil || r.Status != trace.NeedsApproval:
		p.PrintError(r.Error)
	case r.Error.Code == drafts.CodeConfirm: // the draft is the one that was looked at
		p.PrintError(r.Error)
		return
	case r.Error.Code == drafts.CodeDrift, r.Error.Code == drafts.CodeUnconfirmed:
		p.Sayf("errand: %s", r.Error.Message)
		if !r.Error.Hint.Equal(r.Draft.ApproveAgain()) { // the draft ends with that command
			p.SayHint(r.Error.Hint)
		}
	}
	if r.Draft != nil && !p.DryRun && !stoppedOver {
		p.PrintDraft(p.Stderr, *r.Draft)
	}
	if p.DryRun || len(r.Steps) == 0 {
		return
	}
	if r.Draft == nil && (r.Status == trace.Failed || r.Status == trace.Interrupted) {
		how, outlook := "errand resume "+r.RunID, r.Outlook()
		if app.NeedsPerson(r.Error) {
			how, outlook = "errand resume --show "+r.RunID, tool.MaySucceed
		}
		for _, line := range offer(how, outlook) {
			p.Notef("%s", line)
		}
	}
	p.Notef("%s", Paint(Quiet, "errand show "+r.RunID))
}
