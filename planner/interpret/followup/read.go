package followup

import (
	"slices"
	"strings"

	"errand/planner/interpret"
	"errand/planner/interpret/filename"
	"errand/planner/message"
	"errand/planner/plan"
)

// Question is the id of the question which thing a reference means.
const Question = "follow_up"

// Result is what a follow-up means. It has a Question or a Reason if it means nothing that can be
// done at once.
type Result struct {
	Wish     Wish
	Names    []filename.Name   // [Refer]: the things in the text
	Words    string            // in place of the text; empty: the text with Names, or Goals
	Goals    plan.GoalSet      // if there are no other words
	Answers  map[string]string // [Into]: to questions about the text, with which folder is meant
	Means    []Meaning
	Question *plan.Question
	Reason   message.Message
}

// IsNothing reports whether no earlier goal was about a thing, or a list, that the words could mean.
func (r Result) IsNothing() bool {
	return r.Reason.Code == "follow_up.nothing" || r.Reason.Code == "follow_up.no_list"
}

// Meaning says what words of a follow-up mean.
type Meaning struct {
	Words string `json:"words"`          // as they were said; empty: the text leaves them out
	Thing Thing  `json:"thing,omitzero"` // that they mean
	Nth   int    `json:"nth,omitempty"`  // which result of the page Thing they mean; 0: the page itself, -1: the last one
	Goal  string `json:"goal,omitempty"` // the earlier goal that they mean
	Age   int    `json:"age"`            // seconds since that goal
}

// Reader reads follow-ups of one conversation.
type Reader struct {
	Interpreter *interpret.Interpreter
	Context     Context
	Answers     map[string]string // to earlier questions about the text
}

// Read reads a text that means nothing by itself, in the context of earlier goals. It is false for any
// other text. It never chooses between two things: it asks.
func (r *Reader) Read(text string) (Result, bool) {
	switch f := Find(r.Interpreter.Parse(text)); f.Kind {
	case Undo, LastRun, Forget:
		return Result{Wish: f.Kind}, true
	case Again:
		return r.again(text), true
	case Cancel:
		return r.cancelTimer(text)
	case Left:
		return r.listTimers(text)
	case Longer:
		return r.lengthenTimer()
	case Into:
		if found, ok := r.searchThere(text, f.References[0]); ok {
			return found, true
		}
		return r.into(text, f.References[0])
	case Instead, There:
		return r.other(f)
	case Refer:
		if f.IsBare {
			return r.open(text, f.References[0])
		}
		return r.refer(text, f.References)
	}
	return Result{}, false
}

// open opens a page of the last list by its place alone. It is false if the place means anything else.
func (r *Reader) open(text string, ref Reference) (Result, bool) {
	things, missing := r.Context.Resolve(ref)
	if missing != "" || r.Context.Unclear || len(things) != 1 || things[0].Kind != Page {
		return Result{}, false
	}
	set := plan.GoalSet{Kind: plan.Single, Goals: []plan.Goal{{GoalType: plan.BrowserNavigate, Target: things[0].Ref, GoalID: "g1"}}}
	return Result{Wish: Refer, Goals: set, Means: []Meaning{{Words: ref.Words(text), Thing: things[0].Thing, Age: things[0].Age}}}, true
}

// again repeats the last goal.
func (r *Reader) again(text string) Result {
	run := r.Context.Run
	switch reason := r.checkRun(run); {
	case !reason.IsZero():
		return Result{Wish: Again, Reason: reason}
	case len(run.Goals.Goals) == 0:
		return Result{Wish: Again, Reason: message.New("follow_up.not_repeatable", "goal", run.Words)}
	}
	return Result{Wish: Again, Goals: run.Goals, Means: []Meaning{{Words: strings.TrimSpace(text), Goal: run.Words, Age: run.Age}}}
}

