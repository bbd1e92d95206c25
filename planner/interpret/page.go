package interpret

import (
	"strings"

	"errand/planner/plan"
)

// What is wanted of a page beyond seeing it: its text, its links, what a search
// found, a picture, a document, a file of it.

// pageDeed is a command about pages as far as it has been read.
type pageDeed struct {
	verb  span
	lang  uint8
	key   string // one of [plan.PageActions]
	limit int
	count span
	keep  keeping
	named span   // download: the file's name on the page
	site  entity // results: the site that stands before them
	after span   // words after the page that belong to the verb: "as a pdf"
}

// page reads a command about a page. Every form of it is unmistakable: it names
// a page, or the page just opened, and what is wanted of it.
func (p *pageReader) page(lo, hi int) clause {
	hi = p.tail(lo, hi, true)
	_, verb := p.longest(lo, hi, kShot, kPDF, kSave, kConvert, kDownload, kReadOut)
	if verb {
		hi = p.web.contrast(lo, hi)
	}
	for _, read := range []func(lo, hi int) clause{p.ownBrowser, p.shot, p.pdf, p.rows, p.readOut, p.fetch, p.saved} {
		if c := read(lo, hi); c.outcome != unknown {
			return c
		}
	}
	if m, ok := p.longest(lo, hi, kShot, kPDF, kReadOut, kDownload); verb && ok && p.skip(lo+m.n, hi, kOf, kFiller, kDet) < hi {
		return clause{lang: anyLang, reason: noPage[m.kind]}
	}
	return clause{lang: anyLang}
}

// noPage is why a command that is one about pages can't be carried out: what it
// names is no page.
var noPage = map[kind]string{kShot: "why_picture", kPDF: "why_pdf", kReadOut: "why_read", kDownload: "why_download"}

// shot reads "take a screenshot of github.com", "screenshot it".
func (p *pageReader) shot(lo, hi int) clause {
	m, ok := p.longest(lo, hi, kShot)
	if !ok {
		return clause{}
	}
	d := pageDeed{verb: span{lo, lo + m.n}, lang: m.lang, key: plan.ScreenshotPage}
	hi = p.keptAt(lo+m.n, hi, &d.keep)
	at := p.skip(lo+m.n, hi, kOf)
	for i := lo; i < lo+m.n; i++ {
		if _, whole := p.longest(i, lo+m.n, kWhole); whole {
			d.key = plan.ScreenshotFullPage
		}
	}
	if w, whole := p.longest(p.skip(at, hi, kDet), hi, kWhole); whole { // "of the whole page of example.com"
		d.key = plan.ScreenshotFullPage
		if rest := p.skip(p.skip(at, hi, kDet)+w.n, hi, kOf); rest < hi {
			at = rest
		}
	}
	return p.onto(d, at, hi)
}

// pdf reads "make a pdf of example.com" and "save example.com as a pdf".
func (p *pageReader) pdf(lo, hi int) clause {
	if m, ok := p.longest(lo, hi, kPDF); ok {
		d := pageDeed{verb: span{lo, lo + m.n}, lang: m.lang, key: plan.SavePDF}
		hi = p.keptAt(lo+m.n, hi, &d.keep)
		return p.onto(d, p.skip(lo+m.n, hi, kOf), hi)
	}
	m, ok := p.longest(lo, hi, kSave, kConvert, kDownload, kShow)
	first, _ := p.lead(0, len(p.toks))
	if f, form := p.ending(lo+1, hi, kAsPDF); !ok && form && lo == first && p.toks[lo].shape == link && lo+1+f.n == hi { // "example.com as pdf"
		return p.onto(pageDeed{verb: span{lo + 1, hi}, lang: f.lang, key: plan.SavePDF}, lo, lo+1)
	}
	if !ok {
		return clause{}
	}
	d := pageDeed{verb: span{lo, lo + m.n}, lang: m.lang}
	at := lo + m.n
	for range 2 { // the place may stand before the form or after it
		hi = p.keptAt(at, hi, &d.keep)
		if f, ok := p.ending(at, hi, kAsPDF); ok && d.key == "" {
			d.key, d.after, hi = plan.SavePDF, span{hi - f.n, hi}, hi-f.n
		} else if f, ok := p.ending(at, hi, kAsShot); ok && d.key == "" {
			d.key, d.after, hi = plan.ScreenshotPage, span{hi - f.n, hi}, hi-f.n
		} else if f, ok := p.longest(at, hi, kAsPDF); ok && d.key == "" && at+f.n < hi { // "save as pdf example.com"
			d.key, d.after, at = plan.SavePDF, span{at, at + f.n}, at+f.n
		}
	}
	if d.key == "" && m.kind != kShow {
		switch d.keep.ext() {
		case "pdf":
			d.key = plan.SavePDF
		case "png":
			d.key = plan.ScreenshotPage
		}
		if p.file(at, hi) {
			return clause{} // a document that is there already: it is fetched
		}
	}
	if d.key == "" {
		return clause{}
	}
	at = p.skip(at, hi, kOf)
	if p.skip(at, hi, kDet) >= hi { // "make a pdf", of the page before
		at = hi
	}
	return p.onto(d, at, hi)
}

