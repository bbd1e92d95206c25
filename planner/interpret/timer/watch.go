package timer

import (
	"strings"

	"errand/planner/plan"
)

// often is how often a page is looked at where the words don't say it.
const often = "every 15m"

// maxPage is the largest number of words that name a page.
const maxPage = 8

// watchForm is a form of sentences about a page that changes: kinds of phrases before and after the
// page. A phrase that may be missing begins with a question mark.
type watchForm struct {
	action string
	before []string
	after  []string
}

// watchForms are tried in this order.
var watchForms = []watchForm{
	{plan.SetAction, []string{"tell_first"}, []string{"changes"}},               // "tell me when example.com changes"
	{plan.SetAction, []string{"tell_first", "changes"}, nil},                    // «скажи, когда изменится example.com»
	{plan.KeepAction, []string{"tell_every"}, []string{"changes"}},              // "tell me whenever example.com changes"
	{plan.KeepAction, []string{"tell_every", "changes"}, nil},                   //
	{plan.SetAction, []string{"when_first"}, []string{"changes", "tell_after"}}, // "if example.com changes, tell me"
	{plan.SetAction, []string{"when_first", "changes"}, []string{"tell_after"}}, //
	{plan.KeepAction, []string{"when_every"}, []string{"changes", "tell_after"}},
	{plan.KeepAction, []string{"when_every", "changes"}, []string{"tell_after"}},
	{plan.KeepAction, []string{"watch_page"}, []string{"for_changes"}},   // "check example.com for changes"
	{plan.KeepAction, []string{"watch_alone"}, []string{"?for_changes"}}, // "keep an eye on example.com"
}

// watch reads what is to happen when a page changes, and "stop watching example.com". read returns the
// goals of a text that is understood.
func (r *reader) watch(at int, read func(text string) ([]plan.Goal, bool)) (g plan.Goal, ok bool) {
	if i, ok := r.command(at, "unwatch"); ok {
		to := i
		for to < r.end && !r.isEnd(to) {
			to++
		}
		address, ok := r.page(i, to, read)
		return plan.Goal{GoalType: plan.SystemControl, Action: plan.CancelAction, ObjectType: plan.WatchTimer, Value: address}, ok
	}
	g = plan.Goal{GoalType: plan.SystemControl, ObjectType: plan.WatchTimer, Target: often}
	at = r.repeat(&g, at) // "every hour check example.com for changes"
	for _, form := range watchForms {
		from, begins := r.phrases(&g, at, form.before)
		for to := from + 1; begins && to <= min(r.end, from+maxPage); to++ {
			now := g
			next, ends := r.phrases(&now, r.repeat(&now, to), form.after)
			if !ends || !r.isEnd(r.repeat(&now, next)) {
				continue
			}
			if now.Value, ok = r.page(from, to, read); ok {
				now.Action = form.action
				return now, true
			}
		}
	}
	return g, false
}

// repeat reads "every hour" at word i into a goal that has none yet, and returns the word after it.
func (r *reader) repeat(g *plan.Goal, i int) int {
	if g.Target != often {
		return i
	}
	from := r.skip(i, "and")
	if when, next := r.prefix(from); next > from && when.Repeated {
		g.Target = when.String()
		return r.skip(next, "and")
	}
	return i
}

// phrases reads phrases of kinds one after another, with commas between them.
func (r *reader) phrases(g *plan.Goal, i int, kinds []string) (next int, ok bool) {
	for n, kind := range kinds {
		from := i
		if n > 0 {
			from = r.skip(i, "and")
		}
		optional := kind[0] == '?'
		if optional {
			kind = kind[1:]
		}
		if i, ok = r.command(r.repeat(g, from), kind); !ok && !optional {
			return i, false
		}
	}
	return i, true
}

// page returns the address of the page that words [lo,hi) name.
func (r *reader) page(lo, hi int, read func(text string) ([]plan.Goal, bool)) (string, bool) {
	if lo >= hi || r.skip(lo, "and") > lo || r.skip(hi-1, "and") == hi {
		return "", false
	}
	if from, ok := r.command(lo, "page_noun"); ok && from < hi { // "the site example.com"
		lo = from
	}
	name := r.cut(lo, hi)
	if lo+1 == hi && strings.Contains(name, "://") { // that of a search too
		return name, true
	}
	goals, ok := read("open " + name)
	if !ok || len(goals) != 1 || goals[0].GoalType != plan.BrowserNavigate || goals[0].Action != "" || goals[0].Query != "" {
		return "", false
	}
	return goals[0].Target, goals[0].Target != ""
}
