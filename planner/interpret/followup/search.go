package followup

import (
	"slices"

	"errand/planner/interpret"
	"errand/planner/plan"
)

// firstFound reads "open the newest one" after a goal that found or listed files of one folder: the first of
// them by that order. It is false for other words and goals.
func (r *Reader) firstFound(text string, ref Reference) (plan.GoalSet, []Meaning, bool) {
	run := r.Context.Run
	if ref.Order == "" || len(run.Goals.Goals) != 1 || !r.checkRun(run).IsZero() {
		return plan.GoalSet{}, nil, false
	}
	found := run.Goals.Goals[0]
	isChosen := found.AreFiles() && found.Limit == 1 // by such words too
	if found.GoalType != plan.FileOperation || found.Action != plan.FindAction && found.Action != plan.ListAction && !isChosen {
		return plan.GoalSet{}, nil, false
	}
	read, ok := r.readOne(text, ref, probes[0])
	if !ok {
		return plan.GoalSet{}, nil, false
	}
	g, filter := read.Goals.Goals[0], plan.ParseFileFilter(found.Value)
	filter.Order = ref.Order
	g.ObjectType, g.Target, g.Query, g.Value, g.Limit = plan.FilesType, found.Target, found.Query, filter.String(), 1
	return plan.NewGoalSet([]plan.Goal{g}, nil), r.meansGoal(run), true
}

// searchThere reads "search for cats there" after a goal that opened or searched a site: a search of that site. It
// is false for other words and goals.
func (r *Reader) searchThere(text string, ref Reference) (Result, bool) {
	run := r.Context.Run
	if len(run.Goals.Goals) != 1 || !r.checkRun(run).IsZero() {
		return Result{}, false
	}
	site := run.Goals.Goals[0].Platform
	if site == "" || !r.Interpreter.Words().Catalogue.Searchable(site) {
		return Result{}, false
	}
	read := r.Interpreter.Read(text[:ref.Start] + text[ref.End:])
	searches := read.Status == interpret.OK && len(read.Goals.Goals) == 1 && read.Goals.Goals[0].GoalType == plan.BrowserSearch
	if !searches || IsTopic(read.Evidence) || slices.ContainsFunc(read.Evidence, func(e interpret.Evidence) bool { return e.Slot == "platform" }) {
		return Result{}, false
	}
	g := read.Goals.Goals[0]
	g.Platform = site
	return Result{Wish: Into, Goals: plan.NewGoalSet([]plan.Goal{g}, nil), Means: []Meaning{{Words: ref.Words(text), Goal: run.Words, Age: run.Age}}}, true
}
