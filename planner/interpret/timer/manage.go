package timer

import (
	"errand/planner/moment"
	"errand/planner/plan"
)

// list reads "show my timers", "which reminders do i have", "how much time is left on the timer".
func (r *reader) list(at int) (g plan.Goal, reason string, ok bool) {
	g = plan.Goal{GoalType: plan.SystemQuery, Action: "list", ObjectType: plan.TimersType, Target: "timers"}
	if n := r.words.PhraseOf(at, "commands", "list_alone"); n > 0 && at+n == r.end {
		g.Value, _, _ = r.noun(at, "plurals")
		if g.Value == "" {
			g.Value = plan.PlainTimer
		}
		return g, "", true
	}
	i, ok := r.command(at, "list")
	if !ok {
		return g, "", false
	}
	i = r.skip(i, "list_tail") // «какие у меня стоят таймеры»
	kind, next, ok := r.noun(i, "plurals")
	if !ok {
		kind, next, ok = r.noun(i, "nouns")
	}
	if next = r.skip(next, "list_tail"); !ok || !r.isEnd(next) {
		return g, "", false
	}
	g.Value = kind
	return g, "", true
}

// cancelAll reads "cancel all reminders", "delete my alarms".
func (r *reader) cancelAll(at int) (g plan.Goal, reason string, ok bool) {
	i, ok := r.command(at, "cancel_all")
	if !ok {
		return g, "", false
	}
	kind, next, ok := r.noun(i, "plurals")
	if !ok || !r.isEnd(next) {
		return g, "", false
	}
	return plan.Goal{GoalType: plan.SystemControl, Action: plan.CancelAllAction, ObjectType: kind}, "", true
}

// maxLabel is the largest number of words between "the" and "timer".
const maxLabel = 6

// cancel reads "cancel the timer", "cancel the pasta timer", "cancel the reminder to call mom".
func (r *reader) cancel(at int) (g plan.Goal, reason string, ok bool) {
	i, ok := r.command(at, "cancel")
	if !ok {
		return g, "", false
	}
	for j := i; j < min(r.end, i+maxLabel); j++ {
		kind, next, ok := r.noun(j, "nouns")
		if !ok {
			continue
		}
		g = plan.Goal{GoalType: plan.SystemControl, Action: plan.CancelAction, ObjectType: kind, Value: r.cut(i, j)}
		if r.isEnd(next) {
			return g, "", true
		}
		if g.Value != "" {
			return g, "", false
		}
		return r.labelled(g, next)
	}
	return g, "", false
}

// snooze reads "snooze", "snooze for 10 minutes", "remind me again in an hour".
func (r *reader) snooze(at int) (g plan.Goal, reason string, ok bool) {
	i, ok := r.command(at, "snooze")
	if !ok {
		return g, "", false
	}
	when, next := r.duration(i)
	if next == i {
		when, next = r.prefix(i)
	}
	if next == i {
		when, _ = moment.Parse("in 10m")
	}
	if when.Repeated || !r.isEnd(next) {
		return g, "", false
	}
	return plan.Goal{GoalType: plan.SystemControl, Action: plan.SnoozeAction, ObjectType: plan.AnyTimer, Target: when.String()}, "", true
}
