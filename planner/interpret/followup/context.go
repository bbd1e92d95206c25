// Package followup reads goals about what earlier goals did: "open it", "the first one", "again
// for amd", "undo". What "it" can mean is a [Context], which the caller keeps. Everything in a
// context is data: its labels are never read as words of a goal.
package followup

import (
	"slices"

	"errand/planner/plan"
)

// MaxAge is for how many seconds after a goal "it" still means what the goal was about.
const MaxAge = 30 * 60

// Kind is what a [Thing] is.
type Kind string

// Kinds of things.
const (
	Page   Kind = "page"   // Ref is its URL
	File   Kind = "file"   // Ref is its absolute path
	Folder Kind = "folder" // Ref is its absolute path
	App    Kind = "app"    // Ref is its id
)

// IsPath reports whether things of the kind are on disk.
func (k Kind) IsPath() bool { return k == File || k == Folder }

// Thing is a page, a file, a folder or an app.
type Thing struct {
	Kind  Kind   `json:"kind"`
	Ref   string `json:"ref"`
	Label string `json:"label,omitempty"`  // what a page calls it; untrusted, only to show
	IsOwn bool   `json:"is_own,omitempty"` // a folder such as Documents, which is never moved or deleted as a whole
}

// Context is what the earlier goals of one conversation were about. The zero Context is that of
// a conversation that begins.
type Context struct {
	Window  *Thing `json:"window,omitempty"` // the page that the visible browser shows; nil: none
	Page    Part   `json:"page,omitzero"`
	Files   Part   `json:"files,omitzero"`
	App     Part   `json:"app,omitzero"`
	List    List   `json:"list,omitzero"`
	Run     Run    `json:"run,omitzero"`      // the last goal
	Search  Run    `json:"search,omitzero"`   // the last goal with a search
	Unclear bool   `json:"unclear,omitempty"` // a later run ended without a record of what it was about
}

// Part are the things of one kind that the last goal about such things was about.
type Part struct {
	Age    int     `json:"age"` // seconds since the goal, in whole minutes
	RunID  string  `json:"run_id,omitempty"`
	Things []Thing `json:"things"`
	Into   *Thing  `json:"into,omitempty"` // the folder into which the goal put the first of Things
	// IsUnseen: the goal used its pages outside of the visible browser.
	IsUnseen bool `json:"is_unseen,omitempty"`
}

// List is the last list that a goal showed, in its order.
type List struct {
	Part
	From    string `json:"from,omitempty"`     // the page that it is of; "": no page
	More    bool   `json:"more,omitempty"`     // the goal found more than it showed
	IsStale bool   `json:"is_stale,omitempty"` // a later goal was about a page
	// IsBeforeSearch: a later goal was a search.
	IsBeforeSearch bool `json:"is_before_search,omitempty"`
}

// Run is a goal in words, with the goals that it was understood as.
type Run struct {
	Age      int          `json:"age"` // seconds, as in [Part]
	RunID    string       `json:"run_id,omitempty"`
	Words    string       `json:"words"`
	Language string       `json:"language,omitempty"`
	Goals    plan.GoalSet `json:"goals"`
	Targets  []Span       `json:"targets,omitempty"` // the words of the goals' targets
	Topic    bool         `json:"topic,omitempty"`   // the query is a question with its verb: "weather in paris"
}

// Span is a range of bytes of a text.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// IsEmpty reports whether nothing is known of earlier goals.
func (c Context) IsEmpty() bool {
	return c.Window == nil && len(c.Page.Things)+len(c.Files.Things)+len(c.App.Things)+len(c.List.Things) == 0 && c.Run.IsZero() && c.Search.IsZero()
}

// IsOld reports whether something is too old for a follow-up.
func IsOld(age int) bool { return age > MaxAge }

// IsZero reports whether there was no such goal.
func (r Run) IsZero() bool { return r.RunID == "" }

// Query is the query of the run's searches, with the site of the last one. It is empty if the run
// has none, or several.
func (r Run) Query() (query, site string) {
	for _, g := range r.Goals.Goals {
		if g.GoalType != plan.BrowserSearch {
			continue
		}
		if query != "" && g.Query != query {
			return "", ""
		}
		query, site = g.Query, g.Platform
	}
	return query, site
}

// Replace returns the run's goals with another query or, with a site, on that site.
func (r Run) Replace(query, site string) plan.GoalSet {
	set := plan.GoalSet{Kind: r.Goals.Kind, Goals: slices.Clone(r.Goals.Goals), Deps: r.Goals.Deps}
	for i := range set.Goals {
		g := &set.Goals[i]
		if g.GoalType != plan.BrowserSearch {
			continue
		}
		if query != "" {
			g.Query = query
		}
		if site != "" {
			g.Platform = site
		}
	}
	return set
}
