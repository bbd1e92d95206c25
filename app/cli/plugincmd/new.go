package plugincmd

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"errand/app/cli/print"
	"errand/app/plugins/author"
)

func (s commands) newCommand() *cobra.Command {
	var n author.NewPlugin
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "new",
		Args: print.OneArg("cli_plugin.want_name", "cli_plugin.want_name_hint"),
		RunE: func(cmd *cobra.Command, args []string) error {
			n.Name = args[0]
			if n.Folder == "" {
				n.Folder = n.Name
			}
			files, err := author.Create(n)
			if err != nil {
				return err
			}
			return s.Show(map[string]any{"folder": n.Folder, "files": files}, func() {
				for _, name := range files {
					s.Printf("%s", filepath.ToSlash(filepath.Join(n.Folder, name)))
				}
				s.Note("cli_plugin.next_build", "folder", n.Folder)
			})
		},
	})
	f := c.Flags()
	f.StringVar(&n.Lang, "lang", "go", "")
	f.StringVar(&n.ABI, "abi", "wasi", "")
	f.StringVar(&n.Folder, "in", "", "")
	return c
}
