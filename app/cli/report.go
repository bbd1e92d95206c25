package cli

import (
	"fmt"
	"strings"

	"errand/app/core"
	"errand/host/trace"
	"errand/planner/plan"
)

// finished reports how a run, or a stretch of one, ended.
func (s *shell) finished(p printer, report core.Report, dryRun bool) {
	s.code = exitOf(report.Status)
	if report.Status == trace.Done && report.Error != nil { // done, and not all on record
		s.code = Failed
	}
	if report.Status == trace.Failed && core.NeedsPerson(report.Error) {
		s.code = NeedsApproval
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
	case map[string]any:
		p.plan()
		if wait, ok := data["waits_seconds"].(int); ok && e.Kind == "page" {
			p.say("%s", paint(yellow, fmt.Sprintf("the page wants to see a person (%v): see to it in the browser's window; the run waits up to %d minutes", data["kind"], wait/60)))
		}
		if data["event"] == "again" {
			p.say("%s", paint(quiet, fmt.Sprintf("%v again: its page was gone", data["step"])))
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
	if r.NetworkPolicy != "" {
		p.say("%s", paint(yellow, "network policy "+r.NetworkPolicy+": the pages were opened in your own browser"))
	}
	for line := range strings.Lines(r.Answer) {
		p.print("%s", strings.TrimSuffix(line, "\n"))
	}
	for _, artifact := range r.Shown() {
		where := artifact.Path
		if where == "" {
			where = "(could not be kept)"
		}
		p.print("%s", paint(quiet, artifact.Name+"  "+where))
	}
	// What went wrong is the last that is read, and what is left of a draft stands
	// before it. A draft that waits says by itself what it waits for.
	stoppedOver := r.Draft != nil && !dryRun && r.Error != nil && r.Status != trace.NeedsApproval
	if stoppedOver {
		p.draftLeft(p.Stderr, *r.Draft, r.Error)
	}
	switch in := r.Interpretation; {
	case in != nil && len(in.Questions) > 0 && r.Draft == nil:
		p.questions(in.Questions)
	case r.Status == trace.Interrupted:
		p.say("errand: interrupted")
		if r.DraftID != "" && r.Draft == nil && len(r.Steps) == 0 { // while the person was asked
			p.say("  the draft still waits: errand drafts %s", r.DraftID)
		}
	case r.Error == nil:
	case r.Draft == nil || r.Status != trace.NeedsApproval:
		p.complain(r.Error)
	case r.Error.Code == core.CodeConfirm: // the draft is the one that was looked at
		p.complain(r.Error)
		return
	case r.Error.Code == core.CodeDrift:
		p.say("errand: %s", r.Error.Message)
	}
	if r.Draft != nil && !dryRun && !stoppedOver {
		p.draft(p.Stderr, *r.Draft)
	}
	if dryRun || len(r.Steps) == 0 {
		return
	}
	if r.Draft == nil && (r.Status == trace.Failed || r.Status == trace.Interrupted) {
		how := "errand resume " + r.RunID
		if core.NeedsPerson(r.Error) {
			how = "errand resume --show " + r.RunID
		}
		if core.GoesOn(r.Error) {
			p.say("%s", paint(quiet, how))
		}
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
