package api

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"errand/app/i18n"
)

// TestExplainJSON checks that an error about a body names its field and its line, and no type of Go.
func TestExplainJSON(t *testing.T) {
	for body, want := range map[string]string{
		"{\n \"prompt\": 7}":                         "line 2: \"prompt\" is a number, but must be a text",
		"{\"prompt\": \"x\",\n\"max_steps\": \"5\"}": "line 2: \"max_steps\" is a text, but must be a number",
		"{\"allowed_tools\": \"x\"}":                 "line 1: \"allowed_tools\" is a text, but must be a list",
		"{\"javascript\": []}":                       "line 1: \"javascript\" is a list, but must be true or false",
		"[]":                                         "line 1: the body is a list, but must be an object",
		"{\n\n\"max_step\": 1}":                      "line 3: there is no field \"max_step\"",
		"{\n\"prompt\": x}":                          "line 2: it is not JSON",
		"{\n\"prompt\":":                             "line 2: it ends in the middle",
		"":                                           "line 1: it ends in the middle",
	} {
		var into struct {
			Prompt string `json:"prompt"`
			inputBody
		}
		d := json.NewDecoder(bytes.NewReader([]byte(body)))
		d.DisallowUnknownFields()
		err := d.Decode(&into)
		if err == nil {
			t.Fatalf("%s is valid", body)
		}
		got := i18n.English().Text(explainJSON([]byte(body), err))
		if got != want || strings.Contains(got, "Go") || strings.Contains(got, "struct") {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}