// fetch reads "download https://example.com/a.zip", "download a.zip from
// example.com". What has a name and no address is not known to be anywhere.
func (p *pageReader) fetch(lo, hi int) clause {
	m, ok := p.longest(lo, hi, kDownload, kSave, kShow)
	if !ok {
		return clause{}
	}
	d := pageDeed{verb: span{lo, lo + m.n}, lang: m.lang, key: plan.DownloadFile}
	hi = p.keptAt(lo+m.n, hi, &d.keep)
	at := p.skip(lo+m.n, hi, kDet, kFiller)
	at = p.skipColon(p.skip(at, hi, kThisPage), hi) // "download this: …"
	if n, ok := p.longest(at, hi, kFetchFile); ok && at+n.n < hi {
		at = p.skip(at+n.n, hi, kOf, kDet)
	}
	if at >= hi {
		return clause{}
	}
	switch t := p.toks[at]; {
	case t.shape == link && at+1 == hi && (m.kind == kDownload || p.file(at, hi)):
		return p.onto(d, at, hi)
	case t.shape == file || t.shape == quoted:
		of, ok := p.longest(at+1, hi, kOf)
		if m.kind != kShow && at+1 == hi { // of the page that was opened before
			of.n = 0
		} else if !ok || at+1+of.n >= hi {
			return clause{}
		}
		d.named = span{at, at + 1}
		return p.onto(d, at+1+of.n, hi)
	}
	return clause{}
}

// pageExtensions end the addresses of pages as well.
var pageExtensions = set("html htm php")

// file reports whether [lo,hi) is an address that ends in the name of a file.
func (p *pageReader) file(lo, hi int) bool {
	if lo+1 != hi || p.toks[lo].shape != link {
		return false
	}
	u, _ := address(p.toks[lo].value)
	if u == nil || strings.Trim(u.Path, "/") == "" {
		return false
	}
	ext := extension(u.Path)
	return fileExtensions[ext] && !pageExtensions[ext]
}

// ownBrowser reads a command that the person's own browser is to show: "open
// github.com in my default browser".
func (p *pageReader) ownBrowser(lo, hi int) clause {
	var c clause
	var at span
	if m, ok := p.ending(lo+1, hi, kOwn); ok {
		at = span{hi - m.n, hi}
		c = p.commands.command(lo, at.lo, false)
	} else if m, ok := p.longest(lo, hi, kOwn); ok && lo+m.n < hi {
		at = span{lo, lo + m.n}
		from, _ := p.lead(at.hi, hi)
		c = p.commands.command(from, hi, false)
	}
	if c.outcome != good || len(c.drafts) == 0 || c.needNav {
		return clause{}
	}
	for i := range c.drafts {
		g := &c.drafts[i].goal
		if g.OnPage() || g.GoalType != plan.BrowserNavigate && g.GoalType != plan.BrowserSearch {
			return clause{}
		}
		g.Action, g.ObjectType, _ = strings.Cut(plan.OpenExternal, "_")
		c.drafts[i].spans = append(c.drafts[i].spans, slotSpan{"action", at, false})
	}
	return c
}
