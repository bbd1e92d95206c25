package followup

import (
	"net/url"
	"slices"

	"errand/planner/interpret"
	"errand/planner/message"
	"errand/planner/plan"
)

// onResults is the answer to [Question] that takes a result of the open page.
const onResults = "page"

// resultOnPage reads "open the second one" as the second result of the page that the visible browser
// shows. It is false where the last list is meant: the page is of that list, or no goal after the
// list was about a page.
func (r *Reader) resultOnPage(text string, ref Reference, missing Missing) (plan.GoalSet, bool) {
	w := r.Context.Window
	if w == nil || ref.Nth == 0 || !fits(ref.Noun, Page) || missing != NoList && !r.Context.List.isBefore(*w) {
		return plan.GoalSet{}, false
	}
	read := r.Interpreter.ReadNamed(text, namesOf(ref, probes[1]), r.Answers)
	goals := read.Goals.Goals
	if read.Status != interpret.OK || len(goals) != 1 || goals[0].GoalType != plan.BrowserNavigate || goals[0].Action != "" || goals[0].Target != probes[1].Ref {
		return plan.GoalSet{}, false
	}
	g := plan.Goal{GoalID: goals[0].GoalID, GoalType: plan.PageControl, Action: "open", ObjectType: "result", Limit: ref.Nth}
	if ref.Nth == ofList {
		g.Limit, g.Value = 0, plan.LastOne
	}
	return plan.GoalSet{Kind: read.Goals.Kind, Goals: []plan.Goal{g}}, true
}

// isBefore reports whether a list was shown before the user went to another page.
func (l List) isBefore(shown Thing) bool {
	return l.IsStale && l.From != shown.Ref && !slices.ContainsFunc(l.Things, func(t Thing) bool { return t.Ref == shown.Ref })
}

// showsLaterSearch reports whether the visible browser shows the results of a search after the last
// list.
func (c Context) showsLaterSearch() bool {
	query, _ := c.Search.Query()
	if !c.List.IsBeforeSearch || query == "" || IsOld(c.Search.Age) {
		return false
	}
	shown, err := url.Parse(c.Window.Ref)
	if err != nil {
		return false
	}
	for _, values := range shown.Query() {
		if slices.Contains(values, query) {
			return true
		}
	}
	return false
}

// IsMeantOverPage reports whether words for a place, such as "the second result", mean the last list and
// not the page that the visible browser shows: the list is of another page and was shown later.
func (c Context) IsMeantOverPage() bool {
	l := c.List
	return len(l.Things) > 0 && !IsOld(l.Age) && !l.IsStale && l.From != "" && c.Window != nil && c.Window.Ref != l.From
}

// chooseResult takes a result of the open page, or asks if the last list may be meant too.
func (r *Reader) chooseResult(text string, ref Reference, things []Candidate, page plan.GoalSet) Result {
	answer := r.Answers[Question]
	if i := slices.IndexFunc(things, func(c Candidate) bool { return c.Ref == answer }); i >= 0 {
		return r.take(text, ref, things[i])
	}
	if len(things) == 0 || answer == onResults || r.Context.showsLaterSearch() {
		return Result{Wish: Refer, Goals: page, Means: []Meaning{{Words: ref.Words(text), Thing: *r.Context.Window, Nth: ref.Nth}}}
	}
	q := ask("question.follow_up", text, ref, things)
	q.Choices = append(q.Choices, plan.Choice{
		Label: message.New("question.choice_result", "nth", ref.Nth, "page", r.Context.Window.Name()), Value: onResults,
	})
	return Result{Wish: Refer, Question: q}
}

// onOpenPage returns the goals of a text that reads, lists or saves a page, if it is the page that the
// visible browser shows: they use it as it is there, with what the user is signed in to.
func (r *Reader) onOpenPage(text string, ref Reference, th Thing) (plan.GoalSet, bool) {
	if w := r.Context.Window; w == nil || th.Kind != Page || th.Ref != w.Ref {
		return plan.GoalSet{}, false
	}
	read := r.Interpreter.ReadNamed(text, namesOf(ref, th), r.Answers)
	if read.Status != interpret.OK {
		return plan.GoalSet{}, false
	}
	set := plan.GoalSet{Kind: read.Goals.Kind, Goals: slices.Clone(read.Goals.Goals), Deps: read.Goals.Deps}
	for i, g := range set.Goals {
		if g.GoalType != plan.BrowserNavigate || !isPageOf(read, g, ref) || !plan.MeansOpenPage(g.Action+"_"+g.ObjectType) {
			return plan.GoalSet{}, false
		}
		set.Goals[i].GoalType, set.Goals[i].Target, set.Goals[i].Platform = plan.PageControl, "", ""
	}
	return set, true
}
