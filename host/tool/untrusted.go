package tool

// Untrusted is the mark on a result, or on the step that records it, of a tool
// whose [Spec] says that it hands on what others wrote: a page, an HTTP answer,
// somebody else's file. The dispatcher makes it; a tool never does. A run with
// such a step has read untrusted text, and every later write of it asks.
type Untrusted struct {
	Tool   string `json:"tool"`
	StepID string `json:"step_id"`
	// From names the hosts that the text came from, or may have: those that the
	// result names, else those of the URLs in the call's arguments, else the patterns
	// of the tool's spec. Empty: not known, such as a file.
	From []string `json:"from,omitempty"`
	// Findings are the places that read like an order to whoever reads the text
	// by machine, the first [MaxFindings] of them. None means that none was
	// recognised, not that the text is harmless.
	Findings []Finding `json:"findings,omitempty"`
	// Withheld is how many bytes of text were too much to be looked at; no
	// planner was given them. The record has them.
	Withheld int `json:"withheld,omitempty"`
}

// Finding is one place of a result that quarantine found.
type Finding struct {
	// Path leads to the text within the payload, as a JSON pointer, or is
	// "error" for the words of a failure.
	Path      string `json:"path"`
	Technique string `json:"technique"`
	// Start and End are bytes of that text as the tool gave it, before redaction.
	Start int `json:"start"`
	End   int `json:"end"`
	// Excerpt is what stands there, redacted, on one line and at most
	// [ExcerptRunes] long.
	Excerpt string `json:"excerpt"`
}

// Bounds of an [Untrusted].
const (
	MaxFindings  = 8
	ExcerptRunes = 160
)
