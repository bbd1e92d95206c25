package plan

import (
	"encoding/json"
	"fmt"
	"slices"
)

// GoalType is the kind of thing a person wants. The set is closed (GoalPlanner
// contract, section 3.1): a type outside it is refused, never guessed.
type GoalType string

// The five goal types.
const (
	BrowserSearch   GoalType = "browser_search"   // search for Query on Platform; with an Action, do that with what is found
	BrowserNavigate GoalType = "browser_navigate" // open the URL in Target; with an Action, do that with the page
	AppLaunch       GoalType = "app_launch"       // start the application with the catalogue id in Target
	FileOperation   GoalType = "file_operation"   // Action an ObjectType at the path in Target
	SystemQuery     GoalType = "system_query"     // tell what Target is: time, battery, …
)

// GoalTypes lists the closed set in the order of the contract.
func GoalTypes() []GoalType {
	return []GoalType{BrowserSearch, BrowserNavigate, AppLaunch, FileOperation, SystemQuery}
}

// Goal is one thing that a person wants, as a value: it is never changed after
// the interpreter made it. Empty fields are unused and marshal as null.
type Goal struct {
	GoalType   GoalType
	Platform   string // catalogue id of a site: "youtube"
	Query      string // free text, cut from the original words; of a download the file's name on the page in Target
	Target     string // URL, path, app id or the thing asked about
	Action     string // file_operation: "create" or "delete"; of a page: see [PageActions]
	ObjectType string // file_operation: "file" or "folder"; of a page: see [PageActions]
	GoalID     string // "g1", "g2", … in the order of the words
	Limit      int    // of list: at most so many rows; 0: not said
	SaveTo     string // of what an action on a page makes: the path to keep it at, a folder where it ends in a separator
}

// OnPage reports whether a goal is about a page, and wants more than to see it.
func (g Goal) OnPage() bool {
	return g.Action != "" && (g.GoalType == BrowserSearch || g.GoalType == BrowserNavigate)
}

// PageActions are what a goal may want of a page, as "<action>_<object_type>",
// the key that a tool's can_achieve names.
func PageActions() []string {
	return []string{ReadPage, ListResults, ListLinks, ScreenshotPage, ScreenshotFullPage, SavePDF, DownloadFile, OpenExternal}
}

// What a goal may want of a page.
const (
	ReadPage           = "read_page"            // tell its text
	ListResults        = "list_results"         // tell what a search found, Limit rows of it
	ListLinks          = "list_links"           // tell its links, Limit of them
	ScreenshotPage     = "screenshot_page"      // take a picture of what a window shows
	ScreenshotFullPage = "screenshot_full_page" // take a picture of all of it
	SavePDF            = "save_pdf"             // print it as a PDF document
	DownloadFile       = "download_file"        // fetch the file at Target, or the one called Query on the page in Target
	OpenExternal       = "open_external"        // hand it to the person's own browser
)

type goalJSON struct {
	GoalType   GoalType `json:"goal_type"`
	Platform   *string  `json:"platform"`
	Query      *string  `json:"query"`
	Target     *string  `json:"target"`
	Action     *string  `json:"action"`
	ObjectType *string  `json:"object_type"`
	GoalID     *string  `json:"goal_id"`
	Limit      int      `json:"limit,omitempty"`
	SaveTo     string   `json:"save_to,omitempty"`
}

// MarshalJSON writes every field of the contract, null where it is unused.
func (g Goal) MarshalJSON() ([]byte, error) {
	return marshal(goalJSON{
		g.GoalType, orNull(g.Platform), orNull(g.Query), orNull(g.Target),
		orNull(g.Action), orNull(g.ObjectType), orNull(g.GoalID), g.Limit, g.SaveTo,
	})
}

// UnmarshalJSON reads a goal and refuses a goal_type outside the closed set.
func (g *Goal) UnmarshalJSON(b []byte) error {
	var j goalJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	if !slices.Contains(GoalTypes(), j.GoalType) {
		return fmt.Errorf("goal_type %q is not one of %v", j.GoalType, GoalTypes())
	}
	if j.Limit < 0 {
		return fmt.Errorf("limit %d is negative", j.Limit)
	}
	*g = Goal{
		j.GoalType, orEmpty(j.Platform), orEmpty(j.Query), orEmpty(j.Target),
		orEmpty(j.Action), orEmpty(j.ObjectType), orEmpty(j.GoalID), j.Limit, j.SaveTo,
	}
	return nil
}

// SetKind says how the goals of a [GoalSet] hang together.
type SetKind string

// The kinds of goal sets.
const (
	Single           SetKind = "single"
	IndependentMulti SetKind = "independent_multi"
	DependentMulti   SetKind = "dependent_multi"
)

// GoalSet is everything one utterance asks for. Deps maps a goal's id to the
// ids of the goals that must be reached before it; it is empty unless Kind is
// [DependentMulti].
type GoalSet struct {
	Kind  SetKind             `json:"kind"`
	Goals []Goal              `json:"goals"`
	Deps  map[string][]string `json:"deps,omitempty"`
}

// NewGoalSet derives the kind from what it is given. It keeps no reference to
// its arguments.
func NewGoalSet(goals []Goal, deps map[string][]string) GoalSet {
	set := GoalSet{Kind: IndependentMulti, Goals: slices.Clone(goals)}
	if set.Goals == nil {
		set.Goals = []Goal{}
	}
	for id, needs := range deps {
		if len(needs) == 0 {
			continue
		}
		if set.Deps == nil {
			set.Deps = map[string][]string{}
		}
		set.Deps[id] = slices.Clone(needs)
	}
	switch {
	case len(goals) == 1:
		set.Kind = Single
	case len(set.Deps) > 0:
		set.Kind = DependentMulti
	}
	return set
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
