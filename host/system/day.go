package system

import (
	"context"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // the zones of places, where the machine has no list of them

	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// Names of the tools for the time elsewhere and for days.
const (
	WorldTimeName = "system.world_time"
	DayName       = "system.day"
)

const zoneSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {"zone": {"type": "string", "minLength": 1, "maxLength": 64, "description": "a zone of the IANA database: Asia/Tokyo"}},
  "required": ["zone"],
  "additionalProperties": false
}`

const daySchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "weekday": {"type": "string", "minLength": 3, "maxLength": 16, "description": "the day whose weekday to tell: 12-25, 2027-03-03, tomorrow, +2d or fri"},
    "days": {"type": "string", "minLength": 3, "maxLength": 16, "description": "the day until which to count the days"}
  },
  "minProperties": 1,
  "maxProperties": 1,
  "additionalProperties": false
}`

// dayTools returns system.world_time and system.day.
func dayTools(o Options) []tool.Tool {
	return []tool.Tool{
		tool.Func(answering(tool.Spec{
			Name: WorldTimeName, Description: "Tell the time in a zone.", ArgsSchema: []byte(zoneSchema), CanAchieve: []string{"show_time_zone"}, Effects: []string{"time_known"},
			Display: display.Tool{Summary: display.OneOf("zone"), View: display.View{Messages: []string{"text"}}},
		}), o.tellTime),
		tool.Func(answering(tool.Spec{
			Name: DayName, Description: "Tell the weekday of a day, or count the days until it.", ArgsSchema: []byte(daySchema), CanAchieve: []string{"find_weekday", "count_days"}, Effects: []string{"day_known"},
			Display: display.Tool{Summary: [][]string{{"weekday"}, {"days"}}, View: display.View{Messages: []string{"text"}}},
		}), o.tellDay),
	}
}

// answering completes the spec of a tool that only computes.
func answering(s tool.Spec) tool.Spec {
	s.TimeoutMS, s.RetryProfile, s.SideEffectClass, s.Effect, s.Source = 5_000, tool.RetryNone, tool.Read, tool.EffectRead, "builtin"
	s.Display = s.Display.WithName(s.Name)
	return s
}

func (o Options) tellTime(_ context.Context, call tool.Call) (tool.Result, error) {
	name, _ := call.Args["zone"].(string)
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return tool.Fail(tool.ValidationError, "unknown_zone", message.New("system.unknown_zone", "zone", name)), nil
	}
	now := o.Now().In(zone)
	_, offset := now.Zone()
	return tool.OK(map[string]any{
		"zone": name, "time": now.Format(time.RFC3339), "utc_offset_minutes": float64(offset / 60),
		"text": message.New("answer.world_time", "zone", name, "clock", now.Format("15:04"), "date", now.Format(time.DateOnly), "offset", now.Format("-07:00")).PlainValue(),
	}), nil
}

func (o Options) tellDay(_ context.Context, call tool.Call) (tool.Result, error) {
	today := dateOf(o.Now())
	name, counts := call.Args["days"].(string)
	if !counts {
		name, _ = call.Args["weekday"].(string)
	}
	day, ok := findDay(today, name)
	if !ok {
		return tool.Fail(tool.ValidationError, "unknown_day", message.New("system.unknown_day", "day", name)), nil
	}
	date, n := day.Format(time.DateOnly), int(day.Sub(today).Hours()/24)
	text := message.New("answer.weekday", "date", date)
	switch {
	case counts && n < 0:
		text = message.New("answer.days_since", "days", -n, "date", date)
	case counts:
		text = message.New("answer.days_until", "days", n, "date", date)
	}
	return tool.OK(map[string]any{"date": date, "weekday": day.Weekday().String(), "days": float64(n), "text": text.PlainValue()}), nil
}

// dateOf is the day of a moment, at midnight of UTC, so that all days have 24 hours.
func dateOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// maxYears is how far a day of the year may be away: 29 February comes every eight years at the latest.
const maxYears = 8

// findDay is the next day with a name, today included: "12-25", "fri", "tomorrow", "+2d". A date with a year
// may be in the past.
func findDay(today time.Time, name string) (time.Time, bool) {
	if day, err := time.Parse(time.DateOnly, name); err == nil {
		return day, true
	}
	if _, err := time.Parse("2006-01-02", "2000-"+name); err == nil {
		for year := today.Year(); year <= today.Year()+maxYears; year++ {
			if day, err := time.Parse(time.DateOnly, strconv.Itoa(year)+"-"+name); err == nil && !day.Before(today) {
				return day, true
			}
		}
	}
	if name == "tomorrow" {
		return today.AddDate(0, 0, 1), true
	}
	if number, ok := strings.CutSuffix(strings.TrimPrefix(name, "+"), "d"); ok && strings.HasPrefix(name, "+") {
		n, err := strconv.Atoi(number)
		return today.AddDate(0, 0, n), err == nil
	}
	for n := range 7 {
		if day := today.AddDate(0, 0, n); strings.EqualFold(day.Format("Mon"), name) {
			return day, true
		}
	}
	return today, false
}
