// Package view defines the JSON types for the page: flat, without time.Time and
// interfaces. Lists are never null. Times are Unix milliseconds, 0 for none. Messages
// are sent as texts in the window's language: see [Say]. Texts may come from pages and
// plugins; the page shows them as plain text.
package view

import "errand/planner/message"

// Boot is what the page needs at its start.
type Boot struct {
	Version  string    `json:"version"`
	Language string    `json:"language"` // of the window: "en"
	Theme    string    `json:"theme"`    // system, light, dark, contrast
	Demo     bool      `json:"demo"`     // built-in pages replace the web
	Dialogs  bool      `json:"dialogs"`  // there are dialogs to choose files and folders; otherwise the user types a path
	Active   string    `json:"active"`   // id of the active run, if the page was reloaded
	Waiting  int       `json:"waiting"`  // drafts that need approval
	File     string    `json:"file"`     // the configuration file, which may not exist
	Problems []Problem `json:"faults"`   // safe mode: why nothing can run
}

// Problem is an error in the configuration.
type Problem struct {
	Source  string          `json:"source"` // file name or environment variable
	Line    int             `json:"line"`   // from 1; 0 if unknown
	Key     string          `json:"key"`
	Message message.Message `json:"message"`
}

// Pair is a name and a value as the user reads them.
type Pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Shown string `json:"shown,omitempty"` // the value with hidden characters made visible, if that differs
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
	EventClose   = "close_asked" // no data: the window should close while a run is active
)

// RunEvent is a change of a run. Seq increases by one within a run. A page that misses a number
// reads the run again with [API.Get]. At most 20 events are sent in a second; faster changes
// are combined.
type RunEvent struct {
	RunID       string       `json:"run_id"`
	Seq         int          `json:"seq"`
	Run         *Run         `json:"run"`         // at the start, at the end, and when a page begins or ends to wait for the user
	Steps       []Step       `json:"steps"`       // changed steps, in their current state
	Counts      *Counts      `json:"counts"`      // set with Steps
	Connections *Connections `json:"connections"` // when they changed
	Agent       *Agent       `json:"agent"`       // when what it used changed
}

// WaitingEvent has the number of drafts that need approval. It is sent after drafts changed.
type WaitingEvent struct {
	Waiting int `json:"waiting"`
}
