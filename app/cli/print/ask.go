package print

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"errand/app/drafts"
	"errand/app/i18n"
	"errand/app/runs/dialog"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
)

type reply struct {
	line string
	err  error
}

// question is a line that waits for its answer. Other output starts a new line.
type question struct {
	mu   sync.Mutex
	open bool
}

func (q *question) ask(w io.Writer, text string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.open = true
	fmt.Fprint(w, text)
}

func (q *question) markAnswered() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.open = false
}

func (q *question) end(w io.Writer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open {
		fmt.Fprintln(w)
	}
	q.open = false
}

// ReadLine asks, and reads a line that is typed after the question. It discards
// earlier input, returns "" for an unfinished line, and trims spaces. One goroutine
// reads for all questions of a command. It ends with the process, because reading a
// terminal can't be interrupted.
func (s *Console) ReadLine(ctx context.Context, code string, pairs ...any) (string, error) {
	line, err := s.ReadRaw(ctx, code, pairs...)
	return strings.TrimSpace(line), err
}

// ReadRaw is ReadLine without trimming spaces.
func (s *Console) ReadRaw(ctx context.Context, code string, pairs ...any) (string, error) {
	s.question.ask(s.Stderr, s.Text(code, pairs...)+" ")
	if s.Discard != nil {
		s.Discard()
		for drained := s.lines == nil; !drained; {
			select {
			case _, open := <-s.lines:
				drained = !open
			default:
				drained = true
			}
		}
	}
	if s.lines == nil {
		s.lines = make(chan reply)
		in := bufio.NewReader(s.In)
		go func() {
			for {
				line, err := in.ReadString('\n')
				s.lines <- reply{line, err}
				if err != nil {
					close(s.lines)
					return
				}
			}
		}()
	}
	var r reply
	select {
	case <-ctx.Done():
	case r = <-s.lines:
	}
	if ctx.Err() != nil { // the input may have ended because of it
		s.question.end(s.Stderr)
		return "", ctx.Err()
	}
	if r.err != nil { // the end of the input is an empty answer, which means no
		s.question.end(s.Stderr)
		return "", nil
	}
	s.question.markAnswered()
	return strings.TrimRight(r.line, "\r\n"), nil
}

// AskApproval shows a draft and asks for approval. Any answer but yes, or the right number if the
// count must be confirmed, rejects it. Each destructive action among others has its own question.
func (s *Console) AskApproval(ctx context.Context, d drafts.View) (drafts.Answer, error) {
	return askApproval(ctx, s, d, nil)
}

// askApproval is AskApproval for some actions of a draft; none: all. It shows the whole draft.
func askApproval(ctx context.Context, s *Console, d drafts.View, actions []string) (drafts.Answer, error) {
	s.SpeakOf(d.Language)
	s.PrintDraftBody(s.Stderr, d)
	printOnly(s, d, actions)
	pending := actions
	if len(pending) == 0 {
		pending = d.PendingActions()
	}
	d = d.Only(pending)
	if d.Confirm > 0 { // of all: the number to type is that of what will run
		confirmed, err := askForEach(ctx, s, d)
		run := slices.DeleteFunc(slices.Clone(pending), func(id string) bool {
			return slices.Contains(d.Destructive, id) && !slices.Contains(confirmed, id)
		})
		if err != nil || len(run) == 0 {
			return drafts.Answer{}, err
		}
		answer, err := askForAll(ctx, s, d.Only(run))
		if err != nil || !answer.Yes {
			return drafts.Answer{}, err
		}
		answer.Confirmed = confirmed
		return answer, nil
	}
	answer, err := drafts.Answer{Yes: true}, error(nil)
	if !d.OnlyDestructive() { // else the questions about the actions are enough
		answer, err = askForAll(ctx, s, d)
	}
	if err != nil || !answer.Yes {
		return drafts.Answer{}, err
	}
	if answer.Confirmed, err = askForEach(ctx, s, d); err != nil {
		return drafts.Answer{}, err
	}
	answer.Yes = len(answer.Confirmed) > 0 || !d.OnlyDestructive()
	return answer, nil
}

// askForEach asks about each action that needs a confirmation of its own, and returns those that
// the user confirms.
func askForEach(ctx context.Context, s *Console, d drafts.View) (confirmed []string, err error) {
	for _, a := range d.Actions {
		if !slices.Contains(d.Destructive, a.ActionID) {
			continue
		}
		line, err := s.ReadLine(ctx, "cli.confirm_action", "action", a.ActionID, "preview", message.Verbatim(s.title(a)))
		if err != nil {
			return nil, err
		}
		if i18n.IsYes(line) {
			confirmed = append(confirmed, a.ActionID)
		}
	}
	return confirmed, nil
}

