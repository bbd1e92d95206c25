package followup

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"errand/planner/interpret"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// intoQuestion is the id of the question which folder "there" is.
const intoQuestion = "referent"

// findInto finds "there" in a command about files: "move a.txt there".
func findInto(t *parse.Text, lo, hi int) FollowUp {
	at, _ := t.SkipLead(lo, hi)
	if _, ok := t.Longest(at, hi, append([]lexicon.Kind{lexicon.FileAction, lexicon.Put, lexicon.SearchIn}, lexicon.Verbs...)...); !ok {
		return FollowUp{}
	}
	for i := at + 1; i < hi; i++ {
		if m, ok := t.Longest(i, hi, lexicon.InIt); ok && !t.IsQuoted(i, i+1) {
			return FollowUp{Kind: Into, References: []Reference{{Span: Span{t.Tokens[i].Start, t.Tokens[i+m.Len-1].End}, Noun: "folder"}}}
		}
	}
	return FollowUp{}
}

// into reads a text whose "there" is the folder of the last goal about files. It is false if no goal was
// about a single folder, or the text has nothing to do with one.
func (r *Reader) into(text string, ref Reference) (Result, bool) {
	folder, ok := r.Context.folder()
	if !ok || r.Context.Unclear || IsOld(r.Context.Files.Age) || r.Answers[intoQuestion] != "" {
		return Result{}, false
	}
	answers := maps.Clone(r.Answers)
	if answers == nil {
		answers = map[string]string{}
	}
	answers[intoQuestion] = folder.Ref + "/"
	read := r.Interpreter.ReadWith(text, nil)
	asks := read.Status == interpret.Ambiguous && len(read.Questions) == 1 && read.Questions[0].ID == intoQuestion
	if next := r.Interpreter.ReadWith(text, answers); !asks || next.Status == interpret.Unsupported || next.Status == interpret.OK && !goesInto(next, folder) {
		return Result{}, false
	}
	return Result{Wish: Into, Answers: answers, Means: []Meaning{{Words: ref.Words(text), Thing: folder, Age: r.Context.Files.Age}}}, true
}

// goesInto reports whether all goals use what is in a folder.
func goesInto(read interpret.Reading, folder Thing) bool {
	return !slices.ContainsFunc(read.Goals.Goals, func(g plan.Goal) bool {
		return g.GoalType != plan.FileOperation || !strings.HasPrefix(g.Target, folder.Ref+"/") && !strings.HasPrefix(g.Destination, folder.Ref+"/")
	})
}

// folder is the only folder that the last goal about files was about: it, or where the goal put a file.
func (c Context) folder() (Thing, bool) {
	var folders []Thing
	for _, th := range c.Files.Things {
		if th.Kind == Folder {
			folders = append(folders, th)
		}
	}
	if len(folders) > 0 {
		return folders[0], len(folders) == 1
	}
	if c.Files.Into == nil {
		return Thing{}, false
	}
	return *c.Files.Into, true
}

// PutInto is the folder into which a goal put the first of things; nil if it did not.
func PutInto(goals []plan.Goal, things []Thing) *Thing {
	if len(things) == 0 || len(goals) != 1 || things[0].Kind != File || !slices.Contains([]string{plan.MoveAction, plan.CopyAction, "create"}, goals[0].Action) {
		return nil
	}
	said := strings.TrimRight(cmp.Or(goals[0].Destination, path.Dir(goals[0].Target)), "/")
	return &Thing{Kind: Folder, Ref: path.Dir(things[0].Ref), IsOwn: strings.HasPrefix(said, "~") && strings.Count(said, "/") <= 1}
}
