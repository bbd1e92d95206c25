package history

import (
	"context"
	"errors"

	"errand/app/setting"
	"errand/host/tool"
)

// OpenOptions is how the program was opened that a draft or run was planned in, as far as
// it has to be opened so again to go on with it.
type OpenOptions struct {
	Demo  bool     // in the demo: elsewhere the same names are other people's sites
	Allow []string // hosts that the user allowed for this run, as app.Options.Allow has them
}

// OpenOptionsOf says how to open the program for a draft or run. Of an id that nothing has
// it says nothing.
func (h *History) OpenOptionsOf(ctx context.Context, id string) (OpenOptions, error) {
	s, d, err := h.o.Drafts.Load(ctx, id)
	switch {
	case s == nil:
		return OpenOptions{}, err
	case err == nil:
		id = d.RunID
	}
	rec, err := s.Record(ctx, id)
	var own *tool.Error
	if errors.As(err, &own) { // its reader reports the fault
		return OpenOptions{}, nil
	}
	if err != nil {
		return OpenOptions{}, err
	}
	set, err := setting.Read(rec.Run.Setting)
	if err != nil {
		return OpenOptions{}, nil // one without a setting can't say so, and is of the time before it could
	}
	return OpenOptions{set.Run.Demo, set.Run.Allow}, nil
}
