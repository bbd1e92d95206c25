package print

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"errand/app/answers"
	"errand/app/cli/record"
	"errand/app/drafts"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/approval"
)

// PrintDraft prints a draft in full, and what to type next.
func (s *Console) PrintDraft(w io.Writer, d drafts.View) {
	s.SpeakOf(d.Language)
	if d.DraftID == "" { // a run that never waited
		s.Writef(w, "%s", PaintMessage(Bold, "cli.run_heading", "run", d.RunID))
	} else {
		s.Writef(w, "%s", draftHeading(d))
	}
	s.Writef(w, "  %s", s.GoalOf(d.Goal))
	if d.Demo {
		s.Write(w, "cli.draft_in_demo")
	}
	if !d.Reason.IsZero() && len(d.Questions) == 0 { // else the questions are the reason
		s.Writef(w, "  %s", d.Reason)
	}
	s.PrintDraftBody(w, d)
	for _, q := range openQuestions(d) {
		s.Writef(w, "%s", q.Question.MapText(message.Visible))
		printUnused(s, w, q)
		if d.Withheld {
			continue // it can't be answered
		}
		for _, c := range q.Choices {
			s.Writef(w, "  - %s   %s", c.Label.MapText(message.Visible), Paint(Quiet, fmt.Sprintf("errand answer %s %s=%s", d.DraftID, message.ShellWord(q.ID), message.ShellWord(FirstOf(c.Value, s.TextOf(c.Label))))))
		}
		if q.FreeTextAllowed {
			s.Writef(w, "  - %s   %s", message.New("cli.own_words"), Paint(Quiet, fmt.Sprintf("errand answer %s %s=…", d.DraftID, q.ID)))
		}
	}
	outlook := tool.MaySucceed
	if d.State == approval.StateFailed {
		outlook = d.Outlook(nil)
	}
	for _, line := range nextSteps(d, outlook) {
		s.Writef(w, "%s", line)
	}
}

// PrintDraftBody prints what an approval covers: the part of the goal, the actions,
// and the steps that can't be undone.
func (s *Console) PrintDraftBody(w io.Writer, d drafts.View) {
	if !d.Part.IsZero() {
		s.Write(w, "cli.draft_part", "reason", d.Part)
	}
	s.draftActions(w, d)
	for _, step := range d.Irreversible {
		s.Write(w, "cli.step_irreversible", "step", step.StepID, "tool", step.Tool, "reason", step.Reason)
	}
	PrintRisks(s, w, d.Risks)
	noteShown(s, w, d)
}

// PrintRisks prints the risks of a plan that neither its actions nor its questions show.
func PrintRisks(s *Console, w io.Writer, risks []plan.Risk) {
	for _, r := range risks {
		if r.Kind == plan.RateLimitRisk {
			s.Writef(w, "%s", ColoredText{Yellow, r.Details})
		}
	}
}

// draftHeading returns a draft's id, its state and the remaining time.
func draftHeading(d drafts.View) ColoredText {
	if remaining := timeLeft(d); remaining > 0 {
		return PaintMessage(Bold, "cli.draft_heading_left", "draft", d.DraftID, "state", StateOf(d), "left", remaining)
	}
	return PaintMessage(Bold, "cli.draft_heading", "draft", d.DraftID, "state", StateOf(d))
}

// TimeLeft returns how long a draft still waits, or zero if it does not wait.
func TimeLeft(d drafts.View) message.Message {
	if remaining := timeLeft(d); remaining > 0 {
		return message.New("cli.time_left", "left", remaining)
	}
	return message.Message{}
}

func timeLeft(d drafts.View) time.Duration {
	if d.State.Final() || d.State == approval.StateApplying {
		return 0
	}
	return time.Until(d.ExpiresAt).Round(time.Second)
}

