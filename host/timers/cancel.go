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

const kindSchema = `{"enum": ["any", "timer", "alarm", "reminder", "goal", "watch"]}`

func listTool(o Options) tool.Tool {
	return tool.Func(tool.Spec{
		Name:        ListName,
		Description: "List pending timers, alarms, reminders and goals.",
		ArgsSchema: []byte(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {"timers": ` + kindSchema + `},
  "additionalProperties": false
}`),
		TimeoutMS: 5_000, RetryProfile: tool.RetryTransient, SideEffectClass: tool.Read, Effect: tool.EffectRead, Source: "builtin",
		CanAchieve: []string{"list_timers"},
		Effects:    []string{"timers_known"},
		Display:    display.Tool{Summary: display.OneOf("timers"), View: display.View{Messages: []string{"text"}}}.WithName(ListName),
	}, func(ctx context.Context, call tool.Call) (tool.Result, error) {
		s, err := o.Store()
		if err != nil {
			return failed(err), nil
		}
		all, err := sorted(ctx, s, text(call, "timers"), "")
		if err != nil {
			return failed(err), nil
		}
		list := []any{}
		for _, t := range all {
			list = append(list, map[string]any{"id": t.ID, "kind": t.Kind, "when": t.When, "label": t.Text, "due": t.Due.In(o.Now().Location()).Format(time.RFC3339)})
		}
		said := o.listText(all)
		if kind := text(call, "timers"); len(all) == 0 && kind != "" && kind != plan.AnyTimer {
			others, err := sorted(ctx, s, "", "")
			if err != nil {
				return failed(err), nil
			}
			said = message.New("timer.none_of_kind", "kind", kind, "count", len(others), "list", o.listText(others))
		}
		return tool.OK(map[string]any{"timers": list, "text": said.PlainValue()}), nil
	})
}

// listText says the timers, one a line.
func (o Options) listText(all []store.Timer) message.Message {
	if len(all) == 0 {
		return message.New("timer.none")
	}
	lines := make([]message.Message, len(all))
	for i, t := range all {
		lines[i] = Line(t, o.Now().Location())
	}
	return message.New("timer.list", "lines", lines)
}

// Line says a timer in one line, with the next moment in a zone.
func Line(t store.Timer, zone *time.Location) message.Message {
	return message.New("timer.line", "id", t.ID, "what", Describe(t), "moment", momentOf(t, zone), "repeats", repeats(t))
}

func cancelTool(o Options) tool.Tool {
	return tool.Func(tool.Spec{
		Name:        CancelName,
		Description: "Cancel one pending timer, alarm, reminder or goal. It has to be the only one that fits.",
		ArgsSchema: []byte(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "kind": ` + kindSchema + `,
    "label": ` + labelSchema + `,
    "id": {"type": "string", "maxLength": 16}
  },
  "additionalProperties": false
}`),
		TimeoutMS: 5_000, RetryProfile: tool.RetryNone, SideEffectClass: tool.Write, Effect: tool.EffectFile, Reversible: true, Source: "builtin",
		CanAchieve: []string{"cancel_timer", "cancel_alarm", "cancel_reminder", "cancel_goal", "cancel_watch", "cancel_any"},
		Effects:    []string{"timer_cancelled"},
		Display: display.Tool{
			Summary: [][]string{{"kind", "label"}, {"id"}, {"kind"}}, View: display.View{Messages: []string{"text"}},
		}.WithName(CancelName),
	}, func(ctx context.Context, call tool.Call) (tool.Result, error) {
		return o.cancelOne(ctx, call), nil
	})
}

// cancelOne removes the only timer that fits.
func (o Options) cancelOne(ctx context.Context, call tool.Call) tool.Result {
	s, err := o.Store()
	if err != nil {
		return failed(err)
	}
	label := text(call, "label")
	if id := text(call, "id"); id != "" {
		label = id
	}
	found, err := sorted(ctx, s, text(call, "kind"), label)
	switch {
	case err != nil:
		return failed(err)
	case len(found) == 0:
		return tool.Fail(tool.ValidationError, "no_such_timer", message.New("timer.not_found", "kind", text(call, "kind"), "text", label))
	case len(found) > 1:
		e := tool.Fail(tool.ValidationError, "several_timers", message.New("timer.several", "list", o.listText(found)))
		e.Error = e.Error.WithHint(message.New("timer.several_hint", "id", found[0].ID))
		return e
	}
	t := found[0]
	if removed, err := s.RemoveTimer(ctx, t.ID); err != nil {
		return failed(err)
	} else if !removed {
		return tool.Fail(tool.ValidationError, "no_such_timer", message.New("timer.not_found", "kind", t.Kind, "text", t.Text))
	}
	o.Changed(ctx)
	r := tool.OK(o.payload(t, message.New("timer.cancelled", "what", Describe(t), "moment", momentOf(t, o.Now().Location()))))
	r.Undo = restore(t)
	return r
}

