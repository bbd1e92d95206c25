package live

import (
	"encoding/json"
	"slices"

	"errand/app/desktop/view"
	"errand/app/planning"
	"errand/host/tool"
	"errand/planner/plan"
)

// NewPlan returns the view of a new plan.
func NewPlan(text string, in planning.Interpretation, result *plan.Result) (view.Plan, error) {
	interpretation, err := json.Marshal(in)
	if err != nil {
		return view.Plan{}, err
	}
	var doc []byte
	if result != nil {
		if doc, err = json.Marshal(result); err != nil {
			return view.Plan{}, err
		}
	}
	v, err := view.NewPlan(text, interpretation, doc)
	if err != nil || result == nil {
		return v, err
	}
	if p, ok := result.Plan(); ok {
		v.Digest = p.Digest()
	}
	return v, nil
}

// WordsOf returns the words of a wish. For a recipe these are the words of its plan, with its
// parameters and without secrets.
func WordsOf(of *view.RecipeAsk, words string, r *plan.Result) string {
	if of == nil || r == nil {
		return words
	}
	p, ok := r.Plan()
	if !ok {
		return words
	}
	return p.Content().Inputs.RawText
}

// WithoutSecrets returns the recipe's parameters without those that the plan uses as secrets, because a
// run stays visible longer than the form.
func WithoutSecrets(r *view.RecipeAsk, made *plan.Result) *view.RecipeAsk {
	if r == nil || made == nil {
		return nil
	}
	p, _ := made.Plan()
	out := &view.RecipeAsk{Name: r.Name, Values: slices.Clone(r.Values)}
	for _, a := range p.Actions() {
		names := tool.SecretRefs(a.Args)
		out.Values = slices.DeleteFunc(out.Values, func(v view.Pair) bool { return slices.Contains(names, v.Name) })
	}
	return out
}
