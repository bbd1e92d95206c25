package timer

import (
	"slices"

	"errand/planner/moment"
)

// mistakes are the reasons why a command with a moment is not understood.
var mistakes = map[string]string{
	moment.WrongClock:  "reason.timer_wrong_clock",
	moment.WrongLength: "reason.timer_wrong_length",
	moment.SecondTime:  "reason.timer_second_time",
	moment.Limit:       "reason.timer_limit",
}

// mistakeAt returns the reason why words from i on can't follow a moment; empty: they may be a text.
func (r *reader) mistakeAt(i int) string {
	if i >= r.end {
		return ""
	}
	return mistakes[r.words[i:r.end].Mistake()]
}

// mistakeIn returns the reason why words [lo,hi) are no text of a timer whose moment is in words [from,to).
func (r *reader) mistakeIn(when moment.When, from, to, lo, hi int) string {
	_, isOpen := slices.Concat(r.words[from:to], moment.Words{"at", "9"}).Exact()
	return mistakes[r.words[lo:max(lo, hi)].EndMistake(when, !isOpen)]
}

// isWrongLength reports whether words from i on begin with a duration that no timer has.
func (r *reader) isWrongLength(i int) bool {
	if i >= r.end {
		return false
	}
	if when, n := r.words[i:r.end].Duration(); n > 0 {
		_, err := moment.Parse(when.String())
		return err != nil
	}
	return r.words[i:r.end].WrongLength()
}

// missing is the reason of a command without a moment, where other words begin at i.
func (r *reader) missing(i int, reason string) string {
	for ; i < r.end; i++ {
		if r.isWrongLength(i) {
			return "reason.timer_wrong_length"
		}
		if r.words.PhraseOf(i, "at", "") > 0 && r.mistakeAt(i) == "reason.timer_wrong_clock" {
			return "reason.timer_wrong_clock"
		}
	}
	return reason
}
