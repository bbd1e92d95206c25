// Package view defines the JSON types that the page gets: flat, without time.Time and
// interfaces. Lists are never null. Times are Unix milliseconds, 0 for none. Messages are sent
// as texts in the window's language: see [Say]. Texts of pages and plugins are included; the
// page shows them as text only.
package view

import "errand/planner/message"

// Boot is what the page needs before it shows anything.
type Boot struct {
	Version  string    `json:"version"`
	Language string    `json:"language"` // of the window: "en"
	Theme    string    `json:"theme"`    // system, light, dark, contrast
	Demo     bool      `json:"demo"`     // the built-in site stands for the web
	Dialogs  bool      `json:"dialogs"`  // files and folders are chosen in a dialog; else the page asks for a path
	Active   string    `json:"active"`   // id of a run that is under way: the page was loaded again
	Waiting  int       `json:"waiting"`  // drafts that wait for the person
	File     string    `json:"file"`     // the configuration, whether or not it is there
	Problems []Problem `json:"faults"`   // safe mode: why nothing can run
}

// Problem is an error in the configuration.
type Problem struct {
	Source  string          `json:"source"` // file name or environment variable
	Line    int             `json:"line"`   // from 1; 0 where there is none
	Key     string          `json:"key"`
	Message message.Message `json:"message"`
}

// Pair is a name and a value as the user reads them.
type Pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Shown string `json:"shown,omitempty"` // the value with what a screen hides made visible, where that differs
}

// Failure is an error that is sent to the page.
type Failure struct {
	Class     string          `json:"class"`
	Code      string          `json:"code"`
	Message   message.Message `json:"message"`
	Hint      message.Message `json:"hint"`
	Retriable bool            `json:"retriable"` // the same call may work later
}

// Names of the events that the page may listen to.
const (
	EventRun     = "run"         // data: RunEvent
	EventWaiting = "waiting"     // data: WaitingEvent
	EventClose   = "close_asked" // no data: the window was asked to close while a run is active
)

// RunEvent is a change of a run. Seq increases by one within a run. A page that misses a number
// reads the run again with [API.Get]. At most 20 events are sent in a second; faster changes
// are combined.
type RunEvent struct {
	RunID       string       `json:"run_id"`
	Seq         int          `json:"seq"`
	Run         *Run         `json:"run"`         // at the start, at the end, and when a page begins or ends to wait for a person
	Steps       []Step       `json:"steps"`       // those that changed, as they stand now
	Counts      *Counts      `json:"counts"`      // with Steps
	Connections *Connections `json:"connections"` // when they changed
}

// WaitingEvent has the number of drafts that need approval. It is sent after drafts changed.
type WaitingEvent struct {
	Waiting int `json:"waiting"`
}