// checkRun says why a goal can't be repeated now.
func (r *Reader) checkRun(run Run) message.Message {
	switch {
	case run.IsZero():
		return message.New("follow_up.no_goal")
	case IsOld(run.Age):
		return message.New("follow_up.old_goal", "goal", run.Words, "age", run.Age)
	case r.Context.Unclear:
		return message.New("follow_up.unclear")
	}
	return message.Message{}
}

// refer reads a text with things in place of the words that mean them.
func (r *Reader) refer(text string, refs []Reference) (Result, bool) {
	var missed *Result
	for _, ref := range refs {
		if ref.IsMany {
			return r.referMany(text, ref)
		}
		if ref.IsCompared {
			if set, means, ok := r.firstFound(text, ref); ok {
				return Result{Wish: Refer, Goals: set, Means: means}, true
			}
			if !r.reads(text, ref, probes[1]) {
				return Result{}, false
			}
			return Result{Wish: Refer, Reason: message.New("follow_up.compare", "words", ref.Words(text), "count", len(r.Context.List.Things))}, true
		}
		things, missing := r.Context.Resolve(ref)
		var fitting []Candidate
		for _, th := range things {
			known := slices.ContainsFunc(fitting, func(c Candidate) bool { return c.Thing.Ref == th.Ref })
			if !known && r.reads(text, ref, th.Thing) {
				fitting = append(fitting, th)
			}
		}
		if page, ok := r.resultOnPage(text, ref, missing); ok {
			return r.chooseResult(text, ref, fitting, page), true
		}
		if len(fitting) > 0 {
			return r.choose(text, ref, fitting, missing), true
		}
		if ref.Nth != 0 && missing == "" {
			missing = Other
		}
		if missed == nil {
			missed = r.explain(text, ref, missing)
		}
	}
	if missed == nil {
		return Result{}, false
	}
	if missed.IsNothing() && r.stopsWatching(text, refs[0]) {
		any := plan.Goal{GoalID: "g1", GoalType: plan.SystemControl, Action: plan.CancelAction, ObjectType: plan.WatchTimer}
		return Result{Wish: Refer, Goals: plan.GoalSet{Kind: plan.Single, Goals: []plan.Goal{any}}}, true
	}
	return *missed, true
}

// stopsWatching reports whether a text would end the watch of a page. Without a page it means the only watch
// there is; the tool lists several.
func (r *Reader) stopsWatching(text string, ref Reference) bool {
	read := r.Interpreter.ReadNamed(text, namesOf(ref, Thing{Kind: Page, Ref: "https://example.com/"}), r.Answers)
	goals := read.Goals.Goals
	return read.Status == interpret.OK && len(goals) == 1 && goals[0].ObjectType == plan.WatchTimer && goals[0].Action == plan.CancelAction
}

// choose takes the only thing that a reference can mean, if it is sure, or asks.
func (r *Reader) choose(text string, ref Reference, things []Candidate, missing Missing) Result {
	if answer := r.Answers[Question]; answer != "" {
		if i := slices.IndexFunc(things, func(c Candidate) bool { return c.Ref == answer }); i >= 0 {
			return r.take(text, ref, things[i])
		}
	}
	code := "question.follow_up"
	switch {
	case missing == Old:
		code = "question.follow_up_old"
	case r.Context.Unclear:
		code = "question.follow_up_unclear"
	case len(things) == 1:
		return r.take(text, ref, things[0])
	}
	return Result{Wish: Refer, Question: ask(code, text, ref, things)}
}

// ask makes the question which of several things a reference means.
func ask(code, text string, ref Reference, things []Candidate) *plan.Question {
	q := plan.Question{ID: Question, Question: message.New(code, "words", ref.Words(text))}
	for _, th := range things {
		q.Choices = append(q.Choices, plan.Choice{
			Label: message.New("question.choice_thing", "kind", string(th.Kind), "thing", th.Name(), "age", th.Age), Value: th.Ref,
		})
	}
	return &q
}

