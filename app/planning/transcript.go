package planning

import (
	"errors"
	"strings"

	"errand/planner/plan"
)

// Transcript is what was heard, as programs that listen write it down. A field
// that is missing is an error: a confidence that nobody gave would be read as
// doubt, and a plan that names no recording can't be traced back to one.
type Transcript struct {
	FileID     *string  `json:"file_id"`
	Transcript *string  `json:"transcript"`
	Confidence *float64 `json:"confidence"`
}

// Voice checks a transcript; nil is one that was written as null.
func (t *Transcript) Voice() (*plan.Voice, error) {
	switch {
	case t == nil:
		return nil, errors.New("holds null")
	case t.FileID == nil:
		return nil, errors.New("file_id is missing")
	case strings.TrimSpace(*t.FileID) == "":
		return nil, errors.New("file_id is empty")
	case t.Transcript == nil:
		return nil, errors.New("transcript is missing")
	case t.Confidence == nil:
		return nil, errors.New("confidence is missing")
	case *t.Confidence < 0 || *t.Confidence > 1:
		return nil, errors.New("confidence is not between 0 and 1")
	}
	return &plan.Voice{FileID: *t.FileID, Transcript: *t.Transcript, Confidence: *t.Confidence}, nil
}
