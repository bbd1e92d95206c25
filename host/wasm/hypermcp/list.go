package hypermcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"errand/host/tool/jsonstrict"
)

// MaxTools is the most tools that one plugin may list.
const MaxTools = 128

// Tool is a tool as its plugin describes it.
type Tool struct {
	Name        string          // the plugin's own
	Description string          // its title where it has none, else its name
	Schema      json.RawMessage // JSON Schema of its arguments: an object's
	ReadOnly    bool            // says that it changes nothing; a hint, and the plugin's word alone
}

// Tools reads what a plugin lists. The faults of all its tools are one error.
func Tools(output []byte) ([]Tool, error) {
	var list struct {
		Tools []struct {
			Name        string          `json:"name"`
			Title       string          `json:"title"`
			Description string          `json:"description"`
			InputSchema json.RawMessage `json:"inputSchema"`
			Annotations struct {
				Title        string `json:"title"`
				ReadOnlyHint bool   `json:"readOnlyHint"`
			} `json:"annotations"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(output, &list); err != nil {
		return nil, fmt.Errorf("its list of tools can't be read: %w", err)
	}
	if err := listed(output); err != nil {
		return nil, fmt.Errorf("its list of tools can be read in two ways: %w", err)
	}
	switch n := len(list.Tools); {
	case n == 0:
		return nil, fmt.Errorf("it lists no tools")
	case n > MaxTools:
		return nil, fmt.Errorf("it lists %d tools; at most %d are taken", n, MaxTools)
	}
	tools := make([]Tool, 0, len(list.Tools))
	seen := map[string]bool{}
	for i, t := range list.Tools {
		schema, err := object(t.InputSchema)
		switch {
		case strings.TrimSpace(t.Name) == "":
			return nil, fmt.Errorf("tool %d of its list has no name", i)
		case seen[t.Name]:
			return nil, fmt.Errorf("it lists %q twice", t.Name)
		case err != nil:
			return nil, fmt.Errorf("tool %q: %w", t.Name, err)
		}
		seen[t.Name] = true
		tools = append(tools, Tool{
			Name: t.Name, Schema: schema, ReadOnly: t.Annotations.ReadOnlyHint,
			Description: first(t.Description, t.Title, t.Annotations.Title, t.Name),
		})
	}
	return tools, nil
}

// listed is [plainly] for a list of tools.
func listed(output []byte) error {
	var said map[string]json.RawMessage
	var tools []map[string]json.RawMessage
	err := errors.Join(jsonstrict.CheckText(output), json.Unmarshal(output, &said), spelled(said, "tools"))
	_ = json.Unmarshal(said["tools"], &tools) // which it was read as
	for _, t := range tools {
		var hints map[string]json.RawMessage
		_ = json.Unmarshal(t["annotations"], &hints) // an object or nothing
		err = errors.Join(err,
			spelled(t, "name", "title", "description", "inputSchema", "annotations"),
			spelled(hints, "title", "readOnlyHint"))
		if err != nil {
			return err
		}
	}
	if at, twice := jsonstrict.FindDuplicate(output); twice {
		return fmt.Errorf("%s stands in it twice", at)
	}
	return err
}

func first(texts ...string) string {
	for _, s := range texts {
		if s = strings.TrimSpace(s); s != "" {
			return s
		}
	}
	return ""
}

// object is a tool's schema as the protocol wants it: of an object. One that is
// missing takes any, and one that does not say so is made to.
func object(schema json.RawMessage) (json.RawMessage, error) {
	if len(schema) == 0 || string(schema) == "null" {
		return json.RawMessage(`{"type":"object"}`), nil
	}
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(schema, &parts); err != nil {
		return nil, fmt.Errorf("its inputSchema is no object: %w", err)
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
		return nil, fmt.Errorf("its inputSchema is of type %s; arguments are an object", t)
	}
}
