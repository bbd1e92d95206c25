package cli

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"errand/app/cli/print"
	"errand/app/config"
	"errand/host/tool"
	"errand/planner/message"
)

// changeCommands are the commands that change errand.toml.
func (s configCommands) changeCommands() []*cobra.Command {
	return []*cobra.Command{
		s.changeCommand("set", 2, settingOf),
		s.changeCommand("reset", 1, func(_ *config.Loaded, _ string, values []string) (any, error) {
			if len(values) > 0 {
				return nil, print.BadUsage("cli.reset_takes_no_value").Hint("cli.see_settings")
			}
			return nil, nil
		}),
		s.changeCommand("add", 2, func(l *config.Loaded, key string, values []string) (any, error) {
			list, err := listOf(l, key, values)
			for _, v := range values {
				if !slices.Contains(list, v) {
					list = append(list, v)
				}
			}
			return list, err
		}),
		s.changeCommand("remove", 2, func(l *config.Loaded, key string, values []string) (any, error) {
			list, err := listOf(l, key, nil)
			if err != nil {
				return nil, err
			}
			for _, v := range values {
				if !slices.Contains(list, v) {
					return nil, print.BadUsage("cli.not_in_list", "entry", v, "key", key, "entries", list)
				}
			}
			return slices.DeleteFunc(list, func(entry string) bool { return slices.Contains(values, entry) }), nil
		}),
	}
}

// changeCommand is a command that takes a key and values; value returns the new value,
// nil to restore the default.
func (s configCommands) changeCommand(name string, minimum int, value func(l *config.Loaded, key string, values []string) (any, error)) *cobra.Command {
	return &cobra.Command{
		Use: name,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				if err := checkKey(cmd.CommandPath(), args[0], args[1:]); err != nil {
					return err
				}
			}
			if len(args) < minimum {
				return print.BadUsage("cli.argument_missing", "command", cmd.CommandPath(), "what", message.New("cli.want_key")).Hint("cli.see_help", "command", cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: completeKey(settableKeys),
		RunE: func(_ *cobra.Command, args []string) error {
			before, err := s.Load()
			var faults config.Problems
			if errors.As(err, &faults) && name != "add" && name != "remove" { // the change may fix the file
				before = nil
			} else if err != nil {
				return err
			}
			key := args[0]
			v, err := value(before, key, args[1:])
			if err != nil {
				return err
			}
			return s.change(name, before, key, v)
		},
	}
}

// lostEntries returns the entries of a list that were removed.
func lostEntries(before, after *config.Loaded, key string) []string {
	if before == nil || config.KindOf(key) != config.List {
		return nil
	}
	was, _ := config.Values(before)[key].Value.([]string)
	is, _ := config.Values(after)[key].Value.([]string)
	return slices.DeleteFunc(slices.Clone(was), func(entry string) bool { return slices.Contains(is, entry) })
}

// change writes one value and prints the value that now applies. before is nil if the file was
// invalid.
func (s configCommands) change(name string, before *config.Loaded, key string, value any) error {
	o := config.Options{File: s.ConfigFile, Env: s.Env}
	if before != nil && strings.HasPrefix(before.Source(key), "ERRAND_") {
		return tool.NewError(tool.ValidationError, "setting_locked", message.New("cli.setting_locked", "key", key, "variable", before.Source(key))).
			WithHint(message.New("cli.setting_locked_hint", "variable", before.Source(key)))
	}
	err := config.Change(o, config.Edit{Key: key, Value: value})
	if fault, ok := faultOf(err, key); ok {
		word, _ := value.(string)
		return badValue(before, key, word, fault)
	}
	if err != nil {
		return err
	}
	after, err := config.Load(o)
	if err != nil {
		return err
	}
	text, err := after.Text(key)
	if err != nil {
		return err
	}
	if s.JSON {
		s.Document(map[string]any{"key": key, "value": config.Values(after)[key].Value, "path": after.Paths.File})
	} else {
		s.Printf("%s = %s", key, text)
	}
	note := print.PaintMessage(print.Yellow, "cli.note")
	if n := after.ClosedSites(before); n > 0 {
		s.Note("cli.sites_closed", "note", note, "count", n, "entry", config.KnownSites)
	} else if lost := lostEntries(before, after, key); name == "set" && len(lost) > 0 {
		s.Note("cli.entries_replaced", "note", note, "key", key, "entries", lost)
	}
	if len(after.Policy.AllowedDomains) == 0 && key == "policy.allowed_domains" {
		s.Note("cli.no_page_opens", "note", note)
	}
	return nil
}

// settingOf parses the value of a key from a command's arguments.
func settingOf(l *config.Loaded, key string, words []string) (any, error) {
	kind := config.KindOf(key)
	if kind == config.List {
		return entriesOf(words), nil
	}
	if len(words) > 1 {
		return nil, print.BadUsage("cli.one_value", "key", key).Hint("cli.setting_example", "key", key, "value", words[0])
	}
	word := words[0]
	switch kind {
	case config.Flag:
		if word != "true" && word != "false" {
			return nil, badValue(l, key, word, message.New("config.wrong_variable", "value", word, "type", "flag"))
		}
		return word == "true", nil
	case config.Number:
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return nil, badValue(l, key, word, message.New("config.wrong_variable", "value", word, "type", "number"))
		}
		return n, nil
	}
	return word, nil
}

// entriesOf returns the entries of a list: one a word, or all in one word as errand.toml and variables have
// them.
func entriesOf(words []string) []string {
	if len(words) != 1 {
		return words
	}
	word := strings.TrimSpace(words[0])
	var list []string
	if strings.HasPrefix(word, "[") && json.Unmarshal([]byte(word), &list) == nil {
		return list
	}
	for entry := range strings.SplitSeq(word, ",") {
		if entry = strings.TrimSpace(entry); entry != "" {
			list = append(list, entry)
		}
	}
	if len(list) < 2 {
		return words
	}
	return list
}

// listOf returns a copy of a key's list. The error for a key without a list has the command that
// sets it to the first of the values.
func listOf(l *config.Loaded, key string, values []string) ([]string, error) {
	if config.KindOf(key) != config.List {
		err := print.BadUsage("cli.not_a_list", "key", key)
		if len(values) == 0 {
			return nil, err.Hint("cli.use_config_reset", "key", key)
		}
		return nil, err.Hint("cli.setting_example", "key", key, "value", values[0])
	}
	list, _ := config.Values(l)[key].Value.([]string)
	return slices.Clone(list), nil
}
