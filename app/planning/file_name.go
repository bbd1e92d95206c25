package planning

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"errand/planner/interpret"
	"errand/planner/interpret/filename"
	"errand/planner/interpret/lexicon"
	"errand/planner/message"
	"errand/planner/plan"
)

// nameQuestion is the id of the question which file or folder a name means. A second question has
// "_2" at its end, and so on.
const nameQuestion = "file"

// maxReadings bounds the readings of one text with names in it.
const maxReadings = 200

// naming reads a text with the names of files and folders that are there.
type naming struct {
	*Planner
	text    string
	request Request
	budget  int // readings that may still be tried
}

// namedReading is a reading with names that was understood.
type namedReading struct {
	in      Interpretation
	entries []filename.Entry // by mention
}

// nameFiles reads words that were not understood again: they may name files and folders that are
// there. It does the same for goals about a file that is not there. If the words fit several
// files, or none exactly, the user is asked.
func (p *Planner) nameFiles(in Interpretation, text string, request Request) Interpretation {
	entries := slices.Values(request.Entries)
	if len(request.Entries) == 0 {
		if !request.Look || !p.mayNameFiles(in) {
			return in
		}
		entries = p.Entries(cmp.Or(request.Work, p.Conf.Paths.Work))
	}
	search, searches := p.seeks(in)
	if searches && request.Answers[nameQuestion] == searchWeb {
		return in
	}
	mentions := filename.Find(p.reader.WithApps(request.find).Parse(text), entries)
	used := filename.EntriesOf(mentions)
	n := &naming{p, text, request, maxReadings}
	if searches {
		return n.askSearch(in, search, mentions)
	}
	for _, near := range []bool{false, true} {
		if named, ok := n.read(in, mentions, near); ok {
			named.entries = used
			return named
		}
	}
	return in
}

// mayNameFiles reports whether words of an interpretation may name files without their
// extensions.
func (p *Planner) mayNameFiles(in Interpretation) bool {
	if in.Recipe != "" || in.Call != nil || in.IsAnswered() {
		return false
	}
	if _, searches := p.seeks(in); searches || in.Status != interpret.OK {
		return true
	}
	return p.lacksTarget(in)
}

// read tries the sets of mentions that don't overlap, the longest first, and takes the first that
// is understood. A set has a near name if near is set, and none otherwise.
func (n *naming) read(in Interpretation, mentions []filename.Mention, near bool) (Interpretation, bool) {
	for _, set := range filename.Sets(n.answered(mentions), near) {
		var found []namedReading
		n.fill(set, nil, &found)
		if len(found) > 0 {
			return n.choose(in, set, nearest(found)), true
		}
	}
	return in, false
}

// answered keeps of each mention the entry that an answer names.
func (n *naming) answered(mentions []filename.Mention) []filename.Mention {
	out := slices.Clone(mentions)
	for i, m := range out {
		for id, value := range n.request.Answers {
			if at := slices.IndexFunc(m.Entries, func(e filename.Entry) bool { return e.Path == value }); at >= 0 && isNameQuestion(id) {
				out[i].Entries, out[i].IsSimilar = m.Entries[at:at+1], false
			}
		}
	}
	return out
}

func isNameQuestion(id string) bool {
	rest, ok := strings.CutPrefix(id, nameQuestion)
	return ok && (rest == "" || rest[0] == '_')
}

// fill reads the text with each choice of entries for a set of mentions.
func (n *naming) fill(set []filename.Mention, chosen []filename.Entry, found *[]namedReading) {
	if len(chosen) < len(set) {
		for _, e := range set[len(chosen)].Entries {
			n.fill(set, append(slices.Clip(chosen), e), found)
		}
		return
	}
	if n.budget--; n.budget < 0 {
		return
	}
	names := make([]filename.Name, len(set))
	for i, m := range set {
		names[i] = filename.Name{Start: m.Start, End: m.End, Path: chosen[i].Path, Object: chosen[i].Object()}
	}
	in, _ := n.readText(n.text, names, n.request)
	if in.Status == interpret.OK && filename.AreUsed(in.Goals, names) || asksAbout(in, names) {
		*found = append(*found, namedReading{in, chosen})
	}
}

// asksAbout reports whether a reading asks which of two things is meant, and one of them has one of
// the names: "zip the report and delete it".
func asksAbout(in Interpretation, names []filename.Name) bool {
	return in.Status == interpret.Ambiguous && slices.ContainsFunc(in.Questions[0].Choices, func(c plan.Choice) bool {
		return slices.ContainsFunc(names, func(n filename.Name) bool { return c.Value == n.Path })
	})
}

// nearest keeps the readings whose entries are found first.
func nearest(found []namedReading) []namedReading {
	depth := func(n namedReading) (sum int) {
		for _, e := range n.entries {
			sum += e.Depth
		}
		return sum
	}
	first := slices.MinFunc(found, func(a, b namedReading) int { return cmp.Compare(depth(a), depth(b)) })
	return slices.DeleteFunc(found, func(n namedReading) bool { return depth(n) > depth(first) })
}

// choose returns the only reading of a set of mentions, or asks which entry is meant.
func (n *naming) choose(in Interpretation, set []filename.Mention, found []namedReading) Interpretation {
	for i, m := range set {
		var offered []filename.Entry
		for _, f := range found {
			if !slices.Contains(offered, f.entries[i]) {
				offered = append(offered, f.entries[i])
			}
		}
		if len(offered) > 1 || m.IsSimilar {
			return n.ask(in, m, offered)
		}
	}
	return found[0].in
}

// ask asks which entry is meant. Another answer is for the question that there was
// before.
func (n *naming) ask(in Interpretation, m filename.Mention, offered []filename.Entry) Interpretation {
	code := "question.file"
	if m.IsSimilar {
		code = "question.near_file"
	}
	q := plan.Question{ID: n.questionID(), Question: message.New(code, "words", n.text[m.Start:m.End])}
	for _, e := range offered {
		q.Choices = append(q.Choices, plan.Choice{Label: message.Verbatim(e.Path), Value: e.Path})
	}
	if in.Status == interpret.Ambiguous && len(in.Questions) == 1 {
		before := in.Questions[0]
		q.Choices, q.FreeTextAllowed = append(q.Choices, before.Choices...), before.FreeTextAllowed
		if answer := n.request.Answers[q.ID]; answer != "" {
			next := n.request
			next.Answers = maps.Clone(next.Answers)
			delete(next.Answers, q.ID)
			next.Answers[before.ID] = answer
			in, _ := n.readText(n.text, nil, next)
			return in
		}
	}
	in = withoutGoals(in, interpret.Ambiguous, q.Question)
	in.Questions = []plan.Question{q}
	return in
}

// questionID is the id of the next question about a name.
func (n *naming) questionID() string {
	id := nameQuestion
	for i := 2; ; i++ {
		answer, answered := n.request.Answers[id]
		if !answered || !strings.ContainsAny(answer, `/\`) {
			return id
		}
		id = fmt.Sprintf("%s_%d", nameQuestion, i)
	}
}

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
	next.entries = filename.EntriesOf(found)
	return next
}
