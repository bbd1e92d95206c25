package plugincmd

import (
	"github.com/spf13/cobra"

	"errand/app/cli/print"
	"errand/app/plugins/author"
)

func (s *Shell) schemaCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of plugin.toml",
		Long: `Schema prints a JSON Schema (2020-12) of plugin.toml. An editor that supports TOML
schemas uses it to complete and check keys:

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
