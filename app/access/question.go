// Package access asks about the hosts and folders that a run needs and the user has not allowed
// yet, and tells which folders a run may use.
package access

import (
	"maps"
	"slices"
	"strings"

	"errand/app/drafts"
	"errand/app/grants"
	"errand/host/realpath"
	"errand/planner/message"
	"errand/planner/plan"
)

// Answers to the question whether a host or a folder is allowed.
const (
	Once   = "once"   // for this run
	Always = "always" // until the user revokes it
	no     = "no"
)

func question(id string, text message.Message) plan.Question {
	return plan.Question{ID: id, Question: text, Choices: []plan.Choice{
		{Label: message.New("runs.allow_once"), Value: Once},
		{Label: message.New("runs.allow_always"), Value: Always},
		{Label: message.New("runs.allow_no"), Value: no},
	}}
}

// HostQuestions asks about each host of a plan that neither a list nor a grant allows.
func HostQuestions(e drafts.Evaluation) []plan.Question {
	var questions []plan.Question
	for _, v := range e.Verdicts {
		id := drafts.HostQuestion + v.Decision.Pattern
		if v.Error != nil || !drafts.WaitsForHost(v) || slices.ContainsFunc(questions, func(q plan.Question) bool { return q.ID == id }) {
			continue
		}
		questions = append(questions, question(id, message.New("runs.allow_host", "reason", v.Decision.Reason, "pattern", v.Decision.Pattern)))
	}
	return questions
}

// FolderQuestions asks about folders.
func FolderQuestions(folders []string) []plan.Question {
	var questions []plan.Question
	for _, folder := range folders {
		real, _ := realpath.Resolve(folder)
		text := message.New("runs.allow_folder", "folder", folder, "real", real, "linked", folder != real)
		questions = append(questions, question(drafts.FolderQuestion+folder, text))
	}
	return questions
}

// Of returns what a question is about.
func Of(q plan.Question) grants.Access {
	if folder, ok := strings.CutPrefix(q.ID, drafts.FolderQuestion); ok {
		real, _ := q.Question.Params["real"].(string)
		return grants.Access{Folder: folder, Real: real}
	}
	return grants.Access{Host: strings.TrimPrefix(q.ID, drafts.HostQuestion)}
}

// AreOnly reports whether questions are about hosts and folders, and none about the words.
func AreOnly(questions []plan.Question) bool {
	return len(questions) > 0 && !slices.ContainsFunc(questions, func(q plan.Question) bool { return !drafts.AsksAccess(q.ID) })
}

// WordAnswers returns the answers to questions about words.
func WordAnswers(answers map[string]string) map[string]string {
	out := maps.Clone(answers)
	maps.DeleteFunc(out, func(id, _ string) bool { return drafts.AsksAccess(id) })
	return out
}

// Refused returns a host or a folder that the user refused, or false if there is none.
func Refused(answers map[string]string) (grants.Access, bool) {
	for _, id := range slices.Sorted(maps.Keys(answers)) {
		if drafts.AsksAccess(id) && answers[id] == no {
			return Of(plan.Question{ID: id}), true
		}
	}
	return grants.Access{}, false
}
