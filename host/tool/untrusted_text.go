package tool

// Untrusted marks a result, or its recorded step, as text written by others: a web page,
// an HTTP response or a file. The dispatcher sets it if the tool's [Spec] is Untrusted;
// tools never do. Every later write of the run then needs approval.
type Untrusted struct {
	Tool   string `json:"tool"`
	StepID string `json:"step_id"`
	// From names the possible sources of the text: the hosts in the result, else those of
	// URLs in the arguments, else the patterns of the spec, else the files in the arguments.
	// It is empty if the source is not known.
	From []string `json:"from,omitempty"`
	// Findings are the places that look like instructions to a model, at most
	// [MaxFindings] of them. Without findings the text may still be harmful.
	Findings []Finding `json:"findings,omitempty"`
	// Withheld is the number of bytes that were too many to inspect. Planners don't
	// receive them; the record does.
	Withheld int `json:"withheld,omitempty"`
	// Hidden is the number of bytes of text that a page hid from people. Planners don't
	// receive them; the record does.
	Hidden int `json:"hidden,omitempty"`
}

// Finding is a suspicious place in a result.
type Finding struct {
	// Path is a JSON pointer to the text in the payload, or "error" for the message of an
	// error.
	Path      string `json:"path"`
	Technique string `json:"technique"`
	// Start and End are byte offsets in the tool's text before redaction.
	Start int `json:"start"`
	End   int `json:"end"`
	// Excerpt is the redacted text on one line, at most [ExcerptRunes] long.
	Excerpt string `json:"excerpt"`
}

// Limits of an [Untrusted].
const (
	MaxFindings  = 8
	ExcerptRunes = 160
)
