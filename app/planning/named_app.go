package planning

import (
	"fmt"
	"slices"

	"errand/planner/installed"
	"errand/planner/interpret"
	"errand/planner/message"
	"errand/planner/plan"
)

// appQuestion is the id of the question which installed app is meant. That about a second app ends
// in "_2", and so on.
const appQuestion = "app"

// nameApps looks up the installed apps that goals start. An app of the catalogue whose programs are
// missing is replaced by an installed app with one of its names, such as one from Flatpak. If several
// have one, the user is asked.
func (p *Planner) nameApps(in Interpretation, find installed.Finder, answers map[string]string) Interpretation {
	if find == nil {
		return in
	}
	goals, asked := slices.Clone(in.Goals), 0
	for i := range goals {
		g := &goals[i]
		if g.GoalType != plan.AppLaunch && !(g.ControlsApp() && installed.IsID(g.Target)) {
			continue
		}
		apps := find(p.lookupOf(in, *g)).Exact
		if len(apps) > 1 {
			id := appQuestion
			if asked++; asked > 1 {
				id = fmt.Sprintf("%s_%d", appQuestion, asked)
			}
			chosen := slices.IndexFunc(apps, func(a installed.App) bool { return a.ID == answers[id] })
			if chosen < 0 {
				return askApp(in, id, apps)
			}
			apps = apps[chosen : chosen+1]
		}
		for _, a := range apps {
			if in.apps == nil {
				in.apps = map[string]installed.App{}
			}
			in.apps[a.ID], g.Target = a, a.ID
		}
	}
	in.Goals, in.files.Set.Goals = goals, slices.Clone(goals)
	return in
}

// appsOf finds the installed apps that the words of a request may mean. A given world has only
// what the catalogue has, so that plan checks give the same result on every machine.
func (p *Planner) appsOf(r Request) installed.Finder {
	if r.World != nil {
		return nil
	}
	return p.apps
}

// lookupOf asks for the installed app of a goal: by its id, in place of an app of the catalogue, or
// by its name.
func (p *Planner) lookupOf(in Interpretation, g plan.Goal) installed.Lookup {
	l := installed.Lookup{Language: in.Language}
	_, known := p.Conf.Catalogue.App(g.Target)
	switch {
	case installed.IsID(g.Target):
		l.ID = g.Target
	case known:
		l.Instead = g.Target
		for _, e := range in.Evidence {
			if e.GoalID == g.GoalID && e.Slot == "target" {
				l.Words = e.Words
			}
		}
	default:
		l.Words = g.Target
	}
	return l
}

// askApp asks which of several apps is meant.
func askApp(in Interpretation, id string, apps []installed.App) Interpretation {
	q := plan.Question{ID: id, Question: message.New("question.which_installed")}
	for _, a := range apps {
		q.Choices = append(q.Choices, plan.Choice{Label: message.New("question.choice_app", "app", a.Name, "file", a.File), Value: a.ID})
	}
	in = withoutGoals(in, interpret.Ambiguous, q.Question)
	in.Questions = []plan.Question{q}
	return in
}
