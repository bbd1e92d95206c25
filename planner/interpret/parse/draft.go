package parse

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/plan"
)

// Span are the tokens from the first to the last that caused a draft.
func (d Draft) Span() Span {
	all := Span{d.First(), 0}
	for _, s := range d.Spans {
		if s.Lo < s.Hi {
			all.Lo, all.Hi = min(all.Lo, s.Lo), max(all.Hi, s.Hi)
		}
	}
	return all
}

// First is the first token of what a draft is about: its last slot, which no
// other draft of the same goal shares.
func (d Draft) First() int {
	if len(d.Spans) == 0 {
		return 0
	}
	return d.Spans[len(d.Spans)-1].Lo
}

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

// Draft is a goal with the words that caused each of its slots.
type Draft struct {
	Goal          plan.Goal
	Spans         []SlotSpan
	Location           // files: where the target lies, which is a name till then
	AboutLastPage bool // pages: it is about the page that stands before it, and its goal has no page yet
	Rows          Span // pages: rows of it that no tool tells from the others: "the first 5 videos"
	PlaceFirst    bool // files: the words said where before the name
	Needs         int  // number of the goal of the folder that it lies in, once it is known
}

type SlotSpan struct {
	Slot string
	Span
	Fuzzy bool
}

// HasLocation reports whether a draft needs no place from its neighbours.
func (d *Draft) HasLocation() bool {
	return d.Goal.GoalType != plan.FileOperation || d.IsKnown() || lexicon.IsPath(d.Goal.Target)
}
