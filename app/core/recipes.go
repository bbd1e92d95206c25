package core

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"errand/app/core/recipe"
	"errand/app/planning"
	"errand/app/runs"
	"errand/app/setting"
	"errand/host/tool"
	"errand/planner/interpret"
	"errand/planner/plan"
)

// Codes of the errors of recipes that callers tell apart.
const (
	CodeNoRecipe    = "recipe_not_found"
	CodeBadRecipe   = "bad_recipe"   // the file, or a parameter, is wrong; the message has a line for each fault
	CodeRecipeTaken = "recipe_taken" // there is one of that name
)

// RecipeRun asks for a recipe to be carried out in place of a goal's words.
type RecipeRun struct {
	Ref    string            // the name of one of the person's own, or a file
	Values map[string]string // of its parameters
	Unsaid bool              // secrets may be missing: the run is a dry run
}

// RecipeDir is the folder of the person's own recipes. It need not exist.
func (a *App) RecipeDir() string { return filepath.Join(filepath.Dir(a.conf.Paths.File), "recipes") }

// RecipeFile is one file in that folder.
type RecipeFile struct {
	Name        string         `json:"name"`
	File        string         `json:"file"`
	Description string         `json:"description"`
	Params      []recipe.Param `json:"params"`
	Steps       int            `json:"steps"`
	Error       string         `json:"error,omitempty"` // why it can't be run
}

// Recipes lists the person's own recipes by name, those that can't be read too.
func (a *App) Recipes() ([]RecipeFile, error) {
	entries, err := os.ReadDir(a.RecipeDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, tool.Errorf(tool.ExecutionError, "recipes_unreadable", "list the recipes: %v", err)
	}
	out := []RecipeFile{}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), recipe.Ext)
		if !ok || e.IsDir() {
			continue
		}
		f := RecipeFile{Name: name, File: filepath.Join(a.RecipeDir(), e.Name()), Params: []recipe.Param{}}
		r, _, err := a.Recipe(f.File)
		if err != nil {
			f.Error = err.Error()
		} else {
			f.Description, f.Params, f.Steps = r.Description, append(f.Params, r.Params...), len(r.Steps)
		}
		out = append(out, f)
	}
	return out, nil
}

// RemoveRecipe deletes one of the person's own recipes by the name that it is
// listed under, also one that can't be read. Errors are *tool.Error.
func (a *App) RemoveRecipe(name string) error {
	all, err := a.Recipes()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(f RecipeFile) bool { return f.Name == name })
	if i < 0 {
		return tool.Errorf(tool.ValidationError, CodeNoRecipe, "there is no recipe %s", name)
	}
	if err := os.Remove(all[i].File); err != nil {
		return tool.Errorf(tool.ExecutionError, "recipe_unwritable", "remove the recipe: %v", err)
	}
	return nil
}

// Recipe reads a recipe by its name or its file. own says that it lies in the
// person's own folder: then it is what the person would have said. A file from
// anywhere else is somebody's words, as an upload is. Errors are *tool.Error.
func (a *App) Recipe(ref string) (r *recipe.Recipe, own bool, err error) {
	f, err := a.recipeFile(ref)
	if err != nil {
		return nil, f.own != "", err
	}
	if r, err = recipe.Read(f.said, f.text); err != nil {
		return nil, f.own != "", badRecipe(err)
	}
	if err = r.Called(f.own); err != nil {
		return nil, true, badRecipe(err)
	}
	return r, f.own != "", nil
}

// recipeText is a recipe's file before it is read.
type recipeText struct {
	said string // what it is called in messages
	text []byte
	own  string // what its recipe has to be called, in the person's own folder; "": elsewhere
}

