package print

import (
	"context"

	"errand/app"
	"errand/app/grants"
	"errand/app/runs"
)

// Permit grants the hosts and folders that the user allows when asked. [NotePermitted]
// says how to revoke those that stay.
func Permit(s *Console, app *app.App) runs.Permit {
	return func(ctx context.Context, runID string, access grants.Access, always bool) (string, error) {
		id, err := app.Grants().Permit(ctx, runID, access, always)
		if err == nil && always {
			s.permitted = append(s.permitted, id)
		}
		return id, err
	}
}

// NotePermitted prints the commands that revoke what the user allowed for all runs.
func NotePermitted(ctx context.Context, s *Console, app *app.App) {
	if len(s.permitted) == 0 || s.JSON {
		return
	}
	grants, err := app.Grants().Grants(ctx, false) // without those that were revoked meanwhile
	if err != nil {
		return
	}
	for _, g := range grants {
		for _, id := range s.permitted {
			if g.ID == id {
				s.Notef("%s", PaintMessage(Quiet, "cli.permitted", "name", g.Name(), "command", revokeCommand(id)))
			}
		}
	}
}
