package system

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"errand/host/tool"
	"errand/planner/message"
)

// QueryName is the name of the tool that reports the machine's state.
const QueryName = "system.query"

// sources return the values of one target each, as a small object of plain JSON
// values. Keys include the unit, and "text" is a line for people.
var sources = map[string]func(ctx context.Context, o Options) (map[string]any, error){
	"time":         clock,
	"date":         date,
	"battery":      battery,
	"disk":         diskSpace,
	"memory":       memory,
	"cpu":          processor,
	"ip":           addresses,
	"os":           operatingSystem,
	"running_apps": runningApps,
	"uptime":       uptime,
	"hostname":     hostname,
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
		Display:         Displays()[QueryName],
	}, func(ctx context.Context, call tool.Call) (tool.Result, error) {
		target, _ := call.Args["target"].(string)
		source, ok := sources[target]
		if !ok {
			return tool.Fail(tool.ValidationError, "unknown_target", message.New("system.unknown_target", "query_name", QueryName, "target", target, "value", strings.Join(Targets(), ", "))), nil
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
		"text":               "It is " + now.Format("15:04") + ".",
	}, nil
}

func date(_ context.Context, o Options) (map[string]any, error) {
	now := o.Now()
	_, week := now.ISOWeek()
	return map[string]any{
		"date":     now.Format(time.DateOnly),
		"weekday":  now.Weekday().String(),
		"iso_week": float64(week),
		"text":     "It is " + now.Format("Monday, 2 January 2006") + ".",
	}, nil
}

// size formats bytes in binary units, as file managers do.
func size(bytes uint64) string {
	const units = "KMGTPE"
	if bytes < 1024 {
		return fmt.Sprintf("%d B", bytes)
	}
	v, u := float64(bytes)/1024, 0
	for v >= 1024 && u < len(units)-1 {
		v, u = v/1024, u+1
	}
	return fmt.Sprintf("%.1f %ciB", v, units[u])
}

// span formats a duration in its two largest units.
func span(d time.Duration) string {
	minutes := int(d.Minutes())
	days, hours, rest := minutes/(24*60), minutes/60%24, minutes%60
	switch {
	case days > 0:
		return fmt.Sprintf("%s, %s", count(days, "day"), count(hours, "hour"))
	case hours > 0:
		return fmt.Sprintf("%s, %s", count(hours, "hour"), count(rest, "minute"))
	}
	return count(rest, "minute")
}

func count(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

// round keeps one decimal, because the values are not more precise.
func round(v float64) float64 { return float64(int(v*10+0.5)) / 10 }
