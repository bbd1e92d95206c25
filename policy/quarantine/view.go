package quarantine

import (
	"iter"
	"slices"
)

// view is one way to read the text or a part of it.
type view struct {
	text string // folded: what the rules match
	raw  string // before folding, for what folding would destroy

	// technique names how the view is concealed; "" for the plain reading.
	technique string
	// bonus is added to a passage's score where any rule matches: what is
	// concealed and gives orders has no honest reason to.
	bonus float64

	// Places: offsets leads bytes of text back to the scanned text; where it is
	// nil all of the view stands for within.
	offsets []int
	within  Span

	// Of a window: where it begins, and where in the whole text elements do.
	base int
	tags map[string]int
}

// views unfolds a window, the plain reading first: as it is written, not as
// markup.
func views(text string) iter.Seq[view] {
	return func(yield func(view) bool) {
		seen := slices.Concat([]view{plainView(text)}, invisibleViews(text), threads(text))
		for _, v := range seen {
			if !yield(v) {
				return
			}
			for _, d := range disguises(v) {
				if !yield(d) {
					return
				}
			}
		}
		budget := decodedPerText * max(len(text), 1<<10)
		for _, v := range decoded(text, Span{0, len(text), ""}, 0, &budget) {
			if !yield(v) {
				return
			}
		}
	}
}

// markupViews reads a whole text as markup, since what is hidden may have been
// opened long before, and unfolds each part of it.
func markupViews(text string) iter.Seq[view] {
	return func(yield func(view) bool) {
		htmlViews(text, func(v view) bool {
			if !yield(v) {
				return false
			}
			for _, d := range disguises(v) {
				if !yield(d) {
					return false
				}
			}
			return true
		})
	}
}

// plainView folds the text and keeps every byte's place.
func plainView(text string) view {
	folded, offsets := fold(text)
	v := view{text: folded, raw: text, offsets: offsets, within: Span{0, len(text), ""}}
	switch cuts := wordsCut(text); {
	case cuts >= 10:
		v.bonus = 2
	case cuts >= 3:
		v.bonus = 1
	}
	return v
}

// partView folds something that stands for a part of the scanned text.
func partView(text, technique string, bonus float64, within Span) view {
	folded, _ := fold(text)
	return view{text: folded, raw: text, technique: technique, bonus: bonus, within: within}
}

// place leads a match in v.text back to the scanned text.
func (v view) place(start, end int) (int, int) {
	if v.offsets == nil || start >= end || end > len(v.offsets) {
		return v.within.Start, v.within.End
	}
	return v.offsets[start], v.offsets[end-1] + 1
}
