package plugincmd

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"errand/app/cli/print"
	"errand/app/plugins/author"
)

func (s *Shell) newCommand() *cobra.Command {
	var n author.NewPlugin
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Create a plugin that works",
		Long: `New creates a folder with a plugin that builds and passes its tests: sources,
plugin.toml with cases, and a README. NAME is the plugin's id and the name of the
folder, unless --in gives another. New never overwrites a file.

  errand plugin new greeter --lang rust
  cd greeter && errand plugin build && errand plugin test`,
		Args: print.OneArg("a name", "small letters, digits and hyphens: errand plugin new my-plugin"),
		RunE: func(cmd *cobra.Command, args []string) error {
			n.Name = args[0]
			if n.Folder == "" {
				n.Folder = n.Name
			}
			files, err := author.Create(n)
			if err != nil {
				return err
			}
			if s.JSON {
				s.Document(map[string]any{"folder": n.Folder, "files": files})
				return nil
			}
			for _, name := range files {
				s.Print("%s", filepath.ToSlash(filepath.Join(n.Folder, name)))
			}
			s.Note("next: errand plugin build %s && errand plugin test %s", n.Folder, n.Folder)
			return nil
		},
	}
	s.AddJSONFlag(c)
	f := c.Flags()
	f.StringVar(&n.Lang, "lang", "go", "`LANGUAGE`: go, rust, c or assemblyscript")
	f.StringVar(&n.ABI, "abi", "wasi", "`ABI`: wasi (a program, for files) or extism (functions, for HTTP and secrets)")
	f.StringVar(&n.Folder, "in", "", "the `FOLDER` to create (default: NAME)")
	return c
}
