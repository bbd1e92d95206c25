package plugincmd

import (
	"github.com/spf13/cobra"

	"errand/app/cli/print"
	"errand/app/plugins/author"
)

func (s commands) schemaCommand() *cobra.Command {
	c := &cobra.Command{
		Use:  "schema",
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