// restore makes a cancelled timer again.
func restore(t store.Timer) *tool.Inverse {
	args := map[string]any{"when": t.When, "id": t.ID, "due": t.Due.Format(time.RFC3339Nano)}
	if t.Kind == plan.GoalTimer {
		args["goal"] = t.Text
		return &tool.Inverse{Tool: ScheduleName, Args: args}
	}
	if t.Kind == plan.WatchTimer {
		args["address"], args["changes"] = t.Text, t.Changes
		return &tool.Inverse{Tool: WatchName, Args: args}
	}
	args["kind"], args["label"] = t.Kind, t.Text
	return &tool.Inverse{Tool: SetName, Args: args}
}

func cancelAllTool(o Options) tool.Tool {
	return tool.Func(tool.Spec{
		Name:        CancelAllName,
		Description: "Cancel all pending timers, alarms, reminders or goals.",
		ArgsSchema: []byte(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {"kind": ` + kindSchema + `},
  "required": ["kind"],
  "additionalProperties": false
}`),
		TimeoutMS: 10_000, RetryProfile: tool.RetryNone, SideEffectClass: tool.Write, Effect: tool.EffectFile, Source: "builtin",
		CanAchieve: []string{"cancel_all_timer", "cancel_all_alarm", "cancel_all_reminder", "cancel_all_goal", "cancel_all_watch", "cancel_all_any"},
		Effects:    []string{"timers_cancelled"},
		Display:    display.Tool{Summary: display.OneOf("kind"), View: display.View{Messages: []string{"text"}}}.WithName(CancelAllName),
	}, func(ctx context.Context, call tool.Call) (tool.Result, error) {
		s, err := o.Store()
		if err != nil {
			return failed(err), nil
		}
		all, err := sorted(ctx, s, text(call, "kind"), "")
		if err != nil {
			return failed(err), nil
		}
		var lines []message.Message
		for _, t := range all {
			removed, err := s.RemoveTimer(ctx, t.ID)
			if err != nil {
				return failed(err), nil
			}
			if removed {
				lines = append(lines, Line(t, o.Now().Location()))
			}
		}
		o.Changed(ctx)
		return tool.OK(map[string]any{"cancelled": len(lines), "text": message.New("timer.all_cancelled", "count", len(lines), "lines", lines).PlainValue()}), nil
	})
}

// recent is how long after it was due something can be put off.
const recent = 2 * time.Hour

func snoozeTool(o Options) tool.Tool {
	return addingTool{tool.Func(tool.Spec{
		Name:        SnoozeName,
		Description: "Show the last timer, alarm or reminder again later.",
		ArgsSchema: []byte(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {"when": ` + whenSchema + `},
  "required": ["when"],
  "additionalProperties": false
}`),
		TimeoutMS: 5_000, RetryProfile: tool.RetryNone, SideEffectClass: tool.Write, Effect: tool.EffectFile, Reversible: true, Source: "builtin",
		CanAchieve: []string{"snooze_any"},
		Effects:    []string{"timer_set"},
		Display:    display.Tool{Summary: display.OneOf("when"), View: display.View{Messages: []string{"text"}}}.WithName(SnoozeName),
	}, func(ctx context.Context, call tool.Call) (tool.Result, error) {
		return o.snooze(ctx, call), nil
	}), o}
}

// snooze makes a timer like the last one that was due.
func (o Options) snooze(ctx context.Context, call tool.Call) tool.Result {
	when, err := moment.Parse(text(call, "when"))
	if err != nil || when.Repeated {
		return tool.Fail(tool.ValidationError, "bad_moment", message.New("moment.unreadable", "text", text(call, "when")))
	}
	s, err := o.Store()
	if err != nil {
		return failed(err)
	}
	now := o.Now()
	claims, err := s.TimerClaims(ctx, now.Add(-recent))
	if err != nil {
		return failed(err)
	}
	for _, c := range claims {
		if c.Kind == plan.GoalTimer || c.Kind == plan.WatchTimer {
			continue
		}
		due, err := schedule.First(when, now)
		if err != nil {
			return tool.Fail(tool.ValidationError, "moment_over", message.FromError(err))
		}
		return o.add(ctx, store.Timer{ID: newID(call), Kind: c.Kind, When: when.String(), Text: c.Text, Due: due.UTC(), CreatedAt: now.UTC(), RunID: call.RunID})
	}
	return tool.Fail(tool.ValidationError, "nothing_to_snooze", message.New("timer.nothing_to_snooze"))
}
