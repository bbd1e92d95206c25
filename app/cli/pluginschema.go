package cli

import (
	"github.com/spf13/cobra"

	"errand/app/core"
)

func (s *shell) pluginSchemaCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "schema",
		Short: "The JSON Schema of plugin.toml, for an editor",
		Long: `Schema prints a JSON Schema (2020-12) of plugin.toml. An editor whose TOML support
knows schemas completes keys by it, shows what they are, and marks slips:

  errand plugin schema >plugin.schema.json
  sed -i '1i #:schema plugin.schema.json' plugin.toml`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			s.answered = true
			_, err := s.Stdout.Write(core.PluginSchema())
			return err
		},
	}
	s.jsonFlag(c) // it is one JSON document in any case
	return c
}
