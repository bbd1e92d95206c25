// Package view returns the readings of a text that a model may see: the visible text,
// hidden text, decoded text, and text without its disguises.
package view

import (
	"embed"
	"iter"
	"slices"
)

//go:embed data
var files embed.FS

// View is one reading of a text or of a part of it.
type View struct {
	// Text is folded; see [Fold].
	Text string
	// Raw is the text before folding. It is "" if only the folded text is meaningful.
	Raw string
	// Technique says how the view is concealed. It is "" for plain text.
	Technique string
	// Bonus is added to the score of findings in the view, because a concealed order
	// rarely has a harmless reason.
	Bonus float64

	// offsets maps the bytes of Text to the scanned text. If it is nil, within is the
	// place of the whole view.
	offsets []int
	span    Span
}

// Span is a range of bytes in the scanned text.
type Span struct{ Start, End int }

// Certain is a bonus that makes a view an attempt, whatever its content.
const Certain = 3

// Views yields the views of a window of text, the plain reading first. It doesn't interpret
// markup. IsOrder reports whether a quoted piece is an order by itself.
func Views(text string, isOrder func(View) bool) iter.Seq[View] {
	return func(yield func(View) bool) {
		for _, v := range slices.Concat([]View{plainView(text)}, invisibleViews(text), threads(text)) {
			if !v.yieldAll(isOrder, yield) {
				return
			}
		}
		budget := decodedPerText * max(len(text), 1<<10)
		for _, v := range decodedViews(text, Span{0, len(text)}, 0, &budget, isOrder) {
			if !yield(v) {
				return
			}
		}
	}
}

// OfMarkup yields the views of a whole text as markup. The text is not split into windows,
// because the element that hides a part may have been opened long before.
func OfMarkup(text string, isOrder func(View) bool) iter.Seq[View] {
	return func(yield func(View) bool) {
		htmlViews(text, func(v View) bool { return v.yieldAll(isOrder, yield) })
	}
}

// yieldAll yields a view and its readings without disguises.
func (v View) yieldAll(isOrder func(View) bool, yield func(View) bool) bool {
	if !yield(v) {
		return false
	}
	for _, d := range disguises(v, isOrder) {
		if !yield(d) {
			return false
		}
	}
	return true
}

// plainView returns the text as a reader sees it. Invisible characters inside words make it
// suspicious.
func plainView(text string) View {
	folded, offsets := Fold(text)
	v := View{Text: folded, Raw: text, offsets: offsets, span: Span{0, len(text)}}
	switch n := countCuts(text); {
	case n >= 10:
		v.Bonus = 2
	case n >= 3:
		v.Bonus = 1
	}
	return v
}

// part returns the view of a piece of the scanned text, or of its decoded form.
func part(text, technique string, bonus float64, within Span) View {
	folded, _ := Fold(text)
	return View{Text: folded, Raw: text, Technique: technique, Bonus: bonus, span: within}
}

// Place maps Text[start:end] to the scanned text.
func (v View) Place(start, end int) Span {
	if v.offsets == nil || start >= end || end > len(v.offsets) {
		return v.span
	}
	return Span{v.offsets[start], v.offsets[end-1] + 1}
}

// WholeSpan returns the place of the whole view.
func (v View) WholeSpan() Span { return v.Place(0, len(v.Text)) }
