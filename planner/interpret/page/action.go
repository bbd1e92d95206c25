package page

import (
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// action is a command about pages while it is read.
type action struct {
	verb        parse.Span
	lang        uint8
	key         string // one of [lexicon.PageActions]
	limit       int
	count       parse.Span
	destination parse.Destination
	fileName    parse.Span   // download: the file's name on the page
	site        parse.Entity // results: the site that stands before them
	suffix      parse.Span   // words after the page that belong to the verb: "as a pdf"
}

// Read reads a command about a page. It must name a page, or refer to the last one,
// and say what to do with it.
func (p *Reader) Read(lo, hi int) parse.Clause {
	hi = p.TrimTail(lo, hi, true)
	_, verb := p.Longest(lo, hi, lexicon.Screenshot, lexicon.PageAction, lexicon.Save, lexicon.Convert, lexicon.Download, lexicon.ReadOut)
	if verb {
		hi = p.Web.TrimContrast(lo, hi)
	}
	for _, read := range []func(lo, hi int) parse.Clause{p.readOwnBrowser, p.readScreenshot, p.readPageAction, p.readPDF, p.readRows, p.readText, p.readDownload, p.readSave} {
		if c := read(lo, hi); c.Outcome != parse.Unknown {
			return c
		}
	}
	if m, ok := p.Longest(lo, hi, lexicon.Screenshot, lexicon.PageAction, lexicon.ReadOut, lexicon.Download); verb && ok && p.Skip(lo+m.Len, hi, lexicon.Of, lexicon.Filler, lexicon.Determiner) < hi {
		return parse.Clause{Lang: lexicon.AnyLang, Reason: reasonWithoutPage(m)}
	}
	return parse.Clause{Lang: lexicon.AnyLang}
}

// reasonWithoutPage is the reason for a page command whose object is not a page.
func reasonWithoutPage(verb lexicon.Match) string {
	switch {
	case verb.Kind == lexicon.Screenshot:
		return "reason.page_pictures_only"
	case verb.Kind == lexicon.Download:
		return "reason.no_download"
	case verb.Value == plan.SavePDF:
		return "reason.page_pdf_only"
	}
	return "reason.page_text_only"
}

// readPageAction reads the verb of a page action and its page: "make a pdf of
// example.com". The verbs are data of the language files.
func (p *Reader) readPageAction(lo, hi int) parse.Clause {
	m, ok := p.Longest(lo, hi, lexicon.PageAction)
	if !ok {
		return parse.Clause{}
	}
	d := action{verb: parse.Span{Lo: lo, Hi: lo + m.Len}, lang: m.Lang, key: m.Value}
	hi = p.trimDestination(lo+m.Len, hi, &d.destination)
	at := p.Skip(lo+m.Len, hi, lexicon.Of)
	if noun, ok := kindOfFile(p.Text, lo, lo+m.Len); ok { // "download the pdf from example.com"
		if p.isFileAddress(at, hi) {
			return parse.Clause{}
		}
		return askWhichFile(p.Text, p.onPages(d, at, hi), noun)
	}
	return p.onPages(d, at, hi)
}

// readScreenshot reads "take a screenshot of github.com", "screenshot it".
func (p *Reader) readScreenshot(lo, hi int) parse.Clause {
	m, ok := p.Longest(lo, hi, lexicon.Screenshot)
	if !ok {
		return parse.Clause{}
	}
	d := action{verb: parse.Span{Lo: lo, Hi: lo + m.Len}, lang: m.Lang, key: plan.ScreenshotPage}
	hi = trimName(p.Text, lo+m.Len, p.trimDestination(lo+m.Len, hi, &d.destination), &d.destination)
	at := p.Skip(lo+m.Len, hi, lexicon.Of)
	for i := lo; i < lo+m.Len; i++ {
		if _, whole := p.Longest(i, lo+m.Len, lexicon.WholePage); whole {
			d.key = plan.ScreenshotFullPage
		}
	}
	if w, whole := p.Longest(p.Skip(at, hi, lexicon.Determiner), hi, lexicon.WholePage); whole { // "of the whole page of example.com"
		d.key = plan.ScreenshotFullPage
		if rest := p.Skip(p.Skip(at, hi, lexicon.Determiner)+w.Len, hi, lexicon.Of); rest < hi {
			at = rest
		}
	}
	return p.onPages(d, at, hi)
}

// forms are the actions that save a page, by the kinds of phrases that name the form.
var forms = map[lexicon.Kind]string{lexicon.AsPDF: plan.SavePDF, lexicon.AsScreenshot: plan.ScreenshotPage, lexicon.AsHTML: plan.SaveHTML, lexicon.AsText: plan.SaveText}

// readPDF reads "save example.com as a pdf".
func (p *Reader) readPDF(lo, hi int) parse.Clause {
	if _, ok := p.Longest(lo, hi, lexicon.PageAction); ok {
		return parse.Clause{} // its object is not a page
	}
	m, ok := p.Longest(lo, hi, lexicon.Save, lexicon.Convert, lexicon.Download, lexicon.Show)
	first, _ := p.SkipLead(0, len(p.Tokens))
	if f, form := p.FindEnding(lo+1, hi, lexicon.AsPDF); !ok && form && lo == first && p.Tokens[lo].Shape == lexicon.LinkShape && lo+1+f.Len == hi { // "example.com as pdf"
		return p.onPages(action{verb: parse.Span{Lo: lo + 1, Hi: hi}, lang: f.Lang, key: plan.SavePDF}, lo, lo+1)
	}
	if !ok {
		return parse.Clause{}
	}
	d := action{verb: parse.Span{Lo: lo, Hi: lo + m.Len}, lang: m.Lang}
	at := lo + m.Len
	for range 2 { // the place may stand before the form or after it
		hi = p.trimDestination(at, hi, &d.destination)
		if f, ok := p.FindEnding(at, hi, lexicon.AsPDF, lexicon.AsScreenshot, lexicon.AsHTML, lexicon.AsText); ok && d.key == "" && (f.Kind != lexicon.AsText || m.Kind != lexicon.Show) {
			d.key, d.suffix, hi = forms[f.Kind], parse.Span{Lo: hi - f.Len, Hi: hi}, hi-f.Len
		} else if f, ok := p.Longest(at, hi, lexicon.AsPDF); ok && d.key == "" && at+f.Len < hi { // "save as pdf example.com"
			d.key, d.suffix, at = plan.SavePDF, parse.Span{Lo: at, Hi: at + f.Len}, at+f.Len
		}
	}
	if d.key == "" && m.Kind != lexicon.Show {
		switch d.destination.Ext() {
		case "pdf":
			d.key = plan.SavePDF
		case "png":
			d.key = plan.ScreenshotPage
		case "html":
			d.key = plan.SaveHTML
		}
		if p.isFileAddress(at, hi) {
			return parse.Clause{} // a document that is there already: it is fetched
		}
	}
	if d.key == "" {
		return parse.Clause{}
	}
	at = p.Skip(at, hi, lexicon.Of)
	if p.Skip(at, hi, lexicon.Determiner) >= hi { // "make a pdf", of the page before
		at = hi
	}
	return p.onPages(d, at, hi)
}

// readDownload reads "download https://example.com/a.zip", "download a.zip from
// example.com". A name without an address is not enough.
func (p *Reader) readDownload(lo, hi int) parse.Clause {
	m, ok := p.Longest(lo, hi, lexicon.Download, lexicon.Save, lexicon.Show)
	if !ok {
		return parse.Clause{}
	}
	d := action{verb: parse.Span{Lo: lo, Hi: lo + m.Len}, lang: m.Lang, key: plan.DownloadFile}
	hi = p.trimDestination(lo+m.Len, hi, &d.destination)
	at := p.Skip(lo+m.Len, hi, lexicon.Determiner, lexicon.Filler)
	at = p.SkipPauses(p.Skip(at, hi, lexicon.ThisPage), hi) // "download this: …"
	noun := parse.Span{}
	if n, ok := p.Longest(at, hi, lexicon.TheFile); ok && at+n.Len < hi {
		noun, _ = kindOfFile(p.Text, lo, at+n.Len)
		at = p.Skip(at+n.Len, hi, lexicon.Of, lexicon.Determiner)
	}
	if at >= hi {
		return parse.Clause{}
	}
	switch t := p.Tokens[at]; {
	case t.Shape == lexicon.LinkShape && at+1 == hi && (m.Kind == lexicon.Download || p.isFileAddress(at, hi)):
		c := p.onPages(d, at, hi)
		if noun.Lo < noun.Hi && isHome(c) { // "download the file from example.com"
			return askWhichFile(p.Text, c, noun)
		}
		return c
	case t.Shape == lexicon.FileShape || t.Shape == lexicon.QuotedShape:
		if _, from := p.Longest(at+1, hi, lexicon.Source); !from && p.IsPhrase(at+1, hi, lexicon.Elsewhere) && m.Kind == lexicon.Download {
			return parse.Clause{} // «загрузи a.pdf на гугл диск» goes the other way
		}
		of, ok := p.Longest(at+1, hi, lexicon.Of)
		if m.Kind != lexicon.Show && at+1 == hi { // of the page that was opened before
			of.Len = 0
		} else if !ok || at+1+of.Len >= hi {
			return parse.Clause{}
		}
		d.fileName = parse.Span{Lo: at, Hi: at + 1}
		return p.onPages(d, at+1+of.Len, hi)
	}
	return parse.Clause{}
}

// pageExtensions are file extensions of pages.
var pageExtensions = []string{"html", "htm", "php"}

// isFileAddress reports whether [lo,hi) is an address that ends in the name of a file.
func (p *Reader) isFileAddress(lo, hi int) bool {
	if lo+1 != hi || p.Tokens[lo].Shape != lexicon.LinkShape {
		return false
	}
	u, _ := lexicon.ParseAddress(p.Tokens[lo].Value)
	if u == nil || strings.Trim(u.Path, "/") == "" {
		return false
	}
	ext := lexicon.FileExtension(u.Path)
	return lexicon.IsFileExtension(ext) && !slices.Contains(pageExtensions, ext)
}

// readOwnBrowser reads a command for the user's own browser: "open github.com in my
// default browser".
func (p *Reader) readOwnBrowser(lo, hi int) parse.Clause {
	var c parse.Clause
	var at parse.Span
	if m, ok := p.FindEnding(lo+1, hi, lexicon.OwnBrowser); ok {
		at = parse.Span{Lo: hi - m.Len, Hi: hi}
		c = p.Commands.Command(lo, at.Lo, false)
	} else if m, ok := p.Longest(lo, hi, lexicon.OwnBrowser); ok && lo+m.Len < hi {
		at = parse.Span{Lo: lo, Hi: lo + m.Len}
		from, _ := p.SkipLead(at.Hi, hi)
		c = p.Commands.Command(from, hi, false)
	}
	if c.Outcome != parse.Understood || len(c.Drafts) == 0 || c.NeedsPage {
		return parse.Clause{}
	}
	for i := range c.Drafts {
		g := &c.Drafts[i].Goal
		if g.OnPage() || g.GoalType != plan.BrowserNavigate && g.GoalType != plan.BrowserSearch {
			return parse.Clause{}
		}
		g.Action, g.ObjectType, _ = strings.Cut(plan.OpenExternal, "_")
		c.Drafts[i].Spans = append(c.Drafts[i].Spans, parse.SlotSpan{Slot: "action", Span: at, Fuzzy: false})
	}
	return c
}
