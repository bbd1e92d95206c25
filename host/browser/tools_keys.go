package browser

import (
	"context"

	"errand/host/tool"
)

// declaredKey is what a key comes to where the page is not there yet: Enter sends
// forms, and it and the space bar press buttons.
func declaredKey(a args) tool.Effect {
	k, held, err := readKey(a.text("key"))
	if err == nil && (k.name == "Enter" || k.name == " ") && held&^modifiers["Shift"] == 0 || err == nil && held != 0 && k.name == "Enter" {
		return tool.EffectCommit
	}
	return tool.EffectInput
}

// classifyKey looks where the key would go: a space in a text field is text.
func classifyKey(ctx context.Context, t *tab, a args) (tool.Effect, error) {
	k, _, err := readKey(a.text("key"))
	if err != nil {
		return "", err
	}
	if k.name != " " {
		return declaredKey(a), nil
	}
	var at struct{ Kind string }
	if a.has("locator") {
		e, _, err := t.sight(ctx, a, toPick)
		if err != nil {
			return "", err
		}
		var grip struct{ How string }
		if err := e.frame.run(ctx, e.object, &grip, "typed"); err != nil {
			return "", err
		}
		if at.Kind = "control"; grip.How == "type" {
			at.Kind = "text"
		}
	} else {
		f, err := t.top(ctx)
		if err != nil {
			return "", err
		}
		if err := f.run(ctx, "", &at, "focused"); err != nil {
			return "", err
		}
	}
	if at.Kind == "text" || at.Kind == "none" {
		return tool.EffectInput, nil
	}
	return tool.EffectCommit, nil
}

func pressKey(ctx context.Context, t *tab, a args, call tool.Call) (tool.Result, error) {
	k, held, err := readKey(a.text("key"))
	if err != nil {
		return tool.Result{}, err
	}
	live, err := classifyKey(ctx, t, a)
	if err != nil {
		return tool.Result{}, err
	}
	if err := within(call, live, "the key"); err != nil {
		return tool.Result{}, err
	}
	var e *element
	if a.has("locator") {
		if e, _, err = t.aim(ctx, a, toPick); err != nil {
			return tool.Result{}, err
		}
		if err := e.frame.run(ctx, e.object, nil, "focus"); err != nil {
			return tool.Result{}, err
		}
	} else if err := t.front(ctx); err != nil {
		return tool.Result{}, err
	}
	if err := t.key(ctx, k, held); err != nil {
		return tool.Result{}, err
	}
	return t.acted(ctx, e, map[string]any{"effect": string(live)})
}
