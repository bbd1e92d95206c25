package planning

import (
	"strings"

	"errand/planner/message"
	"errand/planner/plan"
)

// Transcript is the output of a speech recognizer. Every field is required: a missing
// confidence would count as doubt, and a plan without a recording can't be traced to it.
type Transcript struct {
	FileID     *string  `json:"file_id"`
	Transcript *string  `json:"transcript"`
	Confidence *float64 `json:"confidence"`
}

// Voice checks a transcript; nil is one that was written as null.
func (t *Transcript) Voice() (*plan.Voice, error) {
	switch {
	case t == nil:
		return nil, message.Error("planning.transcript_null")
	case t.FileID == nil:
		return nil, message.Error("planning.no_file_id")
	case strings.TrimSpace(*t.FileID) == "":
		return nil, message.Error("planning.empty_file_id")
	case t.Transcript == nil:
		return nil, message.Error("planning.no_transcript")
	case t.Confidence == nil:
		return nil, message.Error("planning.no_confidence")
	case *t.Confidence < 0 || *t.Confidence > 1:
		return nil, message.Error("planning.bad_confidence")
	}
	return &plan.Voice{FileID: *t.FileID, Transcript: *t.Transcript, Confidence: *t.Confidence}, nil
}
