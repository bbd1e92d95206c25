// Package schedule computes when something is due: the first moment and those of repeats, in the zone
// of the time that it is given, across changes of clocks. It never reads the clock.
package schedule

import (
	"strconv"
	"strings"
	"time"

	"errand/planner/message"
	"errand/planner/moment"
)

// horizon is the number of days in which the next moment of a repeat is looked for. A date of the year
// comes every year.
const horizon = 800

// First returns the first moment after now, in its zone. It is an error if there is none: a time of
// today that is over, or a date of the past.
func First(w moment.When, now time.Time) (time.Time, error) {
	if w.Repeated {
		return Next(w, now, now), nil
	}
	if w.Seconds > 0 || w.Days > 0 {
		t := now
		if w.Days > 0 {
			year, month, day := now.Date()
			at := moment.Clock(now.Hour()*60 + now.Minute())
			if len(w.Times) > 0 {
				at = w.Times[0]
			}
			t = wallTime(year, month, day+w.Days, at, now.Location())
			if len(w.Times) == 0 {
				t = t.Add(time.Duration(now.Second())*time.Second + time.Duration(now.Nanosecond()))
			}
		}
		return t.Add(time.Duration(w.Seconds) * time.Second), nil
	}
	var first time.Time
	for n := range horizon {
		year, month, day := now.Date()
		date := time.Date(year, month, day+n, 0, 0, 0, 0, time.UTC) // only a date
		if !isOn(w, date, time.Date(year, month, day, 0, 0, 0, 0, time.UTC)) {
			continue
		}
		for _, c := range w.Times {
			t := wallTime(date.Year(), date.Month(), date.Day(), c, now.Location())
			if t.After(now) && (first.IsZero() || t.Before(first)) {
				first = t
			}
		}
		if !first.IsZero() {
			return first, nil
		}
	}
	return time.Time{}, message.Error("moment.over")
}

// Next returns the first moment of a repeat after a time, in the zone of that time. Repeats of a
// duration are counted from begin. Moments of a wall time keep it when clocks are put forward or back:
// a time that a day lacks is as much later as the clocks are put forward, and of a time that a day has
// twice it is the first.
func Next(w moment.When, after, begin time.Time) time.Time {
	if w.Seconds > 0 {
		span := time.Duration(w.Seconds) * time.Second
		for t := begin.Add(after.Sub(begin) / span * span); ; t = t.Add(span) {
			if t.After(after) && t.After(begin) {
				return t.In(after.Location())
			}
		}
	}
	year, month, day := after.Date()
	today := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	beginYear, beginMonth, beginDay := begin.In(after.Location()).Date()
	since := time.Date(beginYear, beginMonth, beginDay, 0, 0, 0, 0, time.UTC)
	for n := -1; n < horizon; n++ { // a time that today lacks may be one of yesterday
		date := today.AddDate(0, 0, n)
		if !isOn(w, date, since) {
			continue
		}
		if t := wallTime(date.Year(), date.Month(), date.Day(), w.Times[0], after.Location()); t.After(after) {
			return t
		}
	}
	return time.Time{}
}

// isOn reports whether a date is one of its days. since is the day from which days are counted.
func isOn(w moment.When, date, since time.Time) bool {
	days := int(date.Sub(since) / (24 * time.Hour))
	if w.Days > 0 {
		return days >= 0 && days%w.Days == 0
	}
	switch w.Day {
	case "", "day":
		return w.Repeated || days <= 1
	case "today":
		return days == 0
	case "tomorrow":
		return days == 1
	}
	if n, ok := strings.CutPrefix(w.Day, "month "); ok {
		d, _ := strconv.Atoi(n)
		return date.Day() == min(d, lastDay(date))
	}
	if n := moment.PlusDays(w.Day); n > 0 {
		return days == n
	}
	if moment.IsWeekdays(w.Day) {
		return strings.Contains(w.Day, moment.Weekdays[date.Weekday()])
	}
	if month, day, ok := moment.YearlyDate(strings.TrimPrefix(w.Day, "year ")); ok {
		return int(date.Month()) == month && date.Day() == min(day, lastDay(date))
	}
	return date.Format(time.DateOnly) == w.Day
}

// lastDay is the last day of a date's month.
func lastDay(date time.Time) int {
	return time.Date(date.Year(), date.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// wallTime is the moment of a time of day in a zone. Where clocks are put forward and the day lacks
// the time, it is that much later; where they are put back and the day has it twice, the first.
func wallTime(year int, month time.Month, day int, at moment.Clock, zone *time.Location) time.Time {
	wall := time.Date(year, month, day, int(at)/60, int(at)%60, 0, 0, time.UTC)
	offset := func(t time.Time) time.Duration {
		_, seconds := t.In(zone).Zone()
		return time.Duration(seconds) * time.Second
	}
	before, after := offset(wall.Add(-26*time.Hour)), offset(wall.Add(26*time.Hour))
	for _, o := range []time.Duration{before, after} {
		if t := wall.Add(-o); offset(t) == o {
			return t.In(zone)
		}
	}
	return wall.Add(-before).In(zone)
}
