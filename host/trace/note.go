package trace

import (
	"encoding/json"
	"time"

	"errand/planner/message"
)

// Note is something that happens in a run beside its steps. Its types are
// [ConnectionNote], [PageNote], [BrowserNote], [PluginNote], [ModelNote], [LimitNote], [LostNote],
// [DecisionNote] and [Egress]. [EventOf] is the form in which it is recorded.
type Note interface {
	// Kind is the kind of its event.
	Kind() string
	// MapText returns the note with f applied to its texts.
	MapText(f func(string) string) Note
	step() string // that it belongs to; "": none
}

// EventOf returns a note as it is recorded.
func EventOf(runID string, at time.Time, n Note) Event {
	e := Event{RunID: runID, StepID: n.step(), Time: at, Kind: n.Kind()}
	b, err := json.Marshal(n)
	if err == nil {
		err = json.Unmarshal(b, &e.Data)
	}
	if err != nil { // can't happen: notes have only texts, numbers, bools and messages
		panic(err)
	}
	return e
}

// ConnectionNote is an attempt to contact a host. The browser notes its requests, with
// URL and Type; the guard notes what plugins fetch, what it stops and what the browser
// sends by itself.
type ConnectionNote struct {
	Wire bool `json:"-"` // it passed the proxy, and the browser has noted its request

	Host     string          `json:"host,omitempty"` // with the port
	URL      string          `json:"url,omitempty"`
	Request  string          `json:"kind,omitempty"` // navigate or subresource
	Type     string          `json:"type,omitempty"` // of the resource: image, websocket, …
	Verdict  string          `json:"verdict"`
	Rule     string          `json:"rule"`
	Reason   message.Message `json:"reason,omitzero"`
	Source   message.Message `json:"source,omitzero"` // that no page or tool sent it, but the browser by itself
	Address  string          `json:"address,omitempty"`
	Tool     string          `json:"tool,omitempty"` // that fetched it by itself
	Sent     int64           `json:"sent,omitempty"` // bytes
	Received int64           `json:"received,omitempty"`
	Error    message.Message `json:"error,omitzero"`
	Step     string          `json:"step,omitempty"`
}

// ConnectionOf reads the note of a recorded event. It returns false for an event of
// another kind.
func ConnectionOf(e Event) (n ConnectionNote, ok bool) {
	if e.Kind != KindConnection {
		return n, false
	}
	b, err := json.Marshal(e.Data)
	return n, err == nil && json.Unmarshal(b, &n) == nil
}

// Kind implements [Note].
func (n ConnectionNote) Kind() string {
	if n.Wire {
		return "wire"
	}
	return KindConnection
}

// MapText implements [Note].
func (n ConnectionNote) MapText(f func(string) string) Note {
	mapTexts(f, &n.Host, &n.URL, &n.Request, &n.Type, &n.Verdict, &n.Rule, &n.Address, &n.Tool, &n.Step)
	n.Reason, n.Error, n.Source = n.Reason.MapText(f), n.Error.MapText(f), n.Source.MapText(f)
	return n
}

func (n ConnectionNote) step() string { return n.Step }

// PageEvent is what a page did.
type PageEvent string

// Events of pages.
const (
	PageClosed          PageEvent = "page_closed"
	PagePopupOpened     PageEvent = "popup_opened"
	PagePopupClosed     PageEvent = "popup_closed"
	PageDownloadDenied  PageEvent = "download_denied"
	PageDialogDismissed PageEvent = "dialog_dismissed"
	PageChallenge       PageEvent = "challenge" // it wants a person; with WaitSeconds it waits for one
	PageSolved          PageEvent = "challenge_solved"
	PageUnsolved        PageEvent = "challenge_unsolved"
	PageRepeated        PageEvent = "again" // a step was repeated to open the page again
)

// PageNote is something that a page of the browser did.
type PageNote struct {
	Event       PageEvent       `json:"event"`
	URL         string          `json:"url,omitempty"`
	Rule        string          `json:"rule,omitempty"`    // that closed it
	Tab         string          `json:"tab,omitempty"`     // that it opened in
	Name        string          `json:"name,omitempty"`    // of a download
	Type        string          `json:"type,omitempty"`    // of a dialog
	Message     string          `json:"message,omitempty"` // of a dialog
	Challenge   string          `json:"kind,omitempty"`    // captcha, interstitial, consent, …
	Provider    string          `json:"provider,omitempty"`
	Evidence    message.Message `json:"evidence,omitzero"`
	WaitSeconds int             `json:"waits_seconds,omitempty"`
	Wait        int             `json:"wait,omitempty"` // number of the wait; several may be under way
	Step        string          `json:"step,omitempty"` // that was repeated
	Tool        string          `json:"tool,omitempty"`
	Error       string          `json:"error,omitempty"` // its code
}

// Kind implements [Note].
func (PageNote) Kind() string { return "page" }