// GoalOf formats a goal for people. That of an undo is in the user's language.
func (s *Console) GoalOf(goal string) string {
	if m, ok := record.UndoGoal(goal); ok {
		return s.TextOf(m)
	}
	return goal
}

// StateOf formats the state of a draft for people.
func StateOf(d drafts.View) message.Message {
	switch d.State {
	case approval.StateDraft, approval.StateBlocked:
		switch {
		case d.Withheld:
			return message.New("cli.draft_withheld", "questions", len(d.Questions))
		case len(d.Questions) > 0:
			return message.New("cli.draft_waits_for_answer")
		case d.State == approval.StateBlocked:
			return message.New("cli.draft_stopped")
		}
		return message.New("cli.draft_waits_for_approval")
	case approval.StateReady:
		return message.New("cli.draft_approved")
	case approval.StateApplying:
		return message.New("cli.draft_running")
	case approval.StateApplied:
		return message.New("cli.draft_done")
	case approval.StateFailed:
		return message.New("cli.draft_failed")
	case approval.StateCancelled:
		return message.New("cli.draft_cancelled")
	case approval.StateExpired:
		return message.New("cli.draft_expired")
	}
	return message.Verbatim(string(d.State))
}

// openQuestions are the questions that can still be answered.
func openQuestions(d drafts.View) []plan.Question {
	if d.State.Final() {
		return nil
	}
	return d.Questions
}

// draftActions prints each action with its full arguments, the reason for asking,
// the files that it destroys and whether it can be undone.
func (s *Console) draftActions(w io.Writer, d drafts.View) {
	for _, a := range d.Actions {
		s.Writef(w, "  %s  %s%s", a.ActionID, s.title(a), s.statusOf(a))
		if len(a.DependsOn) > 0 {
			s.Writef(w, "      %s", PaintMessage(Quiet, "cli.tool_after", "tool", a.Tool, "steps", a.DependsOn))
		} else {
			s.Writef(w, "      %s", Paint(Quiet, a.Tool))
		}
		for _, name := range slices.Sorted(maps.Keys(a.Args)) {
			if (d.Undoes == "" || !answers.IsInternal(a.Tool, name)) && !answers.ListsDeleted(a.Tool, name) { // an undo is made by Errand
				s.Writef(w, "      %s: %s", name, Argument(a.Args[name]))
			}
		}
		if a.Verdict == policy.Ask && !a.Reason.IsZero() {
			s.Write(w, "cli.action_asks", "reason", a.Reason)
		}
		for _, name := range a.Destroys {
			s.Write(w, "cli.action_destroys", "name", message.Visible(name), "reversible", a.Reversible)
		}
		if more := a.Count - len(a.Destroys); len(a.Destroys) > 0 && more > 0 {
			s.Write(w, "cli.action_destroys_more", "count", more)
		}
		printDeleted(s, w, a)
		s.printFiles(w, a)
		if !a.Note.IsZero() {
			s.Writef(w, "      %s", a.Note)
		}
		switch {
		case a.ReadOnly:
		case !a.Reversible && a.RiskLevel != plan.Low:
			s.Writef(w, "      %s", PaintMessage(Yellow, "cli.action_irreversible"))
		case a.Reversible && a.Verdict == policy.Ask && len(a.Destroys) == 0: // else each of these says it
			s.Write(w, "cli.action_reversible")
		}
		if slices.Contains(d.Destructive, a.ActionID) {
			s.Writef(w, "      %s", PaintMessage(Yellow, "cli.action_needs_confirmation"))
		}
		if a.Error != nil {
			s.Writef(w, "      %s", ColoredText{Red, a.Error.Message})
		}
		if a.Status == drafts.ActionUnknown {
			s.printOutcomeHint(w, d, a)
		}
	}
}

// maxDeleted is the maximum number of deleted paths to print for an action.
const maxDeleted = 50

