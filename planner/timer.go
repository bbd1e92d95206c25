package planner

import (
	"slices"

	"errand/planner/message"
	"errand/planner/moment"
	"errand/planner/plan"
)

// readTimer reads a goal about a timer.
func (a *agenda) readTimer(m *aim) {
	g := &m.goal
	m.effect = "timer_set"
	switch m.action {
	case plan.SetAction, plan.ScheduleAction, plan.SnoozeAction, plan.KeepAction:
		if _, err := moment.Parse(g.Target); err != nil {
			m.refusal = message.FromError(err)
		} else if g.ObjectType == plan.GoalTimer && g.Value == "" {
			m.refusal = message.New("reason.no_goal_for_later")
		} else if g.ObjectType == plan.WatchTimer && g.Value == "" {
			m.refusal = message.New("reason.no_page_to_watch")
		}
	case plan.CancelAction:
		m.effect = "timer_cancelled"
	case plan.CancelAllAction:
		m.effect = "timers_cancelled"
	default:
		m.refusal = message.New("reason.unknown_control")
	}
}

// putTimerArgs adds the arguments of a tool for a goal about a timer. It returns false if the tool has no
// parameter for one.
func (m aim) putTimerArgs(params []string, args map[string]any) bool {
	ok := true
	put := func(name, value string) {
		if value == "" {
			return
		}
		if !slices.Contains(params, name) {
			ok = false
			return
		}
		args[name] = value
	}
	g := m.goal
	put("when", g.Target)
	if g.ObjectType == plan.WatchTimer && (m.action == plan.SetAction || m.action == plan.KeepAction) {
		put("address", g.Value)
		put("changes", map[bool]string{true: plan.EveryChange, false: plan.FirstChange}[m.action == plan.KeepAction])
		return ok
	}
	if m.action == plan.ScheduleAction {
		put("goal", g.Value)
		return ok
	}
	put("label", g.Value)
	if m.action != plan.SnoozeAction {
		put("kind", g.ObjectType)
	}
	return ok
}

// previewTimer describes a goal about a timer.
func (m aim) previewTimer() message.Message {
	g := m.goal
	return message.New("plan.timer", "action", m.action, "kind", g.ObjectType, "when", oneLine(g.Target), "text", oneLine(g.Value))
}
