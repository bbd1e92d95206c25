// Package quarantine looks at fetched text for attempts to give orders to
// whoever reads it by machine: prompt injection.
//
// It is triage, never the control. What holds is that text from tools is
// untrusted, and that a run which has read it needs a person for every write.
// Quarantine says which text deserves suspicion, shows where, and hands out a
// copy in which the means of injection are dead.
//
// A text is looked at in several views: as a reader sees it, what is hidden in
// it (comments, invisible elements and characters), and what its encoded parts
// decode to. In each view rules look for an order in the imperative, what it
// is about (instructions, prompts, secrets, tools) and whom it addresses; what
// stands in quotation marks under words that report it counts as mentioned,
// not said. Scores are added up within one passage.
//
// The taxonomy follows OWASP LLM01 and the probe families of published
// scanners.
package quarantine

import (
	"slices"
)

// Finding is what [Scan] has to say of a text.
type Finding struct {
	Flagged bool `json:"flagged"`
	// Techniques are the kinds of attempts found, sorted; empty unless Flagged.
	Techniques []string `json:"techniques"`
	// Text is the text made inert where it was flagged, else as it was.
	Text string `json:"text"`
	// Spans are places in the scanned text, by rising Start: all of them, or of
	// a text that is full of them some hundreds.
	Spans []Span `json:"spans,omitempty"`
}

// Span is a place in the text that was scanned, in bytes, where the technique
// was seen.
type Span struct {
	Start     int    `json:"start"`
	End       int    `json:"end"`
	Technique string `json:"technique"`
}

// threshold is the score from which a passage is an attempt. One plain order
// about instructions reaches it; an order to act, an address to machines or a
// forged turn alone do not.
const threshold = 3

// Scan judges a text. It always gives the same answer for the same text, its
// time grows with the text's length and its memory by a few times that, and it may be called by several
// goroutines at once.
func Scan(text string) Finding {
	f := Finding{Techniques: []string{}, Text: text}
	f.look(text)
	if !f.Flagged {
		return f
	}
	slices.Sort(f.Techniques)
	f.Techniques = slices.Compact(f.Techniques)
	slices.SortFunc(f.Spans, func(a, b Span) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		if a.End != b.End {
			return a.End - b.End
		}
		return compare(a.Technique, b.Technique)
	})
	f.Spans = slices.Compact(f.Spans)
	f.Text = inert(text)
	return f
}

// look collects what the windows of a text and its markup hold, until that is
// enough.
func (f *Finding) look(text string) {
	cuts := windows(text)
	var tags map[string]int
	if len(cuts) > 1 {
		tags = tagsOpened(text)
	}
	for _, w := range cuts {
		for v := range views(text[w.from:w.to]) {
			v.tags, v.base = tags, w.from
			for _, hit := range v.judge() {
				hit.Start, hit.End = hit.Start+w.from, hit.End+w.from
				if hit.Start >= w.first && hit.Start < w.last {
					f.add(hit)
				}
			}
			if len(f.Spans) >= maxSpans {
				return
			}
		}
	}
	for v := range markupViews(text) {
		for _, hit := range v.judge() {
			f.add(hit)
		}
		if len(f.Spans) >= maxSpans {
			return
		}
	}
}

func (f *Finding) add(hit Span) {
	f.Flagged = true
	f.Spans = append(f.Spans, hit)
	f.Techniques = append(f.Techniques, hit.Technique)
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
