package actions

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/axtree"
	"errand/host/browser/document"
	"errand/host/browser/locator"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/planner/message"
)

// field is a value to read from each row.
type field struct {
	CSS    string `json:"css,omitempty"`
	TestID string `json:"test_id,omitempty"`
	Column string `json:"column,omitempty"`
	Role   string `json:"role,omitempty"`
	Name   string `json:"name,omitempty"`
	Attr   string `json:"attr,omitempty"`
	All    bool   `json:"all,omitempty"`
}

func (a args) fields() (map[string]field, error) {
	fieldArgs, _ := a["fields"].(map[string]any)
	fields := make(map[string]field, len(fieldArgs))
	for name, v := range fieldArgs {
		m, _ := v.(map[string]any)
		f := args(m)
		fields[name] = field{
			CSS: f.text("css"), TestID: f.text("test_id"), Column: f.text("column"),
			Role: f.text("role"), Name: f.text("name"), Attr: f.text("attr"), All: f.flag("all"),
		}
		ways := 0
		for _, w := range []string{"css", "test_id", "column", "role"} {
			if f.has(w) {
				ways++
			}
		}
		switch at := fields[name]; {
		case ways > 1:
			return nil, tool.NewError(tool.ValidationError, "invalid_args", message.New("browser.field_ways", "field", address.Clip(name)))
		case at.Name != "" && at.Role == "":
			return nil, tool.NewError(tool.ValidationError, "invalid_args", message.New("browser.field_name_without_role", "field", address.Clip(name)))
		case at.Role != "" && at.Attr != "" && at.Attr != "href" && at.Attr != "value":
			return nil, tool.NewError(tool.ValidationError, "invalid_args", message.New("browser.field_role_attribute", "field", address.Clip(name), "attribute", address.Clip(at.Attr)))
		}
	}
	return fields, nil
}

func extract(ctx context.Context, t *page.Tab, a args, _ tool.Call) (tool.Result, error) {
	l, err := a.locator("rows")
	if err != nil {
		return tool.Result{}, err
	}
	fields, err := a.fields()
	if err != nil {
		return tool.Result{}, err
	}
	found, err := findSome(ctx, t, l, a.timeout())
	if err != nil {
		return tool.Result{}, err
	}
	most, total := a.number("max", rowCount), len(found)
	found = found[:min(most, total)]
	rows := make([]any, 0, len(found))
	for len(found) > 0 { // consecutive matches of one frame at a time
		f := found[0].Frame
		n := slices.IndexFunc(found, func(m document.Match) bool { return m.Frame != f })
		if n < 0 {
			n = len(found)
		}
		here, err := readRows(ctx, f, found[:n], fields)
		if err != nil {
			return tool.Result{}, err
		}
		rows, found = append(rows, here...), found[n:]
	}
	payload, err := t.Location(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	payload["rows"], payload["total"] = rows, total
	if total > most {
		payload["cut"] = true
	}
	return tool.OK(payload), nil
}

// findSome waits until a locator has at least one match.
func findSome(ctx context.Context, t *page.Tab, l locator.Locator, wait time.Duration) (found []document.Match, err error) {
	err = document.Retry(ctx, wait, func(ctx context.Context, _ int) error {
		all, err := t.Frames(ctx)
		if err != nil {
			return err
		}
		if found, err = t.Matches(ctx, all, l); err == nil && len(found) == 0 {
			err = t.NoMatchError(l)
		}
		return err
	})
	return found, err
}

// readRows reads rows of the frame.
func readRows(ctx context.Context, f *document.Frame, found []document.Match, fields map[string]field) ([]any, error) {
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
func readRoleFields(ctx context.Context, f *document.Frame, found []document.Match, fields map[string]field, rows []map[string]any) error {
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

func (at field) valueOf(n *axtree.Node) any {
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
