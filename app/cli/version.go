package cli

import (
	"io/fs"
	"runtime"

	"github.com/spf13/cobra"

	"errand/app/cli/print"
	"errand/app/core"
)

func (s *shell) versionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version of Errand",
		Args:  print.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if !s.JSON {
				s.Print("errand %s", core.Version)
				return nil
			}
			_, missing := fs.Stat(s.page, "index.html")
			s.Document(map[string]any{
				"version": core.Version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH, "page": missing == nil,
			})
			return nil
		},
	}
	s.AddJSONFlag(c)
	return c
}
