package hypermcp

import (
	"encoding/json"

	"errand/planner/message"
)

// Decline returns the answer for a plugin that asks the user (create_elicitation).
// Calls are not interactive.
func Decline() []byte { return []byte(`{"action":"decline"}`) }

// Question returns the plugin's question, for the log.
func Question(input []byte) string {
	var q struct {
		Message string `json:"message"`
	}
	json.Unmarshal(input, &q) // an invalid question is empty
	return q.Message
}

// Roots returns the answer of list_roots. folders are the plugin's paths.
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
	b, _ := json.Marshal(list) // can't fail: only strings
	return b
}

// Message parses the input of notify_logging_message: the log level (trace, debug,
// info, warn, error) and the line.
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

// Progress formats the input of notify_progress for the log.
func Progress(input []byte) message.Message {
	var p struct {
		Progress *float64 `json:"progress"`
		Total    *float64 `json:"total"`
		Message  string   `json:"message"`
	}
	if json.Unmarshal(input, &p) != nil || p.Progress == nil {
		return message.New("plugin.log_progress_unknown", "text", p.Message)
	}
	if p.Total == nil {
		return message.New("plugin.log_progress", "done", *p.Progress, "text", p.Message)
	}
	return message.New("plugin.log_progress_of", "done", *p.Progress, "total", *p.Total, "text", p.Message)
}
