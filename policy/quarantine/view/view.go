// Package view reads a text in the ways that a model might: as it is shown,
// with what is hidden in it, with its encoded parts decoded and its disguises
// taken off.
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
	// Raw is the text before folding, "" if only the folded text means anything.
	Raw string
	// Technique says how the view is concealed, "" for a plain reading.
	Technique string
	// Bonus is added to the score of what is found in the view: an order that
	// is concealed has seldom an honest reason.
	Bonus float64

	// offsets leads the bytes of Text back to the scanned text. Where it is nil,
	// the place of all of the view is within.
	offsets []int
	within  Span
}

// Span is a place in the scanned text, in bytes.
type Span struct{ Start, End int }

// Certain is a bonus that makes a view an attempt whatever it says.
const Certain = 3

// Of yields the views of a window of text, the plain reading first. The text is
// taken as it is written, not as markup. IsOrder reports whether a quoted piece
// is an order by itself.
func Of(text string, isOrder func(View) bool) iter.Seq[View] {
	return func(yield func(View) bool) {
		for _, v := range slices.Concat([]View{plain(text)}, invisibleViews(text), threads(text)) {
			if !v.yieldAll(isOrder, yield) {
				return
			}
		}
		budget := decodedPerText * max(len(text), 1<<10)
		for _, v := range decoded(text, Span{0, len(text)}, 0, &budget, isOrder) {
			if !yield(v) {
				return
			}
		}
	}
}

// OfMarkup yields the views of a whole text as markup. What is hidden in it may
// have been opened long before, so it isn't cut into windows first.
func OfMarkup(text string, isOrder func(View) bool) iter.Seq[View] {
	return func(yield func(View) bool) {
		htmlViews(text, func(v View) bool { return v.yieldAll(isOrder, yield) })
	}
}

// yieldAll yields a view and what its disguises hide.
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

// plain is the text as a reader sees it. Invisible characters inside words make
// it suspect.
func plain(text string) View {
	folded, offsets := Fold(text)
	v := View{Text: folded, Raw: text, offsets: offsets, within: Span{0, len(text)}}
	switch n := countCuts(text); {
	case n >= 10:
		v.Bonus = 2
	case n >= 3:
		v.Bonus = 1
	}
	return v
}

// part is the view of a piece of the scanned text, or of what it decodes to.
func part(text, technique string, bonus float64, within Span) View {
	folded, _ := Fold(text)
	return View{Text: folded, Raw: text, Technique: technique, Bonus: bonus, within: within}
}

// Place leads Text[start:end] back to the scanned text.
func (v View) Place(start, end int) Span {
	if v.offsets == nil || start >= end || end > len(v.offsets) {
		return v.within
	}
	return Span{v.offsets[start], v.offsets[end-1] + 1}
}

// Whole is the place of the whole view.
func (v View) Whole() Span { return v.Place(0, len(v.Text)) }
