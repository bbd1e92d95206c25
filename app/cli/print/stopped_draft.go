package print

import (
	"fmt"
	"io"

	"errand/app/drafts"
	"errand/app/runs"
	"errand/host/tool"
)

// PrintStoppedDraft prints how far a draft came that stopped, and what to type next: what
// its actions are was shown before, and is to be seen again.
func (s *Console) PrintStoppedDraft(w io.Writer, d drafts.View, why *tool.Error) {
	s.Write(w, "%s", Paint(Bold, "draft "+d.DraftID+" · "+s.standing(d)))
	for _, a := range d.Actions {
		s.Write(w, "  %s  %s%s", a.ActionID, FirstOf(a.Preview, a.Tool), statusOf(a))
		if a.Status == drafts.ActionUnknown {
			s.sayWhether(w, d, a)
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

// statusOf is how an action stands, where that is worth a word.
func statusOf(a drafts.Action) string {
	switch a.Status {
	case drafts.ActionProposed, "":
		return ""
	case drafts.ActionUnknown:
		return " · nobody saw what came of it"
	}
	return " · " + string(a.Status)
}

// sayWhether says how to tell what came of an action.
func (s *Console) sayWhether(w io.Writer, d drafts.View, a drafts.Action) {
	s.Write(w, "      %s", Paint(Quiet, fmt.Sprintf("look whether the effect is there: errand answer %s %s=done, or %s=not-done", d.RunID, a.ActionID, a.ActionID)))
}
