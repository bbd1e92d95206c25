package actions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"errand/host/browser/address"
	"errand/host/browser/document"
	"errand/host/browser/locator"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// Timeouts of conditions.
const (
	waitTimeout    = 5 * time.Second
	waitMaxTimeout = 60 * time.Second
)

const timeoutProperty = `"timeout_ms": {"type": "integer", "minimum": 0, "maximum": 60000, "description": "default 5000"}`

// checkActions wait for a state of the page, or check it.
func checkActions() []action {
	return []action{
		{
			name: "wait", description: "Wait until the page is at a URL, shows a text or an element, or no longer shows one.",
			display: display.Tool{Summary: display.OneOf("url", "text", "locator", "gone"), View: display.View{Kind: display.Nothing}},
			schema: takesOne(`"url": {"type": "string", "minLength": 1, "maxLength": 8192, "description": "whole, with * for anything"},
				"text": {"type": "string", "minLength": 1, "maxLength": 1024, "description": "somewhere on the page"}, "locator": LOCATOR, "gone": LOCATOR, `+timeoutProperty, "url", "text", "locator", "gone"),
			effect: tool.EffectRead, timeoutMS: 65_000, spec: func(s *tool.Spec) { s.Page = tool.AwaitsPage },
			do: func(ctx context.Context, t *page.Tab, a args, _ tool.Call) (tool.Result, error) {
				all, err := a.conditions("url", "text", "locator", "gone")
				if err != nil {
					return tool.Result{}, err
				}
				return awaitConditions(ctx, t, a, all, "wait_timeout", tool.ToolTimeout)
			},
		},
		{
			name: "assert", description: "Check what is true of the page, and fail with what is there instead.",
			display: display.Tool{Summary: display.OneOf("locator", "url", "title", "text", "visible", "gone"), View: display.View{Kind: display.Nothing}},
			schema: takes(`"url": {"type": "string", "minLength": 1, "maxLength": 8192, "description": "whole, with * for anything"},
				"title": {"type": "string", "minLength": 1, "maxLength": 1024, "description": "a part of it"},
				"text": {"type": "string", "minLength": 1, "maxLength": 1024, "description": "somewhere on the page, or in the element where there is a locator"},
				"visible": LOCATOR, "gone": LOCATOR, "locator": LOCATOR,
				"value": {"type": "string", "maxLength": 65536, "description": "of the locator's control"},
				"checked": {"type": "boolean", "description": "of the locator's control"}, "enabled": {"type": "boolean", "description": "of the locator's control"},
				"count": {"type": "integer", "minimum": 0, "maximum": 10000, "description": "how many elements the locator names"}, ` + timeoutProperty),
			effect: tool.EffectRead, timeoutMS: 65_000, spec: func(s *tool.Spec) { s.Page = tool.ChecksPage },
			do: func(ctx context.Context, t *page.Tab, a args, _ tool.Call) (tool.Result, error) {
				all, err := a.conditions("url", "title", "text", "visible", "gone", "value", "checked", "enabled", "count")
				if err != nil {
					return tool.Result{}, err
				}
				if len(all) == 0 {
					return tool.Result{}, tool.NewError(tool.ValidationError, "invalid_args", message.New("browser.no_condition"))
				}
				return awaitConditions(ctx, t, a, all, "assertion_failed", tool.ExecutionError)
			},
		},
	}
}

// condition is a condition on a page.
type condition struct {
	expectation message.Message // describes the expected state
	check       func(ctx context.Context, t *page.Tab) (ok bool, instead message.Message, err error)
}