// askForAll asks about the whole draft.
func askForAll(ctx context.Context, s *Console, d drafts.View) (drafts.Answer, error) {
	if d.Confirm > 0 {
		line, err := s.ReadLine(ctx, "cli.confirm_count", "count", d.Confirm)
		if err != nil || line != strconv.Itoa(d.Confirm) {
			return drafts.Answer{}, err
		}
		return drafts.Answer{Yes: true, Confirm: d.Confirm}, nil
	}
	line, err := s.ReadLine(ctx, "cli.confirm")
	return drafts.Answer{Yes: err == nil && i18n.IsYes(line)}, err
}

// AskAgain shows the goal and the draft, and asks for approval of some of its actions; none: of
// all. After Ctrl+C the error says that the draft still needs approval.
func (s *Console) AskAgain(ctx context.Context, d drafts.View, actions ...string) (drafts.Answer, error) {
	s.SpeakOf(d.Language)
	s.Sayf("%s", Paint(Bold, s.GoalOf(d.Goal)))
	answer, err := askApproval(ctx, s, d, actions)
	return answer, stillWaits(d, err)
}

// AskToApply shows an approved draft and asks whether to run its approved actions. After Ctrl+C
// the error says that the draft still waits.
func AskToApply(ctx context.Context, s *Console, d drafts.View) (bool, error) {
	s.SpeakOf(d.Language)
	s.Sayf("%s", Paint(Bold, s.GoalOf(d.Goal)))
	s.PrintDraftBody(s.Stderr, d)
	if d.Approval != nil {
		printOnly(s, d, d.Approval.IDs())
	}
	line, err := s.ReadLine(ctx, "cli.confirm")
	return err == nil && i18n.IsYes(line), stillWaits(d, err)
}

// printOnly prints which of the remaining actions of a draft the question is about, if not all.
func printOnly(s *Console, d drafts.View, actions []string) {
	if len(actions) > 0 && len(actions) < len(d.PendingActions()) {
		s.Say("cli.only_actions", "actions", actions, "count", len(actions))
	}
}

// stillWaits adds to a question's error that the draft still needs approval.
func stillWaits(d drafts.View, err error) error {
	if err == nil {
		return nil
	}
	return tool.AsError(err).WithHint(message.New("cli.draft_still_waits", "draft", d.DraftID))
}

// AskQuestion shows a question with numbered choices and reads the answer. An empty
// answer returns [runs.ErrNoAnswer], and a no that is not a choice [runs.ErrDeclined].
// A number without a choice is asked for again.
func (s *Console) AskQuestion(ctx context.Context, q plan.Question) (string, error) {
	s.Sayf("%s", q.Question.MapText(message.Visible))
	printUnused(s, s.Stderr, q)
	for i, c := range q.Choices {
		s.Sayf("  %d. %s", i+1, c.Label.MapText(message.Visible))
	}
	prompt := "cli.pick"
	switch {
	case len(q.Choices) == 0:
		prompt = "cli.type_answer"
	case q.FreeTextAllowed:
		prompt = "cli.pick_or_type"
	}
	for range 3 {
		line, err := s.ReadLine(ctx, prompt)
		if err != nil {
			return "", err
		}
		if line == "" {
			break
		}
		n, notNumber := strconv.Atoi(line)
		if notNumber == nil && n >= 1 && n <= len(q.Choices) {
			return q.Choices[n-1].Value, nil
		}
		value, known := s.ChoiceOf(q, line)
		switch {
		case known:
			return value, nil
		case i18n.IsNo(line):
			return "", dialog.ErrDeclined
		case q.FreeTextAllowed && len(q.Choices) == 0:
			return value, nil
		case notNumber == nil || !q.FreeTextAllowed:
			s.Say("cli.not_a_choice", "answer", line)
		default:
			return value, nil
		}
	}
	return "", dialog.ErrNoAnswer
}

// ChoiceOf returns the value of the choice that the user named by value, by label in their
// language or in English, or by a word for yes or no. It returns other text unchanged.
func (s *Console) ChoiceOf(q plan.Question, typed string) (value string, known bool) {
	for _, c := range q.Choices {
		if typed == c.Value {
			return c.Value, true
		}
	}
	for _, c := range q.Choices {
		if strings.EqualFold(typed, s.language().Text(c.Label)) || strings.EqualFold(typed, i18n.English().Text(c.Label)) {
			return c.Value, true
		}
	}
	for _, c := range q.Choices {
		if (c.Value == "yes" || c.Value == "once") && i18n.IsYes(typed) || c.Value == "no" && i18n.IsNo(typed) {
			return c.Value, true
		}
	}
	return typed, false
}

// ReadHidden asks for a line that is not shown while it is typed. If the terminal can't hide
// input, ok is false and it asks nothing.
func (s *Console) ReadHidden(ctx context.Context, code string, pairs ...any) (line string, ok bool, err error) {
	show, ok := s.Hide()
	if !ok {
		return "", false, nil
	}
	defer show()
	line, err = s.ReadRaw(ctx, code, pairs...)
	return line, true, err
}