func (a *App) recipeFile(ref string) (f recipeText, err error) {
	file := ref
	if recipe.ValidName(ref) {
		file = filepath.Join(a.RecipeDir(), ref+recipe.Ext)
	} else if !strings.HasSuffix(ref, recipe.Ext) && !strings.ContainsAny(ref, `/\`) {
		return f, tool.Errorf(tool.ValidationError, CodeNoRecipe, "%q is neither the name of a recipe nor a file that ends in %s", ref, recipe.Ext).
			WithHint("errand recipe list shows the names")
	}
	f.text, err = readRecipe(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e := tool.Errorf(tool.ValidationError, CodeNoRecipe, "there is no recipe %s", ref)
		return f, e.WithHint("errand recipe list shows what there is in %s", a.RecipeDir())
	case err != nil:
		return f, tool.Errorf(tool.ExecutionError, "recipe_unreadable", "read the recipe: %v", err)
	}
	f.said = file
	if a.ownRecipe(file) {
		f.said = filepath.Base(file)
		f.own = strings.TrimSuffix(f.said, recipe.Ext)
	}
	return f, nil
}

func readRecipe(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	if info.Size() > recipe.MaxBytes {
		return make([]byte, recipe.MaxBytes+1), nil // Read says how large it may be
	}
	return os.ReadFile(file)
}

// ownRecipe reports whether a file lies in the person's own folder, links
// followed: one that leads out of it is not the person's.
func (a *App) ownRecipe(file string) bool {
	real, err1 := filepath.EvalSymlinks(file)
	dir, err2 := filepath.EvalSymlinks(a.RecipeDir())
	if err1 != nil || err2 != nil {
		return false
	}
	real, err1 = filepath.Abs(real)
	return err1 == nil && filepath.Dir(real) == dir
}

func badRecipe(err error) error {
	var faults *recipe.Error
	if !errors.As(err, &faults) {
		return err
	}
	return tool.Errorf(tool.ValidationError, CodeBadRecipe, "%s", strings.Join(faults.Lines(), "\n")).
		WithHint("errand recipe check says whether it is right")
}

// CheckRecipe reads a recipe and holds it against the program's tools: the error
// has everything that is wrong.
func (a *App) CheckRecipe(ctx context.Context, ref string) (*recipe.Recipe, error) {
	f, err := a.recipeFile(ref)
	if err != nil {
		return nil, err
	}
	specs, err := a.Tools(ctx)
	if err != nil {
		return nil, err
	}
	r, err := recipe.Audit(f.said, f.text, specs, f.own)
	return r, badRecipe(err)
}

// PlanRecipe is a recipe with its parameters filled in, as a plan. Nothing is
// carried out, and secrets may be missing.
func (a *App) PlanRecipe(ctx context.Context, run RecipeRun) (Planned, error) {
	specs, err := a.Tools(ctx)
	if err != nil {
		return Planned{}, err
	}
	planned, _, _, err := a.plannedRecipe(run, specs, true)
	return planned, err
}

// PrepareRecipe makes the plan of a recipe, for [runs.Runs.Start].
func (a *App) PrepareRecipe(ctx context.Context, run RecipeRun) (*runs.Plan, error) {
	specs, err := a.Tools(ctx)
	if err != nil {
		return nil, err
	}
	planned, r, secrets, err := a.plannedRecipe(run, specs, run.Unsaid)
	if err != nil {
		return nil, err
	}
	kept, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	p, _ := planned.Result.Plan()
	values := recipe.Told(run.Values, secrets)
	return &runs.Plan{
		Plan: p, Words: recipe.Words(run.Ref, values), Secrets: secrets,
		Setting: setting.Own{Given: setting.GivenRecipe, Params: values, Recipe: a.recipeCalled(run.Ref), RecipeSource: kept},
	}, nil
}

// plannedRecipe makes the plan. Its origin says whose words it is: the person's
// own, or an upload's, of which every step waits for a yes. What it refers to as
// secrets is beside it, after the recipe; unsaid lets those be missing.
func (a *App) plannedRecipe(run RecipeRun, specs []tool.Spec, unsaid bool) (Planned, *recipe.Recipe, tool.Secrets, error) {
	r, own, err := a.Recipe(run.Ref)
	if err != nil {
		return Planned{}, nil, nil, err
	}
	origin := plan.Upload
	if own {
		origin = plan.UserGoal
	}
	p, secrets, err := r.Plan(recipe.Binding{Values: run.Values, Origin: origin, Specs: specs, Risk: planning.Risk, Path: a.Place, Unsaid: unsaid})
	if err != nil {
		return Planned{}, nil, nil, badRecipe(err)
	}
	c := p.Content()
	planning.FlagRisks(&c)
	if p, err = plan.New(c); err != nil {
		return Planned{}, nil, nil, err
	}
	result := plan.Succeeded(p, plan.Proof{Kind: plan.Unproved})
	return Planned{Interpretation: Interpretation{
		Status: interpret.OK, Language: c.Language, Goals: []plan.Goal{}, Questions: []plan.Question{},
	}, Result: &result}, r, secrets, nil
}
