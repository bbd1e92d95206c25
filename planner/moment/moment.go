// Package moment reads when something is due ("in 20 minutes", "tomorrow at 9", «каждый понедельник в
// 9»). It knows no clock: package host/schedule computes the moments. The words of each language are in
// words/.
package moment

import (
	"slices"
	"strconv"
	"strings"

	"errand/planner/message"
)

// When says when something is due, once or again and again. The text of [When.String] is:
//
//	in 20m, in 1h30m, in 2d          after this time; days keep the time of day
//	at 09:00, at 09:00/21:00         the next time of day, or the next of two
//	tomorrow 09:00, fri 09:00, +2d 09:00, 12-25 09:00, 2027-03-03 09:00
//	every 20m                        counted from the beginning
//	every day 09:00, every mon,fri 09:00, every 2d 09:00, every month 31 09:00, every year 02-29 09:00
//
// A month without the day is due on its last day.
type When struct {
	Repeated bool    // it is due again and again
	Seconds  int     // in or every this time
	Days     int     // in or every so many days
	Day      string  // today, tomorrow, +2d, a weekday, a date of the year or of one year; of repeats day, Weekdays, "month 31", "year 02-29"
	Times    []Clock // of the day; the next of two
}

// Clock is a time of day in minutes.
type Clock int

func (c Clock) String() string { return pad(int(c)/60) + ":" + pad(int(c)%60) }

func pad(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour
	// maxDays is the largest number of days until a moment.
	maxDays = 400
)

// IsSpan reports whether it counts from the present: "in 20 minutes".
func (w When) IsSpan() bool { return !w.Repeated && (w.Seconds > 0 || w.Days > 0) }

// String writes it; [Parse] reads it.
func (w When) String() string {
	var parts []string
	if w.Repeated {
		parts = append(parts, "every")
	}
	switch {
	case w.Seconds > 0 || w.Days > 0:
		if !w.Repeated {
			parts = append(parts, "in")
		}
		parts = append(parts, spanText(w.Days, w.Seconds))
	case w.Day != "":
		parts = append(parts, w.Day)
	default:
		parts = append(parts, "at")
	}
	if len(w.Times) > 0 {
		all := make([]string, len(w.Times))
		for i, c := range w.Times {
			all[i] = c.String()
		}
		parts = append(parts, strings.Join(all, "/"))
	}
	return strings.Join(parts, " ")
}

func spanText(days, seconds int) string {
	text := ""
	if days > 0 {
		text = strconv.Itoa(days) + "d"
	}
	for _, u := range []struct {
		name string
		size int
	}{{"h", hour}, {"m", minute}, {"s", 1}} {
		if n := seconds / u.size; n > 0 {
			text += strconv.Itoa(n) + u.name
			seconds -= n * u.size
		}
	}
	return text
}

// Parse reads the text of [When.String].
func Parse(text string) (When, error) {
	w, ok := parse(text)
	if !ok {
		return When{}, message.Error("moment.unreadable", "text", text)
	}
	if err := w.check(); err != nil {
		return When{}, err
	}
	return w, nil
}

func parse(text string) (When, bool) {
	var w When
	fields := strings.Fields(text)
	if len(fields) > 0 && fields[0] == "every" {
		w.Repeated, fields = true, fields[1:]
	}
	if n := len(fields); n > 1 && strings.Contains(fields[n-1], ":") {
		for part := range strings.SplitSeq(fields[n-1], "/") {
			c, ok := readClock(part)
			if !ok || len(part) != 5 {
				return w, false
			}
			w.Times = append(w.Times, c)
		}
		fields = fields[:n-1]
	}
	rest := strings.Join(fields, " ")
	switch {
	case rest == "at" && !w.Repeated:
		return w, len(w.Times) > 0
	case w.Repeated && isSpanText(rest):
		return w, w.setSpan(rest)
	case !w.Repeated && len(fields) == 2 && fields[0] == "in":
		return w, w.setSpan(fields[1])
	}
	w.Day = rest
	return w, w.Day != "" && len(w.Times) > 0
}

func isSpanText(s string) bool {
	return s != "" && s[0] >= '0' && s[0] <= '9' && !strings.Contains(s, "-")
}

