// Package rows reads values from elements of a page that resemble each other: the rows of a table
// or a list.
package rows

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/axtree"
	"errand/host/browser/document"
	"errand/host/browser/locator"
	"errand/host/tool"
	"errand/planner/message"
)

// Field is a value to read from each row: by a selector or a test id within it, by the heading of its
// column, or by role and name.
type Field struct {
	CSS    string `json:"css,omitempty"`
	TestID string `json:"test_id,omitempty"`
	Column string `json:"column,omitempty"`
	Role   string `json:"role,omitempty"`
	Name   string `json:"name,omitempty"`
	Attr   string `json:"attr,omitempty"`
	All    bool   `json:"all,omitempty"`
}

// Read reads the fields of rows of the frame.
func Read(ctx context.Context, f *document.Frame, found []document.Match, fields map[string]Field) ([]any, error) {
	args := []any{fields}
	for i := range found {
		e, err := f.Doc.Hold(ctx, found[i])
		if err != nil {
			return nil, err
		}
		args = append(args, e.Object)
	}
	var read struct {
		Rows  []map[string]any
		Fault string `json:"fault"`
		Row   int
		Count int
	}
	err := f.Run(ctx, "", &read, "rows", args...)
	var scriptErr *document.ScriptError
	switch {
	case errors.As(err, &scriptErr):
		return nil, tool.NewError(tool.ValidationError, "bad_selector", message.New("browser.bad_field_selector", "cause", scriptErr.Text))
	case err != nil:
		return nil, err
	case read.Fault != "":
		return nil, severalError(read.Fault, read.Row, read.Count)
	}
	if err := readRoleFields(ctx, f, found, fields, read.Rows); err != nil {
		return nil, err
	}
	rows := make([]any, len(read.Rows))
	for i, r := range read.Rows {
		rows[i] = r
	}
	return rows, nil
}

func severalError(name string, row, count int) *tool.Error {
	return tool.NewError(tool.ExecutionError, "ambiguous", message.New("browser.ambiguous_field", "row", row, "count", count, "field", address.Clip(name))).
		WithAlternative(message.New("browser.narrow_field"))
}

// readRoleFields adds the fields that are found by role.
func readRoleFields(ctx context.Context, f *document.Frame, found []document.Match, fields map[string]Field, rows []map[string]any) error {
	var byRole []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if fields[name].Role != "" {
			byRole = append(byRole, name)
		}
	}
	if len(byRole) == 0 {
		return nil
	}
	root, _, err := f.Tree(ctx)
	if err != nil {
		return err
	}
	for i, m := range found {
		var backend int64
		if m.Node != nil {
			backend = m.Node.Backend
		} else {
			res, err := proto.DOMDescribeNode{ObjectID: m.Object}.Call(f.Call(ctx))
			if err != nil {
				return document.WrapReplaced(err)
			}
			backend = int64(res.Node.BackendNodeID)
		}
		n := root.Find(string(f.ID), backend)
		for _, name := range byRole {
			at := fields[name]
			var values []any
			if n != nil {
				for _, c := range axtree.Match(n, locator.Locator{Role: at.Role, Name: at.Name}) {
					if c != n {
						values = append(values, at.valueOf(c))
					}
				}
			}
			switch {
			case at.All:
				rows[i][name] = append([]any{}, values...)
			case len(values) > 1:
				return severalError(name, i+1, len(values))
			case len(values) == 1:
				rows[i][name] = values[0]
			default:
				rows[i][name] = nil
			}
		}
	}
	return nil
}

func (at Field) valueOf(n *axtree.Node) any {
	switch at.Attr {
	case "href":
		return address.Clip(n.URL)
	case "value":
		return address.Clip(n.Value)
	}
	if text := n.Text(); text != "" {
		return address.Clip(text)
	}
	return address.Clip(locator.Collapse(n.Name))
}
