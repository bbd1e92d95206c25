package planning

import (
	"slices"
	"strings"

	"errand/planner/interpret"
	"errand/planner/interpret/filename"
	"errand/planner/interpret/lexicon"
	"errand/planner/message"
	"errand/planner/plan"
)

// searchWeb is the answer that looks on the web for words which are the name of a file as well.
const searchWeb = "web"

// seeks returns the query of an interpretation that only looks for something and names no site for
// it: "find the q2 report".
func (p *Planner) seeks(in Interpretation) (query interpret.Evidence, ok bool) {
	if in.Status != interpret.OK || len(in.Goals) != 1 || in.Goals[0].GoalType != plan.BrowserSearch {
		return query, false
	}
	for _, e := range in.Evidence {
		switch e.Slot {
		case "platform":
			return query, false
		case "query":
			query = e
		case "goal_type":
			verb, _, _ := strings.Cut(e.Words, " ")
			if _, ok = p.reader.Words().Single(lexicon.Fold(verb), lexicon.Seek); !ok {
				return query, false
			}
		}
	}
	return query, ok && query.Start < query.End
}

// askSearch asks whether a query that is the name of a file or folder means that, or the web.
func (n *naming) askSearch(in Interpretation, query interpret.Evidence, mentions []filename.Mention) Interpretation {
	i := slices.IndexFunc(mentions, func(m filename.Mention) bool {
		return !m.IsSimilar && m.End == query.End && m.Start >= query.Start && len(strings.Fields(n.text[query.Start:m.Start])) < 2
	})
	if i < 0 {
		return in
	}
	found := mentions[i : i+1]
	if n.request.Answers[nameQuestion] != "" {
		if named, ok := n.read(in, found, false); ok {
			return named
		}
		return in
	}
	next := n.ask(in, found[0], found[0].Entries)
	next.Questions[0].Choices = append(next.Questions[0].Choices, plan.Choice{Label: message.New("question.choice_search_web", "query", query.Words), Value: searchWeb})
	next.entries = entriesOf(found)
	return next
}
