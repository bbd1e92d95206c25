package system

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// SetSettingName is the name of the tool that changes a setting of Errand.
const SetSettingName = "system.set_setting"

// ChangesSettings reports whether a tool changes the program's settings.
func ChangesSettings(name string) bool { return name == SetSettingName }

// settings are the keys that the tool may change: what goals use by default, and nothing that
// decides what may be done.
var settings = []string{
	"search.currency", "search.default_platform", "search.define", "search.maps", "search.media", "search.news", "search.weather", "ui.language",
}

// Settings reads and changes the settings of the program.
type Settings interface {
	// Setting returns the value of a key, "" if it is not set.
	Setting(key string) (string, error)
	// ChangeSetting checks and stores a value; "" restores the default.
	ChangeSetting(key, value string) error
}

func setSettingTool(o Options) tool.Tool {
	schema := fmt.Sprintf(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "setting": {"enum": ["%s"]},
    "value": {"type": "string", "maxLength": 64, "description": "the id of a site or the tag of a language; empty: the default"},
    "if_value": {"type": "string", "maxLength": 64, "description": "change it only while it has this value"}
  },
  "required": ["setting", "value"],
  "additionalProperties": false
}`, strings.Join(settings, `", "`))
	return settingTool{tool.Func(tool.Spec{
		Name:            SetSettingName,
		Description:     "Change a setting of Errand: a default site or the language.",
		ArgsSchema:      []byte(schema),
		TimeoutMS:       5_000,
		RetryProfile:    tool.RetryNone,
		SideEffectClass: tool.Write,
		Effect:          tool.EffectFile,
		CanAchieve:      []string{"set_setting"},
		Effects:         []string{"setting_changed"},
		Reversible:      true,
		Source:          "builtin",
		Display: display.Tool{
			Summary: [][]string{{"setting", "value"}}, Internal: []string{"if_value"},
			View: display.View{Kind: display.Sentence, Params: []string{"setting", "value"}},
		}.WithName(SetSettingName),
	}, func(_ context.Context, call tool.Call) (tool.Result, error) {
		return o.setSetting(call.Args), nil
	}), o}
}

// settingTool can tell whether a call that died had its effect.
type settingTool struct {
	tool.Tool
	o Options
}

// Reconcile looks whether the setting has the value of a call.
func (t settingTool) Reconcile(_ context.Context, call tool.Call) (tool.Reconciled, error) {
	key, _ := call.Args["setting"].(string)
	value, _ := call.Args["value"].(string)
	if t.o.Settings == nil || !slices.Contains(settings, key) {
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	now, err := t.o.Settings.Setting(key)
	switch {
	case err != nil:
		return tool.Reconciled{Effect: tool.Unknown}, nil
	case now != value:
		return tool.Reconciled{Effect: tool.Released}, nil
	}
	return tool.Reconciled{Effect: tool.Committed, Result: tool.OK(map[string]any{"setting": key, "value": value})}, nil
}

// setSetting changes a setting. The result can be undone while nothing else changes the setting.
func (o Options) setSetting(args map[string]any) tool.Result {
	key, _ := args["setting"].(string)
	value, _ := args["value"].(string)
	if o.Settings == nil || !slices.Contains(settings, key) {
		return tool.Fail(tool.ValidationError, "no_setting", message.New("system.no_setting", "setting", key, "settings", settings))
	}
	before, err := o.Settings.Setting(key)
	if err != nil {
		return tool.Fail(tool.ExecutionError, "unreadable_setting", message.New("system.unreadable_setting", "setting", key, "cause", err))
	}
	if expected, limited := args["if_value"].(string); limited && expected != before {
		return tool.Fail(tool.ExecutionError, "setting_changed", message.New("system.setting_changed", "setting", key, "value", before))
	}
	if err := o.Settings.ChangeSetting(key, value); err != nil {
		return tool.Fail(tool.ValidationError, "bad_setting", message.New("system.bad_setting", "setting", key, "value", value, "cause", err))
	}
	r := tool.OK(map[string]any{"setting": key, "value": value})
	r.Undo = &tool.Inverse{Tool: SetSettingName, Args: map[string]any{"setting": key, "value": before, "if_value": value}}
	return r
}
