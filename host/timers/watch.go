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

// MinWatch is the shortest time between two looks at a page.
const MinWatch = 5 * time.Minute

func watchTool(o Options) tool.Tool {
	return addingTool{tool.Func(tool.Spec{
		Name:        WatchName,
		Description: "Look at a page again and again, and tell when its text changes.",
		ArgsSchema: []byte(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "address": {"type": "string", "minLength": 1, "maxLength": 2048, "description": "URL of the page"},
    "when": {"type": "string", "minLength": 1, "maxLength": 64, "description": "every 15m, every day 09:00"},
    "changes": {"enum": ["first", "every"], "description": "tell the first change and stop, or every one"},
    "id": {"type": "string", "pattern": "^[a-z2-7]{6}$", "description": "of a watch that was cancelled"},
    "due": {"type": "string", "maxLength": 40, "description": "when that one is due"}
  },
  "required": ["address", "when", "changes"],
  "additionalProperties": false
}`),
		TimeoutMS: 5_000, RetryProfile: tool.RetryNone, SideEffectClass: tool.Write, Effect: tool.EffectFile, Reversible: true, Source: "builtin",
		Opens:      []string{"address"},
		CanAchieve: []string{"set_watch", "keep_watch"},
		Effects:    []string{"timer_set"},
		Display: display.Tool{
			Summary: [][]string{{"address", "when"}}, Internal: []string{"id", "due", "changes"},
			View: display.View{Messages: []string{"text"}},
		}.WithName(WatchName),
	}, func(ctx context.Context, call tool.Call) (tool.Result, error) {
		return o.newWatch(ctx, call), nil
	}), o}
}

// newWatch makes the watch of a call. The first look is due at once: later ones are compared with it.
func (o Options) newWatch(ctx context.Context, call tool.Call) tool.Result {
	if call.Secret {
		return tool.Fail(tool.ValidationError, "secret_timer", message.New("timer.secret"))
	}
	when, err := moment.Parse(text(call, "when"))
	if err == nil && !when.Repeated {
		err = message.Error("timer.watch_repeats")
	} else if err == nil && when.Seconds > 0 && time.Duration(when.Seconds)*time.Second < MinWatch {
		err = message.Error("timer.watch_too_often", "minutes", int(MinWatch/time.Minute))
	}
	if err != nil {
		return tool.Fail(tool.ValidationError, "bad_moment", message.FromError(err))
	}
	now := o.Now()
	if _, err := schedule.First(when, now); err != nil {
		return tool.Fail(tool.ValidationError, "moment_over", message.FromError(err))
	}
	t := store.Timer{
		ID: newID(call), Kind: plan.WatchTimer, When: when.String(), Text: text(call, "address"), Changes: text(call, "changes"),
		Due: now.UTC(), CreatedAt: now.UTC(), RunID: call.RunID,
	}
	if id := text(call, "id"); id != "" {
		t.ID = id
	}
	return o.add(ctx, t)
}
