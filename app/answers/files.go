package answers

import (
	"errand/planner/message"
)

// describeSentence is the tool's text for its result. It is zero if the payload is withheld.
func (r result) describeSentence() message.Message {
	if r.payload() == nil {
		return message.Message{}
	}
	var pairs []any
	for _, key := range r.tool.View.Params {
		pairs = append(pairs, key, r.payload()[key])
	}
	if is, _ := r.payload()[r.tool.View.Variant].(bool); is {
		return r.tool.Say(r.tool.View.Variant, pairs...)
	}
	return r.tool.Say("result", pairs...)
}

// describeEntries lists files and folders, each on a line with its size and time.
func (r result) describeEntries() message.Message {
	if empty, ok := r.describeEmpty(); ok {
		return empty
	}
	list, _ := r.payload()[r.tool.View.Key].([]any)
	lines := make([]message.Message, 0, len(list)+1)
	for _, item := range list {
		m, _ := item.(map[string]any)
		name, _ := m["name"].(string)
		if name == "" {
			name, _ = m["path"].(string)
		}
		lines = append(lines, message.New("answer.entry", "name", name, "kind", m["kind"], "size", m["size"], "modified", m["modified"]))
	}
	if len(lines) == 0 {
		return message.Message{}
	}
	if more, _ := r.payload()["more"].(bool); more {
		total, _ := number(r.payload()["count"])
		lines = append(lines, message.New("answer.entries_more", "count", total-len(lines)))
	}
	return message.New("answer.lines", "lines", lines)
}
