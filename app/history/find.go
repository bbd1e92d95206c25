package history

import (
	"context"
	"slices"
	"strings"

	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// Query asks for a part of the history.
type Query struct {
	Text   string       // words that the goal, the answer or the id holds, in any order and case; empty: all
	Status trace.Status // empty: all
	From   int          // index of the first, from 0
	Limit  int          // below 1: none
}

// RunPage is a part of what was found, the newest first.
type RunPage struct {
	Total int
	Runs  []trace.Run
}

// FindRuns looks for runs. Words are folded as Unicode says, which the database
// can't: it takes some 200 ms to look through 10,000 runs. A page of all of them
// takes as long as its last line is far from the newest.
func (h *History) FindRuns(ctx context.Context, q Query) (RunPage, error) {
	found := RunPage{Runs: []trace.Run{}}
	if !store.HasRecord(h.o.Dir) {
		return found, nil
	}
	s, err := h.o.Store()
	if err != nil {
		return found, err
	}
	words := strings.Fields(strings.ToLower(q.Text))
	if len(words) == 0 && q.Status == "" {
		if found.Total, err = s.CountRuns(ctx); err != nil || q.Limit < 1 || q.From >= found.Total {
			return found, err
		}
		runs, err := s.Runs(ctx, q.From+q.Limit)
		found.Runs = append(found.Runs, runs[min(q.From, len(runs)):]...)
		return found, err
	}
	runs, err := s.Runs(ctx, 0)
	if err != nil {
		return found, err
	}
	for _, run := range runs {
		if q.Status != "" && run.Status != q.Status || !containsWords(run, words) {
			continue
		}
		if found.Total >= q.From && len(found.Runs) < q.Limit {
			found.Runs = append(found.Runs, run)
		}
		found.Total++
	}
	return found, nil
}

func containsWords(run trace.Run, words []string) bool {
	if len(words) == 0 {
		return true
	}
	text := strings.ToLower(run.Goal + "\n" + textsOf(run.Answer) + "\n" + run.RunID)
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// Forget forgets one run, with all that was written down of it, the draft that
// waits for it and its job. The id is whole: a beginning might be another's. One that is under
// way is a *tool.Error with code run_under_way.
func (h *History) Forget(ctx context.Context, id string) (PruneReport, error) {
	s, err := h.o.Store()
	if err != nil {
		return PruneReport{}, err
	}
	rec, err := s.Excerpt(ctx, id, 0)
	if err != nil {
		return PruneReport{}, err
	}
	if rec.RunID != id {
		return PruneReport{}, tool.NewError(tool.ValidationError, trace.CodeRunNotFound, message.New("history.run_not_found", "id", id)).
			WithHint(message.New("history.run_not_found_hint"))
	}
	r, err := s.Forget(ctx, id)
	if err == nil {
		err = h.forgetJob(ctx, id)
	}
	return PruneReport{PruneReport: r}, err
}

// textsOf returns the texts in a message's parameters: what it is about, in no language.
func textsOf(m message.Message) string {
	var b strings.Builder
	m.MapText(func(text string) string {
		b.WriteString(text + "\n")
		return text
	})
	return b.String()
}
