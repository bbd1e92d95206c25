package cli

import (
	"io/fs"
	"runtime"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

func init() { addCommand("version", (*commands).versionCommand) }

func (s *commands) versionCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:  "version",
		Args: print.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if !s.JSON {
				s.Printf("errand %s", app.Version)
				return nil
			}
			_, missing := fs.Stat(s.page, "index.html")
			s.Document(map[string]any{
				"version": app.Version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH, "page": missing == nil,
			})
			return nil
		},
	})
}
