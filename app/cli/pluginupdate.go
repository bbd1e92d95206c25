package cli

import (
	"github.com/spf13/cobra"

	"errand/app/core"
	"errand/host/tool"
)

func (s *shell) pluginUpdateCommand() *cobra.Command {
	var f installFlags
	c := &cobra.Command{
		Use:   "update [ID]",
		Short: "Read installed plugins again from where they came from",
		Long: `Update looks at the source of a plugin, or of all of them, and installs what is
there now. What asks for no more than before is installed after a yes; for what
asks for more the difference is shown, and --yes is not enough.

A URL is pinned to the digest that it was installed by: give the new one with
--sha256.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			keys, err := readKeys(f.keys)
			if err != nil {
				return err
			}
			app, err := s.open(core.Options{Allow: f.allowed})
			if err != nil {
				return err
			}
			ids := args
			if len(args) == 0 {
				if f.sha256 != "" {
					return usagef("--sha256 is the digest of one plugin's file").hint("name the plugin")
				}
				if ids, err = app.InstalledIDs(); err != nil {
					return err
				}
			}
			done := []installation{}
			var first error // the others are updated all the same
			for _, id := range ids {
				p, err := app.ProposeUpdate(cmd.Context(), id, f.sha256, keys)
				if err == nil {
					var one installation
					if one, err = s.agreeAndInstall(cmd.Context(), app, p, f); err == nil {
						done = append(done, one)
					}
				}
				if cmd.Context().Err() != nil {
					return err
				}
				if len(args) == 0 && err != nil && tool.AsError(err).Code == core.CodePluginPinned {
					s.say("%s", tool.AsError(err).Message)
					continue
				}
				if err != nil && len(ids) > 1 && !s.json {
					s.complain(tool.AsError(err))
				}
				if err != nil && first == nil {
					first = err
				}
			}
			switch {
			case first != nil && (len(ids) == 1 || s.json):
				return first
			case first != nil:
				_, s.code = typedError(first)
			case s.json:
				s.document(map[string]any{"plugins": done})
			case len(ids) == 0:
				s.say("no plugin is installed")
			}
			return nil
		},
	}
	s.jsonFlag(c)
	f.add(c)
	return c
}
