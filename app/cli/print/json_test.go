package print

import (
	"testing"

	"errand/planner/message"
)

// TestDocument: messages of a document get their texts, those about the goal in its
// language. A document from outside stays as it is.
func TestDocument(t *testing.T) {
	type action struct {
		Preview message.Message `json:"preview"`
		Reason  message.Message `json:"reason"`
	}
	doc := action{message.New("plan.create_folder", "path", "~/A\u202e"), message.New("cli.no_drafts")}
	english := `{"preview":"Create the folder ~/A\u202e","preview_code":"plan.create_folder","preview_params":{"path":"~/A\u202e"},"reason":"no drafts wait for you","reason_code":"cli.no_drafts"}`
	russian := `{"preview":"Создать папку ~/A\u202e","preview_code":"plan.create_folder","preview_params":{"path":"~/A\u202e"},"reason":"no drafts wait for you","reason_code":"cli.no_drafts"}`
	tests := []struct {
		name, goal string
		doc        any
		want       string
	}{
		{"no goal", "", doc, english},
		{"English goal", "en", doc, english},
		{"Russian goal", "ru", doc, russian},
		{"a list with a language of each", "en", []any{InLanguage("ru", doc), InLanguage("en", doc)}, "[" + russian + "," + english + "]"},
		{"HTML stays", "", map[string]string{"a": "<b>&"}, `{"a":"<b>&"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out safeWriter
			if err := (&Console{Writer: Writer{Speaker: Speaker{Goal: tt.goal}}}).Encode(&out, tt.doc, ""); err != nil || string(out) != tt.want+"\n" {
				t.Errorf("wrote %s, %v; want %s", out, err, tt.want)
			}
		})
	}
	var out safeWriter
	s := &Console{Writer: Writer{Stdout: &out}}
	s.Payload(map[string]any{"msg": "cli.no_drafts"})
	if want := "{\n  \"msg\": \"cli.no_drafts\"\n}\n"; string(out) != want || !s.Answered {
		t.Errorf("wrote %s, want %s", out, want)
	}
}
