package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"errand/app/cli/print"
	"errand/app/config"
)

// getCommand prints the value of one key, for people and scripts: a text as it is, and an
// entry of a list on each line.
func (s configCommands) getCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "get",
		Args:              print.OneArg("cli.want_key_name", "cli.see_settings"),
		ValidArgsFunction: completeKey(config.Keys),
		RunE: func(cmd *cobra.Command, args []string) error {
			l, err := s.Load()
			if err != nil {
				return err
			}
			key := args[0]
			value, ok := config.Values(l)[key]
			if !ok {
				return unknownSetting(key, cmd.CommandPath())
			}
			return s.Show(map[string]any{"key": key, "value": value.Value, "source": value.Source}, func() {
				switch v := value.Value.(type) {
				case string:
					s.Printf("%s", v)
				case []string:
					for _, entry := range v {
						s.Printf("%s", entry)
					}
				default:
					if text, err := l.Text(key); err == nil {
						s.Printf("%s", text)
					}
				}
			})
		},
	}
}

// completeKey completes the first argument with one of the keys in the shell.
func completeKey(keys func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return keys(), cobra.ShellCompDirectiveNoFileComp
	}
}

// settableKeys lists the keys that a command can change.
func settableKeys() []string {
	return slices.DeleteFunc(config.Keys(), func(key string) bool { return config.KindOf(key) == "" })
}
