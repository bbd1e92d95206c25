// Package recipes manages the user's recipes: it lists, reads, checks and removes them,
// plans them, and makes them from finished runs.
package recipes

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"errand/app/config"
	"errand/app/planning"
	"errand/app/recipes/recipe"
	"errand/app/runs"
	"errand/app/setting"
	"errand/host/realpath"
	"errand/host/store"
	"errand/host/tool"
	"errand/planner/interpret"
	"errand/planner/message"
	"errand/planner/plan"
)

// Codes of recipe errors that callers distinguish.
const (
	CodeNotFound = "recipe_not_found"
	CodeBad      = "bad_recipe"   // the file, or a parameter, is wrong; the message has a line for each fault
	CodeTaken    = "recipe_taken" // a recipe with this name exists
)

// Library is the folder of the user's recipes.
type Library struct {
	Config  *config.Loaded
	Planner *planning.Planner
	Store   func() (store.Store, error)
	Tools   func(context.Context) ([]tool.Spec, error)
	Off     func() []tool.Off // tools that the user turned off; nil: none
}

// Run asks to run a recipe instead of a goal's words.
type Run struct {
	Ref                 string            // the name of one of the user's own, or a file
	Values              map[string]string // of its parameters
	AllowMissingSecrets bool              // secrets may be missing: the run is a dry run
	Origin              plan.Origin       // of the run, for one of the user's own; empty: the user
}

// Dir returns the folder, which need not exist.
func (l *Library) Dir() string { return l.Config.Paths.RecipesDir() }

// File is one file in that folder.
type File struct {
	Name        string          `json:"name"`
	File        string          `json:"file"`
	Description string          `json:"description"`
	Params      []recipe.Param  `json:"params"`
	Steps       int             `json:"steps"`
	Error       message.Message `json:"error,omitzero"` // why it can't run
}

// List lists the recipes by name, including those that can't be read.
func (l *Library) List() ([]File, error) {
	entries, err := os.ReadDir(l.Dir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, tool.NewError(tool.ExecutionError, "recipes_unreadable", message.New("recipes.recipes_unreadable", "cause", err))
	}
	out := []File{}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), recipe.Ext)
		if !ok || e.IsDir() {
			continue
		}
		f := File{Name: name, File: filepath.Join(l.Dir(), e.Name()), Params: []recipe.Param{}}
		r, _, err := l.Read(f.File)
		if err != nil {
			f.Error = message.FromError(err)
		} else {
			f.Description, f.Params, f.Steps = r.Description, append(f.Params, r.Params...), len(r.Steps)
		}
		out = append(out, f)
	}
	return out, nil
}

// Remove deletes a recipe by its name in the list, even if it can't be read. Errors are
// *tool.Error.
func (l *Library) Remove(name string) error {
	all, err := l.List()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(f File) bool { return f.Name == name })
	if i < 0 {
		return tool.NewError(tool.ValidationError, CodeNotFound, message.New("recipes.recipe_not_found", "name", name))
	}
	if err := os.Remove(all[i].File); err != nil {
		return tool.NewError(tool.ExecutionError, "recipe_unwritable", message.New("recipes.remove_recipe", "cause", err))
	}
	return nil
}

// Read reads a recipe by its name or its file. own reports whether it is in the
// library: then it counts as the user's own words, otherwise as an upload. Errors are
// *tool.Error.
func (l *Library) Read(ref string) (r *recipe.Recipe, own bool, err error) {
	f, err := l.readFile(ref)
	if err != nil {
		return nil, f.ownName != "", err
	}
	if r, err = recipe.Read(f.label, f.text); err != nil {
		return nil, f.ownName != "", l.faultsOf(err)
	}
	if err = r.CheckName(f.ownName); err != nil {
		return nil, true, l.faultsOf(err)
	}
	return r, f.ownName != "", nil
}

// fileText is the text of a recipe's file.
type fileText struct {
	label   string // its name in messages
	text    []byte
	ownName string // the name that its recipe must have, in the user's own folder; "": elsewhere
}

