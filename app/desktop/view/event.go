// Package view holds what crosses to the page: flat, JSON-tagged, no time.Time,
// no interface. Lists are never null. Times are Unix milliseconds, 0 for none. The
// messages in them cross as text in the window's language: see [Say]. What a page or
// a plugin wrote is in them, too, and is shown as text only.
package view

import "errand/planner/message"

// Boot is what the page has to know before it shows anything.
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

// Problem is one thing wrong with the configuration.
type Problem struct {
	Source  string          `json:"source"` // file name or environment variable
	Line    int             `json:"line"`   // from 1; 0 where there is none
	Key     string          `json:"key"`
	Message message.Message `json:"message"`
}

// Pair is a name and a value as a person reads them.
type Pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Shown string `json:"shown,omitempty"` // the value with what a screen hides made visible, where that differs
}

// Failure is an error at the page's edge.
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

// RunEvent is one change of a run. Seq counts up by one within a run; a page
// that sees a gap asks for the whole with [API.Get]. At most 20 are sent a
// second: what changes faster is gathered.
type RunEvent struct {
	RunID       string       `json:"run_id"`
	Seq         int          `json:"seq"`
	Run         *Run         `json:"run"`         // at the start, at the end, and when a page begins or ends to wait for a person
	Steps       []Step       `json:"steps"`       // those that changed, as they stand now
	Counts      *Counts      `json:"counts"`      // with Steps
	Connections *Connections `json:"connections"` // when they changed
}

// WaitingEvent says how many drafts wait for the person, when that changed.
type WaitingEvent struct {
	Waiting int `json:"waiting"`
}
