package timers

import (
	"context"
	"time"

	"errand/host/schedule"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
	"errand/planner/moment"
	"errand/planner/plan"
)

const (
	whenSchema  = `{"type": "string", "minLength": 1, "maxLength": 64, "description": "in 20m, at 09:00, tomorrow 09:00, fri 09:00, 2027-03-03 09:00, every 20m, every day 09:00, every mon,fri 09:00, every month 31 09:00"}`
	labelSchema = `{"type": "string", "maxLength": 500}`
)

// maxYears bounds the moment of a timer that is made again. The furthest one that words reach is a date
// of the year after next.
const maxYears = 3

// addingTool can tell whether a call that died has made its timer.
type addingTool struct {
	tool.Tool
	o Options
}

// Reconcile looks for the timer of a call.
func (t addingTool) Reconcile(ctx context.Context, call tool.Call) (tool.Reconciled, error) {
	s, err := t.o.Store()
	if err != nil {
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	all, err := s.Timers(ctx)
	if err != nil {
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	for _, timer := range all {
		if timer.ID == newID(call) {
			return tool.Reconciled{Effect: tool.Committed, Result: t.o.added(ctx, timer)}, nil
		}
	}
	return tool.Reconciled{Effect: tool.Unknown}, nil // it may have been due since
}

func setTool(o Options) tool.Tool {
	return addingTool{tool.Func(tool.Spec{
		Name:        SetName,
		Description: "Set a timer, an alarm or a reminder.",
		ArgsSchema: []byte(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "kind": {"enum": ["timer", "alarm", "reminder"]},
    "when": ` + whenSchema + `,
    "label": ` + labelSchema + `,
    "id": {"type": "string", "pattern": "^[a-z2-7]{6}$", "description": "of a timer that was cancelled"},
    "due": {"type": "string", "maxLength": 40, "description": "when that one is due"}
  },
  "required": ["kind", "when"],
  "additionalProperties": false
}`),
		TimeoutMS: 5_000, RetryProfile: tool.RetryNone, SideEffectClass: tool.Write, Effect: tool.EffectFile, Reversible: true, Source: "builtin",
		CanAchieve: []string{"set_timer", "set_alarm", "set_reminder"},
		Effects:    []string{"timer_set"},
		Display: display.Tool{
			Summary: [][]string{{"kind", "label", "when"}, {"kind", "when"}}, Internal: []string{"id", "due"},
			View: display.View{Messages: []string{"text"}},
		}.WithName(SetName),
	}, func(ctx context.Context, call tool.Call) (tool.Result, error) {
		return o.newTimer(ctx, call, text(call, "kind"), text(call, "label")), nil
	}), o}
}

func scheduleTool(o Options) tool.Tool {
	return addingTool{tool.Func(tool.Spec{
		Name:        ScheduleName,
		Description: "Run a goal at a time, once or again and again. What needs approval then waits as a draft.",
		ArgsSchema: []byte(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "when": ` + whenSchema + `,
    "goal": {"type": "string", "minLength": 1, "maxLength": 1000, "description": "in words"},
    "id": {"type": "string", "pattern": "^[a-z2-7]{6}$", "description": "of a goal that was cancelled"},
    "due": {"type": "string", "maxLength": 40, "description": "when that one is due"}
  },
  "required": ["when", "goal"],
  "additionalProperties": false
}`),
		TimeoutMS: 5_000, RetryProfile: tool.RetryNone, SideEffectClass: tool.Write, Effect: tool.EffectFile, Reversible: true, Source: "builtin",
		CanAchieve: []string{"schedule_goal"},
		Effects:    []string{"timer_set"},
		Display: display.Tool{
			Summary: [][]string{{"goal", "when"}}, Internal: []string{"id", "due"},
			View: display.View{Messages: []string{"text"}},
		}.WithName(ScheduleName),
	}, func(ctx context.Context, call tool.Call) (tool.Result, error) {
		return o.newTimer(ctx, call, plan.GoalTimer, text(call, "goal")), nil
	}), o}
}

// newTimer makes the timer of a call.
func (o Options) newTimer(ctx context.Context, call tool.Call, kind, label string) tool.Result {
	if call.Secret {
		return tool.Fail(tool.ValidationError, "secret_timer", message.New("timer.secret"))
	}
	when, err := moment.Parse(text(call, "when"))
	if err != nil {
		return tool.Fail(tool.ValidationError, "bad_moment", message.FromError(err))
	}
	now := o.Now()
	due, err := schedule.First(when, now)
	if err != nil {
		return tool.Fail(tool.ValidationError, "moment_over", message.FromError(err))
	}
	t := store.Timer{ID: newID(call), Kind: kind, When: when.String(), Text: label, Due: due.UTC(), CreatedAt: now.UTC(), RunID: call.RunID}
	if id := text(call, "id"); id != "" {
		t.ID = id
	}
	if earlier, err := time.Parse(time.RFC3339Nano, text(call, "due")); err == nil && earlier.After(now) && earlier.Before(now.AddDate(maxYears, 0, 0)) {
		t.Due = earlier.UTC()
	}
	return o.add(ctx, t)
}