func (r *Reader) take(text string, ref Reference, c Candidate) Result {
	means := []Meaning{{Words: ref.Words(text), Thing: c.Thing, Age: c.Age}}
	if set, ok := r.onOpenPage(text, ref, c.Thing); ok {
		return Result{Wish: Refer, Goals: set, Means: means}
	}
	return Result{Wish: Refer, Names: namesOf(ref, c.Thing), Means: means}
}

// explain says why a reference means nothing, if the text would mean something with a thing in
// its place.
func (r *Reader) explain(text string, ref Reference, missing Missing) *Result {
	for _, th := range probes {
		if ref.Nth == 0 && !fits(ref.Noun, th.Kind) || !r.reads(text, ref, th) {
			continue
		}
		words, kind := ref.Words(text), string(th.Kind)
		reason := message.New("follow_up.nothing", "kind", kind, "words", words)
		switch missing {
		case Short:
			reason = message.New("follow_up.short", "words", words, "count", len(r.Context.List.Things), "more", r.Context.List.More)
		case Other:
			reason = message.New("follow_up.other", "kind", kind, "words", words)
		case NoList:
			reason = message.New("follow_up.no_list", "words", words)
		}
		return &Result{Wish: Refer, Reason: reason}
	}
	return nil
}

// probes are things of all kinds, to see whether a text would be understood with one.
var probes = []Thing{{Kind: File, Ref: "/home/x/file.txt"}, {Kind: Page, Ref: "https://example.com/"}, {Kind: Folder, Ref: "/home/x/folder"}}

// reads reports whether a text is understood with a thing in place of a reference, as a goal that
// acts on the thing.
func (r *Reader) reads(text string, ref Reference, th Thing) bool {
	answers := r.Answers
	read := r.Interpreter.ReadNamed(text, namesOf(ref, th), answers)
	if read.Status == interpret.Ambiguous && len(read.Questions) == 1 && slices.Contains(askable, read.Questions[0].ID) {
		return true
	}
	return read.Status == interpret.OK && acts(read, ref, th)
}

// askable are the ids of questions about what else a goal on a thing needs.
var askable = []string{"rename", "destination", "form"}

func namesOf(ref Reference, th Thing) []filename.Name {
	return []filename.Name{{Start: ref.Start, End: ref.End, Path: th.Ref, Object: string(th.Kind)}}
}

// acts reports whether goals act on a thing, and none has it as its query or text.
func acts(read interpret.Reading, ref Reference, th Thing) bool {
	used := false
	for _, g := range read.Goals.Goals {
		if th.Kind == File && g.Action == plan.ListAction {
			return false
		}
		if th.IsOwn && slices.Contains([]string{"delete", plan.MoveAction, plan.RenameAction}, g.Action) {
			return false
		}
		if strings.Contains(g.Query, th.Ref) || strings.Contains(g.Value, th.Ref) && g.ObjectType != plan.WatchTimer {
			return false
		}
		switch g.GoalType {
		case plan.FileOperation:
			used = used || th.Kind.IsPath() && g.Action != "create" && (strings.TrimRight(g.Target, "/") == th.Ref || strings.HasPrefix(g.Destination, th.Ref))
		case plan.BrowserNavigate, plan.BrowserSearch: // the URL of results is read as their search
			used = used || th.Kind == Page && (g.Target == th.Ref || isPageOf(read, g, ref))
		case plan.SystemControl:
			used = used || th.Kind == App && g.Target == th.Ref || th.Kind == Page && g.ObjectType == plan.WatchTimer && g.Value == th.Ref
		case plan.AppLaunch:
			used = used || th.Kind == App && g.Target == th.Ref
		}
	}
	return used
}

// isPageOf reports whether the words of a reference are the page of a goal.
func isPageOf(read interpret.Reading, g plan.Goal, ref Reference) bool {
	if ref.Start == ref.End {
		return g.GoalType == plan.BrowserNavigate
	}
	return slices.ContainsFunc(read.Evidence, func(e interpret.Evidence) bool {
		return e.GoalID == g.GoalID && e.Slot != "goal_type" && e.Slot != "action" && e.Start <= ref.Start && ref.End <= e.End
	})
}
