package view

import (
	"strings"

	"golang.org/x/net/html"

	"errand/policy/rulefile"
)

// markupTerms are the names and patterns of data/html.toml.
var markupTerms = rulefile.Load[struct {
	Void, Block, Unrendered, Machinery, Spoken, White rulefile.Words
	Style, Class, Colour, Setting                     *rulefile.Pattern
	MachineKey                                        *rulefile.Pattern `toml:"machine_key"`
	MarkdownComment                                   *rulefile.Pattern `toml:"markdown_comment"`
	FrontMatter                                       *rulefile.Pattern `toml:"front_matter"`
}](files, "data/html.toml")

// The bonus of hidden text. Attributes also have honest uses: screen readers and search
// engines read them.
const (
	hiddenBonus = 1.5
	spokenBonus = 0.5
)

// maxNested limits the depth of elements, as in browsers.
const maxNested = 512

// page reads markup: its visible text, without the tags that could split a word, and
// each hidden text.
type page struct {
	yield   func(View) bool
	more    bool
	open    []element
	visible strings.Builder

	// Text of the open hidden elements.
	hidden      strings.Builder
	hiddenStart int
	hiddenBonus float64
}

type element struct {
	name   string
	hidden bool
}

// htmlViews yields the parts of markup until yield returns false.
func htmlViews(text string, yield func(View) bool) {
	p := &page{yield: yield, more: true}
	for _, v := range markdownViews(text) {
		p.more = p.more && yield(v)
	}
	if !p.more || !strings.Contains(text, "<") {
		return
	}
	z := html.NewTokenizer(strings.NewReader(text))
	at := 0
	for p.more {
		kind := z.Next()
		start := at
		at += len(z.Raw())
		if kind == html.ErrorToken {
			break
		}
		p.add(z.Token(), Span{start, at})
	}
	p.addPart(p.hidden.String(), "hidden_html", p.hiddenBonus, Span{p.hiddenStart, len(text)})
	if s := p.visible.String(); s != text {
		p.addPart(s, "", 0, Span{0, len(text)})
	}
}

// addPart yields a part of the text, by windows.
func (p *page) addPart(s, technique string, bonus float64, within Span) {
	if strings.TrimSpace(s) == "" {
		return
	}
	for _, w := range Windows(s) {
		p.more = p.more && p.yield(part(s[w.From:w.To], technique, bonus, within))
	}
}

func (p *page) isHidden() bool { return len(p.open) > 0 && p.open[len(p.open)-1].hidden }

func (p *page) add(t html.Token, at Span) {
	switch t.Type {
	case html.CommentToken:
		p.addPart(html.UnescapeString(t.Data), "hidden_html", hiddenBonus, at)
	case html.TextToken:
		p.addText(html.UnescapeString(t.Data), at.Start)
	case html.StartTagToken, html.SelfClosingTagToken:
		p.openTag(t, at)
	case html.EndTagToken:
		for i := len(p.open) - 1; i >= 0; i-- {
			if p.open[i].name == t.Data {
				p.open = p.open[:i]
				break
			}
		}
		if !p.isHidden() {
			p.addPart(p.hidden.String(), "hidden_html", p.hiddenBonus, Span{p.hiddenStart, at.End})
			p.hidden.Reset()
		}
	}
}

func (p *page) addText(s string, start int) {
	if !p.isHidden() {
		p.visible.WriteString(s)
		return
	}
	if p.hidden.Len() == 0 {
		p.hiddenStart, p.hiddenBonus = start, hiddenBonus
		if markupTerms().Machinery[p.open[len(p.open)-1].name] {
			p.hiddenBonus = 0
		}
	}
	p.hidden.WriteString(s)
}

func (p *page) openTag(t html.Token, at Span) {
	hides := isHiddenElement(t)
	bonus := spokenBonus
	if t.Data == "input" && hides && !p.isHidden() {
		bonus = hiddenBonus // a value that the user did not type
	}
	if isForMachines(t) {
		bonus = Certain
	}
	for _, a := range t.Attr {
		if (markupTerms().Spoken[a.Key] || strings.HasPrefix(a.Key, "data-")) && strings.Contains(strings.TrimSpace(a.Val), " ") {
			p.addPart(a.Val, "hidden_html", bonus, at)
		}
	}
	if t.Type == html.StartTagToken && !markupTerms().Void[t.Data] && len(p.open) < maxNested {
		p.open = append(p.open, element{t.Data, hides || p.isHidden()})
	}
	if markupTerms().Block[t.Data] {
		p.visible.WriteByte('\n')
	}
}

// isForMachines reports whether the name of an element addresses a machine.
func isForMachines(t html.Token) bool {
	for _, a := range t.Attr {
		key := a.Key
		if t.Data == "meta" && (key == "name" || key == "property") {
			key = a.Val
		}
		if markupTerms().MachineKey.Match(strings.ToLower(key)) {
			return true
		}
	}
	return false
}

// isHiddenElement reports whether an element is hidden by its name or its attributes.
func isHiddenElement(t html.Token) bool {
	terms := markupTerms()
	if terms.Unrendered[t.Data] {
		return true
	}
	for _, a := range t.Attr {
		val := strings.ToLower(a.Val)
		hides := false
		switch a.Key {
		case "hidden", "inert":
			hides = true
		case "aria-hidden":
			hides = val == "true"
		case "type":
			hides = t.Data == "input" && val == "hidden"
		case "class":
			hides = terms.Class.Match(val)
		case "style":
			style := strings.Join(strings.Fields(val), "")
			hides = terms.Style.Match(style) || hasHiddenColour(style)
		case "color":
			hides = isWhite(val)
		}
		if hides {
			return true
		}
	}
	return false
}

// hasHiddenColour reports whether text has the colour of the background, or is white
// without a background.
func hasHiddenColour(style string) bool {
	fore, back := "", "white"
	for _, m := range markupTerms().Colour.Get().FindAllStringSubmatch(style, -1) {
		if m[1] == "color" {
			fore = m[2]
		} else {
			back = m[2]
		}
	}
	return fore != "" && (fore == back || isWhite(fore) && isWhite(back))
}

func isWhite(c string) bool {
	return markupTerms().White[strings.TrimSuffix(strings.TrimSpace(c), "!important")]
}

// markdownViews returns the text that Markdown hides: the settings at the beginning of
// a page, and comments.
func markdownViews(text string) []View {
	var out []View
	if m := markupTerms().FrontMatter.Get().FindStringIndex(text[:min(len(text), windowSize)]); m != nil {
		for _, s := range markupTerms().Setting.Get().FindAllStringSubmatchIndex(text[:m[1]], 64) {
			out = append(out, part(text[s[2]:s[3]], "hidden_markdown", spokenBonus, Span{s[0], s[1]}))
		}
	}
	for _, m := range markupTerms().MarkdownComment.Get().FindAllStringSubmatchIndex(text, 32) {
		out = append(out, part(text[m[2]:m[3]], "hidden_markdown", hiddenBonus, Span{m[0], m[1]}))
	}
	return out
}
