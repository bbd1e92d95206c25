package parse

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/plan"
)

// Draft is a goal that may still change, with the tokens that caused each slot.
type Draft struct {
	Goal          plan.Goal
	Spans         []SlotSpan
	Location           // files: the place of the target, which is only a name until the place is joined to it
	AboutLastPage bool // pages: it is about the page named before; its goal has no page yet
	RowWords      Span // pages: words for rows that no tool can tell from the others: "the first 5 videos"
	PlaceFirst    bool // files: the place stands before the name
	Stage         int  // drafts of a stage come after all of the stage before
	Into          bool // files: it goes into the folder created just before
	Needs         int  // number of the draft that comes before it, such as that which creates its folder; 0: none
}

// Span is the range of tokens from the first to the last that caused a draft.
func (d Draft) Span() Span {
	all := Span{d.First(), 0}
	for _, s := range d.Spans {
		if s.Lo < s.Hi {
			all.Lo, all.Hi = min(all.Lo, s.Lo), max(all.Hi, s.Hi)
		}
	}
	return all
}

// First is the first token of the last slot. No other draft of the same goal
// shares it.
func (d Draft) First() int {
	if len(d.Spans) == 0 {
		return 0
	}
	return d.Spans[len(d.Spans)-1].Lo
}

// Slot is the range of tokens that caused a slot of the goal; empty: no words did.
func (d Draft) Slot(name string) Span {
	for _, s := range d.Spans {
		if s.Slot == name {
			return s.Span
		}
	}
	return Span{}
}

// Types of a file goal.
const (
	FolderType = "folder"
	FileType   = "file"
)

// Entity is a site or app found at a token.
type Entity struct {
	ID    string
	App   bool
	Site  bool
	Len   int
	Fuzzy bool
}

// SlotSpan is a slot of a goal and the tokens that caused it.
type SlotSpan struct {
	Slot string
	Span
	Fuzzy bool
}

// HasLocation reports whether a draft has a place of its own or needs none.
func (d *Draft) HasLocation() bool {
	return d.Goal.GoalType != plan.FileOperation || d.IsKnown() || lexicon.IsPath(d.Goal.Target)
}
