package plugincmd

import (
	"github.com/spf13/cobra"

	"errand/app/cli/print"
	"errand/app/plugins/author"
)

func (s *Shell) schemaCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "schema",
		Short: "The JSON Schema of plugin.toml, for an editor",
		Long: `Schema prints a JSON Schema (2020-12) of plugin.toml. An editor whose TOML support
knows schemas completes keys by it, shows what they are, and marks slips:

  errand plugin schema >plugin.schema.json
  sed -i '1i #:schema plugin.schema.json' plugin.toml`,
		Args: print.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			s.Answered = true
			_, err := s.Stdout.Write(author.Schema())
			return err
		},
	}
	s.AddJSONFlag(c) // it is one JSON document in any case
	return c
}
