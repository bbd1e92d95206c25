package actions

import (
	"context"
	"errors"
	"maps"
	"strings"

	"errand/host/browser/address"
	"errand/host/browser/document"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// typeActions returns input actions whose effect further input can reverse.
func typeActions() []action {
	return []action{
		{
			name: "fill", description: "Put a value in place of what is in a text field, as if typed.",
			display: display.Tool{Summary: display.OneOf("locator"), View: display.View{Kind: display.Nothing}},
			schema:  takes(`"locator": LOCATOR, "value": {"type": "string", "maxLength": 65536, "writeOnly": true, "description": "text to put into the field"}, `+timeoutSchema, "locator", "value"),
			effect:  tool.EffectInput, achieves: []string{"type_text"}, effects: []string{"text_typed"}, do: fill,
		},
		{
			name: "select", description: "Pick options of a list by their values or labels.",
			display: display.Tool{Summary: display.OneOf("locator"), View: display.View{Kind: display.Nothing}},
			schema: takes(`"locator": LOCATOR,
				"values": {"type": "array", "items": {"type": "string", "maxLength": 1024}, "maxItems": 100, "writeOnly": true, "description": "options to select"}, `+timeoutSchema, "locator", "values"),
			effect: tool.EffectInput, do: pick,
		},
		{
			name: "check", description: "Switch a checkbox, a radio button or a switch on or off.",
			display: display.Tool{Summary: display.OneOf("locator"), View: display.View{Kind: display.Nothing}},
			schema:  takes(`"locator": LOCATOR, "on": {"type": "boolean", "description": "true to check it, false to uncheck it"}, `+timeoutSchema, "locator", "on"),
			effect:  tool.EffectInput, do: check,
		},
		{
			name: "hover", description: "Put the pointer over an element.",
			display: display.Tool{Summary: display.OneOf("locator"), View: display.View{Kind: display.Nothing}},
			schema:  takes(`"locator": LOCATOR, `+timeoutSchema, "locator"),
			effect:  tool.EffectInput,
			do: func(ctx context.Context, t *page.Tab, a args, call tool.Call) (tool.Result, error) {
				e, at, err := findTarget(ctx, t, a, call, document.NeedPoint)
				if err != nil {
					return tool.Result{}, err
				}
				if err := t.Move(ctx, at); err != nil {
					return tool.Result{}, err
				}
				return finishAction(ctx, t, e, nil)
			},
		},
		{
			name: "press", description: "Press a key, in an element or where the focus is. Enter commits.",
			display: display.Tool{Summary: display.OneOf("key"), View: display.View{Kind: display.Page, Last: true}},
			schema:  takes(`"key": {"type": "string", "minLength": 1, "maxLength": 40, "description": "such as Enter, Tab, ArrowDown, a or Control+A"}, "locator": LOCATOR, `+timeoutSchema, "key"),
			effect:  tool.EffectInput, achieves: []string{"press_key"}, effects: []string{"key_pressed"}, do: pressKey, declared: declareKey, classified: classifyKey,
		},
	}
}

// findTarget is like findReady, and also describes the element. It is an error if the page has
// moved to another site than the call's.
func findTarget(ctx context.Context, t *page.Tab, a args, call tool.Call, want document.Needs) (*document.Element, document.Readiness, error) {
	e, at, err := findReady(ctx, t, a, want)
	if err == nil {
		err = e.Describe(ctx)
	}
	if err == nil {
		err = checkSite(ctx, t, call)
	}
	if err == nil {
		err = checkFrameSite(e.Frame, call)
	}
	return e, at, err
}

// findReady brings the page to the front and waits until the call's element is ready. It is
// an error if the element is in a frame that may not get input.
func findReady(ctx context.Context, t *page.Tab, a args, want document.Needs) (*document.Element, document.Readiness, error) {
	if err := t.BringToFront(ctx); err != nil {
		return nil, document.Readiness{}, err
	}
	l, err := a.locator("locator")
	if err != nil {
		return nil, document.Readiness{}, err
	}
	e, at, err := t.Prepare(ctx, l, want, a.timeout())
	if err == nil {
		err = checkFrame(ctx, t, e)
	}
	return e, at, err
}

// finishAction returns the result of an action on an element, after any navigation.
func finishAction(ctx context.Context, t *page.Tab, e *document.Element, more map[string]any) (tool.Result, error) {
	before := t.Loader()
	if err := t.Follow(ctx); err != nil {
		return tool.Result{}, err
	}
	payload, err := t.Location(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	if e != nil {
		payload["role"], payload["name"], payload["host"] = strings.ToLower(e.Role), address.Clip(e.Name), address.Host(e.Frame.URL)
	}
	maps.Copy(payload, more)
	r := tool.OK(payload)
	if t.Loader() != before {
		r.World = &tool.WorldChange{BrowserLastURL: payload["url"].(string)}
	}
	return r, nil
}

func fill(ctx context.Context, t *page.Tab, a args, call tool.Call) (tool.Result, error) {
	e, _, err := findTarget(ctx, t, a, call, document.NeedFill)
	if err != nil {
		return tool.Result{}, err
	}
	value := a.text("value")
	var grip control
	if err := e.Frame.Run(ctx, e.Object, &grip, "grip"); err != nil {
		return tool.Result{}, err
	}
	if grip.Secret && value != "" {
		t.Secrets = append(t.Secrets, value)
	}
	secret := grip.Secret || call.Secret
	if grip.Boxes > 1 && secret {
		if err := e.HideSecret(ctx); err != nil {
			return tool.Result{}, err
		}
	}
	departed := t.HasDeparted()
	if err := enterValue(ctx, e, &grip, value); err != nil {
		return tool.Result{}, err
	}
	got, err := awaitValue(ctx, e, grip, value)
	if err == nil && !got.matches && grip.keepsOne(value, got.value) { // the field declares a length limit
		if err = e.Frame.Run(ctx, e.Object, nil, "grip"); err == nil {
			if err = typeValue(ctx, e, value); err == nil {
				got, err = awaitValue(ctx, e, grip, value)
			}
		}
	}
	if errors.Is(err, document.ErrReplaced) && !departed { // the page had enough input and navigated
		got, err = fieldContent{value: value, matches: true}, nil
	}
	switch {
	case err != nil:
		return tool.Result{}, err
	case !got.matches:
		return tool.Result{}, notTakenError(e, grip, got.value, secret)
	}
	more := map[string]any{"kept": got.value == value} // a control may change the value, for example with a mask
	if got.value != value && !secret {
		more["value"] = address.Clip(got.value)
	}
	if got.fields > 1 {
		more["fields"] = got.fields
	}
	return finishAction(ctx, t, e, more)
}

// enterValue replaces the content of a control with a value. The page's script for it takes
// the focus and types in one step: sent as input of a device, the text would go to any frame
// that has taken the focus meanwhile.
func enterValue(ctx context.Context, e *document.Element, c *control, value string) error {
	switch {
	case c.Mode == "set":
		return e.Frame.Run(ctx, e.Object, c, "set", value)
	case c.splits(value):
		return typeValue(ctx, e, value)
	case value == "" && c.Empty:
		return nil
	}
	var is struct {
		Held bool `json:"held"`
	}
	if err := e.Frame.Run(ctx, e.Object, &is, "enter", value); err != nil {
		return err
	}
	if !is.Held {
		return focusLostError(e)
	}
	return nil
}

// focusLostError returns the error for an element that does not keep the focus. Nothing was
// typed.
func focusLostError(e *document.Element) *tool.Error {
	return tool.NewError(tool.ExecutionError, "focus_lost", message.New("browser.focus_lost", "element", e.Message())).
		WithHint(message.New("browser.look_at_field"))
}

func pick(ctx context.Context, t *page.Tab, a args, call tool.Call) (tool.Result, error) {
	e, _, err := findTarget(ctx, t, a, call, document.NeedPick)
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
		Fault   string `json:"fault"`
		What    string `json:"what"`
		Options []string
		Labels  []any
		Secret  bool
	}
	if err := e.Frame.Run(ctx, e.Object, &picked, "select", values); err != nil {
		return tool.Result{}, err
	}
	if picked.Secret {
		t.Secrets = append(t.Secrets, values...)
	}
	option, has := message.Verbatim(address.Clip(picked.What)), address.Clip(strings.Join(picked.Options, ", "))
	secret := picked.Secret || call.Secret
	if secret {
		option = message.New("browser.secret_option")
	}
	switch picked.Fault {
	case "":
	case "not_a_list":
		return tool.Result{}, tool.NewError(tool.ExecutionError, "not_selectable", message.New("browser.not_selectable", "element", e.Message())).
			WithAlternative(message.New("browser.click_option"))
	case "one_only":
		return tool.Result{}, tool.NewError(tool.ExecutionError, "one_option_only", message.New("browser.one_option_only", "element", e.Message(), "count", len(values)))
	case "ambiguous":
		return tool.Result{}, tool.NewError(tool.ExecutionError, "ambiguous", message.New("browser.ambiguous_option", "element", e.Message(), "option", option)).WithAlternative(message.New("browser.use_option_value"))
	case "disabled":
		return tool.Result{}, tool.NewError(tool.ExecutionError, "not_ready", message.New("browser.option_disabled", "option", option, "element", e.Message()))
	default:
		return tool.Result{}, tool.NewError(tool.ExecutionError, "no_option", message.New("browser.no_option", "element", e.Message(), "option", option, "options", has))
	}
	if secret {
		return finishAction(ctx, t, e, nil)
	}
	return finishAction(ctx, t, e, map[string]any{"selected": picked.Labels})
}

func check(ctx context.Context, t *page.Tab, a args, call tool.Call) (tool.Result, error) {
	e, at, err := findTarget(ctx, t, a, call, document.NeedClick)
	if err != nil {
		return tool.Result{}, err
	}
	var is struct{ Checked *bool }
	if err := e.Frame.Run(ctx, e.Object, &is, "value"); err != nil {
		return tool.Result{}, err
	}
	on := a.flag("on")
	if is.Checked == nil {
		return tool.Result{}, tool.NewError(tool.ExecutionError, "not_checkable", message.New("browser.not_checkable", "element", e.Message()))
	}
	if *is.Checked == on {
		return finishAction(ctx, t, e, map[string]any{"checked": on, "changed": false})
	}
	if err := clickHere(ctx, t, at, call); err != nil {
		return tool.Result{}, err
	}
	if err := e.Frame.Run(ctx, e.Object, &is, "value"); err == nil && is.Checked != nil && *is.Checked != on {
		return tool.Result{}, tool.NewError(tool.ExecutionError, "not_switched", message.New("browser.not_switched", "element", e.Message()))
	}
	return finishAction(ctx, t, e, map[string]any{"checked": on, "changed": true})
}
