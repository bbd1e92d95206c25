package moment

import (
	"slices"
	"strconv"
	"strings"
)

// Morning is the time of a day without one.
const Morning = Clock(9 * 60)

// times is a time of day, as the words have it.
type times struct {
	at     Clock
	isOpen bool // "9" may be in the morning or in the evening
}

// settle is the likelier one of two times of a day: 9 is in the morning, 3 in the afternoon.
func settle(t times) []Clock {
	if t.isOpen && t.at < 7*60 {
		return []Clock{t.at + 12*60}
	}
	return []Clock{t.at}
}

// date reads a day with or without a time, or a time alone.
func (r *reader) date() (When, bool) {
	var when When
	implied, half := Clock(-1), ""
	day, hasDay := r.dayName(&implied, &half)
	if hasDay {
		when.Day = day
		from := r.at
		if part, ok := r.take("parts"); ok { // "tomorrow morning at 9"
			half, implied = partOf(part)
			if implied < 0 {
				r.at = from
			}
		}
	}
	from := r.at
	if part, ok := r.take("alone"); ok && !hasDay { // "in the evening", «вечером в 8»
		var at Clock
		half, at = partOf(part)
		from = r.at
		t, hasTime := r.timeOfDay()
		switch {
		case !hasTime:
			r.at = from
			t.at = at
		case t.isOpen:
			t = t.inHalf(half)
		}
		when.Times = []Clock{t.at}
		return when, true
	}
	r.at = from
	t, hasTime := r.timeOfDay()
	if !hasTime {
		r.at = from
	}
	if !hasDay {
		if !hasTime {
			return when, false
		}
		before := r.at
		if day, ok := r.dayName(&implied, &half); ok { // "at 9 tomorrow"
			when.Day, hasDay = day, true
			if part, ok := r.take("parts"); ok {
				half, _ = partOf(part)
			}
		} else {
			r.at = before
		}
	}
	if hasTime && t.isOpen && half != "" {
		t = t.inHalf(half)
	}
	switch {
	case hasTime && t.isOpen && (!hasDay || when.Day == "today"):
		when.Times = []Clock{t.at % (12 * 60), t.at%(12*60) + 12*60}
	case hasTime:
		when.Times = settle(t)
	case implied >= 0:
		when.Times = []Clock{implied}
	case when.Day == "today":
		return when, false
	default:
		when.Times = []Clock{Morning}
	}
	return when, true
}

// dayName reads "tomorrow", "on friday", "on march 3", "3 march 2027", "2027-03-03", «3 марта»,
// "tonight".
func (r *reader) dayName(implied *Clock, half *string) (string, bool) {
	start := r.at
	if day, ok := r.take("days"); ok {
		return day, true
	}
	if part, n := r.words.Phrase(r.at, "parts"); n > 0 && part == "tonight" {
		r.at += n
		*half, *implied = "pm", 20*60
		return "today", true
	}
	r.take("on")
	if r.at < len(r.words) {
		if isDate(r.words[r.at]) {
			r.at++
			return r.words[r.at-1], true
		}
	}
	month, monthFirst := r.month()
	n, ok := r.dayNumber()
	if ok && !monthFirst {
		r.take("of")
		month, monthFirst = r.month()
	}
	if !ok || !monthFirst {
		r.at = start
		return "", false
	}
	from := r.at
	r.take("and") // "march 3, 2027"
	if r.at < len(r.words) && len(r.words[r.at]) == 4 {
		switch year, err := strconv.Atoi(r.words[r.at]); {
		case err == nil && year >= 2000 && year < 2200:
			r.at++
			return strconv.Itoa(year) + "-" + dateText(month, n), true
		case err == nil: // a year that is out of reach is not a part of the text after the date
			r.at = start
			return "", false
		}
	}
	r.at = from
	return dateText(month, n), true
}

// partOf reads a part of a day: which half of it, and the time if none is given, else -1.
func partOf(part string) (half string, implied Clock) {
	half, at, _ := strings.Cut(part, " ")
	if c, ok := readClock(at); ok {
		return half, c
	}
	return half, -1
}

func readClock(text string) (Clock, bool) {
	h, m, ok := strings.Cut(text, ":")
	hours, errHours := strconv.Atoi(h)
	minutes, errMinutes := strconv.Atoi(m)
	ok = ok && errHours == nil && errMinutes == nil && len(m) == 2 && hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60
	return Clock(hours*60 + minutes), ok
}

