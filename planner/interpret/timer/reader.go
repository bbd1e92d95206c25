// Package timer reads commands about what is due later: timers, alarms, reminders, and goals that run at a
// time or again and again. Their words are those of package moment.
package timer

import (
	"slices"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/moment"
	"errand/planner/plan"
)

// reader reads one command. Its words are counted from the beginning of the command.
type reader struct {
	text  *parse.Text
	first int          // token of the first word
	words moment.Words // of the command
	end   int          // number of words
}

// maxWords is the largest number of words of a command.
const maxWords = 200

// Read reads tokens [lo,hi) as one command about a timer.
func Read(p *parse.Text, lo, hi int) parse.Clause {
	r, ok := newReader(p, lo, hi)
	if !ok {
		return parse.Clause{Lang: lexicon.AnyLang}
	}
	why := ""
	for _, read := range []func(int) (plan.Goal, string, bool){r.snooze, r.reminder, r.timer, r.shortTimer, r.alarm, r.list, r.cancelAll, r.cancel} {
		g, reason, ok := read(0)
		if ok {
			return r.clause(lo, hi, g)
		}
		if why == "" {
			why = reason
		}
	}
	if from := r.skip(0, "in", "every"); why == "" && from > 0 && r.isWrongLength(from) {
		why = mistakes[moment.WrongLength] // "every 3 years open github"
	}
	return parse.Clause{Lo: lo, Hi: hi, Lang: lexicon.AnyLang, Reason: why}
}

// ReadWhole reads a whole text as a reminder, whose words may be anything, or as a goal that runs at a
// time. read returns the goals of a text that is understood, or false.
func ReadWhole(p *parse.Text, read func(text string) ([]plan.Goal, bool)) (parse.Clause, bool) {
	r, ok := newReader(p, 0, len(p.Tokens))
	if !ok {
		return parse.Clause{}, false
	}
	if c := Read(p, 0, len(p.Tokens)); c.Outcome == parse.Understood {
		return c, true
	}
	g, ok := r.watch(0, read)
	if !ok {
		g, ok = r.later(0, read)
	}
	return r.clause(0, len(p.Tokens), g), ok
}

func newReader(p *parse.Text, lo, hi int) (*reader, bool) {
	at, _ := p.SkipLead(lo, hi)
	if _, cancels := p.FindEnding(at+1, hi, lexicon.Cancel, lexicon.Repair, lexicon.RepairSoft, lexicon.Not); cancels {
		return nil, false // "…, never mind"
	}
	if hi = p.TrimTail(at, hi, false); hi-at > maxWords || !mayBeTimed(p, at, hi) {
		return nil, false
	}
	words := make([]string, hi-at)
	for i, t := range p.Tokens[at:hi] {
		words[i] = p.Source[t.Start:t.End]
	}
	return &reader{text: p, first: at, words: moment.NewWords(words), end: hi - at}, true
}

// mayBeTimed tells most other commands apart without the words of moments.
func mayBeTimed(p *parse.Text, lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if _, ok := p.Longest(i, hi, lexicon.Timed); ok {
			return true
		}
		m, ok := p.Longest(i, hi, lexicon.TimedFirst)
		if ok && (i == lo || i+m.Len < hi && lexicon.IsDigit(p.Source[p.Tokens[i+m.Len].Start])) {
			return true
		}
	}
	return lo < hi && lexicon.IsDigit(p.Source[p.Tokens[lo].Start])
}

func (r *reader) clause(lo, hi int, g plan.Goal) parse.Clause {
	verb := parse.Span{Lo: r.first, Hi: r.first + 1}
	return parse.Clause{
		Lo: lo, Hi: hi, Frame: parse.ControlFrame, Outcome: parse.Understood, Lang: lexicon.AnyLang, Verb: verb, Body: r.first,
		Drafts: []parse.Draft{{Goal: g, Spans: []parse.SlotSpan{{Slot: "goal_type", Span: verb}, {Slot: "target", Span: parse.Span{Lo: r.first, Hi: r.first + r.end}}}}},
	}
}

