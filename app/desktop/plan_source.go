package desktop

import (
	"crypto/rand"
	"slices"

	"errand/app/desktop/view"
	"errand/planner/plan"
)

// maxPlanSources bounds the plans that can be come back to: those of several pages of
// one program.
const maxPlanSources = 8

// planSource is what a plan was made of. It is kept in memory alone: words and
// answers may say what nobody else should read.
type planSource struct {
	key  string
	wish view.Wish
}

// keep remembers what a plan was made of, and answers the key to it. The caller
// holds a.mu.
func (a *goalAPI) keep(w wish, made *plan.Result) string {
	l := planSource{key: rand.Text()}
	if w.recipe != nil {
		l.wish.Recipe = &view.RecipeAsk{Name: w.recipe.Name, Values: []view.Pair{}} // without a plan, it is unknown which of them are secret
		if made != nil {
			if _, there := made.Plan(); there {
				l.wish.Recipe = withoutSecrets(w.recipe, made)
			}
		}
	} else {
		l.wish.Goal = &view.Goal{Text: w.request.Words, Answers: append([]view.Answer{}, w.answers...), Voice: w.voice}
	}
	a.left = append(a.left, l)
	a.left = a.left[max(0, len(a.left)-maxPlanSources):]
	return l.key
}

// Left answers what a plan was made of, by the plan's key, for a page that was
// loaded again: it makes the plan anew from that, and carries nothing out. A wish
// without goal and recipe: the plan is too long ago.
func (a *goalAPI) Left(key string) (view.Wish, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.left, func(l planSource) bool { return l.key == key })
	if i < 0 {
		return view.Wish{}, nil
	}
	return a.left[i].wish, nil
}