// printDeleted prints what an action deletes, if that is a list.
func printDeleted(s *Console, w io.Writer, a drafts.Action) {
	paths := answers.DeletedPaths(a.Tool, a.Args)
	for _, path := range paths[:min(maxDeleted, len(paths))] {
		s.Write(w, "cli.action_destroys", "name", message.Visible(path), "reversible", a.Reversible)
	}
	if more := len(paths) - maxDeleted; more > 0 {
		s.Write(w, "cli.action_destroys_more", "count", more)
	}
}

// printFiles prints the content of the files that an action reads or deletes, and where
// links lead.
func (s *Console) printFiles(w io.Writer, a drafts.Action) {
	for _, f := range a.Files {
		if f.RealPath != "" && f.RealPath != f.Path {
			s.Write(w, "cli.action_link", "path", message.Visible(f.Path), "real", message.Visible(f.RealPath))
		}
		if f.SHA256 != "" {
			s.Write(w, "cli.action_file", "path", message.Visible(f.Path), "size", f.Size, "sha256", f.SHA256[:min(16, len(f.SHA256))])
		}
	}
}

// title returns an action's title, or the name of its tool.
func (s *Console) title(a drafts.Action) string {
	return FirstOf(s.TextOf(a.Preview), a.Tool)
}

// offer returns the command that makes another attempt: alone if that can succeed, or after
// what the user does first. It returns nothing if the same calls fail again.
func offer(command string, o tool.Outlook) []ColoredText {
	switch o {
	case tool.MaySucceed:
		return []ColoredText{Paint(Quiet, command)}
	case tool.SucceedsAfterFix:
		return []ColoredText{PaintMessage(Quiet, "cli.after_fix", "command", command)}
	}
	return nil
}

// nextSteps returns what the user can do about a draft: commands, or a sentence. outlook is
// that of its actions.
func nextSteps(d drafts.View, outlook tool.Outlook) []ColoredText {
	if d.DraftID == "" {
		return offer("errand resume "+d.RunID, outlook)
	}
	if d.State == approval.StateFailed {
		again := "errand resume " + d.RunID
		if d.Undoes != "" {
			again = "errand undo " + d.Undoes
		}
		return offer(again, outlook)
	}
	if d.State.Final() || d.State == approval.StateApplying {
		return nil
	}
	if d.Withheld || d.NeedsSecrets() { // this program ends before the user can answer
		return []ColoredText{PaintMessage(Quiet, "cli.draft_secret_not_kept", "questions", len(d.Questions))}
	}
	if len(d.Questions) > 0 {
		return nil
	}
	var commands []ColoredText
	isMixed := len(d.Destructive) > 0 && !d.OnlyDestructive()
	switch {
	case d.State == approval.StateReady:
		commands = append(commands, offer("errand apply "+d.DraftID, outlook)...)
	case isMixed:
		commands = append(commands, PaintMessage(Quiet, "cli.approve_without", "command", d.ApproveCommand(), "actions", d.Destructive))
	default:
		commands = append(commands, offer(d.NextApproval(), outlook)...)
	}
	if isMixed || d.State == approval.StateReady && len(d.Destructive) > 0 { // which their names confirm
		commands = append(commands, PaintMessage(Quiet, "cli.approve_with", "command", d.ApproveCommand(d.PendingActions()...), "actions", d.Destructive))
	}
	return append(commands, Paint(Quiet, "errand reject "+d.DraftID))
}

// Argument formats a complete argument: a text unchanged, other values as JSON.
func Argument(v any) string {
	if text, ok := v.(string); ok && text != "" {
		return message.Visible(text)
	}
	return answers.FormatJSON(v)
}

// ShowDraft prints the answer of a command that returns a draft. If err is not nil and there is
// no draft, it returns err.
func (s *Console) ShowDraft(d drafts.View, err error) error {
	if err != nil {
		return err
	}
	if s.JSON {
		s.SpeakOf(d.Language)
	}
	return s.Show(d, func() { s.PrintDraft(s.Stdout, d) })
}
