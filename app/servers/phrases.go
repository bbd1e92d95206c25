package servers

import (
	"encoding/json"

	"errand/host/mcp/client"
	"errand/host/tool"
	"errand/planner/phrase"
)

// Phrases are the phrases of errand.toml for tools that the user agreed to.
func (s *Set) Phrases() []phrase.Phrase {
	var all []phrase.Phrase
	if len(s.o.Config.MCP.Servers) == 0 {
		return nil
	}
	file, err := s.lock()
	if err != nil {
		return nil
	}
	for _, name := range s.names() {
		t := s.o.Config.MCP.Servers[name]
		agreed := file.Find(name)
		if !t.IsEnabled() || agreed == nil || agreed.Access != t.Access() || s.o.Taken(name) {
			continue
		}
		for _, p := range t.Phrases {
			pinned := agreed.Find(p.Tool)
			pieces, err := phrase.Parse(p.Text)
			if pinned == nil || err != nil || !Includes(t.Tools, p.Tool) {
				continue
			}
			d, err := pinned.Parse()
			if err != nil {
				continue
			}
			kinds, ok := slotKinds(d.InputSchema, phrase.Slots(pieces))
			if !ok {
				continue
			}
			all = append(all, phrase.Phrase{Plugin: name, Tool: client.ToolName(name, p.Tool), Text: p.Text, Pieces: pieces, Kinds: kinds, Args: p.Args})
		}
	}
	return all
}

// slotKinds returns the types of slots by a tool's schema; ok is false if a slot is not an argument
// that one can fill.
func slotKinds(schema json.RawMessage, slots []string) (kinds map[string]phrase.Kind, ok bool) {
	var s struct {
		Properties map[string]map[string]any `json:"properties"`
	}
	_ = json.Unmarshal(schema, &s) // without properties no slot can be filled
	kinds = map[string]phrase.Kind{}
	for _, slot := range slots {
		property, known := s.Properties[slot]
		kind, _ := property["type"].(string)
		switch k := phrase.Kind(kind); {
		case !known:
			return nil, false
		case k == phrase.Text && tool.IsPath(property):
			kinds[slot] = phrase.Path
		case k == phrase.Text || k == phrase.Number || k == phrase.Integer || k == phrase.Boolean:
			kinds[slot] = k
		default:
			return nil, false
		}
	}
	return kinds, true
}
