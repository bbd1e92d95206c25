package system

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// QueryName is the name of the tool that reports the machine's state.
const QueryName = "system.query"

// sources return the values of one target each, as a small object of plain JSON
// values. Keys include the unit, and "text" is a message for people, as [message.Message.PlainValue]
// has it.
var sources = map[string]func(ctx context.Context, o Options) (map[string]any, error){
	"time":           clock,
	"date":           date,
	"battery":        battery,
	"disk":           diskSpace,
	"memory":         memory,
	"cpu":            processor,
	"ip":             addresses,
	"os":             operatingSystem,
	"running_apps":   runningApps,
	"installed_apps": installedApps,
	"uptime":         uptime,
	"hostname":       hostname,
}

// Targets returns the sorted targets of system.query.
func Targets() []string { return slices.Sorted(maps.Keys(sources)) }

func queryTool(o Options) tool.Tool {
	enum := `"` + strings.Join(Targets(), `", "`) + `"`
	schema := fmt.Sprintf(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {"target": {"enum": [%s]}},
  "required": ["target"],
  "additionalProperties": false
}`, enum)
	return tool.Func(tool.Spec{
		Name:            QueryName,
		Description:     "Tell something about this machine: " + strings.Join(Targets(), ", ") + ".",
		ArgsSchema:      []byte(schema),
		TimeoutMS:       5_000,
		RetryProfile:    tool.RetryTransient,
		SideEffectClass: tool.Read,
		Effect:          tool.EffectRead,
		CanAchieve:      []string{"system_query"},
		Source:          "builtin",
		Display:         display.Tool{Summary: display.OneOf("target"), View: display.View{Messages: []string{"text"}}}.WithName(QueryName),
	}, func(ctx context.Context, call tool.Call) (tool.Result, error) {
		target, _ := call.Args["target"].(string)
		source, ok := sources[target]
		if !ok {
			return tool.Fail(tool.ValidationError, "unknown_target", message.New("system.unknown_target", "tool", QueryName, "target", target, "targets", Targets())), nil
		}
		answer, err := source(ctx, o)
		if ctx.Err() != nil {
			return tool.Result{Error: tool.AsError(ctx.Err())}, nil
		}
		if err != nil {
			return tool.Fail(tool.ExecutionError, "query_failed", message.New("system.query_failed", "target", target, "cause", err)), nil
		}
		answer["target"] = target
		return tool.OK(answer), nil
	})
}

func clock(_ context.Context, o Options) (map[string]any, error) {
	now := o.Now()
	zone, offset := now.Zone()
	return map[string]any{
		"time":               now.Format(time.RFC3339),
		"zone":               zone,
		"utc_offset_minutes": float64(offset / 60),
		"text":               message.New("answer.machine_time", "time", now).PlainValue(),
	}, nil
}

func date(_ context.Context, o Options) (map[string]any, error) {
	now := o.Now()
	_, week := now.ISOWeek()
	return map[string]any{
		"date":     now.Format(time.DateOnly),
		"weekday":  now.Weekday().String(),
		"iso_week": float64(week),
		"text":     message.New("answer.machine_date", "date", now.Format(time.DateOnly)).PlainValue(),
	}, nil
}

// span says a duration in its two largest units.
func span(d time.Duration) message.Message {
	minutes := int(d.Minutes())
	days, hours, rest := minutes/(24*60), minutes/60%24, minutes%60
	switch {
	case days > 0:
		return message.New("answer.machine_days", "days", days, "hours", hours)
	case hours > 0:
		return message.New("answer.machine_hours", "hours", hours, "minutes", rest)
	}
	return message.New("answer.machine_minutes", "minutes", rest)
}

// roundToTenth keeps one decimal, because the values are not more precise.
func roundToTenth(v float64) float64 { return float64(int(v*10+0.5)) / 10 }
