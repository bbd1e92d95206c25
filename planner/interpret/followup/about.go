package followup

import "errand/planner/message"

// About is what a goal takes from earlier goals, for its plan and its record.
type About struct {
	Wish  Wish              `json:"wish"`
	Means []Meaning         `json:"means,omitempty"`
	Says  []message.Message `json:"says,omitempty"` // what the words mean: "it = ~/Documents/notes.txt"
	Text  string            `json:"text,omitempty"` // that was read in place of the words; empty: the words

	Missed  bool    `json:"missed,omitempty"` // there is nothing that the words can mean
	Context Context `json:"-"`                // that the goal was read in
}

// NewAbout tells what a result means. shorten is how users write a path.
func NewAbout(r Result, c Context, shorten func(string) string) *About {
	a := &About{Wish: r.Wish, Means: r.Means, Text: r.Words, Missed: !r.Reason.IsZero(), Context: c}
	if hasSeveral(r.Means) {
		first := r.Means[0]
		a.Says = append(a.Says, message.New("follow_up.means_many", "words", first.Words, "count", len(r.Means), "thing", shorten(first.Thing.Name()), "age", first.Age))
		return a
	}
	for _, m := range r.Means {
		if m.Thing.Ref == "" {
			a.Says = append(a.Says, message.New("follow_up.repeats", "goal", m.Goal, "age", m.Age))
			continue
		}
		if m.Nth != 0 {
			a.Says = append(a.Says, message.New("follow_up.means_result", "words", m.Words, "nth", m.Nth, "page", m.Thing.Name()))
			continue
		}
		name := m.Thing.Name()
		if m.Thing.Kind.IsPath() {
			name = shorten(name)
		}
		a.Says = append(a.Says, message.New("follow_up.means", "words", m.Words, "thing", name, "age", m.Age))
	}
	return a
}

// LooksBack reports whether words ask for an earlier run itself or the context, and not for goals.
func (a *About) LooksBack() bool {
	return a != nil && (a.Wish == Undo || a.Wish == LastRun || a.Wish == Forget)
}

// Source returns the context of a follow-up, and nil of any other goal.
func (a *About) Source() *Context {
	if a == nil {
		return nil
	}
	return &a.Context
}

// Remember returns which words and evidence of a goal later goals may mean. The words of most
// follow-ups say nothing by themselves.
func Remember[E any](a *About, words string, evidence []E) (string, []E) {
	switch {
	case a == nil:
		return words, evidence
	case a.Text != "":
		return a.Text, evidence
	case a.Wish == Into:
		return words, evidence
	case a.Wish == Again && len(a.Means) > 0:
		return a.Means[0].Goal, nil
	}
	return words, nil
}