// command returns the word after a phrase of a command at word i.
func (r *reader) command(i int, name string) (int, bool) {
	n := r.words.PhraseOf(i, "commands", name)
	return i + n, n > 0
}

// noun reads what a timer is called at word i, in the singular or the plural.
func (r *reader) noun(i int, number string) (kind string, next int, ok bool) {
	kind, n := r.words.Phrase(i, number)
	return kind, i + n, n > 0
}

// skip skips phrases of kinds at word i.
func (r *reader) skip(i int, kinds ...string) int {
	for {
		_, n := r.words.Phrase(i, kinds...)
		if n == 0 {
			return i
		}
		i += n
	}
}

// prefix reads the moment at word i.
func (r *reader) prefix(i int) (moment.When, int) {
	if i = r.skip(i, "hesitation"); i >= r.end {
		return moment.When{}, i
	}
	when, n := r.words[i:r.end].Prefix()
	return when, i + n
}

// duration reads "for 20 minutes" at word i as "in 20 minutes".
func (r *reader) duration(i int) (moment.When, int) {
	for _, from := range []int{i, r.skip(i, "for", "hesitation")} {
		if from < r.end {
			if when, n := r.words[from:r.end].Duration(); n > 0 {
				return when, from + n
			}
		}
	}
	return moment.When{}, i
}

// cut is the text of words [lo,hi), without commas and politeness at its ends.
func (r *reader) cut(lo, hi int) string {
	lo, hi = lo+r.first, hi+r.first
	for lo < hi && r.text.Tokens[lo].Shape == lexicon.MarkShape {
		lo++
	}
	for lo < hi && r.text.Tokens[hi-1].Shape == lexicon.MarkShape {
		hi--
	}
	if _, polite := r.text.FindEnding(lo+1, hi, lexicon.Tail); polite {
		hi = r.text.TrimTail(lo, hi, false)
	}
	return r.text.Cut(lo, hi)
}

// isEnd reports whether only politeness is left at word i.
func (r *reader) isEnd(i int) bool {
	return i == r.end || i < r.end && r.text.IsPolite(i+r.first, r.end+r.first)
}

// reminder reads "remind me in 20 minutes to call mom", "remind me to call mom tomorrow at 9" and "every day at
// 8 remind me to stretch".
func (r *reader) reminder(at int) (g plan.Goal, reason string, ok bool) {
	when, next := r.prefix(at)
	isFirst := next > at
	i, ok := r.command(r.skip(next, "and"), "set_reminder")
	if !ok {
		return g, "", false
	}
	lo, hi, from, end := at, next, i, r.end // words of the moment, and of the text
	if !isFirst {
		when, hi = r.prefix(i)
		lo, from = i, hi
	}
	linked := r.skip(from, "text_link") > from
	if text := r.skip(from, "and", "text_link"); lo == hi { // "remind me to call mom tomorrow"
		from = text
		if when, end, ok = r.words.Suffix(min(from+1, r.end)); !ok {
			return g, r.missing(i, "reason.remind_when"), false
		}
		lo, hi = end, r.end
	} else if whole, to, ok := r.joined(lo, hi, text); ok { // "remind me tomorrow to call mom at 9"
		when, end, from = whole, to, text
	} else if reason = r.mistakeAt(from); reason != "" && !linked {
		return g, reason, false
	} else {
		from = text
	}
	if reason = r.mistakeIn(when, lo, hi, from, end); reason != "" {
		return g, reason, false
	}
	return plan.Goal{GoalType: plan.SystemControl, Action: plan.SetAction, ObjectType: plan.ReminderTimer, Target: when.String(), Value: r.cut(from, end)}, "", true
}

