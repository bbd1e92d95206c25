package print

import (
	"fmt"
	"io"

	"errand/app/drafts"
	"errand/app/runs"
	"errand/host/tool"
)

// PrintStoppedDraft prints the state of each action of a draft that stopped, and the
// next commands.
func (s *Console) PrintStoppedDraft(w io.Writer, d drafts.View, why *tool.Error) {
	s.Write(w, "%s", Paint(Bold, "draft "+d.DraftID+" · "+s.standing(d)))
	for _, a := range d.Actions {
		s.Write(w, "  %s  %s%s", a.ActionID, FirstOf(a.Preview, a.Tool), statusOf(a))
		if a.Status == drafts.ActionUnknown {
			s.printOutcomeHint(w, d, a)
		}
	}
	commands := append(next(d), "errand drafts "+d.DraftID)
	if !runs.CanResume(why) {
		commands = commands[len(commands)-1:]
	}
	for _, line := range commands {
		s.Write(w, "%s", Paint(Quiet, line))
	}
}

// statusOf is the state of an action, if it is not just proposed.
func statusOf(a drafts.Action) string {
	switch a.Status {
	case drafts.ActionProposed, "":
		return ""
	case drafts.ActionUnknown:
		return " · outcome unknown"
	}
	return " · " + string(a.Status)
}

// printOutcomeHint prints how to report the outcome of an action.
func (s *Console) printOutcomeHint(w io.Writer, d drafts.View, a drafts.Action) {
	s.Write(w, "      %s", Paint(Quiet, fmt.Sprintf("check whether it was done: errand answer %s %s=done, or %s=not-done", d.RunID, a.ActionID, a.ActionID)))
}
