package moment

import (
	"slices"
	"strconv"
	"strings"
)

// Prefix reads the moment that begins at the first word, and returns how many words it has. The longest
// moment counts.
func (w Words) Prefix() (When, int) {
	r := reader{words: w}
	for _, read := range []func() (When, bool){r.repeat, r.span, r.date} {
		r.at = 0
		if when, ok := read(); ok && when.check() == nil {
			return when, r.at
		}
	}
	return When{}, 0
}

// Exact reads all words as a moment.
func (w Words) Exact() (When, bool) {
	when, n := w.Prefix()
	return when, n > 0 && n == len(w)
}

// Suffix reads the longest moment at the end, and returns the number of words before it. From is the
// first word where it may begin.
func (w Words) Suffix(from int) (When, int, bool) {
	for i := from; i < len(w); i++ {
		if when, ok := w[i:].Exact(); ok {
			return when, i, true
		}
	}
	return When{}, 0, false
}

// Duration reads a duration at the first word: "20 minutes", "an hour and a half".
func (w Words) Duration() (When, int) {
	r := reader{words: w}
	when, ok := r.amount()
	if !ok {
		return When{}, 0
	}
	return when, r.at
}

// reader reads words from the first to the last.
type reader struct {
	words Words
	at    int
}

func (r *reader) take(kinds ...string) (string, bool) {
	value, n := r.words.Phrase(r.at, kinds...)
	r.at += n
	return value, n > 0
}

// number reads 20 or "twenty".
func (r *reader) number() (int, bool) {
	if r.at < len(r.words) {
		if n, err := strconv.Atoi(r.words[r.at]); err == nil && n >= 0 && len(r.words[r.at]) < 5 {
			r.at++
			return n, true
		}
	}
	if value, ok := r.take("numbers"); ok {
		n, _ := strconv.Atoi(value)
		return n, true
	}
	return 0, false
}

// span reads "in 20 minutes", "in an hour and a half", "20 minutes from now".
func (r *reader) span() (When, bool) {
	_, in := r.take("in")
	when, ok := r.amount()
	if !ok {
		return When{}, false
	}
	_, ago := r.take("ago")
	if in && when.Days > 0 && when.Seconds == 0 { // "in two days at 9"
		from := r.at
		if times, ok := r.timeOfDay(); ok {
			when.Times = settle(times)
		} else {
			r.at = from
		}
	}
	return when, in || ago
}

// unitSizes are the seconds of units.
var unitSizes = map[string]int{"s": 1, "m": minute, "h": hour, "d": day, "w": 7 * day}

// amount reads a duration: parts with units, from the largest.
func (r *reader) amount() (When, bool) {
	var when When
	found := false
	last := maxDays * day
	for {
		from := r.at
		if found {
			r.take("and")
		}
		value, unit, ok := r.part()
		size := unitSizes[unit]
		if !ok || found && size >= last { // "5 minutes and 10 minutes" are two durations
			r.at = from
			break
		}
		found, last = true, size
		switch unit {
		case "d":
			when.Days += value
		case "w":
			when.Days += 7 * value
		default:
			when.Seconds += value * size
		}
		if half, ok := r.take("halves"); ok && unit == "h" {
			n, _ := splitUnit(half)
			when.Seconds += n * minute
		}
	}
	return when, found && (when.Seconds > 0 || when.Days > 0)
}

// part reads a number with a unit: "20 minutes", "20m", or words such as "half an hour".
func (r *reader) part() (int, string, bool) {
	from := r.at
	span, spanWords := r.words.Phrase(r.at, "spans")
	n, isNumber := r.number()
	if isNumber {
		if half, ok := r.take("halves"); ok && half == "30m" { // "two and a half hours"
			if unit, ok := r.take("units"); ok && unit == "h" {
				return n*60 + 30, "m", true
			}
			r.at = from
			return 0, "", false
		}
		if unit, ok := r.take("units"); ok && r.at-from >= spanWords {
			return n, unit, true
		}
	}
	r.at = from
	if spanWords > 0 {
		r.at += spanWords
		n, unit := splitUnit(span)
		return n, unit, true
	}
	if r.at < len(r.words) {
		word := r.words[r.at]
		if n, unit := splitUnit(word); n > 0 && unit != "" {
			if value, words := (Words{unit}).Phrase(0, "units"); words > 0 { // "20min"
				r.at++
				return n, value, true
			}
			if d := new(When); d.setSpan(word) && d.Days == 0 { // "1h30m"
				r.at++
				return d.Seconds, "s", true
			}
		}
	}
	return 0, "", false
}

// splitUnit cuts "20m" into its number and its unit.
func splitUnit(word string) (int, string) {
	i := strings.IndexFunc(word, func(r rune) bool { return r < '0' || r > '9' })
	if i < 1 || i > 4 {
		return 0, ""
	}
	n, _ := strconv.Atoi(word[:i])
	return n, word[i:]
}

