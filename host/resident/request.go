package resident

import (
	"slices"
	"time"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// protocol is the version of the messages.
const protocol = 1

// Identity is what has to be the same for a client and its process: otherwise the client asks
// the process to end, and starts another.
type Identity struct {
	Program  string `json:"program"`  // version
	Settings string `json:"settings"` // digest of the settings that the process depends on
}

// hello is the first message of a client.
type hello struct {
	Protocol int `json:"protocol"`
	Identity
}

// Status describes a process. It is its first message.
type Status struct {
	Protocol int `json:"protocol"`
	Identity
	PID     int       `json:"pid"`
	Since   time.Time `json:"since"`
	Browser string    `json:"browser,omitempty"` // product, such as "Chrome/156.0.8078.108"; "": it is not running
	Pages   int       `json:"pages"`             // open ones
	Calls   int       `json:"calls"`             // that are running
	// IdleSeconds is how long the process has had no call and no open page.
	IdleSeconds int `json:"idle_seconds"`
	// Replaced reports that the process before this one was killed, and that no call was made
	// since.
	Replaced bool `json:"replaced,omitempty"`
}

// Do is what a request asks for. The zero value is refused.
type Do string

// Requests.
const (
	DoOpen     Do = "open"     // show the page with the URL of the call's argument url
	DoCall     Do = "call"     // call a browser tool
	DoClassify Do = "classify" // [tool.Classifier]
	DoPages    Do = "pages"    // list the pages
	DoWake     Do = "wake"     // look at the timers
	DoRetire   Do = "retire"   // end, unless a call is running
	DoStop     Do = "stop"     // end
)

// Request is what a client wants.
type Request struct {
	Do     Do          `json:"do"`
	Visit  Visit       `json:"visit,omitzero"`
	Caller tool.Caller `json:"caller,omitzero"`
	Call   tool.Call   `json:"call,omitzero"`
	// Bus is the address of the client's session bus; empty: it is not known.
	Bus string `json:"bus,omitempty"`
}

// Visit is the run of a call, as far as decisions of the process depend on it. The process
// reads grants from the store, by the id of the run.
type Visit struct {
	Run      string      `json:"run"`
	Origin   plan.Origin `json:"origin"`
	Approved bool        `json:"approved,omitempty"` // the user has approved what the run does
	Allow    []string    `json:"allow,omitempty"`    // host patterns that are allowed for this run
	Requests int         `json:"requests,omitempty"` // that the run has made so far, for its budget
}

// check returns what is wrong with a request.
func (r Request) check() error {
	switch r.Do {
	case DoPages, DoWake, DoRetire, DoStop:
		return nil
	case DoOpen, DoCall, DoClassify:
		if r.Visit.Run == "" || r.Caller.RunID != r.Visit.Run || r.Caller.Tool == "" || !slices.Contains(plan.Origins(), r.Visit.Origin) {
			return message.Error("resident.bad_call")
		}
		return nil
	}
	return message.Error("resident.bad_request", "request", string(r.Do))
}

// Answer is the answer to a request.
type Answer struct {
	Result tool.Result  // of DoOpen and DoCall
	Effect tool.Effect  // of DoClassify
	Pages  []Page       // of DoPages
	Egress trace.Egress // of the call; bytes and connections are those of the whole browser meanwhile
	Err    *tool.Error  // why there is no answer
}

// Page is an open page of the visible browser.
type Page struct {
	ID      string `json:"id"` // such as "t1"; stable and never reused
	URL     string `json:"url"`
	Title   string `json:"title"` // the page's words
	Current bool   `json:"current"`
}

// Events receives what happens during a call. Its functions may be called by several
// goroutines at once, and not after the call has ended.
type Events struct {
	Note func(trace.Note)
	// Hold stops the clock of the call until release is called.
	Hold func() (release func())
}
