package moment

import "strings"

// Mistakes in words that look like a moment.
const (
	WrongClock  = "clock"  // "at 25:00"
	WrongLength = "length" // "in 0 minutes", "in 3 years"
	SecondTime  = "second" // another moment
	Limit       = "limit"  // "except friday", "until may", "if it rains"
)

// Mistake returns the mistake at the beginning of words that follow a moment, or "" if they may be a text.
func (w Words) Mistake() string {
	if _, n := w.Phrase(0, "or"); n > 0 { // "at noon or 1 pm"
		return SecondTime
	}
	if _, n := w.Phrase(0, "and"); n > 0 {
		return w[n:].Mistake()
	}
	if _, n := w.Phrase(0, "limits", "conditions"); n > 0 {
		return Limit
	}
	if _, n := w.Prefix(); n > 0 {
		return SecondTime
	}
	r := reader{words: w}
	_, at := r.take("at", "for", "in", "every")
	if r.isWrongLength() {
		return WrongLength
	}
	from := r.at
	_, isNumber := r.number()
	isNumber = isNumber || from < len(w) && w[from][0] >= '0' && w[from][0] <= '9'
	if !isNumber {
		return ""
	}
	r.at = from + 1
	if _, part := r.take("oclock", "parts", "text_link"); at || part || isClockText(w[from]) {
		return WrongClock
	}
	return ""
}

// EndMistake returns the mistake at the end of the text of a timer. A repeat may have a limit there
// ("to stretch until friday"), and a moment without a time of day a wrong one ("to run at 26").
func (w Words) EndMistake(when When, hasTime bool) string {
	for i := range w {
		if when.Repeated && w[i:].isLimit() {
			return Limit
		}
		_, n := w.Phrase(i, "at")
		if last := i + n; i > 0 && n > 0 && last == len(w)-1 && (isClockText(w[last]) || !hasTime && isDigits(w[last])) {
			return WrongClock
		}
	}
	return ""
}

// isClockText reports whether a word has the form of a time of day, whatever its numbers: "25:00".
func isClockText(word string) bool {
	hour, minute, ok := strings.Cut(word, ":")
	return ok && isDigits(hour) && isDigits(minute)
}

func isDigits(word string) bool { return word != "" && strings.Trim(word, "0123456789") == "" }

// WrongLength reports whether the words begin with a duration that no timer has.
func (w Words) WrongLength() bool { return (&reader{words: w}).isWrongLength() }

// isWrongLength reads a duration of nothing, one that is too long, or one in units that have no fixed length.
func (r *reader) isWrongLength() bool {
	from := r.at
	n, ok := r.number()
	switch {
	case ok || r.at == len(r.words):
	case isDigits(r.words[r.at]):
		n, ok = maxDays*day, true
		r.at++
	default:
		if count, unit, hyphen := strings.Cut(r.words[r.at], "-"); hyphen && unit != "" { // "3-year"
			return Words{count, unit}.WrongLength()
		}
		if _, unit := splitUnit(r.words[r.at]); unit != "" { // "0m"
			return Words{strings.TrimSuffix(r.words[r.at], unit), unit}.WrongLength()
		}
	}
	_, far := r.take("far_units")
	unit, near := r.take("units")
	if !ok || !far && !near {
		r.at = from
		return false
	}
	return far || n == 0 || n > maxDays*day/unitSizes[unit]
}

// isLimit reports whether the words begin with a limit that is a time: "except friday".
func (w Words) isLimit() bool {
	_, n := w.Phrase(0, "limits")
	if n == 0 {
		return false
	}
	rest := w[n:]
	_, moment := rest.Prefix()
	_, name := rest.Phrase(0, "sets", "days", "months", "parts", "clocks", "adverbs", "units")
	_, length := rest.Duration()
	return moment > 0 || name > 0 || length > 0 || rest.Mistake() != ""
}