// repeat reads "every monday at 9", "every 20 minutes", "daily at 8", «по будням в 9».
func (r *reader) repeat() (When, bool) {
	when := When{Repeated: true}
	part := ""
	if day, ok := r.take("adverbs"); ok {
		when.Day = day
	} else if _, ok := r.take("every"); !ok {
		return r.timeThenRepeat()
	} else if !r.repeatedDay(&when, &part) {
		return when, false
	}
	switch when.Day {
	case "hour":
		when.Day, when.Seconds = "", hour
	case "week":
		when.Day, when.Days = "", 7
	}
	if when.Seconds > 0 {
		return when, true
	}
	from := r.at
	half, implied := partOf(part)
	if t, ok := r.timeOfDay(); ok {
		if half != "" && t.isOpen {
			t = t.inHalf(half)
		}
		when.Times = settle(t)
	} else if r.at = from; implied >= 0 {
		when.Times = []Clock{implied}
	} else {
		when.Times = []Clock{Morning}
	}
	if when.Days == 1 {
		when.Days, when.Day = 0, "day"
	}
	when.monthDay()
	return when, true
}

// monthDay completes "every month" and "every year", which are due on their first day.
func (w *When) monthDay() {
	switch w.Day {
	case "month":
		w.Day = "month 1"
	case "year":
		w.Day = "year 01-01"
	}
}

// timeThenRepeat reads "at 9 every monday".
func (r *reader) timeThenRepeat() (When, bool) {
	times, ok := r.timeOfDay()
	if !ok {
		return When{}, false
	}
	when := When{Repeated: true, Times: settle(times)}
	if day, ok := r.take("adverbs"); ok {
		when.Day = day
	} else if _, ok := r.take("every"); !ok || !r.repeatedDay(&when, new(string)) {
		return When{}, false
	}
	if when.Day == "week" {
		when.Day, when.Days = "", 7
	}
	when.monthDay()
	return when, when.Seconds == 0 && when.Day != "hour"
}

// repeatedDay reads what follows "every": a duration, a weekday or several, "weekday", "morning",
// "31st", "month on the 31st".
func (r *reader) repeatedDay(when *When, part *string) bool {
	if span, ok := r.amount(); ok {
		when.Seconds, when.Days = span.Seconds, span.Days
		return true
	}
	times := 1
	from := r.at
	if _, ok := r.take("other"); ok { // "every other day"
		times = 2
	}
	if unit, ok := r.take("units"); ok && unit != "s" {
		switch size := times * unitSizes[unit]; {
		case size < day:
			when.Seconds = size
		case size > day:
			when.Days = size / day
		default:
			when.Day = "day"
		}
		return true
	}
	if r.at = from; times > 1 { // "every other monday"
		return false
	}
	if value, ok := r.take("parts"); ok {
		when.Day, *part = "day", value
		_, implied := partOf(value)
		return implied >= 0
	}
	if set, ok := r.take("sets"); ok {
		when.Day = set
		if set == "month" || set == "year" {
			r.dateOf(when)
		}
		return true
	}
	if day, ok := r.take("days"); ok && IsWeekdays(day) {
		all := []string{day}
		for {
			from := r.at
			r.take("and")
			r.take("every")
			next, ok := r.take("days")
			if !ok || !IsWeekdays(next) {
				r.at = from
				break
			}
			if !slices.Contains(all, next) {
				all = append(all, next)
			}
		}
		when.Day = strings.Join(all, ",")
		return true
	}
	if n, ok := r.dayNumber(); ok {
		if month, ok := r.month(); ok {
			when.Day = "year " + dateText(month, n)
		} else {
			when.Day = "month " + strconv.Itoa(n)
		}
		return true
	}
	if month, ok := r.month(); ok {
		if n, ok := r.dayNumber(); ok {
			when.Day = "year " + dateText(month, n)
			return true
		}
	}
	return false
}

// dateOf reads "on the 31st" after "every month", "on 29 february" after "every year".
func (r *reader) dateOf(when *When) {
	from := r.at
	r.take("on")
	unit := when.Day
	month, monthFirst := r.month()
	n, ok := r.dayNumber()
	if ok && !monthFirst && unit == "year" {
		r.take("of")
		month, monthFirst = r.month()
	}
	switch {
	case ok && unit == "month":
		when.Day = "month " + strconv.Itoa(n)
	case ok && monthFirst:
		when.Day = "year " + dateText(month, n)
	default:
		r.at = from
	}
}

// dayNumber reads the day of a month: "31", "31st", «31 числа».
func (r *reader) dayNumber() (int, bool) {
	if r.at >= len(r.words) {
		return 0, false
	}
	n, suffix := splitUnit(r.words[r.at])
	if n == 0 {
		n, _ = strconv.Atoi(r.words[r.at])
		suffix = ""
	}
	if n < 1 || n > 31 || suffix != "" && !slices.Contains([]string{"st", "nd", "rd", "th", "-е", "-го", "го", "е"}, suffix) {
		return 0, false
	}
	r.at++
	r.take("day_number")
	return n, true
}

func (r *reader) month() (int, bool) {
	value, ok := r.take("months")
	n, _ := strconv.Atoi(value)
	return n, ok
}

func dateText(month, day int) string {
	return string([]byte{'0' + byte(month/10), '0' + byte(month%10), '-', '0' + byte(day/10), '0' + byte(day%10)})
}