// MapText implements [Note].
func (n PageNote) MapText(f func(string) string) Note {
	mapTexts(f, &n.URL, &n.Rule, &n.Tab, &n.Name, &n.Type, &n.Message, &n.Challenge, &n.Provider, &n.Step, &n.Tool, &n.Error)
	n.Evidence = n.Evidence.MapText(f)
	return n
}

func (n PageNote) step() string { return n.Step }

// Events of browsers.
const (
	BrowserReplaced = "window_replaced" // the process of the visible browser was killed, and another one started
	BrowserNotShown = "window_missing"  // the page is not shown, because there is no such process; Reason says why
)

// BrowserNote is the start of a browser, or an event of it.
type BrowserNote struct {
	Path          string `json:"path,omitempty"`
	Product       string `json:"product,omitempty"`
	Visible       *bool  `json:"visible,omitempty"`
	Sandbox       *bool  `json:"sandbox,omitempty"`
	Profile       string `json:"profile,omitempty"`
	CDP           string `json:"cdp,omitempty"` // address of a browser that was running already
	NetworkPolicy string `json:"network_policy,omitempty"`
	SweptProfiles int    `json:"swept_profiles,omitempty"` // that an earlier program left
	Event         string `json:"event,omitempty"`
	Error         string `json:"error,omitempty"`

	Reason message.Message `json:"reason,omitzero"` // of an event
}

// Kind implements [Note].
func (BrowserNote) Kind() string { return "browser" }

// MapText implements [Note].
func (n BrowserNote) MapText(f func(string) string) Note {
	mapTexts(f, &n.Path, &n.Product, &n.Profile, &n.CDP, &n.NetworkPolicy, &n.Event, &n.Error)
	n.Reason = n.Reason.MapText(f)
	return n
}

func (BrowserNote) step() string { return "" }

// PluginNote is a line that a plugin logs, or a warning of the host about it.
type PluginNote struct {
	Plugin  string          `json:"plugin"`
	Level   string          `json:"level"`
	Message message.Message `json:"message"`
}

// Kind implements [Note].
func (PluginNote) Kind() string { return "plugin" }

// MapText implements [Note].
func (n PluginNote) MapText(f func(string) string) Note {
	mapTexts(f, &n.Plugin, &n.Level)
	n.Message = n.Message.MapText(f)
	return n
}

func (PluginNote) step() string { return "" }

// ModelNote is a request to a language model, answered or not. It has nothing of what was said.
type ModelNote struct {
	Provider   string `json:"provider"`
	Model      string `json:"model"`
	Turn       int    `json:"turn"`
	Attempt    int    `json:"attempt"`          // 1, or 2 for a repetition
	Status     int    `json:"status,omitempty"` // of HTTP; 0: there was no answer
	Failure    string `json:"failure,omitempty"`
	DurationMS int64  `json:"duration_ms"`
	TokensIn   int    `json:"tokens_in,omitempty"`
	TokensOut  int    `json:"tokens_out,omitempty"`
	Finish     string `json:"finish,omitempty"`
	// CostMicros is what it cost, in millionths of a US dollar, if Priced.
	CostMicros int64 `json:"cost_microusd,omitempty"`
	Priced     bool  `json:"priced,omitempty"`
}

// Kind implements [Note].
func (ModelNote) Kind() string { return "model" }

// MapText implements [Note].
func (n ModelNote) MapText(f func(string) string) Note {
	mapTexts(f, &n.Provider, &n.Model, &n.Failure, &n.Finish)
	return n
}

func (ModelNote) step() string { return "" }

// LimitNote says that a browser's further notes are left out.
type LimitNote struct {
	OmittedKind string `json:"-"` // kind of the first one that is left out
	Truncated   bool   `json:"truncated"`
	Limit       int    `json:"limit"`
}

// Kind implements [Note].
func (n LimitNote) Kind() string { return n.OmittedKind }

// MapText implements [Note].
func (n LimitNote) MapText(func(string) string) Note { return n }

func (LimitNote) step() string { return "" }

// LostNote says how many events could not be recorded.
type LostNote struct {
	EventsLost int `json:"events_lost"`
}

// Kind implements [Note].
func (LostNote) Kind() string { return "record" }

// MapText implements [Note].
func (n LostNote) MapText(func(string) string) Note { return n }

func (LostNote) step() string { return "" }

// DecisionNote is what the user says about the outcome of a call.
type DecisionNote struct {
	Effect string `json:"effect"`
	By     string `json:"by"`
	Step   string `json:"-"`
}

// Kind implements [Note].
func (DecisionNote) Kind() string { return "decided" }

// MapText implements [Note].
func (n DecisionNote) MapText(f func(string) string) Note {
	mapTexts(f, &n.Effect, &n.By)
	return n
}

func (n DecisionNote) step() string { return n.Step }

// Kind implements [Note].
func (Egress) Kind() string { return KindEgress }

// MapText implements [Note].
func (e Egress) MapText(func(string) string) Note { return e }

func (Egress) step() string { return "" }

func mapTexts(f func(string) string, texts ...*string) {
	for _, t := range texts {
		*t = f(*t)
	}
}
