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

// LeaveDraft ends a command whose user did not approve what `last` stands for: the draft
// still waits, because another program may have made it. It returns the error of the question.
func (s *Shell) LeaveDraft(d drafts.View, err error) error {
	if err == nil {
		s.Code = print.NeedsApproval
		s.Sayf("errand: %s", message.New("cli.draft_left", "draft", d.DraftID))
	}
	return err
}
