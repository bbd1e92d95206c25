package desktop

import (
	"crypto/rand"
	"slices"

	"errand/app/desktop/live"
	"errand/app/desktop/view"
	"errand/planner/plan"
)

// maxPlanSources limits how many plans can be made again after a reload of the page. It
// is enough for several pages of one program.
const maxPlanSources = 8

// planSource is the wish that a plan was made from. It stays in memory, because words and
// answers may be private.
type planSource struct {
	key  string
	wish view.Wish
}

// keep stores the wish of a plan and returns its key. The caller holds a.mu.
func (a *goalAPI) keep(w wish, made *plan.Result) string {
	l := planSource{key: rand.Text()}
	if w.recipe != nil {
		l.wish.Recipe = &view.RecipeAsk{Name: w.recipe.Name, Values: []view.Pair{}} // without a plan, it is unknown which values are secret
		if made != nil {
			if _, there := made.Plan(); there {
				l.wish.Recipe = live.WithoutSecrets(w.recipe, made)
			}
		}
	} else {
		l.wish.Goal = &view.Goal{Text: w.request.Words, Answers: append([]view.Answer{}, w.answers...), Voice: w.voice}
	}
	a.sources = append(a.sources, l)
	a.sources = a.sources[max(0, len(a.sources)-maxPlanSources):]
	return l.key
}

// WishOf returns the wish of a plan by the plan's key. A reloaded page makes the plan again
// from it. The wish has neither goal nor recipe if the program has forgotten the plan.
func (a *goalAPI) WishOf(key string) (view.Wish, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.sources, func(l planSource) bool { return l.key == key })
	if i < 0 {
		return view.Wish{}, nil
	}
	return a.sources[i].wish, nil
}
