package actions

import (
	"context"

	"errand/host/browser/document"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/planner/message"
)

// declareKey returns the effect of a key without knowledge of the page. Enter submits
// forms, and both Enter and the space bar press buttons.
func declareKey(a args) tool.Effect {
	k, modifiers, err := document.ReadKey(a.text("key"))
	if err == nil && (k.Name == "Enter" || k.Name == " ") && modifiers&^document.Modifiers["Shift"] == 0 || err == nil && modifiers != 0 && k.Name == "Enter" {
		return tool.EffectCommit
	}
	return tool.EffectInput
}

// classifyKey looks at the focused element: a space in a text field is text.
func classifyKey(ctx context.Context, t *page.Tab, a args) (tool.Effect, error) {
	k, _, err := document.ReadKey(a.text("key"))
	if err != nil {
		return "", err
	}
	if k.Name != " " {
		return declareKey(a), nil
	}
	var at struct{ Kind string }
	if a.has("locator") {
		e, _, err := findReady(ctx, t, a, document.NeedPick)
		if err != nil {
			return "", err
		}
		var control struct {
			Mode string `json:"how"`
		}
		if err := e.Frame.Run(ctx, e.Object, &control, "typed"); err != nil {
			return "", err
		}
		if at.Kind = "control"; control.Mode == "type" {
			at.Kind = "text"
		}
	} else {
		focus, err := t.Focused(ctx)
		if err != nil {
			return "", err
		}
		at.Kind = focus.Kind
	}
	if at.Kind == "text" || at.Kind == "none" {
		return tool.EffectInput, nil
	}
	return tool.EffectCommit, nil
}

func pressKey(ctx context.Context, t *page.Tab, a args, call tool.Call) (tool.Result, error) {
	k, modifiers, err := document.ReadKey(a.text("key"))
	if err != nil {
		return tool.Result{}, err
	}
	live, err := classifyKey(ctx, t, a)
	if err != nil {
		return tool.Result{}, err
	}
	if err := checkEffect(call, live, message.New("browser.the_key")); err != nil {
		return tool.Result{}, err
	}
	var e *document.Element
	if a.has("locator") {
		if e, _, err = findTarget(ctx, t, a, call, document.NeedPick); err != nil {
			return tool.Result{}, err
		}
		if err := e.Frame.Run(ctx, e.Object, nil, "focus"); err != nil {
			return tool.Result{}, err
		}
	} else if err := t.BringToFront(ctx); err != nil {
		return tool.Result{}, err
	}
	focus, err := t.Focused(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	if err := checkFocus(ctx, t, focus); err != nil {
		return tool.Result{}, err
	}
	if err := checkFrameSite(focus.Frame, call); err != nil {
		return tool.Result{}, err
	}
	if err := checkSettledSite(ctx, t, call); err != nil {
		return tool.Result{}, err
	}
	if err := t.Key(ctx, k, modifiers); err != nil {
		return tool.Result{}, err
	}
	var heard bool
	if err := focus.Frame.Run(ctx, "", &heard, "heard"); err == nil && !heard && hasForeignFrame(ctx, t) {
		return tool.Result{}, tool.NewError(tool.ExecutionError, "key_astray", message.New("browser.key_astray"))
	}
	return finishAction(ctx, t, e, map[string]any{"effect": string(live)})
}
