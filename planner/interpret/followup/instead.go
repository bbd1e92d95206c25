package followup

import (
	"slices"
	"strings"

	"errand/planner/interpret"
	"errand/planner/interpret/lexicon"
	"errand/planner/message"
	"errand/planner/plan"
)

// other reads the last goal with another query or target, or on another site.
func (r *Reader) other(f FollowUp) (Result, bool) {
	if again, ok := r.setAgain(f); ok {
		return again, true
	}
	run := r.Context.Run
	query, _ := run.Query()
	if query == "" && !f.IsPlace && !f.IsTime && r.checkRun(run).IsZero() && (!f.IsThere || goesSomewhere(run)) {
		for _, text := range replaceTarget(run, f) {
			if read := r.Interpreter.Read(text); read.Status == interpret.OK && sameActions(read.Goals.Goals, run.Goals.Goals) {
				return Result{Wish: f.Kind, Words: text, Means: r.meansGoal(run)}, true
			}
			if again, ok := r.into(text, Reference{}); ok { // the last goal had a "there" too
				again.Words, again.Means = text, r.meansGoal(run)
				return again, true
			}
		}
	}
	if f.IsThere { // "and b.txt there too"
		return Result{}, false
	}
	if query == "" {
		run = r.Context.Search
		query, _ = run.Query()
	}
	if query == "" {
		return Result{Wish: f.Kind, Reason: message.New("follow_up.no_search")}, !f.IsPlace && !f.IsTime
	}
	if reason := r.checkRun(run); !reason.IsZero() {
		return Result{Wish: f.Kind, Reason: reason}, true
	}
	means := r.meansGoal(run)
	if !run.Topic {
		run = r.asTopic(run)
	}
	if (f.IsPlace || f.IsTime) && !run.Topic {
		return Result{}, false
	}
	if f.Site != "" && !r.Interpreter.Words().Catalogue.Searchable(f.Site) {
		return Result{Wish: f.Kind, Reason: message.New("follow_up.not_searchable", "site", f.Site)}, true
	}
	if run.Topic && f.Query != "" {
		replace := r.replaceMatter
		if f.IsTime {
			replace = r.replaceTime
		}
		text, ok := replace(run, f.Query)
		if !ok {
			return Result{Wish: f.Kind, Reason: message.New("follow_up.whole_question", "goal", run.Words)}, true
		}
		return Result{Wish: f.Kind, Words: text, Means: means}, true
	}
	if text, ok := r.replaceQuery(run, f); ok {
		return Result{Wish: f.Kind, Words: text, Means: means}, true
	}
	return Result{Wish: f.Kind, Goals: run.Replace(f.Query, f.Site), Means: means}, true
}

// replaceQuery puts a query in place of that of a goal's words, if they have it once.
func (r *Reader) replaceQuery(run Run, f FollowUp) (string, bool) {
	query, _ := run.Query()
	if f.Site != "" || strings.Count(run.Words, query) != 1 {
		return "", false
	}
	text := strings.Replace(run.Words, query, f.Query, 1)
	read := r.Interpreter.Read(text)
	return text, read.Status == interpret.OK && slices.ContainsFunc(read.Goals.Goals, func(g plan.Goal) bool { return g.Query == f.Query }) && sameSearches(read.Goals.Goals, run.Goals.Goals)
}

// sameSearches reports whether goals have the same numbers of searches.
func sameSearches(a, b []plan.Goal) bool {
	count := func(goals []plan.Goal) (n int) {
		for _, g := range goals {
			if g.GoalType == plan.BrowserSearch {
				n++
			}
		}
		return n
	}
	return count(a) == count(b)
}

func (r *Reader) meansGoal(run Run) []Meaning {
	return []Meaning{{Goal: run.Words, Age: run.Age}}
}

// goesSomewhere reports whether a goal moves or copies something to a folder.
func goesSomewhere(run Run) bool {
	goals := run.Goals.Goals
	return len(goals) == 1 && goals[0].GoalType == plan.FileOperation && strings.HasSuffix(goals[0].Destination, "/")
}

