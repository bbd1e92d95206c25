package print

import (
	"io"

	"errand/app/drafts"
	"errand/host/tool"
)

// PrintStoppedDraft prints the state of each action of a draft that stopped, and the
// next commands.
func (s *Console) PrintStoppedDraft(w io.Writer, d drafts.View, why *tool.Error) {
	s.SpeakOf(d.Language)
	s.Writef(w, "%s", draftHeading(d))
	for _, a := range d.Actions {
		s.Writef(w, "  %s  %s%s", a.ActionID, s.title(a), s.statusOf(a))
		if a.Status == drafts.ActionUnknown {
			s.printOutcomeHint(w, d, a)
		}
	}
	for _, line := range append(nextSteps(d, d.Outlook(why)), Paint(Quiet, "errand drafts "+d.DraftID)) {
		s.Writef(w, "%s", line)
	}
}

// statusOf returns the state of an action, unless it is only proposed.
func (s *Console) statusOf(a drafts.Action) string {
	if a.Status == drafts.ActionProposed || a.Status == "" {
		return ""
	}
	return " · " + s.Text("cli.action_status", "status", a.Status)
}

// printOutcomeHint prints how to report the outcome of an action.
func (s *Console) printOutcomeHint(w io.Writer, d drafts.View, a drafts.Action) {
	s.Writef(w, "      %s", PaintMessage(Quiet, "cli.report_outcome", "run", d.RunID, "step", a.ActionID))
}
