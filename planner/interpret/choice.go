package interpret

import (
	"slices"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// answerVerb lists the texts that an answer to "what to do with it" may lead to. The
// answer is a verb, a query for the site, or another command.
func (i *Interpreter) answerVerb(p *parse.Text, q parse.Question, value string, instead *parse.Text) []*parse.Text {
	before := parse.Span{Lo: q.At.Lo, Hi: q.At.Lo}
	if parse.IsChoice(q, value) {
		verb := lexicon.Open
		if value == "search" {
			verb = lexicon.SearchIn
		}
		return []*parse.Text{p.Put(before, value, lexicon.Entry{Kind: verb, Lang: lexicon.AnyLang, Value: ""})}
	}
	runes := p.Parse(value)
	if runes.IsPhrase(0, len(runes.Tokens), lexicon.Open, lexicon.Start, lexicon.Search, lexicon.SearchIn, lexicon.Show) {
		return []*parse.Text{p.Splice(before, value, false), instead}
	}
	if r := i.Read(value); q.Thing.Site && r.Status == OK && len(r.Goals.Goals) == 1 && r.Goals.Goals[0].GoalType == plan.BrowserSearch && r.Goals.Goals[0].Platform == "" {
		on := instead.Put(parse.Span{Lo: q.Command.Lo + len(runes.Tokens), Hi: q.Command.Lo + len(runes.Tokens)}, "on", lexicon.Entry{Kind: lexicon.On, Lang: lexicon.AnyLang, Value: ""})
		at := q.Command.Lo + len(runes.Tokens) + 1
		return []*parse.Text{on.Put(parse.Span{Lo: at, Hi: at}, q.Thing.ID, lexicon.Entry{Kind: lexicon.Site, Lang: lexicon.AnyLang, Value: q.Thing.ID}), instead}
	}
	return []*parse.Text{instead}
}

// conflictChoices are the two sides of a conflict, in the user's words.
func conflictChoices(p *parse.Text, c *parse.Conflict) []plan.Choice {
	words := func(d parse.Draft) string {
		all := d.Span()
		return p.Cut(all.Lo, all.Hi)
	}
	if !c.Forbidden {
		return []plan.Choice{{Label: message.Verbatim(words(c.One)), Value: c.One.Goal.Action}, {Label: message.Verbatim(words(c.Other)), Value: c.Other.Goal.Action}}
	}
	return []plan.Choice{
		{Label: message.Verbatim(words(c.One)), Value: "do"},
		{Label: message.New("question.choice_not_this", "words", words(c.Other)), Value: "dont"},
	}
}

// dropLost drops the drafts that an answer gave up.
func dropLost(p *parse.Text, drafts []parse.Draft) []parse.Draft {
	return slices.DeleteFunc(drafts, func(d parse.Draft) bool { return slices.Contains(p.Hint(d.First()).Dropped, d.Goal) })
}

// isCreation reports whether a text is a command to create something.
func (i *Interpreter) isCreation(text string) bool {
	r := i.Read(text)
	return r.Status == OK && !slices.ContainsFunc(r.Goals.Goals, func(g plan.Goal) bool { return g.Action != "create" })
}

// readType is the object type that an answer names: "folder", "a file", «папка».
func readType(p *parse.Text, text string) string {
	p = p.Parse(text)
	lo := p.Skip(0, len(p.Tokens), lexicon.Determiner)
	switch {
	case p.IsPhrase(lo, len(p.Tokens), lexicon.Folder):
		return parse.FolderType
	case p.IsPhrase(lo, len(p.Tokens), lexicon.File):
		return parse.FileType
	}
	return ""
}