// replaceTarget puts the words of a follow-up in place of the only target of a goal's words, or of
// all from there on: "read a.txt in documents".
func replaceTarget(run Run, f FollowUp) []string {
	if f.Query == "" || f.Site != "" || len(run.Targets) != 1 {
		return nil
	}
	at := run.Targets[0]
	if at.Start < 0 || at.Start >= at.End || at.End > len(run.Words) {
		return nil
	}
	return []string{run.Words[:at.Start] + f.Query + run.Words[at.End:], run.Words[:at.Start] + f.Query}
}

// sameActions reports whether goals do the same with something else.
func sameActions(a, b []plan.Goal) bool {
	return slices.EqualFunc(a, b, func(a, b plan.Goal) bool {
		return a.GoalType == b.GoalType && a.Action == b.Action && a.Target != b.Target
	})
}

// replaceMatter puts words in place of what a question is about, which follows its last preposition
// or its verb: "weather in paris", "define entropy".
func (r *Reader) replaceMatter(run Run, query string) (string, bool) {
	t := r.Interpreter.Parse(run.Words)
	end := t.TrimTail(0, len(t.Tokens), false)
	if when, ok := t.FindEnding(1, end, lexicon.TopicWhen); ok {
		end -= when.Len
	}
	for i := end - 1; i > 0; i-- {
		if _, ok := t.FindEnding(0, i, beforeMatter...); !ok {
			continue
		}
		text := run.Words[:t.Tokens[i].Start] + query
		if i < end && end < len(t.Tokens) { // "weather in paris tomorrow"
			if late := text + run.Words[t.Tokens[end-1].End:]; r.isTopic(late) {
				return late, true
			}
		}
		if r.isTopic(text) {
			return text, true
		}
	}
	return "", false
}

// replaceTime puts another time into a question, in place of its own one or at its end: "weather in paris"
// and "tomorrow".
func (r *Reader) replaceTime(run Run, when string) (string, bool) {
	t := r.Interpreter.Parse(run.Words)
	for i := range t.Tokens {
		m, ok := t.Longest(i, len(t.Tokens), lexicon.TopicWhen)
		if !ok {
			continue
		}
		text := run.Words[:t.Tokens[i].Start] + when + run.Words[t.Tokens[i+m.Len-1].End:]
		return text, r.isTopic(text)
	}
	text := strings.TrimRight(run.Words, " ?!.") + " " + when
	return text, r.isTopic(text)
}

// isTopic reports whether a text is one question that is its own query.
func (r *Reader) isTopic(text string) bool {
	read := r.Interpreter.Read(text)
	return read.Status == interpret.OK && len(read.Goals.Goals) == 1 && IsTopic(read.Evidence)
}

// asTopic returns a search with its query as the words, if the query alone asks the same: "what's the weather in
// oslo" looks for "weather in oslo".
func (r *Reader) asTopic(run Run) Run {
	query, _ := run.Query()
	read := r.Interpreter.Read(query)
	if len(run.Goals.Goals) != 1 || read.Status != interpret.OK || len(read.Goals.Goals) != 1 || !IsTopic(read.Evidence) {
		return run
	}
	own, old := read.Goals.Goals[0], run.Goals.Goals[0]
	if own.GoalType != old.GoalType || own.Action != old.Action || own.Query != query || own.Platform != old.Platform {
		return run
	}
	run.Words, run.Topic = query, true
	return run
}

// beforeMatter are the kinds of phrases that what a question is about follows.
var beforeMatter = []lexicon.Kind{lexicon.In, lexicon.Of, lexicon.For, lexicon.On, lexicon.To, lexicon.About, lexicon.TopicAt, lexicon.TopicTo, lexicon.TopicOf, lexicon.TopicVerb, lexicon.TopicNoun, lexicon.TopicOpen}

// IsTopic reports whether the evidence is that of a question which is its own query: its verb is
// part of it.
func IsTopic(evidence []interpret.Evidence) bool {
	query, verb := -1, -1
	for _, e := range evidence {
		switch e.Slot {
		case "query":
			query = e.Start
		case "goal_type":
			verb = e.End
		}
	}
	return query >= 0 && verb > query
}