func (l *Library) readFile(ref string) (f fileText, err error) {
	file := ref
	if recipe.ValidName(ref) {
		file = filepath.Join(l.Dir(), ref+recipe.Ext)
	} else if !strings.HasSuffix(ref, recipe.Ext) && !strings.ContainsAny(ref, `/\`) {
		return f, tool.NewError(tool.ValidationError, CodeNotFound, message.New("recipes.bad_reference", "reference", ref, "ext", recipe.Ext)).
			WithHint(message.New("recipes.bad_reference_hint"))
	}
	f.text, err = readText(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e := tool.NewError(tool.ValidationError, CodeNotFound, message.New("recipes.recipe_not_found", "name", ref))
		return f, e.WithHint(message.New("recipes.recipe_not_found_hint", "folder", l.Dir()))
	case err != nil:
		return f, tool.NewError(tool.ExecutionError, "recipe_unreadable", message.New("recipes.read_recipe", "cause", err))
	}
	f.label = file
	if l.isOwn(file) {
		f.label = filepath.Base(file)
		f.ownName = strings.TrimSuffix(f.label, recipe.Ext)
		for _, path := range []string{file, l.Dir()} {
			if err := config.CheckOwn(path); err != nil {
				return f, tool.NewError(tool.ValidationError, "recipe_writable_by_others", message.New("recipes.read_recipe", "cause", err))
			}
		}
	}
	return f, nil
}

func readText(file string) ([]byte, error) {
	text, err := realpath.ReadFile(file, recipe.MaxBytes)
	if _, tooLarge := errors.AsType[*realpath.TooLargeError](err); tooLarge {
		return make([]byte, recipe.MaxBytes+1), nil // Read then reports the limit
	}
	return text, err
}

// isOwn reports whether a file is in the user's own folder after following links.
func (l *Library) isOwn(file string) bool {
	real, err1 := realPath(file)
	dir, err2 := realPath(l.Dir())
	return err1 == nil && err2 == nil && filepath.Dir(real) == dir
}

// realPath returns the absolute path of a file or folder, without links.
func realPath(path string) (string, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(full)
}

// faultsOf returns the error for all problems of a recipe. It names the tools that are
// turned off.
func (l *Library) faultsOf(err error) error {
	var faults *recipe.Error
	if !errors.As(err, &faults) {
		return err
	}
	if l.Off != nil {
		off := l.Off()
		for i, f := range faults.Problems {
			name, _ := f.Message.Params["tool"].(string)
			if o, ok := tool.FindOff(off, name); ok && recipe.IsUnknownTool(f.Message) {
				faults.Problems[i].Message = message.New("recipes.tool_off", "tool", name, "plugin", o.Plugin)
			}
		}
	}
	return tool.NewError(tool.ValidationError, CodeBad, faults.AsMessage()).
		WithHint(message.New("recipes.check_hint"))
}

// Check reads a recipe and checks it against the program's tools. The error has all
// problems.
func (l *Library) Check(ctx context.Context, ref string) (*recipe.Recipe, error) {
	f, err := l.readFile(ref)
	if err != nil {
		return nil, err
	}
	specs, err := l.Tools(ctx)
	if err != nil {
		return nil, err
	}
	r, err := recipe.Audit(f.label, f.text, specs, f.ownName)
	return r, l.faultsOf(err)
}

// Plan returns a recipe with its parameters filled in, as a plan. Secrets may be missing.
func (l *Library) Plan(ctx context.Context, run Run) (planning.Planned, error) {
	specs, err := l.Tools(ctx)
	if err != nil {
		return planning.Planned{}, err
	}
	planned, _, _, err := l.plan(run, specs, true)
	return planned, err
}

// Prepare makes the plan of a recipe for [runs.Runs.Start].
func (l *Library) Prepare(ctx context.Context, run Run) (*runs.Plan, error) {
	specs, err := l.Tools(ctx)
	if err != nil {
		return nil, err
	}
	planned, r, secrets, err := l.plan(run, specs, run.AllowMissingSecrets)
	if err != nil {
		return nil, err
	}
	source, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	p, _ := planned.Result.Plan()
	values := recipe.WithoutSecrets(run.Values, secrets)
	return &runs.Plan{
		Plan: p, Words: recipe.Words(run.Ref, values), Secrets: secrets,
		Setting: setting.RunSetting{PlanSource: setting.GivenRecipe, Params: values, Recipe: l.nameOf(run.Ref), RecipeSource: source},
	}, nil
}

// plan makes the plan. Its origin is that of the run, or an upload, whose steps all need
// approval. The secrets of the plan are returned after the recipe; allowMissing allows
// missing ones.
func (l *Library) plan(run Run, specs []tool.Spec, allowMissing bool) (planning.Planned, *recipe.Recipe, tool.Secrets, error) {
	r, own, err := l.Read(run.Ref)
	if err != nil {
		return planning.Planned{}, nil, nil, err
	}
	origin := plan.Upload
	if own {
		origin = cmp.Or(run.Origin, plan.UserGoal)
	}
	p, secrets, err := r.Plan(recipe.Binding{Values: run.Values, Origin: origin, Specs: specs, Risk: planning.Risk, Path: l.Planner.Place, PlaceArgs: l.Planner.PlaceArgs, AllowMissingSecrets: allowMissing})
	if err != nil {
		return planning.Planned{}, nil, nil, l.faultsOf(err)
	}
	c := p.Content()
	planning.FlagRisks(&c)
	planning.FlagSeveral(&c, specs)
	if p, err = plan.New(c); err != nil {
		return planning.Planned{}, nil, nil, err
	}
	result := plan.NewSuccess(p, plan.Proof{Kind: plan.Unproved})
	return planning.Planned{Interpretation: planning.Interpretation{
		Status: interpret.OK, Language: c.Language, Goals: []plan.Goal{}, Questions: []plan.Question{},
	}, Result: &result}, r, secrets, nil
}
