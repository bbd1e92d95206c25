package hypermcp

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"errand/host/tool/jsonstrict"
	"errand/host/wasm/limit"
	"errand/planner/message"
)

// Tool is a tool as its plugin describes it.
type Tool struct {
	Name        string          // the plugin's own name
	Description string          // falls back to its title, then its name
	Schema      json.RawMessage // JSON Schema of its arguments, an object
	ReadOnly    bool            // the plugin's own hint that it changes nothing, without one that it destroys something
	Declared    bool            // the plugin hints whether the tool changes something
	Definition  string          // SHA-256 of all that the plugin says about the tool, in hex
}

// Tools parses a plugin's list of tools. The errors of all tools are joined.
func Tools(output []byte) ([]Tool, error) {
	var list struct {
		Tools []struct {
			Name        string          `json:"name"`
			Title       string          `json:"title"`
			Description string          `json:"description"`
			InputSchema json.RawMessage `json:"inputSchema"`
			Annotations struct {
				Title        string `json:"title"`
				ReadOnlyHint *bool  `json:"readOnlyHint"`
				Destructive  bool   `json:"destructiveHint"`
			} `json:"annotations"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(output, &list); err != nil {
		return nil, message.Error("plugin.unreadable_tool_list", "cause", err)
	}
	if err := isTextList(output); err != nil {
		return nil, message.Error("plugin.ambiguous_tool_list", "cause", err)
	}
	if len(list.Tools) == 0 {
		return nil, message.Error("plugin.lists_no_tools")
	}
	if err := limit.Tools.Check(len(list.Tools)); err != nil {
		return nil, err
	}
	definitions, err := definitions(output)
	if err != nil {
		return nil, message.Error("plugin.unreadable_tool_list", "cause", err)
	}
	tools := make([]Tool, 0, len(list.Tools))
	seen := map[string]bool{}
	for i, t := range list.Tools {
		if err := cmp.Or(limit.ToolName.Check(len(t.Name)), limit.InputSchema.Check(len(t.InputSchema))); err != nil {
			return nil, err
		}
		schema, err := object(t.InputSchema)
		switch {
		case strings.TrimSpace(t.Name) == "":
			return nil, message.Error("plugin.listed_tool_without_name", "number", i)
		case seen[t.Name]:
			return nil, message.Error("plugin.lists_tool_twice", "name", t.Name)
		case err != nil:
			return nil, message.Error("plugin.listed_tool", "tool", t.Name, "cause", err)
		}
		seen[t.Name] = true
		hint := t.Annotations.ReadOnlyHint
		tools = append(tools, Tool{
			Name: t.Name, Schema: schema, ReadOnly: hint != nil && *hint && !t.Annotations.Destructive, Declared: hint != nil || t.Annotations.Destructive, Definition: definitions[i],
			Description: first(t.Description, t.Title, t.Annotations.Title, t.Name),
		})
	}
	return tools, nil
}

// isTextList is [plainText] for a list of tools.
func isTextList(output []byte) error {
	var fields map[string]json.RawMessage
	var tools []map[string]json.RawMessage
	err := errors.Join(jsonstrict.CheckText(output), json.Unmarshal(output, &fields), checkKeys(fields, "tools"))
	_ = json.Unmarshal(fields["tools"], &tools) // which it was read as
	for _, t := range tools {
		var hints map[string]json.RawMessage
		_ = json.Unmarshal(t["annotations"], &hints) // an object or nothing
		err = errors.Join(err,
			checkKeys(t, "name", "title", "description", "inputSchema", "annotations"),
			checkKeys(hints, "title", "readOnlyHint", "destructiveHint"))
		if err != nil {
			return err
		}
	}
	if at, twice := jsonstrict.FindDuplicate(output); twice {
		return message.Error("plugin.key_twice", "key", at)
	}
	return err
}

// definitions returns the digest of each tool of a list. The order of keys and
// spaces do not count.
func definitions(output []byte) ([]string, error) {
	var list struct{ Tools []any }
	d := json.NewDecoder(bytes.NewReader(output))
	d.UseNumber()
	if err := d.Decode(&list); err != nil {
		return nil, err
	}
	digests := make([]string, len(list.Tools))
	for i, t := range list.Tools {
		text, err := json.Marshal(t)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		digests[i] = hex.EncodeToString(sum[:])
	}
	return digests, nil
}

func first(texts ...string) string {
	for _, s := range texts {
		if s = strings.TrimSpace(s); s != "" {
			return s
		}
	}
	return ""
}

// object returns a tool's schema with type object, as the protocol requires. A
// missing schema accepts any object.
func object(schema json.RawMessage) (json.RawMessage, error) {
	if len(schema) == 0 || string(schema) == "null" {
		return json.RawMessage(`{"type":"object"}`), nil
	}
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(schema, &parts); err != nil {
		return nil, message.Error("plugin.schema_not_object", "cause", err)
	}
	var several []string
	json.Unmarshal(parts["type"], &several) // of a single type: none
	switch t := string(parts["type"]); {
	case t == `"object"`:
		return schema, nil
	case t == "", t == "null", slices.Contains(several, "object"):
		parts["type"] = json.RawMessage(`"object"`)
		return json.Marshal(parts)
	default:
		return nil, message.Error("plugin.schema_of_other_type", "type", t)
	}
}
