package hypermcp

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Decline answers a plugin that asks the person something (create_elicitation):
// nobody is asked in the middle of a call.
func Decline() []byte { return []byte(`{"action":"decline"}`) }

// Question is what it asked, for the log.
func Question(input []byte) string {
	var q struct {
		Message string `json:"message"`
	}
	json.Unmarshal(input, &q) // one that can't be read asks nothing
	return q.Message
}

// Roots answers list_roots with the folders that a plugin is shown, by their
// paths there.
func Roots(folders []string) []byte {
	type root struct {
		URI string `json:"uri"`
	}
	list := struct {
		Roots []root `json:"roots"`
	}{[]root{}}
	for _, f := range folders {
		list.Roots = append(list.Roots, root{"file://" + f})
	}
	b, _ := json.Marshal(list) // texts alone
	return b
}

// Message reads what notify_logging_message got: the level as the log has it
// (trace, debug, info, warn, error), and the line.
func Message(input []byte) (level, line string) {
	var m struct {
		Level  string          `json:"level"`
		Logger string          `json:"logger"`
		Data   json.RawMessage `json:"data"`
	}
	if json.Unmarshal(input, &m) != nil {
		return "info", string(input)
	}
	if json.Unmarshal(m.Data, &line) != nil {
		line = string(m.Data)
	}
	if m.Logger != "" {
		line = m.Logger + ": " + line
	}
	switch m.Level {
	case "debug":
		return "debug", line
	case "warning":
		return "warn", line
	case "error", "critical", "alert", "emergency":
		return "error", line
	}
	return "info", line
}

// Progress reads what notify_progress got, for the log.
func Progress(input []byte) string {
	var p struct {
		Progress float64  `json:"progress"`
		Total    *float64 `json:"total"`
		Message  string   `json:"message"`
	}
	if json.Unmarshal(input, &p) != nil {
		return "progress"
	}
	s := fmt.Sprintf("progress %v", p.Progress)
	if p.Total != nil {
		s += fmt.Sprintf(" of %v", *p.Total)
	}
	return strings.TrimSpace(s + " " + p.Message)
}
