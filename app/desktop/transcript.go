package desktop

import (
	"encoding/json"
	"strings"

	"errand/app/desktop/view"
	"errand/app/planning"
	"errand/host/tool"
	"errand/planner/message"
)

// ReadTranscript reads the JSON output of a speech recogniser, {"file_id", "transcript",
// "confidence"}, for use as a goal's voice.
func (a *goalAPI) ReadTranscript(text string) (view.Voice, error) {
	var in *planning.Transcript
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(&in)
	if err == nil && d.More() {
		err = tool.NewError(tool.ValidationError, "bad_transcript", message.New("window.bad_transcript"))
	}
	if err != nil {
		return view.Voice{}, badTranscript(err)
	}
	v, err := in.Voice()
	if err != nil {
		return view.Voice{}, badTranscript(err)
	}
	return view.Voice{FileID: v.FileID, Transcript: v.Transcript, Confidence: v.Confidence}, planning.CheckGoal(v.Transcript)
}

func badTranscript(err error) error {
	return tool.NewError(tool.ValidationError, "bad_transcript", message.New("window.not_a_transcript", "cause", err)).
		WithHint(message.New("window.transcript_hint"))
}
