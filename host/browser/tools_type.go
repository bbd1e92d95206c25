package browser

import (
	"context"
	"errors"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/tool"
)

// typing is input that can be taken back by more input.
func typing() []act {
	return []act{
		{
			name: "fill", about: "Put a value in place of what is in a text field, as if typed.",
			schema: takes(`"locator": LOCATOR, "value": {"type": "string", "maxLength": 65536, "writeOnly": true}, `+patience, "locator", "value"),
			effect: tool.EffectInput, do: fill,
		},
		{
			name: "select", about: "Pick options of a list by their values or labels.",
			schema: takes(`"locator": LOCATOR,
				"values": {"type": "array", "items": {"type": "string", "maxLength": 1024}, "maxItems": 100, "writeOnly": true}, `+patience, "locator", "values"),
			effect: tool.EffectInput, do: pick,
		},
		{
			name: "check", about: "Switch a checkbox, a radio button or a switch on or off.",
			schema: takes(`"locator": LOCATOR, "on": {"type": "boolean"}, `+patience, "locator", "on"),
			effect: tool.EffectInput, do: check,
		},
		{
			name: "hover", about: "Put the pointer over an element.",
			schema: takes(`"locator": LOCATOR, `+patience, "locator"),
			effect: tool.EffectInput,
			do: func(ctx context.Context, t *tab, a args, _ tool.Call) (tool.Result, error) {
				e, at, err := t.aim(ctx, a, toPoint)
				if err != nil {
					return tool.Result{}, err
				}
				if err := t.move(ctx, at); err != nil {
					return tool.Result{}, err
				}
				return t.acted(ctx, e, nil)
			},
		},
		{
			name: "press", about: "Press a key, in an element or where the focus is. Enter commits.",
			schema: takes(`"key": {"type": "string", "minLength": 1, "maxLength": 40, "description": "such as Enter, Tab, ArrowDown, a or Control+A"}, "locator": LOCATOR, `+patience, "key"),
			effect: tool.EffectInput, do: pressKey, declared: declaredKey, classified: classifyKey,
		},
	}
}

// aim is sight, and learns what the element is.
func (t *tab) aim(ctx context.Context, a args, want needs) (*element, readiness, error) {
	e, at, err := t.sight(ctx, a, want)
	if err == nil {
		err = e.learn(ctx)
	}
	return e, at, err
}

// sight brings the page in front and waits until the element of the call is ready.
func (t *tab) sight(ctx context.Context, a args, want needs) (*element, readiness, error) {
	if err := t.front(ctx); err != nil {
		return nil, readiness{}, err
	}
	l, err := a.locator("locator")
	if err != nil {
		return nil, readiness{}, err
	}
	return t.prepare(ctx, l, want, a.patience())
}

