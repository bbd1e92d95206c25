package print

import (
	"context"

	"errand/app"
	"errand/planner/message"
)

// NoteUnshown tells once what rang and was not shown as a notification.
func NoteUnshown(ctx context.Context, s *Console, a *app.App) error {
	missed, err := app.TimersOf(a).TakeUnshown(ctx)
	for _, notice := range missed {
		s.Note("cli.timer_unshown", "notice", notice.MapText(message.Visible))
	}
	return err
}
