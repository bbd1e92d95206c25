package quarantine

import (
	"fmt"
	"strings"

	"errand/policy/quarantine/view"
)

// Cut returns the scanned text for an agent: made inert like [Finding.Text], and
// without the places that Scan found. It repeats that until Scan finds nothing. A text
// full of findings becomes empty.
func (f Finding) Cut(text string) string {
	whole := len(text)
	for range 3 {
		if !f.Flagged {
			return text
		}
		text = view.Inert(f.removeSpans(text))
		f = Scan(text)
	}
	if !f.Flagged {
		return text
	}
	return fmt.Sprintf("‹%d bytes full of orders taken out›", whole)
}

func (f Finding) removeSpans(text string) string {
	var b strings.Builder
	at := 0
	for i := 0; i < len(f.Spans); { // sorted by Start
		s := f.Spans[i]
		for i++; i < len(f.Spans) && f.Spans[i].Start <= s.End; i++ {
			s.End = max(s.End, f.Spans[i].End)
		}
		b.WriteString(strings.ToValidUTF8(text[at:s.Start], ""))
		fmt.Fprintf(&b, "‹%s taken out›", s.Technique)
		at = s.End
	}
	b.WriteString(strings.ToValidUTF8(text[at:], ""))
	return b.String()
}

// Visible returns a web page without the text that it hides from people, and how many bytes of it were
// cut. Other texts are returned as they are.
func Visible(text string) (visible string, hidden int) { return view.Visible(text) }

// HiddenBytes counts the orders in a page that people don't see, such as those in attributes.
func (f Finding) HiddenBytes() (n int) {
	for _, s := range f.Spans {
		if strings.HasPrefix(s.Technique, "hidden_html") {
			n += s.End - s.Start
		}
	}
	return n
}
