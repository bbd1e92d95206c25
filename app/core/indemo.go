package core

import (
	"context"
	"errors"

	"errand/app/setting"
	"errand/host/tool"
	"errand/host/trace"
)

// Codes of what is kept within the demo, or out of it.
const (
	CodeOtherSetting = "other_setting" // it was planned in the demo and this is not it, or the other way round
	CodeStaysInDemo  = "stays_in_demo" // it would leave the demo
)

// Made is how the program was opened that a draft or run was planned in, as far as
// it has to be opened so again to go on with it.
type Made struct {
	Demo  bool     // in the demo: elsewhere the same names are other people's sites
	Allow []string // hosts that the person allowed for this run, as [Options.Allow] has them
}

// MadeIn says how to open the program for a draft or run. Of an id that nothing has
// it says nothing.
func (a *App) MadeIn(ctx context.Context, id string) (Made, error) {
	s, h, err := a.held(ctx, id)
	switch {
	case s == nil:
		return Made{}, err
	case err == nil:
		id = h.RunID
	}
	rec, err := s.Record(ctx, id)
	var own *tool.Error
	if errors.As(err, &own) { // whoever needs it says what is wrong
		return Made{}, nil
	}
	if err != nil {
		return Made{}, err
	}
	set, err := setting.Read(rec.Run.Setting)
	if err != nil {
		return Made{}, nil // one without a setting can't say so, and is of the time before it could
	}
	return Made{set.Own.Demo, set.Own.Allow}, nil
}

func inDemo(r trace.Run) bool {
	s, err := setting.Read(r.Setting)
	return err == nil && s.Own.Demo
}

// stays refuses to go on in the demo with what was planned for the web, and the
// other way round.
func (a *App) stays(h held, r trace.Run) *tool.Error {
	demo := inDemo(r)
	if demo == a.o.Demo {
		return nil
	}
	what, goOn := "run "+r.RunID, "errand resume "+r.RunID
	if h.ID != "" {
		what, goOn = "draft "+h.ID, "errand approve "+h.ID
	}
	if demo {
		return tool.Errorf(tool.ValidationError, CodeOtherSetting,
			"%s was made in the demo: the sites that it names are pages built into the program, and not those of the web", what).
			WithHint("%s goes on with it in the demo", goOn)
	}
	return tool.Errorf(tool.ValidationError, CodeOtherSetting, "%s was made for the web, and this is the demo", what).
		WithHint("%s goes on with it outside of the demo", goOn)
}

// leavesDemo refuses to hand a page to a browser that knows nothing of the demo.
func (a *App) leavesDemo(rawURL string) *tool.Error {
	if !a.o.Demo {
		return nil
	}
	return tool.Errorf(tool.PolicyDenied, CodeStaysInDemo,
		"the demo opens no browser but its own: in yours %s is the site of the web", host(rawURL)).
		WithHint("outside of the demo it is opened: errand run, with the same goal")
}
