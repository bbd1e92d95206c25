package cli

import (
	"errors"
	"os"
	"strings"

	"errand/app/core"
	"errand/planner/plan"
)

// voice reads a transcript; no name is no voice. A field that is missing is an
// error: a confidence that nobody gave would be read as doubt, and a plan that
// names no recording can't be traced back to one.
func (s *shell) voice(name string) (*plan.Voice, error) {
	if name == "" {
		return nil, nil
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, usagef("%v", err)
	}
	v, err := readVoice(b)
	if err != nil {
		return nil, usagef("%s: %v", name, err).hint(`a transcript is {"file_id": "rec-1", "transcript": "open youtube", "confidence": 0.93}`)
	}
	return v, core.Readable(v.Transcript)
}

func readVoice(b []byte) (*plan.Voice, error) {
	var in *struct {
		FileID     *string  `json:"file_id"`
		Transcript *string  `json:"transcript"`
		Confidence *float64 `json:"confidence"`
	}
	if err := decodeFile(b, &in); err != nil {
		return nil, err
	}
	switch {
	case in == nil:
		return nil, errors.New("holds null")
	case in.FileID == nil:
		return nil, errors.New("file_id is missing")
	case strings.TrimSpace(*in.FileID) == "":
		return nil, errors.New("file_id is empty")
	case in.Transcript == nil:
		return nil, errors.New("transcript is missing")
	case in.Confidence == nil:
		return nil, errors.New("confidence is missing")
	case *in.Confidence < 0 || *in.Confidence > 1:
		return nil, errors.New("confidence is not between 0 and 1")
	}
	return &plan.Voice{FileID: *in.FileID, Transcript: *in.Transcript, Confidence: *in.Confidence}, nil
}
