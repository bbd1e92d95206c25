package core

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"errand/host/tool"
	"errand/planner"
	"errand/planner/interpret"
	"errand/planner/plan"
)

// Interpret reads words by rules. It opens nothing and takes microseconds.
func (a *App) Interpret(text string) Interpretation { return a.interpret(text, nil) }

func (a *App) interpret(text string, answers map[string]string) Interpretation {
	r := a.reader.ReadWith(text, answers)
	in := Interpretation{
		Status: r.Status, Language: r.Language, Goals: []plan.Goal{},
		Questions: r.Questions, Reason: r.Reason, Evidence: r.Evidence,
	}
	if in.Questions == nil {
		in.Questions = []plan.Question{}
	}
	switch {
	case r.Status == interpret.Unsupported && len(answers) == 0:
		a.offer(&in, text)
	case r.Status == interpret.OK:
		a.fill(&in, r.Goals, answers)
		in.Evidence = evidenceFor(r, in.Goals)
	}
	return in
}

// readable refuses a goal that no rule could read, before anything is opened or
// written down.
func readable(text string) error {
	switch {
	case len(text) > interpret.MaxBytes:
		return tool.Errorf(tool.ValidationError, "goal_too_long", "the goal is %d bytes long; the limit is %d", len(text), interpret.MaxBytes).
			WithHint("say it shorter, or make several goals of it")
	case !utf8.ValidString(text):
		return tool.Errorf(tool.ValidationError, "goal_not_utf8", "the goal is not valid UTF-8").
			WithHint("check the terminal's encoding (locale says which it is)")
	case strings.TrimSpace(text) == "":
		return tool.Errorf(tool.ValidationError, "goal_empty", "the goal is empty").
			WithHint("for example: open youtube and search nvidia")
	}
	return nil
}

// PlanRequest asks for a plan. Without World the world is empty; without
// Capabilities they are those of the program's tools.
type PlanRequest struct {
	Text         string
	Answers      map[string]string // to earlier questions about the words, by their ids
	Goals        []plan.Goal       // in place of Text: goals that are understood already
	Voice        *plan.Voice
	World        *plan.World
	Capabilities []plan.Capability
}

// Readable refuses a goal that no rule could read: one that is too long, empty
// or not UTF-8. [App.Run] asks it first; Plan answers such a goal as unsupported.
func Readable(text string) error { return readable(text) }

// Plan interprets and plans, and carries nothing out.
func (a *App) Plan(ctx context.Context, r PlanRequest) (Planned, error) {
	in, voice := a.understand(r)
	if in.Status != interpret.OK {
		return Planned{Interpretation: in}, nil
	}
	if r.Capabilities == nil {
		var err error
		if r.Capabilities, err = a.Capabilities(ctx); err != nil {
			return Planned{Interpretation: in}, err
		}
	}
	return a.planned(in, voice, r)
}

// planned plans what was understood.
func (a *App) planned(in Interpretation, voice *plan.Voice, r PlanRequest) (Planned, error) {
	var world plan.World
	if r.World != nil {
		world = *r.World
	}
	result, err := a.planner.Plan(planner.Request{
		Goals: a.resolved(in.set), World: world, Capabilities: r.Capabilities,
		Origin: plan.UserGoal, Text: r.Text, Language: in.Language, Voice: voice,
	})
	var ambiguous *plan.AmbiguousError
	if errors.As(err, &ambiguous) {
		return Planned{Interpretation: asked(in, ambiguous)}, nil
	}
	if err != nil {
		return Planned{Interpretation: in}, tool.Errorf(tool.ValidationError, "bad_plan_request", "plan: %v", err)
	}
	return Planned{in, &result}, nil
}

// Solve plans from facts to facts, without words.
func (a *App) Solve(p plan.Problem) (plan.Result, error) { return planner.Solve(p, nil) }

// ResolvePath turns "~/…" and the known folders below it into a path of this
// machine, and leaves every other path as it is.
func (a *App) ResolvePath(path string) string { return a.conf.Paths.Resolve(path) }

// resolved gives file goals absolute paths: "~/Documents/x" where the desktop
// keeps documents, a bare name in the first granted root. What holds ".." is
// left as it was said, for the planner to refuse.
func (a *App) resolved(set plan.GoalSet) plan.GoalSet {
	goals := slices.Clone(set.Goals)
	for i, g := range goals {
		if g.SaveTo == "" && g.Action+"_"+g.ObjectType == plan.DownloadFile {
			if folder := a.downloads(); folder != "" {
				g.SaveTo = strings.TrimSuffix(folder, "/") + "/"
			}
		}
		if g.SaveTo != "" && !climbs(g.SaveTo) {
			goals[i].SaveTo = a.placed(g.SaveTo)
		}
		if g.GoalType != plan.FileOperation || g.Target == "" || climbs(g.Target) {
			continue
		}
		goals[i].Target = a.placed(g.Target)
	}
	return plan.NewGoalSet(goals, set.Deps)
}

// downloads is the granted folder that takes what no place is named for: the
// person's own for it, where it is granted, else the first; "": none is.
func (a *App) downloads() string {
	roots := a.conf.Roots()
	own := a.conf.Paths.Resolve("~/Downloads")
	if slices.ContainsFunc(roots, func(root string) bool { return within(root, own) }) {
		return own
	}
	if len(roots) > 0 {
		return roots[0]
	}
	return ""
}

// placed is a path as it is on this machine: a bare name lies in the first
// granted root. A folder keeps its final separator, which says that it is one.
func (a *App) placed(said string) string {
	path := a.conf.Paths.Resolve(said)
	if roots := a.conf.Roots(); !filepath.IsAbs(path) && !strings.HasPrefix(path, "~") && len(roots) > 0 {
		path = filepath.Join(roots[0], path)
	}
	return path
}

func climbs(path string) bool {
	return slices.Contains(strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' }), "..")
}

// existing looks which of the paths that the goals name are there, as facts.
// Only paths inside the granted roots are looked at.
func (a *App) existing(set plan.GoalSet) []string {
	var facts []string
	for _, g := range a.resolved(set).Goals {
		if g.GoalType != plan.FileOperation || !a.granted(g.Target) || climbs(g.Target) {
			continue
		}
		info, err := os.Lstat(g.Target)
		switch {
		case err == nil && info.IsDir() == (g.ObjectType == "folder"):
			facts = append(facts, "exists:"+g.Target)
		case os.IsNotExist(err):
			facts = append(facts, "!exists:"+g.Target)
		} // where another kind is in the way, neither is known: the tool says what is there
	}
	return facts
}

// granted reports whether path lies in a folder that file tools may touch.
func (a *App) granted(path string) bool {
	return slices.ContainsFunc(a.conf.Roots(), func(root string) bool { return within(root, path) })
}

// within reports whether path is root or below it, by spelling alone.
func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}
