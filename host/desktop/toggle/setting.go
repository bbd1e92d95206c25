package toggle

import (
	"context"
	"strings"

	"errand/host/desktop/program"
	"errand/host/tool"
	"errand/planner/message"
)

// setting is a key of GNOME's settings with its values for on and off. The program gsettings changes it.
type setting struct {
	lookPath          func(name string) (string, error)
	schema, key       string
	valueOn, valueOff string
}

func (s setting) isOn(ctx context.Context) (bool, error) {
	out, err := s.run(ctx, "get", s.schema, s.key)
	return strings.TrimSpace(out) == s.valueOn, err
}

func (s setting) turn(ctx context.Context, on bool) error {
	value := s.valueOff
	if on {
		value = s.valueOn
	}
	_, err := s.run(ctx, "set", s.schema, s.key, value)
	return err
}

func (s setting) run(ctx context.Context, args ...string) (string, error) {
	path, err := s.lookPath("gsettings")
	if err != nil {
		return "", tool.UnavailableError("no_gsettings", message.New("desktop.no_gsettings")).WithHint(message.New("desktop.needs_gnome"))
	}
	out, err := program.Run(ctx, path, "", args...)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", tool.NewError(tool.ExecutionError, "turn_failed", message.New("desktop.turn_failed", "cause", err)).WithHint(message.New("desktop.needs_gnome"))
	}
	return out, nil
}
