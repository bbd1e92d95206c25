// Package notify has the tool that shows a notification of the desktop, over D-Bus.
package notify

import (
	"context"
	"slices"
	"strings"

	"errand/host/desktop/bus"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// Name is the name of the tool.
const Name = "desktop.notify"

const schema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {"text": {"type": "string", "minLength": 1, "maxLength": 2000}},
  "required": ["text"],
  "additionalProperties": false
}`

// Names of the Desktop Notifications Specification, version 1.2.
const (
	service = "org.freedesktop.Notifications"
	path    = "/org/freedesktop/Notifications"
	program = "Errand"
)

// Tools returns desktop.notify.
func Tools() []tool.Tool {
	return []tool.Tool{tool.Func(tool.Spec{
		Name: Name, Description: "Show a notification.", ArgsSchema: []byte(schema), TimeoutMS: 10_000,
		RetryProfile: tool.RetryNone, SideEffectClass: tool.Write, Effect: tool.EffectInput,
		CanAchieve: []string{"show_notification"}, Effects: []string{"notification_shown"}, Source: "builtin",
		Display: display.Tool{Summary: display.OneOf("text"), View: display.View{Kind: display.Nothing}}.WithName(Name),
	}, func(ctx context.Context, call tool.Call) (tool.Result, error) {
		text, _ := call.Args["text"].(string)
		if err := Show(ctx, text); err != nil {
			return tool.Result{Error: tool.AsError(err)}, nil
		}
		return tool.OK(map[string]any{"text": text}), nil
	})}
}

// Check returns an error as [Show] does if nothing shows notifications.
func Check(ctx context.Context) error {
	c, err := bus.Session(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.Object(service, path).Call(ctx, service+".GetCapabilities"); bus.IsMissing(err) {
		return tool.UnavailableError("no_notifications", message.New("desktop.no_notifications", "cause", err))
	}
	return nil
}

// Show shows a text as a notification. The error is of type *[tool.Error] and says what is missing.
func Show(ctx context.Context, text string) error {
	c, err := bus.Session(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	server := c.Object(service, path)
	abilities, err := server.Call(ctx, service+".GetCapabilities")
	if err == nil {
		if slices.ContainsFunc(abilities, func(v any) bool { list, _ := v.([]any); return slices.Contains(list, any("body-markup")) }) {
			text = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
		}
		_, err = server.Call(ctx, service+".Notify", program, uint32(0), "errand", program, text, []string{}, bus.Options(nil), int32(-1))
	}
	switch {
	case err == nil:
		return nil
	case bus.IsMissing(err):
		return tool.UnavailableError("no_notifications", message.New("desktop.no_notifications", "cause", err))
	}
	return tool.NewError(tool.ExecutionError, "notification_failed", message.New("desktop.notification_failed", "cause", err))
}
