package page

import (
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// trimDestination cuts "to my documents", "as report.pdf", "to ~/x.pdf" off the end.
func (p *Reader) trimDestination(lo, hi int, k *parse.Destination) int {
	for {
		end := hi
		for end > lo && p.Tokens[end-1].Shape == lexicon.MarkShape {
			end--
		}
		from := end
		if m, ok := p.FindEnding(lo, end, lexicon.Place); ok && m.Len > 1 && k.Place == "" {
			from = end - m.Len
			k.Place = m.Value
		} else if m, ok := p.FindEnding(lo+1, end, lexicon.Elsewhere); ok && isDestination(p.Text, end-m.Len) && k.Place == "" {
			from = end - m.Len
			if k.Place = p.Hint(from).Folder; k.Place == "" {
				k.Unknown = parse.Span{Lo: from, Hi: end}
			}
		} else if end-1 > lo {
			switch t := p.Tokens[end-1]; {
			case t.Shape == lexicon.PathShape && k.Place == "":
				if m, ok := p.FindEnding(lo, end-1, lexicon.In, lexicon.Inside, lexicon.From, lexicon.AsName); ok {
					k.Place, from = t.Value, end-1-m.Len
				}
			case (t.Shape == lexicon.FileShape || t.Shape == lexicon.QuotedShape) && k.Name == "":
				if m, ok := p.FindEnding(lo, end-1, lexicon.AsName); ok {
					k.Name, from = p.Cut(end-1, end), end-1-m.Len
				}
			}
		}
		if from == end {
			return hi
		}
		if k.At.Hi == 0 {
			k.At = parse.Span{Lo: from, Hi: end}
		}
		k.At.Lo, hi = from, from
	}
}

// AddPlace reads "to google drive" after a command whose result is a file. It asks which
// folder is meant, or takes the one that an answer named.
func (p *Reader) AddPlace(c *parse.Clause, lo, hi int) bool {
	if !p.IsPhrase(lo, hi, lexicon.Elsewhere) || !isDestination(p.Text, lo) || c.Outcome != parse.Understood {
		return false
	}
	at, folder := parse.Span{Lo: lo, Hi: hi}, p.Hint(lo).Folder
	switch {
	case folder == "":
		c.Outcome, c.Ask = parse.Asks, p.AskPlace(at)
	case c.Destination != nil:
		c.Destination.Place, c.Destination.At = folder, at
	default:
		for i := range c.Drafts {
			c.Drafts[i].Goal.SaveTo = folder
			c.Drafts[i].Spans = append(c.Drafts[i].Spans, parse.SlotSpan{Slot: "save_to", Span: at, Fuzzy: false})
		}
	}
	return true
}

// maxName is the largest number of words of a picture's name.
const maxName = 8

// trimName cuts the name of a picture off the end of [lo,hi): "called bug report". It gets the extension of
// pictures.
func trimName(p *parse.Text, lo, hi int, k *parse.Destination) int {
	m, ok := p.Longest(lo, hi, lexicon.NameMarker)
	name := parse.Span{Lo: lo + m.Len, Hi: hi}
	if !ok || k.Name != "" || name.Lo >= name.Hi || name.Hi-name.Lo > maxName {
		return hi
	}
	for i := name.Lo; i < name.Hi; i++ {
		if shape := p.Tokens[i].Shape; shape != lexicon.WordShape && shape != lexicon.QuotedShape {
			return hi
		}
		if _, other := p.Longest(i, name.Hi, lexicon.Place, lexicon.Elsewhere, lexicon.And); other {
			return hi
		}
	}
	k.Name, k.At = p.Cut(name.Lo, name.Hi)+".png", parse.Span{Lo: lo, Hi: hi}
	return lo
}

// isDestination reports whether the place at token i is one to save to: "to google drive".
// "on google drive" is a page.
func isDestination(p *parse.Text, i int) bool {
	_, to := p.Longest(i, len(p.Tokens), lexicon.To)
	return to
}

// readSave reads "save it to my documents" after a command that makes a file of a
// page. For a page itself it asks for the form.
func (p *Reader) readSave(lo, hi int) parse.Clause {
	m, ok := p.Longest(lo, hi, lexicon.Save, lexicon.Convert)
	_, save := p.Longest(lo, hi, lexicon.Save)
	if _, makes := p.Longest(lo, hi, lexicon.Make, lexicon.Create); !ok || makes && !save {
		return parse.Clause{} // "make a file called a.txt"
	}
	d := action{verb: parse.Span{Lo: lo, Hi: lo + m.Len}, lang: m.Lang, key: plan.SavePDF}
	at := lo + m.Len
	end := p.trimDestination(at, hi, &d.destination)
	if p.IsPhrase(p.Skip(at, end, lexicon.Determiner), end, lexicon.TheFile) { // "save the file to documents"
		at = end
	}
	c := p.onPages(d, at, end)
	points := slices.ContainsFunc(c.Drafts, func(x parse.Draft) bool { return x.AboutLastPage })
	switch {
	case c.Outcome == parse.Asks && save:
		return c
	case c.Outcome != parse.Understood:
		return parse.Clause{}
	case points && (d.destination != (parse.Destination{}) || save):
		c.Destination, c.Drafts = &d.destination, nil
		return c
	case points || !save:
		return parse.Clause{}
	}
	c.Outcome, c.Ask = parse.Asks, p.askForm(m.Lang, end)
	c.Drafts = nil
	return c
}

// askForm asks in which form to save a page; the answer is inserted at token at.
func (p *Reader) askForm(lang uint8, at int) parse.Question {
	return parse.Question{Code: "question.form", At: parse.Span{Lo: at, Hi: at}, Choices: []plan.Choice{
		{Label: message.New("question.choice_pdf"), Value: p.Words.Answer(lang, "pdf")},
		{Label: message.New("question.choice_picture"), Value: p.Words.Answer(lang, "picture")},
	}}
}

// makesFile are the actions whose result can be saved.
var makesFile = []string{plan.ScreenshotScreen, plan.ScreenshotPage, plan.ScreenshotFullPage, plan.SavePDF, plan.SaveHTML, plan.SaveText, plan.DownloadFile}

// TakesDestination reports whether clause c only says where to save the result of
// the clause before it: "take a screenshot of github.com and save it as x.png". It
// then sets c.Destination.
func (p *Reader) TakesDestination(c *parse.Clause, made []parse.Draft) bool {
	if _, saves := p.Longest(c.Verb.Lo, c.Hi, lexicon.Save, lexicon.Convert); !saves || c.Outcome != parse.Understood || c.Frame != parse.PageFrame || len(c.Drafts) != 1 || !c.Drafts[0].AboutLastPage {
		return false
	}
	g := c.Drafts[0].Goal
	if g.SaveTo == "" || !slices.ContainsFunc(made, func(d parse.Draft) bool { return d.Goal.Action == g.Action && d.Goal.SaveTo == "" }) {
		return false
	}
	k := parse.Destination{Place: g.SaveTo}
	if !strings.ContainsAny(g.SaveTo, `/\`) {
		k = parse.Destination{Name: g.SaveTo}
	}
	for _, s := range c.Drafts[0].Spans {
		if s.Slot == "save_to" {
			k.At = s.Span
		}
	}
	c.Destination, c.Drafts = &k, nil
	return true
}

// Save sets the destination of the result of the clause before c. If that clause
// only shows a page, it asks for the form.
func (p *Reader) Save(c *parse.Clause, made []parse.Draft, page *parse.Clause) {
	switch {
	case p.setDestination(c, made):
	case page == nil && !parse.HasPhrase(p.Text, c.Lo, c.Hi, lexicon.OpenPage):
		c.Outcome, c.Reason = parse.Unknown, "reason.which_page"
	case len(made) == 0:
		c.Outcome, c.Ask = parse.Asks, p.askForm(c.Lang, p.TrimTail(c.Lo, c.Hi, true))
	default:
		at, _ := p.SkipLead(c.Lo, c.Hi)
		c.Outcome, c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: at, Hi: c.Hi})
	}
}

// setDestination sets the destination of the drafts in made and reports whether they
// can be saved. One file name serves one draft.
func (p *Reader) setDestination(c *parse.Clause, made []parse.Draft) bool {
	if len(made) == 0 || lexicon.FileExtension(c.Destination.Path()) != "" && len(made) > 1 {
		return false
	}
	for _, d := range made {
		if !slices.Contains(makesFile, d.Goal.Action+"_"+d.Goal.ObjectType) || d.Goal.SaveTo != "" {
			return false
		}
	}
	for i := range made {
		if c.Destination.Path() == "" { // "and save it": it is kept anyway
			continue
		}
		made[i].Goal.SaveTo = c.Destination.Path()
		made[i].Spans = append(slices.Clip(made[i].Spans), parse.SlotSpan{Slot: "save_to", Span: c.Destination.At, Fuzzy: false})
	}
	return true
}
