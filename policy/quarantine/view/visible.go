package view

import (
	"regexp"
	"strings"
	"sync"

	"golang.org/x/net/html"
)

// document is how a page of the web begins, after its comments.
var document = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?is)^\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)[\s>]`)
})

// Visible returns a web page without its comments and without the elements that it does not show, and
// how many bytes of text were in them. Markup of the rest stays as it is. Scripts and styles are cut and
// not counted, because every page has some. Other texts are returned as they are.
func Visible(text string) (visible string, hidden int) {
	if !document().MatchString(text) {
		return text, 0
	}
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(text))
	name, depth, counts := "", 0, false // of the hidden element that is open
	for {
		kind := z.Next()
		raw := string(z.Raw())
		if kind == html.ErrorToken {
			b.WriteString(raw)
			return b.String(), hidden
		}
		t := z.Token()
		switch {
		case kind == html.CommentToken:
			hidden += len(strings.TrimSpace(t.Data))
		case depth > 0:
			switch {
			case kind == html.TextToken && counts:
				hidden += len(strings.TrimSpace(t.Data))
			case kind == html.StartTagToken && t.Data == name:
				depth++
			case kind == html.EndTagToken && t.Data == name:
				depth--
			}
		case kind == html.StartTagToken && !markupTerms().Void[t.Data] && isHiddenElement(t) && t.Data != "head" && t.Data != "title":
			name, depth, counts = t.Data, 1, !markupTerms().Machinery[t.Data]
		default:
			b.WriteString(raw)
		}
	}
}
