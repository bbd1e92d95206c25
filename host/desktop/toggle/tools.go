// Package toggle has the tools that turn parts of the computer on and off: Wi-Fi by NetworkManager and
// Bluetooth by BlueZ over D-Bus, the dark mode and "do not disturb" by the settings of GNOME.
package toggle

import (
	"context"

	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// Names of the tools.
const (
	TurnName    = "desktop.turn"
	NetworkName = "desktop.network"
)

const turnSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "action": {"enum": ["turn_on", "turn_off"]},
    "part": {"enum": ["wifi", "bluetooth", "darkmode", "quiet"], "description": "darkmode is the dark look of the desktop, quiet is 'do not disturb'"}
  },
  "required": ["action", "part"],
  "additionalProperties": false
}`

const networkSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {},
  "additionalProperties": false
}`

// part can be turned on and off. Its errors are of type *[tool.Error].
type part interface {
	isOn(ctx context.Context) (bool, error)
	turn(ctx context.Context, on bool) error
}

// switches are the parts by the names that the tool takes.
type switches map[string]part

// Tools returns desktop.turn and desktop.network. lookPath finds a program.
func Tools(lookPath func(name string) (string, error)) []tool.Tool {
	s := switches{
		"wifi": wifi{}, "bluetooth": bluetooth{},
		"darkmode": setting{lookPath, "org.gnome.desktop.interface", "color-scheme", "'prefer-dark'", "'default'"},
		"quiet":    setting{lookPath, "org.gnome.desktop.notifications", "show-banners", "false", "true"},
	}
	return []tool.Tool{
		turnTool{tool.Func(tool.Spec{
			Name: TurnName, Description: "Turn Wi-Fi, Bluetooth, the dark mode or 'do not disturb' on or off.", ArgsSchema: []byte(turnSchema), TimeoutMS: 15_000,
			RetryProfile: tool.RetryNone, SideEffectClass: tool.Write, Effect: tool.EffectInput, Reversible: true,
			CanAchieve: []string{
				"turn_on_wifi", "turn_off_wifi", "turn_on_bluetooth", "turn_off_bluetooth", "turn_on_darkmode", "turn_off_darkmode", "turn_on_quiet", "turn_off_quiet",
			}, Effects: []string{"part_turned"}, Source: "builtin",
			Display: display.Tool{Summary: [][]string{{"action", "part"}}, View: display.View{Kind: display.Sentence, Params: []string{"action", "part"}}}.WithName(TurnName),
		}, s.call), s},
		tool.Func(tool.Spec{
			Name: NetworkName, Description: "Tell whether Wi-Fi is on, and the name of the network in use.", ArgsSchema: []byte(networkSchema), TimeoutMS: 10_000,
			RetryProfile: tool.RetryTransient, SideEffectClass: tool.Read, Effect: tool.EffectRead,
			CanAchieve: []string{"read_wifi"}, Effects: []string{"network_known"}, Source: "builtin",
			Display: display.Tool{View: display.View{Kind: display.Sentence, Params: []string{"kind", "name", "wifi"}}}.WithName(NetworkName),
		}, tellNetwork),
	}
}

// call turns a part on or off. The undo turns it back if this changed it.
func (s switches) call(ctx context.Context, call tool.Call) (tool.Result, error) {
	action, _ := call.Args["action"].(string)
	name, _ := call.Args["part"].(string)
	on := action == "turn_on"
	p := s[name]
	if p == nil {
		return tool.Fail(tool.ValidationError, "unknown_part", message.New("desktop.unknown_part", "part", name)), nil
	}
	before, err := p.isOn(ctx)
	if err == nil && before != on {
		err = p.turn(ctx, on)
	}
	if err != nil {
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	r := tool.OK(map[string]any{"action": action, "part": name, "changed": before != on})
	if before != on {
		r.Undo = &tool.Inverse{Tool: TurnName, Args: map[string]any{"action": inverse(action), "part": name}}
	}
	return r, nil
}

func inverse(action string) string {
	if action == "turn_on" {
		return "turn_off"
	}
	return "turn_on"
}

// turnTool can tell whether a call that died had its effect.
type turnTool struct {
	tool.Tool
	s switches
}

// Reconcile implements [tool.Reconciler].
func (t turnTool) Reconcile(ctx context.Context, call tool.Call) (tool.Reconciled, error) {
	action, _ := call.Args["action"].(string)
	name, _ := call.Args["part"].(string)
	p := t.s[name]
	if p == nil {
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	switch on, err := p.isOn(ctx); {
	case err != nil:
		return tool.Reconciled{Effect: tool.Unknown}, nil
	case on != (action == "turn_on"):
		return tool.Reconciled{Effect: tool.Released}, nil
	}
	return tool.Reconciled{Effect: tool.Committed, Result: tool.OK(map[string]any{"action": action, "part": name})}, nil
}
