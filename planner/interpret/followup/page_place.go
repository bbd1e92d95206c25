package followup

import (
	"fmt"
	"net/url"
	"slices"

	"errand/planner/interpret"
	"errand/planner/message"
	"errand/planner/plan"
)

// onResults is the answer to [Question] that takes a result of the open page.
const onResults = "page"

// resultOnPage reads "open the second one" as the second result of the page that was shown last, and
// "read the second one" as that result, opened and read there. It is false where the last list is
// meant: the page is of that list, or no goal after the list was about a page.
func (r *Reader) resultOnPage(text string, ref Reference, missing Missing) (onPage, bool) {
	page, opens := r.Context.lastShown()
	if page == nil || ref.Nth == 0 || !fits(ref.Noun, Page) || !r.Context.isOver(*page, ref, missing) {
		return onPage{}, false
	}
	probe := probes[1]
	read := r.Interpreter.ReadNamed(text, namesOf(ref, probe), r.Answers)
	if read.Status != interpret.OK {
		return onPage{}, false
	}
	result := plan.Goal{GoalType: plan.PageControl, Action: "open", ObjectType: "result", Limit: ref.Nth}
	if ref.Nth == ofList {
		result.Limit, result.Value = 0, plan.LastOne
	}
	goals := []plan.Goal{result}
	if opens {
		goals = []plan.Goal{{GoalType: plan.BrowserNavigate, Target: page.Ref}, result}
	}
	for _, g := range read.Goals.Goals {
		switch {
		case g.GoalType != plan.BrowserNavigate || g.Target != probe.Ref:
			return onPage{}, false
		case g.Action == "":
		case plan.MeansOpenPage(g.Action + "_" + g.ObjectType):
			g.GoalType, g.Target, g.Platform = plan.PageControl, "", ""
			goals = append(goals, g)
		default:
			return onPage{}, false
		}
	}
	for i := range goals {
		goals[i].GoalID = fmt.Sprint("g", i+1)
	}
	return onPage{*page, plan.NewGoalSet(goals, nil)}, true
}

// onPage are goals that take a result of a page.
type onPage struct {
	page  Thing
	goals plan.GoalSet
}

// lastShown is the page that was shown last: that of the visible browser, or, where a later goal was about
// another page that was not shown there, or there is no such browser, the page of that goal. opens says
// that it has to be opened first.
func (c Context) lastShown() (page *Thing, opens bool) {
	if c.Window != nil && !c.ranUnseen() {
		return c.Window, false
	}
	if len(c.Page.Things) != 1 || IsOld(c.Page.Age) {
		return nil, false
	}
	return &c.Page.Things[0], true
}

// ranUnseen reports whether the last goal about a page used another page than the visible browser shows, not in
// it.
func (c Context) ranUnseen() bool {
	return c.Window != nil && c.Page.IsUnseen && !IsOld(c.Page.Age) && !slices.ContainsFunc(c.Page.Things, func(t Thing) bool { return t.Ref == c.Window.Ref })
}

// isOver reports whether a place can be one of a page's results, and not one of the last list.
func (c Context) isOver(page Thing, ref Reference, missing Missing) bool {
	if missing == NoList {
		return c.Window != nil || ref.isListed() || c.isOfSearch(page)
	}
	if missing == Other && ref.isListed() && c.isOfSearch(page) || ref.Noun == result && c.Window != nil && c.List.hasFiles() {
		return true
	}
	return c.List.isBefore(page)
}

// isListed reports whether a noun means something that a page lists.
func (r Reference) isListed() bool { return r.Noun == link || r.Noun == result }

// hasFiles reports whether a list has files or folders, which "the first result" may mean too.
func (l List) hasFiles() bool {
	return slices.ContainsFunc(l.Things, func(t Thing) bool { return t.Kind.IsPath() })
}

// isBefore reports whether a list was shown before the user went to another page.
func (l List) isBefore(shown Thing) bool {
	return l.IsStale && l.From != shown.Ref && !slices.ContainsFunc(l.Things, func(t Thing) bool { return t.Ref == shown.Ref })
}

// isOfSearch reports whether a page has the results of the last search.
func (c Context) isOfSearch(page Thing) bool {
	query, _ := c.Search.Query()
	if query == "" || IsOld(c.Search.Age) {
		return false
	}
	shown, err := url.Parse(page.Ref)
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

// IsMeantOverPage reports whether words for a page or for a place, such as "the second result", may mean
// something else than the page that the visible browser shows: the last list, if it is of another page and was
// shown later; the page of a later goal that ran unseen; or a result, if the page has those of a search.
func (c Context) IsMeantOverPage() bool {
	if c.Window == nil {
		return false
	}
	l := c.List
	isNewer := !IsOld(l.Age) && !l.IsStale && (l.From != "" && c.Window.Ref != l.From || l.hasFiles())
	return len(l.Things) > 0 && isNewer || c.ranUnseen() || c.isOfSearch(*c.Window)
}

// chooseResult takes a result of a page, or asks if the last list may be meant too.
func (r *Reader) chooseResult(text string, ref Reference, things []Candidate, on onPage) Result {
	answer := r.Answers[Question]
	if i := slices.IndexFunc(things, func(c Candidate) bool { return c.Ref == answer }); i >= 0 {
		return r.take(text, ref, things[i])
	}
	isSearch := r.Context.List.IsBeforeSearch && r.Context.isOfSearch(on.page)
	if len(things) == 0 || answer == onResults || ref.Noun == link || ref.Noun == result && !r.Context.List.hasFiles() || isSearch {
		return Result{Wish: Refer, Goals: on.goals, Means: []Meaning{{Words: ref.Words(text), Thing: on.page, Nth: ref.Nth}}}
	}
	q := ask("question.follow_up", text, ref, things)
	q.Choices = append(q.Choices, plan.Choice{
		Label: message.New("question.choice_result", "nth", ref.Nth, "page", on.page.Name()), Value: onResults,
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