// setSpan reads "1d2h30m10s", from the largest unit.
func (w *When) setSpan(text string) bool {
	last := maxDays * day
	for text != "" {
		n, rest := splitUnit(text)
		if rest == "" {
			return false
		}
		unit, after := rest[:1], rest[1:]
		size := map[string]int{"d": day, "h": hour, "m": minute, "s": 1}[unit]
		if size == 0 || size >= last || n < 1 {
			return false
		}
		if last = size; unit == "d" {
			w.Days = n
		} else {
			w.Seconds += n * size
		}
		text = after
	}
	return w.Days > 0 || w.Seconds > 0
}

// Weekdays are the days of the week as [When] names them, from Sunday.
var Weekdays = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// check reports what is wrong with it.
func (w When) check() error {
	bad := func() error { return message.Error("moment.unreadable", "text", w.String()) }
	switch {
	case w.Seconds < 0 || w.Days < 0 || w.Seconds/day+w.Days > maxDays:
		return message.Error("moment.too_far", "days", maxDays)
	case w.Repeated && w.Seconds > 0 && (w.Seconds < minute || w.Days > 0 || len(w.Times) > 0):
		return message.Error("moment.too_often")
	case len(w.Times) > 2 || w.Repeated && len(w.Times) > 1 || w.Repeated && w.Seconds == 0 && len(w.Times) != 1:
		return bad()
	case !w.Repeated && (w.Seconds > 0 || w.Days > 0) && len(w.Times) > 1:
		return bad()
	case w.Seconds > 0 || w.Days > 0 || w.Day == "":
		return nil
	}
	if !w.Repeated && slices.Contains([]string{"today", "tomorrow"}, w.Day) {
		return nil
	}
	if n, ok := strings.CutPrefix(w.Day, "month "); ok && w.Repeated {
		if d, err := strconv.Atoi(n); err == nil && d >= 1 && d <= 31 {
			return nil
		}
		return bad()
	}
	if date, ok := strings.CutPrefix(w.Day, "year "); ok && w.Repeated {
		if _, _, ok := YearlyDate(date); ok {
			return nil
		}
		return bad()
	}
	switch {
	case w.Repeated && w.Day == "day":
		return nil
	case IsWeekdays(w.Day) && (w.Repeated || !strings.Contains(w.Day, ",")):
		return nil
	case !w.Repeated && PlusDays(w.Day) > 0:
		return nil
	}
	if _, _, ok := YearlyDate(w.Day); ok && !w.Repeated {
		return nil
	}
	if isDate(w.Day) && !w.Repeated {
		return nil
	}
	return bad()
}

// IsWeekdays reports whether a text is a weekday or several: "mon,fri".
func IsWeekdays(text string) bool {
	for d := range strings.SplitSeq(text, ",") {
		if !slices.Contains(Weekdays, d) {
			return false
		}
	}
	return true
}

// PlusDays is the number of "+2d"; 0: it is something else.
func PlusDays(text string) int {
	digits, ok := strings.CutPrefix(text, "+")
	if digits, unit := strings.CutSuffix(digits, "d"); ok && unit {
		if n, err := strconv.Atoi(digits); err == nil && n > 0 && n <= 400 {
			return n
		}
	}
	return 0
}

// monthDays are the largest numbers of days that months have.
var monthDays = []int{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// YearlyDate reads "02-29", a date of every year.
func YearlyDate(text string) (month, dayOfMonth int, ok bool) {
	if len(text) != 5 || text[2] != '-' {
		return 0, 0, false
	}
	month, errMonth := strconv.Atoi(text[:2])
	dayOfMonth, errDay := strconv.Atoi(text[3:])
	ok = errMonth == nil && errDay == nil && month >= 1 && month <= 12 && dayOfMonth >= 1 && dayOfMonth <= monthDays[month-1]
	return month, dayOfMonth, ok
}

// isDate reports whether a text is a date such as 2027-03-03.
func isDate(text string) bool {
	year, date, ok := strings.Cut(text, "-")
	month, dayOfMonth, isYearly := YearlyDate(date)
	n, err := strconv.Atoi(year)
	isLeap := n%4 == 0 && (n%100 != 0 || n%400 == 0)
	return ok && isYearly && err == nil && len(year) == 4 && n >= 2000 && n < 2200 && (month != 2 || dayOfMonth < 29 || isLeap)
}
