// Package quarantine detects prompt injection in fetched text: attempts to give orders
// to an agent that reads the text.
//
// It does not protect by itself. After a run has read text from tools, every write
// needs the user's approval, whatever quarantine detects.
//
// A text is read in several views; see package view. In each view the rules in
// rules/*.toml look for orders, for their objects (instructions, prompts, secrets,
// tools) and for their addressees. Quotations in a text about them don't count. Scores
// are added up within one passage.
//
// The taxonomy follows OWASP LLM01 and the probe families of published scanners.
package quarantine

import (
	"cmp"
	"slices"

	"errand/policy/quarantine/view"
)

// Finding is the result of [Scan].
type Finding struct {
	Flagged bool `json:"flagged"`
	// Techniques are the kinds of attempts found, sorted; empty unless Flagged.
	Techniques []string `json:"techniques"`
	// Text is the text made inert if it is flagged, else the text itself.
	Text string `json:"text"`
	// Spans are places in the scanned text, by rising Start. There are at most some
	// hundreds.
	Spans []Span `json:"spans,omitempty"`
}

// Span is a place in the scanned text, in bytes, where a technique was found.
type Span struct {
	Start     int    `json:"start"`
	End       int    `json:"end"`
	Technique string `json:"technique"`
}

// maxSpans limits the places that are searched. The whole text is made inert in any
// case.
const maxSpans = 200

// Scan scans a text. The same text gives the same finding; time and memory grow with
// its length. It is safe for concurrent use.
func Scan(text string) Finding {
	f := Finding{Techniques: []string{}, Text: text}
	f.look(text)
	if !f.Flagged {
		return f
	}
	for _, s := range f.Spans {
		f.Techniques = append(f.Techniques, s.Technique)
	}
	slices.Sort(f.Techniques)
	f.Techniques = slices.Compact(f.Techniques)
	slices.SortFunc(f.Spans, func(a, b Span) int {
		return cmp.Or(a.Start-b.Start, a.End-b.End, cmp.Compare(a.Technique, b.Technique))
	})
	f.Spans = slices.Compact(f.Spans)
	f.Text = view.Inert(text)
	return f
}

// look scans the windows of a text and its markup, until it has found enough.
func (f *Finding) look(text string) {
	windows := view.Windows(text)
	var tags map[string]int
	if len(windows) > 1 {
		tags = view.OpenedTags(text)
	}
	for _, w := range windows {
		for v := range view.Views(text[w.From:w.To], isOrder) {
			if !f.add(reading{v, w.From, tags}, w) {
				return
			}
		}
	}
	for v := range view.OfMarkup(text, isOrder) {
		if !f.add(reading{View: v}, view.Window{Last: len(text) + 1}) {
			return
		}
	}
}

// add adds the findings in a view of a window. It reports whether to go on.
func (f *Finding) add(v reading, w view.Window) bool {
	for _, s := range v.findSpans() {
		s.Start, s.End = s.Start+w.From, s.End+w.From
		if s.Start >= w.First && s.Start < w.Last {
			f.Spans, f.Flagged = append(f.Spans, s), true
		}
	}
	return len(f.Spans) < maxSpans
}

// isOrder reports whether a piece of text alone is evidence.
func isOrder(v view.View) bool { return len(reading{View: v}.evidence()) > 0 }
