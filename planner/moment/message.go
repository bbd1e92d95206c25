package moment

import (
	"slices"
	"strings"

	"errand/planner/message"
)

// workdays is the set of days of "every weekday".
const workdays = "mon,tue,wed,thu,fri"

// leapYear is a year that has every date.
const leapYear = "2000-"

// Message says the moment: "tomorrow at 09:00", "every Monday at 09:00".
func (w When) Message() message.Message {
	times := make([]string, len(w.Times))
	for i, c := range w.Times {
		times[i] = c.String()
	}
	days := w.Days
	if plus := PlusDays(w.Day); plus > 0 {
		days = plus
	}
	switch {
	case w.Repeated && w.Day != "":
		return w.repeatedDay(times)
	case w.Repeated:
		return message.New("moment.every", "days", days, "seconds", w.Seconds, "times", times)
	case days > 0 || w.Seconds > 0:
		return message.New("moment.in", "days", days, "seconds", w.Seconds, "times", times)
	case w.Day == "":
		return message.New("moment.at", "times", times)
	case isDate(w.Day):
		return message.New("moment.on", "day", "date", "date", w.Day, "times", times)
	case slices.Contains(Weekdays, w.Day) || w.Day == "today" || w.Day == "tomorrow":
		return message.New("moment.on", "day", w.Day, "date", "", "times", times)
	}
	return message.New("moment.on", "day", "yearly", "date", leapYear+w.Day, "times", times)
}

// repeatedDay says a moment that comes on some days.
func (w When) repeatedDay(times []string) message.Message {
	if n, ok := strings.CutPrefix(w.Day, "month "); ok {
		return message.New("moment.every_month", "day", n, "times", times)
	}
	if date, ok := strings.CutPrefix(w.Day, "year "); ok {
		return message.New("moment.every_year", "date", leapYear+date, "times", times)
	}
	if w.Day == "day" || w.Day == workdays {
		return message.New("moment.every_day", "work", w.Day == workdays, "times", times)
	}
	var days []message.Message
	for day := range strings.SplitSeq(w.Day, ",") {
		days = append(days, message.New("moment.weekday", "day", day))
	}
	return message.New("moment.every_weekday", "days", days, "times", times)
}
