package quarantine

import (
	"strings"

	"errand/policy/rulefile"

	"golang.org/x/net/html"
)

// htmlViews reads markup: what it shows, with the tags gone that could cut a
// word in two, and each thing that it does not show.
//
// It calls yield with each part, cut into windows, until that says no.
func htmlViews(text string, yield func(view) bool) {
	for _, v := range markdownComments(text) {
		if !yield(v) {
			return
		}
	}
	if !strings.Contains(text, "<") {
		return
	}
	var shown strings.Builder
	more := true
	part := func(s, technique string, bonus float64, within Span) {
		if strings.TrimSpace(s) == "" {
			return
		}
		for _, w := range windows(s) {
			more = more && yield(partView(s[w.from:w.to], technique, bonus, within))
		}
	}
	hide := func(s string, bonus float64, start, end int) {
		part(s, "hidden_html", bonus, Span{start, end, ""})
	}
	type element struct {
		name   string
		hidden bool
	}
	var open []element
	var unseen strings.Builder
	unseenStart, unseenBonus := 0, 0.0
	z := html.NewTokenizer(strings.NewReader(text))
	at := 0
	for more {
		kind := z.Next()
		start := at
		at += len(z.Raw())
		if kind == html.ErrorToken {
			break
		}
		hidden := len(open) > 0 && open[len(open)-1].hidden
		switch kind {
		case html.CommentToken:
			hide(html.UnescapeString(string(z.Text())), hiddenBonus, start, at)
		case html.TextToken:
			s := html.UnescapeString(string(z.Text()))
			if hidden {
				if unseen.Len() == 0 {
					unseenStart, unseenBonus = start, hiddenBonus
					if machinery[open[len(open)-1].name] {
						unseenBonus = 0
					}
				}
				unseen.WriteString(s)
			} else {
				shown.WriteString(s)
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			tok := z.Token()
			conceals := hidden || concealing(tok)
			bonus := spokenBonus
			if tok.Data == "input" && conceals && !hidden {
				bonus = hiddenBonus // a value that no one typed
			}
			if forMachines(tok) {
				bonus = threshold
			}
			for _, s := range spoken(tok) {
				hide(s, bonus, start, at)
			}
			if kind == html.StartTagToken && !void[tok.Data] && len(open) < maxNested {
				open = append(open, element{tok.Data, conceals})
			}
			if block[tok.Data] {
				shown.WriteByte('\n')
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			for i := len(open) - 1; i >= 0; i-- {
				if open[i].name == string(name) {
					open = open[:i]
					break
				}
			}
			if len(open) == 0 || !open[len(open)-1].hidden {
				hide(unseen.String(), unseenBonus, unseenStart, at)
				unseen.Reset()
			}
		}
	}
	hide(unseen.String(), unseenBonus, unseenStart, len(text))
	if s := shown.String(); s != text {
		part(s, "", 0, Span{0, len(text), ""})
	}
}

// maxNested is how deep elements are followed; browsers stop there too.
const maxNested = 512

// What hiding adds to a passage's score. Attributes are read out by screen
// readers and search engines and so have honest uses; scripts and titles are
// unseen by nature.
const (
	hiddenBonus = 1.5
	spokenBonus = 0.5
)

var (
	machinery = set("script style title head")
	void      = set("area base br col embed hr img input link meta param source track wbr")
	block     = set("p div br li ul ol tr td th h1 h2 h3 h4 h5 h6 section article table header footer pre blockquote")
	// unrendered are elements whose text a page doesn't show.
	unrendered = set("script style template noscript title head desc metadata datalist")
	// spokenAttrs are attributes that hold text which is read out or indexed
	// rather than shown.
	spokenAttrs = set("alt title aria-label aria-description placeholder content summary label value data-prompt data-instructions data-ai data-content data-text data-note longdesc")
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

func spoken(tok html.Token) []string {
	var out []string
	for _, a := range tok.Attr {
		if (spokenAttrs[a.Key] || strings.HasPrefix(a.Key, "data-")) && strings.Contains(strings.TrimSpace(a.Val), " ") {
			out = append(out, a.Val)
		}
	}
	return out
}

// machineKey is an attribute's name, or a meta element's, that says for whom
// its text is.
var machineKey = rulefile.New(`(?:^|[-_:.])(?:ai|llm|gpt|agent|assistant|chatbot|model|system|bot)s?[-_:.]?(?:instructions?|prompt|directives?|commands?|notes?|message|hint)$`)

// forMachines reports whether an element gives orders to machines by its name.
func forMachines(tok html.Token) bool {
	for _, a := range tok.Attr {
		key := a.Key
		if tok.Data == "meta" && (key == "name" || key == "property") {
			key = a.Val
		}
		if machineKey.Get().MatchString(strings.ToLower(key)) {
			return true
		}
	}
	return false
}

// concealedStyle are declarations that take text out of sight.
var concealedStyle = rulefile.New(`display:none|visibility:(?:hidden|collapse)|opacity:0?\.?0*(?:[;}]|$|0[1-9])|font-size:0*(?:\.\d+|[01])(?:px|pt|em|rem|%)?(?:[;!]|$)` +
	`|(?:left|top|right|bottom|text-indent|margin-left|margin-top):-\d{3,}|(?:^|;)(?:max-)?(?:height|width):[01](?:px)?(?:[;!]|$)|clip:rect\(0|clip-path:inset\((?:50|100)%|transform:scale\(0|color:transparent|z-index:-\d|mso-hide:all|content-visibility:hidden|color:rgba\([^)]*,0?\.?0*\)`)

var concealedClass = rulefile.New(`(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-\w+|hidden|d-none|invisible|offscreen|hide|is-hidden|u-hidden)(?:\s|$)`)

var colour = rulefile.New(`(?:^|;)(color|background(?:-color)?):([^;]+)`)

// concealing reports whether an element is hidden by its own attributes.
func concealing(tok html.Token) bool {
	if unrendered[tok.Data] {
		return true
	}
	for _, a := range tok.Attr {
		val := strings.ToLower(a.Val)
		switch a.Key {
		case "hidden", "inert":
			return true
		case "aria-hidden":
			if val == "true" {
				return true
			}
		case "type":
			if tok.Data == "input" && val == "hidden" {
				return true
			}
		case "class":
			if concealedClass.Get().MatchString(val) {
				return true
			}
		case "style":
			style := strings.Join(strings.Fields(val), "")
			if concealedStyle.Get().MatchString(style) || sameColour(style) {
				return true
			}
		case "color":
			if white(val) {
				return true
			}
		}
	}
	return false
}

// sameColour reports text in the background's colour, or in white where no
// background is given: pages are white.
func sameColour(style string) bool {
	fore, back := "", ""
	for _, m := range colour.Get().FindAllStringSubmatch(style, -1) {
		if m[1] == "color" {
			fore = m[2]
		} else {
			back = m[2]
		}
	}
	if fore == "" {
		return false
	}
	if back == "" {
		return white(fore)
	}
	return fore == back || white(fore) && white(back)
}

func white(c string) bool {
	switch strings.TrimSuffix(strings.TrimSpace(c), "!important") {
	case "white", "#fff", "#ffffff", "#fefefe", "#fdfdfd", "#fffffe", "rgb(255,255,255)", "rgba(255,255,255,1)", "snow", "hsl(0,0%,100%)":
		return true
	}
	return false
}

// mdComment are the ways in which Markdown hides a note.
var mdComment = rulefile.New(`(?m)^\s*\[(?://|comment|_metadata_|\^?[a-z0-9 ]*)\]:\s*(?:#|<>)\s*[("'](.+)[)"']\s*$`)

// frontMatter is the block of settings at the beginning of a Markdown page,
// which no reader sees.
var frontMatter = rulefile.New(`^\s*(?:---\r?\n(?s:.*?)\n---|\+\+\+\r?\n(?s:.*?)\n\+\+\+)\r?\n`)

// setting is a line of such a block: a name and what it is set to.
var setting = rulefile.New(`(?m)^[ \t]*[\w-]+[ \t]*[:=][ \t]*["']?(.*?)["']?[ \t]*$`)

func markdownComments(text string) []view {
	var out []view
	if m := frontMatter.Get().FindStringIndex(text[:min(len(text), windowSize)]); m != nil {
		for _, s := range setting.Get().FindAllStringSubmatchIndex(text[:m[1]], 64) {
			out = append(out, partView(text[s[2]:s[3]], "hidden_markdown", spokenBonus, Span{s[0], s[1], ""}))
		}
	}
	for _, m := range mdComment.Get().FindAllStringSubmatchIndex(text, 32) {
		out = append(out, partView(text[m[2]:m[3]], "hidden_markdown", 1.5, Span{m[0], m[1], ""}))
	}
	return out
}