// timeOfDay reads "at 9", "9 pm", "9:30", "half past six", "quarter to ten", "noon", «в полдевятого»,
// «в 9 утра», «без пятнадцати девять». A number alone needs "at".
func (r *reader) timeOfDay() (times, bool) {
	_, at := r.take("at", "for")
	t, marked, ok := r.clock()
	if !ok {
		return t, false
	}
	if half, n := r.words.Phrase(r.at, "parts"); n > 0 && t.isOpen {
		if name, _ := partOf(half); name != "tonight" {
			r.at += n
			return t.inHalf(name), true
		}
	}
	return t, at || marked
}

// inHalf puts an open time into a half of the day. At night, 10 to 12 are before midnight.
func (t times) inHalf(half string) times {
	hour := t.at % (12 * 60)
	switch {
	case half == "pm", half == "night" && hour >= 6*60:
		return times{hour + 12*60, false}
	}
	return times{hour, false}
}

// clock reads a time of day. marked says that it can be nothing else.
func (r *reader) clock() (t times, marked, ok bool) {
	from := r.at
	if name, ok := r.take("clocks"); ok {
		c, _ := readClock(name)
		return times{c, false}, true, true
	}
	if hour, ok := r.take("halfpast"); ok {
		n, _ := strconv.Atoi(hour)
		return times{Clock(((n+11)%12)*60 + 30), true}, true, true
	}
	if _, ok := r.take("before"); ok { // «без пятнадцати девять»
		if minutes, ok := r.number(); ok {
			r.take("minutes")
			if hour, ok := r.number(); ok && hour >= 1 && hour <= 12 && minutes < 60 {
				r.take("oclock")
				return times{Clock((hour*60 - minutes + 720) % 720), true}, true, true
			}
		}
		r.at = from
		return t, false, false
	}
	if minutes, ok := r.number(); ok && minutes < 60 {
		r.take("minutes")
		if _, past := r.take("past"); past {
			if hour, ok := r.number(); ok && hour >= 1 && hour <= 12 {
				return times{Clock(hour%12*60 + minutes), true}, true, true
			}
		} else if _, to := r.take("to"); to {
			if hour, ok := r.number(); ok && hour >= 1 && hour <= 12 {
				return times{Clock((hour*60 - minutes + 720) % 720), true}, true, true
			}
		}
	}
	r.at = from
	if r.at >= len(r.words) {
		return t, false, false
	}
	word := r.words[r.at]
	digits, suffix := word, ""
	for _, s := range []string{"am", "pm", "a.m.", "p.m.", "a.m", "p.m"} {
		if rest, cut := strings.CutSuffix(word, s); cut && rest != "" {
			digits, suffix = rest, s[:1]+"m"
			break
		}
	}
	hour, minute, colon := strings.Cut(digits, ":")
	if !colon && suffix == "" {
		hour, minute, colon = cutPoint(digits)
	}
	h, errHour := strconv.Atoi(hour)
	m := 0
	var errMinute error
	if colon {
		m, errMinute = strconv.Atoi(minute)
	}
	switch {
	case errHour == nil && errMinute == nil && len(hour) <= 2 && (!colon || len(minute) == 2) && h < 24 && m < 60:
		r.at++
	case colon || suffix != "":
		return t, false, false
	default:
		n, ok := r.number()
		if !ok || n > 23 {
			r.at = from
			return t, false, false
		}
		h = n
	}
	t = times{Clock(h*60 + m), h >= 1 && h <= 12 && !strings.HasPrefix(hour, "0")}
	if suffix != "" {
		return t.inHalf(suffix), true, t.isOpen
	}
	_, named := r.take("oclock")
	part, n := r.words.Phrase(r.at, "parts")
	isPart := n > 0 && !slices.Contains([]string{"tonight"}, part)
	return t, colon || named || isPart && t.isOpen, true
}

// cutPoint cuts "9.30". Other numbers with a point are no times.
func cutPoint(digits string) (hour, minute string, ok bool) {
	hour, minute, ok = strings.Cut(digits, ".")
	if !ok || len(minute) != 2 {
		return digits, "", false
	}
	return hour, minute, true
}
