package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"errand/host/tool"
	"errand/planner/message"
)

// Limits of a server's list of tools.
const (
	MaxTools     = 500
	MaxListBytes = 1 << 20
	maxPages     = 100
)

// Definition is what a server says about one of its tools. Nothing in it grants anything.
type Definition struct {
	Name        string          `json:"name"` // the server's own
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"` // with sorted keys
	Annotations json.RawMessage `json:"annotations,omitempty"`
}

// Pin returns the SHA-256, in hex, of all that the definition says. A changed definition has
// another pin.
func (d Definition) Pin() string {
	sum := sha256.Sum256(d.Canonical())
	return hex.EncodeToString(sum[:])
}

// Canonical returns the definition as JSON with sorted keys.
func (d Definition) Canonical() []byte {
	b, err := json.Marshal(d)
	if err != nil { // an inputSchema that is not JSON; [newDefinition] makes none
		return []byte(d.Name)
	}
	return b
}

// ClaimsReadOnly reports whether the server says that the tool changes nothing. It is shown to
// the user and decides nothing.
func (d Definition) ClaimsReadOnly() bool {
	var a struct{ ReadOnlyHint, DestructiveHint bool }
	return json.Unmarshal(d.Annotations, &a) == nil && a.ReadOnlyHint && !a.DestructiveHint
}

func newDefinition(t *mcp.Tool) (Definition, error) {
	d := Definition{Name: t.Name, Description: t.Description}
	var err error
	if d.InputSchema, err = json.Marshal(t.InputSchema); err != nil {
		return d, err
	}
	if t.Annotations != nil {
		var any map[string]any // sorts the keys
		b, err := json.Marshal(t.Annotations)
		if err != nil {
			return d, err
		}
		if err := json.Unmarshal(b, &any); err != nil {
			return d, err
		}
		d.Annotations, err = json.Marshal(any)
		return d, err
	}
	return d, nil
}

// list reads the whole list of tools, page by page, sorted by name.
func list(ctx context.Context, s *mcp.ClientSession) ([]Definition, error) {
	if r := s.InitializeResult(); r == nil || r.Capabilities == nil || r.Capabilities.Tools == nil {
		return nil, badList("tools")
	}
	var all []Definition
	var p mcp.ListToolsParams
	size := 0
	for page := 0; ; page++ {
		r, err := s.ListTools(ctx, &p)
		if err != nil {
			return nil, err
		}
		for _, t := range r.Tools {
			if t == nil {
				continue
			}
			d, err := newDefinition(t)
			if err != nil {
				return nil, err
			}
			if strings.TrimSpace(d.Name) == "" {
				return nil, badList("name")
			}
			all = append(all, d)
			size += len(d.Canonical())
		}
		switch {
		case len(all) > MaxTools || size > MaxListBytes || page >= maxPages:
			return nil, badList("size")
		case r.NextCursor == "":
			slices.SortFunc(all, func(a, b Definition) int { return strings.Compare(a.Name, b.Name) })
			for i := range all[:max(len(all)-1, 0)] {
				if all[i].Name == all[i+1].Name {
					return nil, badList("twice")
				}
			}
			return all, nil
		}
		p.Cursor = r.NextCursor
	}
}

func badList(why string) error {
	return tool.NewError(tool.ExecutionError, "bad_tool_list", message.New("mcp.bad_tool_list", "why", why, "tools", MaxTools, "size", MaxListBytes))
}
