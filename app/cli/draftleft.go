package cli

import (
	"fmt"
	"io"

	"errand/app/core"
	"errand/host/tool"
)

// draftLeft prints how far a draft came that stopped, and what to type next: what
// its actions are was shown before, and is to be seen again.
func (s *shell) draftLeft(w io.Writer, d core.DraftView, why *tool.Error) {
	s.write(w, "%s", paint(bold, "draft "+d.DraftID+" · "+s.standing(d)))
	for _, a := range d.Actions {
		s.write(w, "  %s  %s%s", a.ActionID, firstOf(a.Preview, a.Tool), statusOf(a))
		if a.Status == core.ActionUnknown {
			s.sayWhether(w, d, a)
		}
	}
	commands := append(next(d), "errand drafts "+d.DraftID)
	if !core.GoesOn(why) {
		commands = commands[len(commands)-1:]
	}
	for _, line := range commands {
		s.write(w, "%s", paint(quiet, line))
	}
}

// statusOf is how an action stands, where that is worth a word.
func statusOf(a core.DraftAction) string {
	switch a.Status {
	case core.ActionProposed, "":
		return ""
	case core.ActionUnknown:
		return " · nobody saw what came of it"
	}
	return " · " + string(a.Status)
}

// sayWhether says how to tell what came of an action.
func (s *shell) sayWhether(w io.Writer, d core.DraftView, a core.DraftAction) {
	s.write(w, "      %s", paint(quiet, fmt.Sprintf("look whether the effect is there: errand answer %s %s=done, or %s=not-done", d.RunID, a.ActionID, a.ActionID)))
}
