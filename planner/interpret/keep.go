package interpret

import (
	"slices"
	"strings"

	"errand/planner/plan"
)

// Where what is made of a page is kept: "take a screenshot of github.com to my
// documents", "… and save it as x.png".

// keeping is where what is made of a page is to be kept.
type keeping struct {
	place, name string
	at          span
}

// path is the place with the name in it; a folder ends in a separator.
func (k keeping) path() string {
	switch {
	case k.name == "" || k.place == "":
		return k.place + k.name
	case strings.HasSuffix(k.place, "/") || strings.HasSuffix(k.place, `\`):
		return k.place + k.name
	}
	return joinPath(k.place, k.name)
}

func (k keeping) ext() string { return extension(k.path()) }

// keptAt cuts "to my documents", "as report.pdf", "to ~/x.pdf" off the end.
func (p *pageReader) keptAt(lo, hi int, k *keeping) int {
	for {
		end := hi
		for end > lo && p.toks[end-1].shape == mark {
			end--
		}
		from := end
		if m, ok := p.ending(lo, end, kPlace); ok && m.n > 1 && k.place == "" {
			from = end - m.n
			k.place = m.value
		} else if end-1 > lo {
			switch t := p.toks[end-1]; {
			case t.shape == path && k.place == "":
				if m, ok := p.ending(lo, end-1, kIn, kInside, kFrom, kAsName); ok {
					k.place, from = t.value, end-1-m.n
				}
			case (t.shape == file || t.shape == quoted) && k.name == "":
				if m, ok := p.ending(lo, end-1, kAsName); ok {
					k.name, from = p.cut(end-1, end), end-1-m.n
				}
			}
		}
		if from == end {
			return hi
		}
		if k.at.hi == 0 {
			k.at = span{from, end}
		}
		k.at.lo, hi = from, from
	}
}

// saved reads "save it to my documents" after what makes a file of a page. Of
// a page itself it asks in which form it is to be kept.
func (p *pageReader) saved(lo, hi int) clause {
	m, ok := p.longest(lo, hi, kSave, kConvert)
	_, save := p.longest(lo, hi, kSave)
	if _, makes := p.longest(lo, hi, kMake, kCreate); !ok || makes && !save {
		return clause{} // "make a file called a.txt"
	}
	d := pageDeed{verb: span{lo, lo + m.n}, lang: m.lang, key: plan.SavePDF}
	at := lo + m.n
	end := p.keptAt(at, hi, &d.keep)
	if p.covers(p.skip(at, end, kDet), end, kFetchFile) { // "save the file to documents"
		at = end
	}
	c := p.onto(d, at, end)
	points := slices.ContainsFunc(c.drafts, func(x draft) bool { return x.that })
	switch {
	case c.outcome != good:
		return clause{}
	case points && (d.keep != (keeping{}) || save):
		c.keeps, c.drafts = &d.keep, nil
		return c
	case points || !save:
		return clause{}
	}
	c.outcome, c.ask = asks, p.formOf(m.lang, end)
	c.drafts = nil
	return c
}

// formOf asks in which form a page is to be kept; the answer goes to token at.
func (p *pageReader) formOf(lang uint8, at int) question {
	return question{key: "ask_form", at: span{at, at}, choices: []plan.Choice{
		{Label: p.words.message(lang, "as_pdf"), Value: p.words.message(lang, "as_pdf_said")},
		{Label: p.words.message(lang, "as_picture"), Value: p.words.message(lang, "as_picture_said")},
	}}
}

// makesFile are the keys of what is made of a page and can be kept.
var makesFile = []string{plan.ScreenshotPage, plan.ScreenshotFullPage, plan.SavePDF, plan.DownloadFile}

// keepsMade reports whether clause c keeps once more what the clause before it
// makes, rather than making it again: "take a screenshot of github.com and save
// it as x.png", "… and save the screenshot to documents". It then says so in c.
func (p *pageReader) keepsMade(c *clause, made []draft) bool {
	if _, saves := p.longest(c.verb.lo, c.hi, kSave, kConvert); !saves || c.outcome != good || c.frame != pageFrame || len(c.drafts) != 1 || !c.drafts[0].that {
		return false
	}
	g := c.drafts[0].goal
	if g.SaveTo == "" || !slices.ContainsFunc(made, func(d draft) bool { return d.goal.Action == g.Action && d.goal.SaveTo == "" }) {
		return false
	}
	k := keeping{place: g.SaveTo}
	if !strings.ContainsAny(g.SaveTo, `/\`) {
		k = keeping{name: g.SaveTo}
	}
	for _, s := range c.drafts[0].spans {
		if s.slot == "save_to" {
			k.at = s.span
		}
	}
	c.keeps, c.drafts = &k, nil
	return true
}

// keep puts what was just made where clause c says. A page that was only shown
// has a form to be asked for first.
func (p *pageReader) keep(c *clause, made []draft, page *clause) {
	switch {
	case p.keptThere(c, made):
	case page == nil:
		c.outcome, c.reason = unknown, "why_which_page"
	case len(made) == 0:
		c.outcome, c.ask = asks, p.formOf(c.lang, p.tail(c.lo, c.hi, true))
	default:
		at, _ := p.lead(c.lo, c.hi)
		c.outcome, c.ask = asks, p.partial(span{at, c.hi})
	}
}

// keptThere puts what the clause before c makes where c says, and reports
// whether it makes something. One name serves one file.
func (p *pageReader) keptThere(c *clause, made []draft) bool {
	if len(made) == 0 || extension(c.keeps.path()) != "" && len(made) > 1 {
		return false
	}
	for _, d := range made {
		if !slices.Contains(makesFile, d.goal.Action+"_"+d.goal.ObjectType) || d.goal.SaveTo != "" {
			return false
		}
	}
	for i := range made {
		if c.keeps.path() == "" { // "and save it": it is kept anyway
			continue
		}
		made[i].goal.SaveTo = c.keeps.path()
		made[i].spans = append(slices.Clip(made[i].spans), slotSpan{"save_to", c.keeps.at, false})
	}
	return true
}
