package actions

import (
	"context"
	"errors"
	"net/url"
	"slices"

	"errand/host/browser/page"
	"errand/host/tool"
	"errand/planner/message"
)

// addPage adds the host of the page on which an action failed to its error. Errors of arguments and denials of policy
// do not depend on the page, and stay as they are.
func addPage(ctx context.Context, t *page.Tab, err error) error {
	var e *tool.Error
	if ctx.Err() != nil || !errors.As(err, &e) || !slices.Contains([]tool.Class{tool.ExecutionError, tool.ToolTimeout}, e.Class) {
		return err
	}
	at, fault := t.TopOrigin(ctx)
	origin, unreadable := url.Parse(at)
	if fault != nil || unreadable != nil || origin.Host == "" {
		return err
	}
	named := *e
	named.Message = message.New("browser.on_page", "page", origin.Host, "problem", e.Message)
	return &named
}
