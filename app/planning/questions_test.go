package planning

import (
	"strings"
	"testing"

	"errand/planner/plan"
)

func TestCheckAnswer(t *testing.T) {
	choices := []plan.Choice{{Label: "a folder", Value: "folder"}, {Label: "a file", Value: "file"}}
	tests := []struct {
		name  string
		q     plan.Question
		value string
		want  string // part of message or hint
	}{
		{"a choice", plan.Question{ID: "q1", Choices: choices}, "file", ""},
		{"free text that is not wanted", plan.Question{ID: "q1", Choices: choices}, "disk", "q1=folder (a folder) · q1=file (a file)"},
		{"free text", plan.Question{ID: "q1", Choices: choices, FreeTextAllowed: true}, "disk", ""},
		{"nothing", plan.Question{ID: "q1", FreeTextAllowed: true}, " ", "empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := CheckAnswer(tt.q, tt.value)
			if (e == nil) != (tt.want == "") || e != nil && !strings.Contains(e.Message+e.Hint, tt.want) {
				t.Errorf("CheckAnswer = %+v", e)
			}
		})
	}
}
