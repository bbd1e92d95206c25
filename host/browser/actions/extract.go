package actions

import (
	"context"
	"slices"
	"time"

	"errand/host/browser/address"
	"errand/host/browser/document"
	"errand/host/browser/locator"
	"errand/host/browser/page"
	"errand/host/browser/rows"
	"errand/host/tool"
	"errand/planner/message"
)

func (a args) fields() (map[string]rows.Field, error) {
	fieldArgs, _ := a["fields"].(map[string]any)
	fields := make(map[string]rows.Field, len(fieldArgs))
	for name, v := range fieldArgs {
		m, _ := v.(map[string]any)
		f := args(m)
		fields[name] = rows.Field{
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
	list := make([]any, 0, len(found))
	for len(found) > 0 { // consecutive matches of one frame at a time
		f := found[0].Frame
		n := slices.IndexFunc(found, func(m document.Match) bool { return m.Frame != f })
		if n < 0 {
			n = len(found)
		}
		here, err := rows.Read(ctx, f, found[:n], fields)
		if err != nil {
			return tool.Result{}, err
		}
		list, found = append(list, here...), found[n:]
	}
	payload, err := t.Location(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	payload["rows"], payload["total"] = list, total
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
