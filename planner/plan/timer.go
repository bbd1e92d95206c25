package plan

import "slices"

// Kinds of timers: the object types of system_control for them. A goal in Value runs at its time.
const (
	PlainTimer    = "timer"
	AlarmTimer    = "alarm"
	ReminderTimer = "reminder"
	GoalTimer     = "goal"
	WatchTimer    = "watch" // the page whose address is in Value is looked at again and again
	AnyTimer      = "any"   // to cancel and to snooze
)

// Which changes of a watched page a tool tells.
const (
	FirstChange = "first"
	EveryChange = "every"
)

// TimerKinds are the object types of goals about timers.
var timerKinds = []string{PlainTimer, AlarmTimer, ReminderTimer, GoalTimer, WatchTimer, AnyTimer}

// Actions of system_control on timers, with keys such as "set_reminder" and "schedule_goal". Target is
// when the timer is due, as package moment writes it, and Value the text of a reminder, the name of a
// timer or the words of the goal. A system_query with the action list and the object type timers lists
// those of the kind in Value. [SetAction] watches a page until it changes, [KeepAction] goes on after that.
const (
	ScheduleAction  = "schedule"
	CancelAction    = "cancel"
	CancelAllAction = "cancel_all"
	SnoozeAction    = "snooze"
	KeepAction      = "keep"
	TimersType      = "timers"
)

// ControlsTimer reports whether a goal is about a timer.
func (g Goal) ControlsTimer() bool {
	return g.GoalType == SystemControl && slices.Contains(timerKinds, g.ObjectType)
}
