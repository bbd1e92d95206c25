package planning

import (
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/planner/message"
	"errand/planner/plan"
)

func TestCheckAnswer(t *testing.T) {
	choices := []plan.Choice{{Label: message.Verbatim("a folder"), Value: "folder"}, {Label: message.Verbatim("a file"), Value: "file"}}
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
			if (e == nil) != (tt.want == "") || e != nil && !strings.Contains(i18n.English().Error(e)+i18n.English().Text(e.Hint), tt.want) {
				t.Errorf("CheckAnswer = %+v", e)
			}
		})
	}
}
