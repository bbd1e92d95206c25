package page

import (
	"net/url"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// kindOfFile returns the words between "download" and "from" in [lo,hi), such as "pdf" in
// "download the pdf from". ok is false for other words.
func kindOfFile(p *parse.Text, lo, hi int) (noun parse.Span, ok bool) {
	verb, ok := p.Longest(lo, hi, lexicon.Download)
	if !ok || !p.IsPhrase(hi-1, hi, lexicon.From) {
		return noun, false
	}
	noun = parse.Span{Lo: p.Skip(lo+verb.Len, hi-1, lexicon.Determiner), Hi: hi - 1}
	return noun, noun.Lo < noun.Hi
}

// askWhichFile turns a clause about a page into the question which of its files to
// download, or whether the page is to be saved as a PDF document. noun is the kind of
// file that the words give.
func askWhichFile(p *parse.Text, c parse.Clause, noun parse.Span) parse.Clause {
	if c.Outcome != parse.Understood || len(c.Drafts) != 1 {
		return c
	}
	target := c.Drafts[0].Goal.Target
	u, err := url.Parse(target)
	if err != nil || u.Host == "" {
		return c
	}
	c.Outcome, c.Drafts = parse.Asks, nil
	c.Ask = parse.Question{Code: "question.download", Words: u.Host, At: noun, Choices: []plan.Choice{
		{Label: message.New("question.choice_page_pdf", "host", u.Host), Value: p.Words.Answer(c.Lang, "page_pdf", "{page}", target)},
	}}
	return c
}

// isHome reports whether the only page of a clause is the start page of its host.
func isHome(c parse.Clause) bool {
	if len(c.Drafts) != 1 {
		return false
	}
	u, err := url.Parse(c.Drafts[0].Goal.Target)
	return err == nil && strings.Trim(u.Path, "/") == "" && u.RawQuery == ""
}