// awaitConditions waits until all conditions hold at the same time.
func awaitConditions(ctx context.Context, t *page.Tab, a args, all []condition, code string, class tool.Class) (tool.Result, error) {
	limit := time.Duration(a.number("timeout_ms", int(waitTimeout.Milliseconds()))) * time.Millisecond
	limit = min(limit, waitMaxTimeout)
	began := time.Now()
	err := document.Retry(ctx, limit, func(ctx context.Context, _ int) error {
		failed, instead, err := firstFailure(ctx, t, all)
		if err == nil && failed != nil {
			err = document.UnmetError{Expected: failed.expectation, Actual: instead}
		}
		return err
	})
	if not, ok := errors.AsType[document.UnmetError](err); ok {
		e := tool.NewError(class, code, message.New("browser.condition_timeout", "says", not.Expected, "limit", limit, "instead", not.Actual))
		e.Retriable = false // it has waited already
		if want := a.text("url"); want != "" && not.Expected.Equal(urlSays(want)) && !strings.Contains(want, "*") {
			e = e.WithHint(message.New("browser.whole_url_compared", "url", address.Clip(want)))
		}
		return tool.Result{}, e
	} else if err != nil {
		return tool.Result{}, err
	}
	payload, err := t.Location(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	payload["waited_ms"] = time.Since(began).Milliseconds()
	return tool.OK(payload), nil
}

func firstFailure(ctx context.Context, t *page.Tab, all []condition) (failed *condition, instead message.Message, err error) {
	for i := range all {
		ok, instead, err := all[i].check(ctx, t)
		if err != nil || !ok {
			return &all[i], instead, err
		}
	}
	return nil, message.Message{}, nil
}

// conditions reads the conditions of those keys that are present.
func (a args) conditions(keys ...string) ([]condition, error) {
	of, err := a.optional("locator")
	if err != nil {
		return nil, err
	}
	var all []condition
	for _, key := range keys {
		if !a.has(key) {
			continue
		}
		c, err := a.condition(key, of)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func (a args) condition(key string, of *locator.Locator) (condition, error) {
	want := a.text(key)
	switch key {
	case "url":
		return condition{urlSays(want), func(ctx context.Context, t *page.Tab) (bool, message.Message, error) {
			at, err := t.Location(ctx)
			is, _ := at["url"].(string)
			return err == nil && matchesGlob(want, is), message.New("browser.it_is", "text", address.Clip(is)), err
		}}, nil
	case "title":
		return condition{message.New("browser.title_has", "text", address.Clip(want)), func(ctx context.Context, t *page.Tab) (bool, message.Message, error) {
			at, err := t.Location(ctx)
			is, _ := at["title"].(string)
			return err == nil && locator.Locator{}.MatchesText(is, want), message.New("browser.it_is", "text", is), err
		}}, nil
	case "text":
		if of == nil {
			return condition{message.New("browser.page_says", "text", address.Clip(want)), func(ctx context.Context, t *page.Tab) (bool, message.Message, error) {
				ok, err := hasText(ctx, t, want)
				return ok, message.New("browser.page_does_not"), err
			}}, nil
		}
	case "locator", "visible", "gone":
		l, err := a.locator(key)
		if err != nil {
			return condition{}, err
		}
		shown := key != "gone"
		says := message.New("browser.element_is_gone", "locator", l.Message())
		if shown {
			says = message.New("browser.element_is_visible", "locator", l.Message())
		}
		return condition{says, func(ctx context.Context, t *page.Tab) (bool, message.Message, error) {
			n, err := countVisible(ctx, t, l)
			return (n > 0) == shown, message.New("browser.visible_count", "count", n), err
		}}, nil
	}
	if of == nil {
		return condition{}, tool.NewError(tool.ValidationError, "invalid_args", message.New("browser.no_locator", "key", key))
	}
	return a.elementCondition(key, *of), nil
}

func urlSays(want string) message.Message {
	return message.New("browser.url_is", "url", address.Clip(want))
}

// elementCondition returns a condition on the elements that a locator matches.
func (a args) elementCondition(key string, l locator.Locator) condition {
	if key == "count" {
		want := a.number("count", 0)
		return condition{message.New("browser.element_count", "count", want, "locator", l.Message()), func(ctx context.Context, t *page.Tab) (bool, message.Message, error) {
			all, err := t.Frames(ctx)
			if err != nil {
				return false, message.Message{}, err
			}
			found, err := t.Matches(ctx, all, l)
			if document.IsRetriable(err) {
				err = nil
			}
			return len(found) == want, message.New("browser.count_is", "count", len(found)), err
		}}
	}
	says := message.New("browser.element_state", "key", key, "locator", l.Message(), "value", address.Clip(fmt.Sprint(a[key])))
	return condition{says, func(ctx context.Context, t *page.Tab) (bool, message.Message, error) {
		e, err := t.Find(ctx, l)
		if document.IsRetriable(err) {
			return false, message.New("browser.visible_count", "count", 0), nil
		} else if err != nil {
			return false, message.Message{}, err
		}
		var is struct {
			Enabled, Secret bool
			Checked         *bool
			Value           *string
			Text            string
		}
		if err := e.Frame.Run(ctx, e.Object, &is, "state"); err != nil {
			return false, message.Message{}, err
		}
		switch key {
		case "text":
			return locator.Locator{}.MatchesText(is.Text, a.text("text")), message.New("browser.it_is", "text", address.Clip(is.Text)), nil
		case "enabled":
			return is.Enabled == a.flag("enabled"), message.New("browser.state_is", "state", is.Enabled), nil
		case "checked":
			if is.Checked == nil {
				return false, message.New("browser.state_unknown"), nil
			}
			return *is.Checked == a.flag("checked"), message.New("browser.state_is", "state", *is.Checked), nil
		}
		if is.Value == nil {
			if is.Secret {
				return false, message.New("browser.value_secret"), nil
			}
			return false, message.New("browser.no_value"), nil
		}
		return *is.Value == a.text("value"), message.New("browser.it_is", "text", address.Clip(*is.Value)), nil
	}}
}

// countVisible counts the visible matches of a locator.
func countVisible(ctx context.Context, t *page.Tab, l locator.Locator) (int, error) {
	if l.Ref != "" {
		e, err := t.FindRef(ctx, l.Ref)
		if err != nil {
			if typed, ok := errors.AsType[*tool.Error](err); ok && typed.Code == "ref_stale" {
				return 0, nil
			}
			return 0, err
		}
		var shown bool
		err = e.Frame.Run(ctx, e.Object, &shown, "shown")
		return map[bool]int{true: 1}[shown], err
	}
	all, err := t.Frames(ctx)
	if err != nil {
		return 0, err
	}
	found, err := t.Matches(ctx, all, l)
	if document.IsRetriable(err) { // the enclosing element is missing
		return 0, nil
	} else if err != nil {
		return 0, err
	}
	if l.Nth > 0 {
		found = found[min(l.Nth-1, len(found)):min(l.Nth, len(found))]
	}
	n := 0
	for _, m := range found[:min(len(found), 50)] {
		e, err := t.Hold(ctx, m)
		if err != nil {
			return 0, err
		}
		var shown bool
		if err := m.Frame.Run(ctx, e.Object, &shown, "shown"); err != nil {
			return 0, err
		}
		if shown {
			n++
		}
	}
	return n, nil
}

// hasText searches the page and its frames for a text, in the rendered text and in the
// accessibility tree. The first omits closed shadow trees, the second hidden text.
func hasText(ctx context.Context, t *page.Tab, text string) (bool, error) {
	all, err := t.Frames(ctx)
	if err != nil {
		return false, err
	}
	for _, f := range all {
		var here bool
		if err := f.Run(ctx, "", &here, "says", text); err != nil && f.Parent == nil {
			return false, err
		}
		if here {
			return true, nil
		}
	}
	root, _, _, err := t.Tree(ctx)
	if err != nil {
		return false, err
	}
	return locator.Locator{}.MatchesText(root.Text(), text), nil
}

// matchesGlob reports whether a URL matches a pattern with stars.
func matchesGlob(pattern, rawURL string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == rawURL || pattern == strings.TrimSuffix(rawURL, "/")
	}
	if !strings.HasPrefix(rawURL, parts[0]) || !strings.HasSuffix(rawURL, parts[len(parts)-1]) || len(rawURL) < len(parts[0])+len(parts[len(parts)-1]) {
		return false
	}
	rest := rawURL[len(parts[0]) : len(rawURL)-len(parts[len(parts)-1])]
	for _, p := range parts[1 : len(parts)-1] {
		i := strings.Index(rest, p)
		if i < 0 {
			return false
		}
		rest = rest[i+len(p):]
	}
	return true
}
