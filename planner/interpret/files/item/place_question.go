package item

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// PartOfName is the answer that takes the words of an unknown place as a part of the name.
const PartOfName = "part_of_name"

// isUnknownPlace reports whether the words after a name say a place that is not known: "in
// projects". Words that hold a known place are unclear for another reason.
func isUnknownPlace(p *parse.Text, q parse.Span) bool {
	if isOnSite(p, q.Lo, q.Hi) {
		return true
	}
	m, in := p.Longest(q.Lo, q.Hi, lexicon.In, lexicon.Inside)
	if !in || q.Lo+m.Len >= q.Hi {
		return false
	}
	for i := q.Lo; i < q.Hi; i++ {
		if _, other := p.Longest(i, q.Hi, lexicon.Place, lexicon.InIt, lexicon.Folder, lexicon.File, lexicon.NameMarker, lexicon.And, lexicon.Or, lexicon.When, lexicon.Manner, lexicon.BulkAll); other || i > q.Lo && p.Tokens[i].Shape == lexicon.MarkShape {
			return false
		}
	}
	return !p.IsPhrase(q.Lo+m.Len, q.Hi, lexicon.Pronoun, lexicon.Nothing, lexicon.Rest)
}

// offerNames adds the choices of a place that may be a folder or a part of the name.
func offerNames(p *parse.Text, c *parse.Clause, it Item) {
	if it.isElsewhere {
		return
	}
	c.Ask.Choices = append(c.Ask.Choices, plan.Choice{Label: message.New("question.choice_folder_named", "name", c.Ask.Words), Value: c.Ask.Words})
	if c.Action() != "delete" && it.Name.Lo < it.Name.Hi && it.Name.Hi == it.Unknown.Lo {
		c.Ask.Description = parse.Span{Lo: it.Name.Lo, Hi: it.Unknown.Hi}
		c.Ask.Choices = append(c.Ask.Choices, plan.Choice{Label: message.New("question.choice_part_of_name", "name", p.Cut(it.Name.Lo, it.Unknown.Hi)), Value: PartOfName})
	}
}

// AskPlace asks about the place of an item, and reports whether it is unknown.
func AskPlace(p *parse.Text, c *parse.Clause, it Item) bool {
	if it.Unknown.Lo >= it.Unknown.Hi {
		return false
	}
	c.Outcome, c.Ask = parse.Asks, p.AskPlace(it.Unknown)
	offerNames(p, c, it)
	return true
}

// AnsweredPlace is the folder that an answer names: "~/Pictures/" for "in my pictures",
// "projects" for "the projects folder". It is "" for a place that is not on this computer.
func AnsweredPlace(t *parse.Text) string {
	p := &Reader{t}
	hi := len(p.Tokens)
	if m, ok := p.Longest(0, hi, lexicon.Place, lexicon.Here); ok && m.Len == hi {
		if m.Kind == lexicon.Here {
			return WorkingFolder
		}
		return m.Value
	}
	if p.IsPhrase(0, hi, lexicon.Elsewhere) {
		return ""
	}
	lo := p.Skip(0, hi-1, lexicon.In, lexicon.Inside, lexicon.Determiner)
	if dir, ok := p.Container(lo, hi, true); ok {
		return dir
	}
	return p.ExpandPlace(p.Cut(lo, hi))
}
