package print

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"errand/app/drafts"
	"errand/app/i18n"
	"errand/app/runs"
	"errand/host/tool"
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

func (q *question) answered() {
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
func (s *Console) ReadLine(ctx context.Context, ask string) (string, error) {
	line, err := s.ReadRaw(ctx, ask)
	return strings.TrimSpace(line), err
}

// ReadRaw is ReadLine without trimming spaces.
func (s *Console) ReadRaw(ctx context.Context, ask string) (string, error) {
	s.question.ask(s.Stderr, ask)
	if s.Discard != nil {
		s.Discard()
		for drained := s.typed == nil; !drained; {
			select {
			case _, open := <-s.typed:
				drained = !open
			default:
				drained = true
			}
		}
	}
	if s.typed == nil {
		s.typed = make(chan reply)
		in := bufio.NewReader(s.In)
		go func() {
			for {
				line, err := in.ReadString('\n')
				s.typed <- reply{line, err}
				if err != nil {
					close(s.typed)
					return
				}
			}
		}()
	}
	var r reply
	select {
	case <-ctx.Done():
	case r = <-s.typed:
	}
	if ctx.Err() != nil { // the input may have ended because of it
		s.question.end(s.Stderr)
		return "", ctx.Err()
	}
	if r.err != nil { // the end of the input: the empty answer, which is a no
		s.question.end(s.Stderr)
		return "", nil
	}
	s.question.answered()
	return strings.TrimRight(r.line, "\r\n"), nil
}

// AskApproval shows a draft and asks for approval. Any answer but yes, or the right
// number where the count must be confirmed, rejects it.
func (s *Console) AskApproval(ctx context.Context, d drafts.View) (drafts.Answer, error) {
	s.PrintDraftBody(s.Stderr, d)
	if d.Confirm > 0 {
		line, err := s.ReadLine(ctx, fmt.Sprintf("this changes %d things at once: type %d to carry it out: ", d.Confirm, d.Confirm))
		if err != nil || line != strconv.Itoa(d.Confirm) {
			return drafts.Answer{}, err
		}
		return drafts.Answer{Yes: true, Confirm: d.Confirm}, nil
	}
	line, err := s.ReadLine(ctx, "carry this out? [y/N] ")
	return drafts.Answer{Yes: err == nil && IsYes(line)}, err
}

// IsYes reports whether an answer is yes, in any language.
func IsYes(line string) bool { return i18n.IsYes(line) }

// AskAgain shows the goal and the draft, and asks for approval. After Ctrl+C the
// error says that the draft still waits.
func (s *Console) AskAgain(ctx context.Context, d drafts.View) (drafts.Answer, error) {
	s.Say("%s", Paint(Bold, d.Goal))
	answer, err := s.AskApproval(ctx, d)
	if err != nil {
		return answer, tool.AsError(err).WithHint("the draft still waits: errand drafts %s", d.DraftID)
	}
	return answer, nil
}

// AskQuestion shows a question with numbered choices and reads the answer. An empty
// answer, or no where there are choices, returns [core.ErrNoAnswer]. A number without
// a choice is asked for again.
func (s *Console) AskQuestion(ctx context.Context, q plan.Question) (string, error) {
	s.Say("%s", q.Question)
	for i, c := range q.Choices {
		s.Say("  %s %s", strconv.Itoa(i+1)+".", c.Label)
	}
	prompt := "pick a number"
	switch {
	case len(q.Choices) == 0:
		prompt = "type your answer"
	case q.FreeTextAllowed:
		prompt = "pick a number or type an answer"
	}
	for range 3 {
		line, err := s.ReadLine(ctx, prompt+" (Enter: decide later): ")
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
		value, known := ChoiceOf(q, line)
		if whole, short := map[string]string{"y": "yes", "n": "no"}[strings.ToLower(line)]; short && !known {
			if v, offered := ChoiceOf(q, whole); offered {
				value, known = v, true
			}
		}
		switch {
		case known || q.FreeTextAllowed && len(q.Choices) == 0:
			return value, nil
		case isNo(line):
			return "", runs.ErrNoAnswer
		case notNumber == nil || !q.FreeTextAllowed:
			s.Say("%q is not a choice", line)
		default:
			return value, nil
		}
	}
	return "", runs.ErrNoAnswer
}

func isNo(line string) bool { return i18n.IsNo(line) }

// ChoiceOf is the value of the choice that a person named, by value or by label;
// else what they said.
func ChoiceOf(q plan.Question, said string) (value string, known bool) {
	for _, c := range q.Choices {
		if said == c.Value {
			return c.Value, true
		}
	}
	for _, c := range q.Choices {
		if strings.EqualFold(said, c.Label) {
			return c.Value, true
		}
	}
	return said, false
}

// ReadHidden asks for a line that is not shown while it is typed. ok is false
// where the terminal can't do that: nothing is asked then.
func (s *Console) ReadHidden(ctx context.Context, ask string) (line string, ok bool, err error) {
	show, ok := s.Hide()
	if !ok {
		return "", false, nil
	}
	defer show()
	line, err = s.ReadRaw(ctx, ask)
	return line, true, err
}
