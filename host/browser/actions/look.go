package actions

import (
	"context"
	"regexp"
	"strings"

	"errand/host/browser/address"
	"errand/host/browser/axtree"
	"errand/host/browser/document"
	"errand/host/browser/locator"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// Limits of one result. A longer one is truncated and says so.
const (
	snapshotBytes = 64 << 10
	findCount     = 20
)

// lookActions returns the actions that inspect a page without changing it.
func lookActions() []action {
	return []action{
		{
			name: "snapshot", description: "Tell what is on the page, as an outline of roles, names and values with refs to act on.",
			display: display.Tool{Summary: display.OneOf("locator"), View: display.View{Kind: display.Lines, Key: "snapshot", Last: true}},
			schema: takes(`"locator": LOCATOR,
				"depth": {"type": "integer", "minimum": 1, "maximum": 100, "description": "levels of the outline; default: all"},
				"max_bytes": {"type": "integer", "minimum": 1024, "maximum": 1048576, "description": "default 65536"}`),
			effect: tool.EffectRead,
			do: func(ctx context.Context, t *page.Tab, a args, _ tool.Call) (tool.Result, error) {
				l, err := a.optional("locator")
				if err != nil {
					return tool.Result{}, err
				}
				s, err := t.Outline(ctx, l, a.number("depth", 0), a.number("max_bytes", snapshotBytes))
				if err != nil {
					return tool.Result{}, err
				}
				payload, err := t.Location(ctx)
				if err != nil {
					return tool.Result{}, err
				}
				payload["snapshot"], payload["nodes"] = s.Text, s.Nodes
				if s.Cut {
					payload["cut"] = true
				}
				if s.Unread > 0 {
					payload["unread_frames"] = s.Unread
				}
				return tool.OK(payload), nil
			},
		},
		{
			name: "find", description: "Find text on the page, exactly or by a regular expression (RE2), with refs to act on.",
			display: display.Tool{Summary: display.OneOf("text", "regex"), View: display.View{Kind: display.List, Key: "found", Label: "text"}, NotFound: true},
			schema: takesOne(`"text": {"type": "string", "minLength": 1, "maxLength": 1024, "description": "part of the page's text, in any case"}, "regex": {"type": "string", "minLength": 1, "maxLength": 1024, "description": "regular expression (RE2)"},
				"max": {"type": "integer", "minimum": 1, "maximum": 200, "description": "default 20"}`, "text", "regex"),
			effect: tool.EffectRead, do: find,
		},
	}
}

func find(ctx context.Context, t *page.Tab, a args, _ tool.Call) (tool.Result, error) {
	fits := func(s string) bool { return locator.Locator{}.MatchesText(s, a.text("text")) }
	if a.has("regex") {
		re, err := regexp.Compile(a.text("regex"))
		if err != nil {
			return tool.Result{}, tool.NewError(tool.ValidationError, "bad_regex", message.FromError(err))
		}
		fits = re.MatchString
	}
	root, of, _, err := t.Tree(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	t.Refs.Begin()
	most, total := a.number("max", findCount), 0
	found := []any{}
	for _, n := range axtree.Smallest(root, fits) {
		if total++; total > most {
			continue
		}
		f := of[n.Frame]
		m := map[string]any{"ref": t.Refs.Add(f, n), "role": strings.ToLower(n.Role), "text": address.Clip(n.Text())}
		if n.Role == "" || n.Role == "none" {
			delete(m, "role")
		}
		if in := document.Container(n); in != (locator.Identity{}) {
			m["in"] = in.String()
		}
		found = append(found, m)
	}
	payload := map[string]any{"found": found, "total": total}
	if total > most || root.Cut {
		payload["cut"] = true
	}
	return tool.OK(payload), nil
}
