package recipes

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"errand/app/planning"
	"errand/app/recipes/recipe"
	"errand/app/secrets"
	"errand/app/setting"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// Save makes a recipe from a finished run and stores it among the user's own. Values
// from the goal become parameters. It returns the recipe and its file. say renders the
// messages that become descriptions in it.
func (l *Library) Save(ctx context.Context, runID, name string, force bool, say func(message.Message) string) (*recipe.Recipe, string, error) {
	if !recipe.ValidName(name) {
		return nil, "", tool.NewError(tool.ValidationError, CodeBad, message.New("recipes.bad_name", "name", name)).
			WithHint(message.New("recipes.bad_name_hint"))
	}
	s, err := l.Store()
	if err != nil {
		return nil, "", err
	}
	rec, err := s.Record(ctx, runID)
	if err != nil {
		return nil, "", err
	}
	if rec.Status != trace.Done {
		return nil, "", tool.NewError(tool.ValidationError, "run_not_done", message.New("recipes.run_not_done", "run", rec.RunID, "status", rec.Status))
	}
	result, err := planning.ReadRedactedResult(rec.Result)
	p, planned := result.Plan()
	if err != nil || !planned {
		return nil, "", tool.NewError(tool.ValidationError, "no_plan", message.New("recipes.no_plan", "run", rec.RunID))
	}
	specs, err := l.Tools(ctx)
	if err != nil {
		return nil, "", err
	}
	texts := recipe.Texts{Recipe: summaryOf(rec, p, say), NotRecorded: say(message.New("recipes.value_not_recorded"))}
	r, err := recipe.FromRun(name, texts, l.slots(rec), doneSteps(rec, p, specs, say), l.sourceOf(rec))
	if err != nil {
		return nil, "", tool.NewError(tool.ValidationError, CodeBad, message.New("recipes.make_recipe", "run", rec.RunID, "cause", err))
	}
	b, err := r.TOML()
	if err != nil {
		return nil, "", err
	}
	file := filepath.Join(l.Dir(), name+recipe.Ext)
	if r, err = recipe.Read(file, b); err != nil { // check that it can be read again
		return nil, "", l.faultsOf(err)
	}
	return r, file, writeRecipe(file, b, force)
}

// writeRecipe writes a complete file. It replaces an existing one only with force.
func writeRecipe(file string, b []byte, force bool) error {
	fault := func(err error) error {
		return tool.NewError(tool.ExecutionError, "recipe_unwritable", message.New("recipes.keep_recipe", "cause", err))
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fault(err)
	}
	part, err := os.CreateTemp(filepath.Dir(file), ".errand-*")
	if err != nil {
		return fault(err)
	}
	defer os.Remove(part.Name())
	_, err = part.Write(b)
	if err = errors.Join(err, part.Sync(), part.Close()); err != nil {
		return fault(err)
	}
	if force {
		if err := os.Rename(part.Name(), file); err != nil {
			return fault(err)
		}
		return nil
	}
	err = os.Link(part.Name(), file) // unlike a rename, this fails if the file exists
	switch {
	case errors.Is(err, fs.ErrExist):
		return tool.NewError(tool.ValidationError, CodeTaken, message.New("recipes.recipe_taken", "file", file)).WithHint(message.New("recipes.recipe_taken_hint"))
	case err != nil:
		return fault(err)
	}
	return nil
}

func summaryOf(rec trace.Record, p plan.Plan, say func(message.Message) string) string {
	if rec.Goal != "" && !strings.HasPrefix(rec.Goal, "recipe ") {
		return rec.Goal
	}
	return say(p.Content().Summary)
}

// slots returns the values of a run that another run may change: those of its goals,
// and the parameters of its recipe.
func (l *Library) slots(rec trace.Record) []recipe.Slot {
	var in planning.Interpretation
	if json.Unmarshal(rec.Interpretation, &in) != nil {
		return nil // the record of an earlier version has none
	}
	var out []recipe.Slot
	add := func(name string, kind recipe.Kind, value string) {
		if value != "" && !secrets.IsMarked(value) {
			out = append(out, recipe.Slot{Name: name, Type: kind, Value: value})
		}
	}
	for _, g := range in.Goals {
		add("query", recipe.String, g.Query)
		switch g.GoalType {
		case plan.BrowserNavigate:
			add("page", recipe.URL, g.Target)
		case plan.FileOperation:
			add("path", recipe.Path, l.Planner.Place(g.Target))
		}
		if g.SaveTo != "" {
			add("save_to", recipe.Path, l.Planner.Place(g.SaveTo))
		}
		if g.Limit > 0 {
			out = append(out, recipe.Slot{Name: "count", Type: recipe.Int, Value: g.Limit})
		}
	}
	if set, err := setting.Read(rec.Setting); err == nil {
		for _, name := range slices.Sorted(maps.Keys(set.Run.Params)) {
			if n, err := strconv.Atoi(set.Run.Params[name]); err == nil {
				out = append(out, recipe.Slot{Name: name, Type: recipe.Int, Value: n, IsParam: true})
			} else if value := set.Run.Params[name]; value != "" && !secrets.IsMarked(value) {
				out = append(out, recipe.Slot{Name: name, Type: recipe.String, Value: value, IsParam: true})
			}
		}
	}
	return out
}

// sourceOf returns the recipe of a run, nil if it had none or the record is of a version
// that stored none.
func (l *Library) sourceOf(rec trace.Record) *recipe.Source {
	set, err := setting.Read(rec.Setting)
	if err != nil || len(set.Run.RecipeSource) == 0 {
		return nil
	}
	r, err := recipe.DecodeRecorded(set.Run.RecipeSource)
	if err != nil {
		return nil
	}
	return &recipe.Source{Recipe: r, Values: set.Run.Params, Path: l.Planner.Place}
}

// doneSteps returns the executed steps: their arguments from the plan, and the elements
// that they acted on from the record.
func doneSteps(rec trace.Record, p plan.Plan, specs []tool.Spec, say func(message.Message) string) []recipe.DoneStep {
	var out []recipe.DoneStep
	checks := map[string][]string{} // by arrival check, the actions that it waited for
	for _, act := range p.Actions() {
		if strings.HasSuffix(act.ActionID, recipe.ArrivalSuffix) {
			checks[act.ActionID] = act.DependsOn
			continue
		}
		d := recipe.DoneStep{ID: act.ActionID, Tool: act.Tool, Args: act.Args, Preview: say(act.Preview)}
		if i := slices.IndexFunc(specs, func(s tool.Spec) bool { return s.Name == act.Tool }); i >= 0 {
			d.Spec = specs[i]
		}
		for _, need := range act.DependsOn {
			if through, check := checks[need]; check {
				d.DependsOn = append(d.DependsOn, through...)
			} else {
				d.DependsOn = append(d.DependsOn, need)
			}
		}
		at := slices.IndexFunc(rec.Steps, func(s trace.Step) bool { return s.StepID == act.ActionID })
		if at >= 0 {
			payload, _ := rec.Steps[at].Payload.(map[string]any)
			d.Role, _ = payload["role"].(string)
			d.Name, _ = payload["name"].(string)
			d.Host, _ = payload["host"].(string)
		}
		out = append(out, d)
	}
	return out
}