// acted is the result of an action on an element, once the page has followed.
func (t *tab) acted(ctx context.Context, e *element, more map[string]any) (tool.Result, error) {
	before := t.loader()
	if err := t.follow(ctx); err != nil {
		return tool.Result{}, err
	}
	payload, err := t.where(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	if e != nil {
		payload["role"], payload["name"], payload["host"] = strings.ToLower(e.role), clip(e.name), hostOf(e.frame.url)
	}
	for k, v := range more {
		payload[k] = v
	}
	r := tool.OK(payload)
	if t.loader() != before {
		r.World = &tool.WorldChange{BrowserLastURL: payload["url"].(string)}
	}
	return r, nil
}

func fill(ctx context.Context, t *tab, a args, call tool.Call) (tool.Result, error) {
	e, _, err := t.aim(ctx, a, toFill)
	if err != nil {
		return tool.Result{}, err
	}
	value := a.text("value")
	var grip control
	if err := e.frame.run(ctx, e.object, &grip, "grip"); err != nil {
		return tool.Result{}, err
	}
	if grip.Secret && value != "" {
		t.secrets = append(t.secrets, value)
	}
	secret := grip.Secret || call.Secret
	if grip.Boxes > 1 && secret {
		if err := e.cover(ctx); err != nil {
			return tool.Result{}, err
		}
	}
	left := t.hasDeparted()
	if err := e.put(ctx, &grip, value); err != nil {
		return tool.Result{}, err
	}
	got, err := e.take(ctx, grip, value)
	if err == nil && !got.taken && grip.keptOne(value, got.now) { // a box that says of itself how much it takes
		if err = e.frame.run(ctx, e.object, nil, "grip"); err == nil {
			if err = e.typeOn(ctx, value); err == nil {
				got, err = e.take(ctx, grip, value)
			}
		}
	}
	if errors.Is(err, errReplaced) && !left { // the page had enough, and went on with it
		got, err = holding{now: value, taken: true}, nil
	}
	switch {
	case err != nil:
		return tool.Result{}, err
	case !got.taken:
		return tool.Result{}, notTaken(e, grip, got.now, secret)
	}
	more := map[string]any{"kept": got.now == value} // a control may have its own mind: a mask
	if got.now != value && !secret {
		more["value"] = clip(got.now)
	}
	if got.fields > 1 {
		more["fields"] = got.fields
	}
	return t.acted(ctx, e, more)
}

// put gives a control that has the focus a value in place of what is in it.
func (e *element) put(ctx context.Context, c *control, value string) error {
	t := e.frame.doc
	switch {
	case c.How == "set":
		return e.frame.run(ctx, e.object, c, "set", value)
	case c.splits(value):
		return e.typeOn(ctx, value)
	case value != "":
		return proto.InputInsertText{Text: value}.Call(t.call(ctx, callTimeout))
	case !c.Empty:
		return t.key(ctx, keyNamed["Delete"], 0)
	}
	return nil
}

func pick(ctx context.Context, t *tab, a args, call tool.Call) (tool.Result, error) {
	e, _, err := t.aim(ctx, a, toPick)
	if err != nil {
		return tool.Result{}, err
	}
	values := []string{}
	list, _ := a["values"].([]any)
	for _, v := range list {
		s, _ := v.(string)
		values = append(values, s)
	}
	var picked struct {
		Fault, What string
		Options     []string
		Labels      []any
		Secret      bool
	}
	if err := e.frame.run(ctx, e.object, &picked, "select", values); err != nil {
		return tool.Result{}, err
	}
	if picked.Secret {
		t.secrets = append(t.secrets, values...)
	}
	has := strings.Join(picked.Options, ", ")
	secret := picked.Secret || call.Secret
	if secret {
		picked.What = "that is secret"
	}
	switch picked.Fault {
	case "":
	case "not_a_list":
		return tool.Result{}, tool.Errorf(tool.ExecutionError, "not_selectable", "%s is no list of options", e).
			WithHint("click it, then click the option")
	case "one_only":
		return tool.Result{}, tool.Errorf(tool.ExecutionError, "one_option_only", "%s takes one option, and was given %d", e, len(values))
	case "ambiguous":
		return tool.Result{}, tool.Errorf(tool.ExecutionError, "ambiguous", "%s has several options %q", e, clip(picked.What)).WithHint("use the option's value")
	case "disabled":
		return tool.Result{}, tool.Errorf(tool.ExecutionError, "not_ready", "the option %q of %s is disabled", clip(picked.What), e)
	default:
		return tool.Result{}, tool.Errorf(tool.ExecutionError, "no_option", "%s has no option %q; it has %s", e, clip(picked.What), clip(has))
	}
	if secret {
		return t.acted(ctx, e, nil)
	}
	return t.acted(ctx, e, map[string]any{"selected": picked.Labels})
}

func check(ctx context.Context, t *tab, a args, _ tool.Call) (tool.Result, error) {
	e, at, err := t.aim(ctx, a, toClick)
	if err != nil {
		return tool.Result{}, err
	}
	var is struct{ Checked *bool }
	if err := e.frame.run(ctx, e.object, &is, "value"); err != nil {
		return tool.Result{}, err
	}
	on := a.flag("on")
	if is.Checked == nil {
		return tool.Result{}, tool.Errorf(tool.ExecutionError, "not_checkable", "%s can't be switched on or off", e)
	}
	if *is.Checked == on {
		return t.acted(ctx, e, map[string]any{"checked": on, "changed": false})
	}
	if err := t.click(ctx, at); err != nil {
		return tool.Result{}, err
	}
	if err := e.frame.run(ctx, e.object, &is, "value"); err == nil && is.Checked != nil && *is.Checked != on {
		return tool.Result{}, tool.Errorf(tool.ExecutionError, "not_switched", "%s did not change when it was clicked", e)
	}
	return t.acted(ctx, e, map[string]any{"checked": on, "changed": true})
}