// joined reads a moment whose day is at [lo,hi) and whose time is at the end of the command.
func (r *reader) joined(lo, hi, from int) (moment.When, int, bool) {
	for i := from + 1; i < r.end; i++ {
		both := slices.Concat(r.words[lo:hi], r.words[i:r.end])
		if when, ok := both.Exact(); ok {
			return when, i, true
		}
	}
	return moment.When{}, 0, false
}

// timer reads "set a timer for 20 minutes", "timer 5 min for the pasta".
func (r *reader) timer(at int) (g plan.Goal, reason string, ok bool) {
	if r.wantsSeveral(at) {
		return g, "reason.timer_several", false
	}
	i, ok := r.command(at, "set_timer")
	if !ok {
		return r.nounTimer(at)
	}
	if r.isWrongLength(r.skip(i, "for")) { // "for 3 years" is not "at 3"
		return g, "reason.timer_wrong_length", false
	}
	g = plan.Goal{GoalType: plan.SystemControl, Action: plan.SetAction, ObjectType: plan.PlainTimer}
	when, next := r.duration(i)
	if next == i {
		if when, next = r.prefix(i); next > i && !when.IsSpan() {
			g.ObjectType = plan.AlarmTimer
		}
	}
	if next == i { // "timer called pasta for 10 minutes"
		from := r.skip(i, "named")
		for j := from + 1; j < r.end && from > i; j++ {
			if d, end := r.duration(j); end == r.end {
				g.Target, g.Value = d.String(), r.cut(from, j)
				return g, "", true
			}
		}
		if i == r.end {
			return g, "reason.timer_how_long", false
		}
		return g, r.missing(i, ""), false
	}
	g.Target = when.String()
	return r.labelled(g, next)
}

// wantsSeveral reads "set two timers".
func (r *reader) wantsSeveral(at int) bool {
	i, ok := r.command(at, "open_timer")
	if !ok {
		return false
	}
	_, n := r.words.Phrase(i, "many")
	_, next, ok := r.noun(r.skip(i+n, "ordinary"), "plurals")
	if !ok {
		_, next, ok = r.noun(i+n, "nouns") // «два таймера»
	}
	return ok && n > 0 && next > i
}

// nounTimer reads "set a pasta timer for 8 minutes".
func (r *reader) nounTimer(at int) (g plan.Goal, reason string, ok bool) {
	i, ok := r.command(at, "open_timer")
	if !ok {
		return g, "", false
	}
	i = r.skip(i, "ordinary")
	for j := i + 1; j < min(r.end, i+maxLabel); j++ {
		kind, next, ok := r.noun(j, "nouns")
		if !ok || kind != plan.PlainTimer {
			continue
		}
		when, end := r.duration(next)
		if end == next {
			return g, r.missing(i, "reason.timer_how_long"), false
		}
		if _, n := r.words[i:j].Duration(); n > 0 {
			return g, "reason.timer_second_time", false
		}
		g = plan.Goal{GoalType: plan.SystemControl, Action: plan.SetAction, ObjectType: kind, Target: when.String(), Value: r.cut(i, j)}
		return g, r.mistakeAt(end), r.isEnd(end)
	}
	return g, "", false
}

// labelled completes a timer with its name: "… called pasta". Other words are not understood.
func (r *reader) labelled(g plan.Goal, i int) (plan.Goal, string, bool) {
	switch from := r.skip(i, "named", "text_link"); {
	case r.isEnd(i):
		return g, "", true
	case from == i || from == r.end:
		return g, r.mistakeAt(i), false
	default:
		if when, err := moment.Parse(g.Target); err == nil {
			if reason := r.mistakeIn(when, i, i, from, r.end); reason != "" {
				return g, reason, false
			}
		}
		g.Value = r.cut(from, r.end)
		return g, "", true
	}
}

