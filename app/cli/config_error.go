package cli

import (
	"errors"
	"slices"
	"strings"

	"errand/app/cli/print"
	"errand/app/config"
	"errand/planner/message"
)

// unknownSetting is the error for a key that does not exist or that the command can't use. The
// hint has the command with the most similar key and the same values.
func unknownSetting(key, command string, values ...string) error {
	if id, ok := config.PluginOfSwitch(key); ok {
		return print.BadUsage("cli.plugin_switch", "key", key).Hint("cli.plugin_switch_hint", "plugin", id)
	}
	if slices.Contains(config.Keys(), key) {
		return print.BadUsage("cli.setting_is_table", "key", key).Hint("cli.edit_table")
	}
	err := print.BadUsage("cli.no_setting", "key", key)
	switch similar := config.SimilarKeys(key); len(similar) {
	case 0:
		return err.Hint("cli.see_settings")
	case 1:
		return err.Hint("cli.did_you_mean_setting", "command", command, "words", append(similar, values...))
	default:
		return err.Hint("cli.similar_settings", "keys", similar)
	}
}

// checkKey returns an error for a key that the command can't change, with the command to use.
func checkKey(command, key string, values []string) error {
	if key, value, ok := strings.Cut(key, "="); ok && config.KindOf(key) != "" {
		return print.BadUsage("cli.setting_with_equals").Hint("cli.did_you_mean_setting", "command", command, "words", append([]string{key, value}, values...))
	}
	if config.KindOf(key) == "" || !slices.Contains(config.Keys(), key) {
		return unknownSetting(key, command, values...)
	}
	return nil
}

// badValue is the error for an invalid value of a key. fault is the reason.
func badValue(l *config.Loaded, key, value string, fault message.Message) error {
	err := print.BadUsage("cli.bad_value", "key", key, "fault", fault)
	if example := exampleValue(l, key, value); example != "" && example != value {
		return err.Hint("cli.setting_example", "key", key, "value", example)
	}
	return err
}

// exampleValue returns a valid value of a key, similar to the invalid one if possible, or "".
func exampleValue(l *config.Loaded, key, wrong string) string {
	if l == nil {
		return ""
	}
	for _, s := range config.Editable(l) {
		if s.Key != key {
			continue
		}
		switch s.Kind {
		case config.Flag:
			return "true"
		case config.Number:
			if text, err := l.Text(key); err == nil {
				return text
			}
		case config.Choice:
			return print.FirstOf(append([]string{message.Nearest(wrong, s.Choices)}, s.Choices...)...)
		}
	}
	return ""
}

// faultOf returns the problem of a key if err has no other.
func faultOf(err error, key string) (message.Message, bool) {
	faults, ok := errors.AsType[config.Problems](err)
	if !ok || len(faults) != 1 {
		return message.Message{}, false
	}
	of, _, _ := strings.Cut(faults[0].Key, "[")
	return faults[0].Message, of == key
}
