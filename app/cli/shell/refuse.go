package shell

import (
	"context"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/drafts"
	"errand/planner/message"
)

// Refuse rejects a draft that the user declined, and prints the message code about it.
func (s *Shell) Refuse(ctx context.Context, app *app.App, d drafts.View, code string) error {
	d, err := app.Reject(ctx, d.DraftID)
	if err != nil {
		return err
	}
	s.Code = print.Cancelled
	s.Sayf("errand: %s", message.New(code, "draft", d.DraftID))
	return nil
}