// shortTimer reads "set a 20 minute timer" and "5 min timer".
func (r *reader) shortTimer(at int) (g plan.Goal, reason string, ok bool) {
	i, _ := r.command(at, "open_timer")
	when, n := r.words[min(i, r.end):r.end].Duration()
	if n == 0 {
		if _, _, ok := r.noun(r.end-1, "nouns"); ok && i < r.end && r.words[i:r.end].WrongLength() {
			return g, "reason.timer_wrong_length", false // "3-year timer"
		}
		return g, "", false
	}
	kind, next, ok := r.noun(i+n, "nouns")
	for j := i + n + 1; !ok && j < min(r.end, i+n+maxLabel); j++ { // "set an 8 minute pasta timer"
		if kind, next, ok = r.noun(j, "nouns"); ok && kind == plan.PlainTimer && r.isEnd(next) {
			return plan.Goal{GoalType: plan.SystemControl, Action: plan.SetAction, ObjectType: kind, Target: when.String(), Value: r.cut(i+n, j)}, "", true
		}
	}
	if !ok || kind != plan.PlainTimer && kind != plan.ReminderTimer && kind != plan.AlarmTimer {
		return g, "", false
	}
	g = plan.Goal{GoalType: plan.SystemControl, Action: plan.SetAction, ObjectType: kind, Target: when.String()}
	return r.labelled(g, next)
}

// alarm reads "set an alarm for 7 am", "wake me up tomorrow at 7".
func (r *reader) alarm(at int) (g plan.Goal, reason string, ok bool) {
	i, ok := r.command(at, "set_alarm")
	if !ok {
		return g, "", false
	}
	for _, from := range []int{i, r.skip(i, "for")} {
		when, next := r.prefix(from)
		if next == from {
			continue
		}
		g = plan.Goal{GoalType: plan.SystemControl, Action: plan.SetAction, ObjectType: plan.AlarmTimer, Target: when.String()}
		return r.labelled(g, next)
	}
	if i == r.end {
		return g, "reason.alarm_when", false
	}
	return g, r.missing(i, ""), false
}

// later reads a goal that runs at a time: "every monday at 9 open github". At the end, a time may be a
// part of a query or a name, so that only goals without such words have one there.
func (r *reader) later(at int, read func(text string) ([]plan.Goal, bool)) (g plan.Goal, ok bool) {
	g = plan.Goal{GoalType: plan.SystemControl, Action: plan.ScheduleAction, ObjectType: plan.GoalTimer}
	if when, next := r.prefix(at); next > at {
		if r.mistakeAt(next) != "" || r.mistakeIn(when, at, next, next, r.end) != "" {
			return g, false
		}
		g.Target, g.Value = when.String(), r.cut(next, r.end)
		if goals, ok := read(g.Value); ok && !slices.ContainsFunc(goals, plan.Goal.ControlsTimer) {
			return g, true
		}
		return g, false
	}
	when, end, ok := r.words.Suffix(at + 1)
	if !ok {
		return g, false
	}
	if next, planned := r.command(at, "schedule"); planned { // "schedule a screenshot every day at 9"
		at = next
	}
	g.Target, g.Value = when.String(), r.cut(at, end)
	goals, ok := read(g.Value)
	isControl := !slices.ContainsFunc(goals, func(g plan.Goal) bool { return !controlsDesktop(g) })
	return g, ok && len(goals) > 0 && (isControl || (when.Repeated || when.IsSpan()) && !slices.ContainsFunc(goals, hasFreeText))
}

// controlsDesktop reports whether a goal does something to the desktop or an app and has no words that
// may hold anything: "lock the screen at 9" has a time at its end.
func controlsDesktop(g plan.Goal) bool {
	return g.GoalType == plan.SystemControl && !g.ControlsTimer() && !slices.Contains([]string{plan.SettingType, plan.ClipboardType, plan.NotificationType}, g.ObjectType)
}

// hasFreeText reports whether a goal has words that may hold anything.
func hasFreeText(g plan.Goal) bool {
	return g.GoalType != plan.BrowserNavigate && g.GoalType != plan.AppLaunch && g.GoalType != plan.SystemQuery || g.Query != "" || g.SaveTo != ""
}
