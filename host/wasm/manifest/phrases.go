package manifest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/host/wasm/limit"
	"errand/planner/message"
	"errand/planner/phrase"
)

// Phrase is a phrase that calls a tool in words: "shout {text}".
type Phrase struct {
	Text string         `toml:"text" json:"text"`           // words, and slots that name arguments
	Tool string         `toml:"tool" json:"tool"`           // of this plugin
	Args map[string]any `toml:"args" json:"args,omitempty"` // constants, beside the slots
	// Examples are texts that the phrase reads. They are checked at installation.
	Examples []string `toml:"examples" json:"examples,omitempty"`
}

// ParsePhrases returns the phrases of a valid manifest, ready to be matched.
func (m *Manifest) ParsePhrases() []phrase.Phrase {
	var all []phrase.Phrase
	for _, p := range m.Phrases {
		pieces, err := phrase.Parse(p.Text)
		i := m.findTool(p.Tool)
		if err != nil || i < 0 {
			continue // a manifest that was checked has none
		}
		kinds := map[string]phrase.Kind{}
		args := readArguments(m.Tools[i].ArgsSchema)
		for _, slot := range phrase.Slots(pieces) {
			kinds[slot] = args.kind(slot)
		}
		all = append(all, phrase.Phrase{Plugin: m.ID, Tool: p.Tool, Text: p.Text, Pieces: pieces, Kinds: kinds, Args: p.Args, Examples: p.Examples})
	}
	return all
}

func (m *Manifest) findTool(name string) int {
	return slices.IndexFunc(m.Tools, func(t Tool) bool { return t.Name == name })
}

// arguments are the properties and the required names of a tool's args_schema.
type arguments struct {
	Properties map[string]any `json:"properties"`
	Required   []string       `json:"required"`
}

func readArguments(schema string) (a arguments) {
	_ = json.Unmarshal([]byte(schema), &a) // args_schema reports it
	return a
}

// kind returns the type of an argument that a slot can fill, or "" if it can't.
func (a arguments) kind(name string) phrase.Kind {
	property, _ := a.Properties[name].(map[string]any)
	switch kind, _ := property["type"].(string); kind {
	case "string":
		if tool.IsPath(property) {
			return phrase.Path
		}
		return phrase.Text
	case "number", "integer", "boolean":
		return phrase.Kind(kind)
	}
	return ""
}

// checkPhrases checks the phrases. Each error names the plugin, the phrase and the key.
func (m *Manifest) checkPhrases(f *problems) {
	seen := map[string]bool{}
	for i, p := range m.Phrases {
		key := fmt.Sprintf("phrases[%d]", i)
		require := func(ok bool, field string, fault message.Message) {
			f.require(ok, key+"."+field, message.New("manifest.in_phrase", "plugin", m.ID, "number", i+1, "phrase", truncate(p.Text, 60), "field", field, "fault", fault))
		}
		pieces, err := phrase.Parse(p.Text)
		if err != nil {
			require(false, "text", message.FromError(err))
		}
		same := strings.ToLower(strings.Join(strings.Fields(p.Text), " "))
		require(!seen[same] || p.Text == "", "text", message.New("manifest.phrase_twice"))
		seen[same] = true
		for _, example := range p.Examples {
			require(strings.TrimSpace(example) != "" && len(example) <= limit.PhraseExample.Most && phrase.IsSafe(example), "examples",
				message.New("manifest.bad_phrase_example", "example", truncate(example, 40), "limit", limit.PhraseExample.Most))
		}
		n := m.findTool(p.Tool)
		require(n >= 0, "tool", message.New("manifest.phrase_tool_unknown", "tool", truncate(p.Tool, 64)))
		if n < 0 || err != nil {
			continue
		}
		checkPhraseArguments(require, readArguments(m.Tools[n].ArgsSchema), phrase.Slots(pieces), p.Args)
	}
}

// checkPhraseArguments compares the slots and constants of a phrase with the arguments of its
// tool. A path comes only from a slot, and so from the user's words.
func checkPhraseArguments(require func(ok bool, field string, fault message.Message), args arguments, slots []string, constants map[string]any) {
	for _, slot := range slots {
		_, known := args.Properties[slot]
		require(known, "text", message.New("manifest.phrase_slot_unknown", "slot", slot))
		require(!known || args.kind(slot) != "", "text", message.New("manifest.phrase_slot_type", "slot", slot))
	}
	for _, name := range slices.Sorted(maps.Keys(constants)) {
		_, known := args.Properties[name]
		require(known, "args", message.New("manifest.phrase_constant_unknown", "argument", name))
		require(!slices.Contains(slots, name), "args", message.New("manifest.phrase_constant_is_slot", "argument", name))
		require(!convertsPaths(args.Properties[name]), "args", message.New("manifest.phrase_constant_path", "argument", name))
		require(isPlainConstant(constants[name]), "args", message.New("manifest.bad_phrase_constant", "argument", name))
	}
	for _, name := range args.Required {
		_, constant := constants[name]
		require(constant || slices.Contains(slots, name), "text", message.New("manifest.phrase_argument_missing", "argument", name))
	}
}

// isPlainConstant reports whether a constant is a number, a boolean, or a text that can't
// lead to a file or a secret.
func isPlainConstant(v any) bool {
	switch v := v.(type) {
	case bool, int64, float64:
		return true
	case string:
		return len(v) <= limit.PhraseConstant.Most && !strings.ContainsAny(v, `/\~`) && !strings.Contains(v, "{{") && phrase.IsSafe(v)
	}
	return false
}
