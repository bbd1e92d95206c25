package followup

import (
	"slices"
	"strings"

	"errand/planner/interpret"
	"errand/planner/message"
	"errand/planner/plan"
)

// cancelTimer cancels the timer that the last goal set. It is false after any other goal.
func (r *Reader) cancelTimer(text string) (Result, bool) {
	run := r.Context.Run
	if len(run.Goals.Goals) != 1 || !r.checkRun(run).IsZero() {
		return Result{}, false
	}
	g := run.Goals.Goals[0]
	if g.ObjectType == plan.TimersType && g.Value != "" { // the list of all timers: the only one is cancelled
		g = plan.Goal{GoalID: g.GoalID, GoalType: plan.SystemControl, Action: plan.SetAction, ObjectType: g.Value}
	}
	if !g.ControlsTimer() || !slices.Contains([]string{plan.SetAction, plan.ScheduleAction, plan.KeepAction}, g.Action) {
		return Result{}, false
	}
	label := g.Value
	if length, ok := strings.CutPrefix(g.Target, "in "); ok && label == "" {
		label = length
	}
	goals := plan.GoalSet{Kind: run.Goals.Kind, Goals: []plan.Goal{{GoalID: g.GoalID, GoalType: g.GoalType, Action: plan.CancelAction, ObjectType: g.ObjectType, Value: label}}}
	return Result{Wish: Cancel, Goals: goals, Means: []Meaning{{Words: strings.TrimSpace(text), Goal: run.Words, Age: run.Age}}}, true
}

// listTimers tells how long is left of the timer that the last goal set. It is false after any other goal.
func (r *Reader) listTimers(text string) (Result, bool) {
	run, g, ok := r.timerRun()
	if !ok {
		return Result{}, false
	}
	goals := plan.NewGoalSet([]plan.Goal{{GoalID: "g1", GoalType: plan.SystemQuery, Target: "timers", Action: plan.ListAction, ObjectType: "timers", Value: g.ObjectType}}, nil)
	return Result{Wish: Left, Goals: goals, Means: []Meaning{{Words: strings.TrimSpace(text), Goal: run.Words, Age: run.Age}}}, true
}

// timerRun is the last goal, if it set a timer, an alarm or a reminder.
func (r *Reader) timerRun() (run Run, g plan.Goal, ok bool) {
	run = r.Context.Run
	if len(run.Goals.Goals) != 1 || !r.checkRun(run).IsZero() {
		return run, g, false
	}
	g = run.Goals.Goals[0]
	return run, g, g.ControlsTimer() && g.Action == plan.SetAction && g.ObjectType != plan.WatchTimer
}

// setAgain sets the timer of the last goal for another duration: "set it again for 20 minutes". A number
// alone counts minutes. It is false after any other goal and for any other words.
func (r *Reader) setAgain(f FollowUp) (Result, bool) {
	run, g, ok := r.timerRun()
	if !ok || g.ObjectType != plan.PlainTimer {
		return Result{}, false
	}
	for _, unit := range []string{"", " minutes"} {
		read := r.Interpreter.Read("timer " + f.Query + unit)
		if read.Status != interpret.OK || len(read.Goals.Goals) != 1 {
			continue
		}
		if next := read.Goals.Goals[0]; next.ObjectType == g.ObjectType && next.Action == g.Action && next.Value == "" {
			g.Target = next.Target
			return Result{Wish: f.Kind, Goals: plan.NewGoalSet([]plan.Goal{g}, nil), Means: r.meansGoal(run)}, true
		}
	}
	return Result{}, false
}

// lengthenTimer says that a timer which runs can't be changed: "add 5 more minutes". It is false if the last
// goal set none.
func (r *Reader) lengthenTimer() (Result, bool) {
	run, _, ok := r.timerRun()
	return Result{Wish: Longer, Reason: message.New("follow_up.timer_fixed", "goal", run.Words)}, ok
}
