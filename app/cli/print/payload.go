package print

import (
	"maps"
	"slices"
	"strings"

	"errand/app/answers"
	"errand/host/trace"
)

// resultText formats the result of a call without a view. A result of a tool outside of the
// program is below the tool's name, so that none of its lines looks like Errand's.
func resultText(s trace.Step) string {
	text := payloadText(s.Payload)
	if text == "" || answers.IsOwn(s.ToolName) {
		return text
	}
	return s.ToolName + ":\n  " + strings.ReplaceAll(text, "\n", "\n  ")
}

// payloadText formats the result of a call without a view: a line "key: value" for each key, or
// the text or JSON of another result. It is safe for a terminal.
func payloadText(payload any) string {
	if payload == nil {
		return ""
	}
	object, ok := payload.(map[string]any)
	if !ok {
		return valueText(payload)
	}
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(object)) {
		value, between := valueText(object[key]), " "
		if strings.Contains(value, "\n") {
			between = "\n"
		}
		lines = append(lines, trace.EscapeText(key)+":"+between+value)
	}
	return strings.Join(lines, "\n")
}

// valueText returns a text unchanged, and any other value as JSON.
func valueText(v any) string {
	if text, ok := v.(string); ok {
		return trace.PlainLines(text)
	}
	return trace.PlainLines(answers.FormatJSON(v))
}
