package followup

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"errand/planner/interpret"
	"errand/planner/message"
	"errand/planner/plan"
)

// maxMany is how many things "them" can mean. More are named by their kind and folder.
const maxMany = 20

// manyActions are what can be done with several things, one by one.
var manyActions = []string{plan.OpenAction, "read", "delete", plan.MoveAction, plan.CopyAction, "measure"}

// resolveMany lists the files and folders that "them" means: those of the last list, or those that a
// later goal was about.
func (c Context) resolveMany(r Reference) ([]Candidate, Missing) {
	part, more := c.Files, false
	isPath := func(t Thing) bool { return t.Kind.IsPath() }
	if l := c.List; slices.ContainsFunc(l.Things, isPath) && (l.RunID == c.Files.RunID || l.Age < c.Files.Age) {
		part, more = l.Part, l.More
	}
	if len(part.Things) == 0 {
		return nil, Nothing
	}
	names := map[string]bool{}
	var out []Candidate
	for _, th := range part.Things {
		name := path.Base(th.Ref)
		if th.IsOwn || !isPath(th) || names[name] { // a copy has the name of the original
			return nil, Other
		}
		names[name] = true
		out = append(out, Candidate{th, part.Age})
	}
	switch {
	case more || len(out) > maxMany:
		return nil, Short
	case r.IsBoth && len(out) != 2 || len(out) < 2:
		return nil, Other
	case IsOld(part.Age):
		return out, Old
	}
	return out, ""
}

// referMany reads a text with each of several things in place of the word that means them all. It is
// false if the text does nothing with files that can be done with several.
func (r *Reader) referMany(text string, ref Reference) (Result, bool) {
	if read, ok := r.readOne(text, ref, probes[0]); !ok {
		if read.Status == interpret.Ambiguous && len(read.Questions) == 1 && read.Questions[0].ID == "destination" {
			return Result{Wish: Refer, Question: &read.Questions[0]}, true
		}
		if len(read.Goals.Goals) == 1 && read.Goals.Goals[0].Action == plan.ZipAction {
			return Result{Wish: Refer, Reason: message.New("follow_up.zip_many", "words", ref.Words(text))}, true
		}
		return Result{}, false
	}
	words := ref.Words(text)
	things, missing := r.Context.resolveMany(ref)
	switch {
	case missing == Nothing:
		return Result{Wish: Refer, Reason: message.New("follow_up.nothing", "kind", string(File), "words", words)}, true
	case missing == Old || r.Context.Unclear:
		return Result{Wish: Refer, Reason: message.New("follow_up.old_many", "words", words)}, true
	case missing != "":
		return Result{Wish: Refer, Reason: message.New("follow_up.which_many", "words", words)}, true
	}
	var goals []plan.Goal
	result := Result{Wish: Refer}
	for i, th := range things {
		read, ok := r.readOne(text, ref, th.Thing)
		if !ok {
			return Result{}, false
		}
		g := read.Goals.Goals[0]
		g.GoalID = fmt.Sprint("g", i+1)
		goals = append(goals, g)
		result.Means = append(result.Means, Meaning{Words: words, Thing: th.Thing, Age: th.Age})
	}
	result.Goals = plan.NewGoalSet(goals, nil)
	return result, true
}

// readOne reads a text with one thing in place of a reference to several. It is false if several
// things cannot have such a goal: two can’t get the same new name.
func (r *Reader) readOne(text string, ref Reference, th Thing) (interpret.Reading, bool) {
	read := r.Interpreter.ReadNamed(text, namesOf(ref, th), r.Answers)
	if read.Status != interpret.OK || len(read.Goals.Goals) != 1 || !acts(read, ref, th) {
		return read, false
	}
	g := read.Goals.Goals[0]
	return read, g.GoalType == plan.FileOperation && slices.Contains(manyActions, g.Action) && (g.Destination == "" || strings.HasSuffix(g.Destination, "/"))
}

// hasSeveral reports whether meanings are of one word for several things.
func hasSeveral(means []Meaning) bool {
	return len(means) > 1 && !slices.ContainsFunc(means, func(m Meaning) bool {
		return m.Words == "" || m.Words != means[0].Words || m.Thing.Ref == "" || m.Nth != 0
	})
}
