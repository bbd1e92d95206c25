package plugincmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/config"
	"errand/app/plugins"
)

func (s *Shell) listCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "list [ID…]",
		Short: "List plugins, their state and their permissions",
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.Open(app.Options{})
			if err != nil {
				return err
			}
			list, err := app.Plugins().List()
			if err != nil {
				return err
			}
			for _, id := range args {
				if !slices.ContainsFunc(list, func(p plugins.Info) bool { return p.ID == id }) {
					return unknownPlugin(id, list)
				}
			}
			list = slices.DeleteFunc(list, func(p plugins.Info) bool { return len(args) > 0 && !slices.Contains(args, p.ID) })
			if s.JSON {
				s.Document(map[string]any{"plugins": list})
				return nil
			}
			rows := [][]string{{"PLUGIN", "VERSION", "STATE", "ABI", "TOOLS", "HOSTS", "FOLDERS", "DIGEST", "SIGNER", "FROM"}}
			for _, p := range list {
				from := p.From
				if p.Source != "" {
					from = p.Source
				}
				rows = append(rows, []string{
					p.ID, print.OrDash(p.Version), string(p.State), print.OrDash(p.ABI), dash(p.Tools), dash(p.Hosts), dash(folders(p)),
					print.OrDash(shortDigest(p.Digest)), print.OrDash(p.Signer), from,
				})
			}
			s.Columns(rows)
			for _, p := range list {
				if p.Problem != nil {
					s.Say("%s: %s", p.ID, p.Problem.Message)
					s.Say("  hint: %s", p.Problem.Hint)
				}
				for _, root := range p.Ungranted {
					root, _, _ = strings.Cut(root, ":ro")
					s.Say("%s: no folder stands for %s: errand plugin update %s --grant %s=FOLDER", p.ID, root, p.ID, root)
				}
			}
			if len(args) > 0 {
				return nil
			}
			stray, err := app.Plugins().Stray()
			if err != nil {
				return err
			}
			for _, folder := range stray {
				s.Say("%s: plugins.lock says nothing of it", folder)
			}
			if len(stray) > 0 {
				s.Say("  hint: %s", plugins.StrayHint)
			}
			return nil
		},
	}
	s.AddJSONFlag(c)
	return c
}

// folders are the roots that a plugin asks for; those that it doesn't have are
// marked.
func folders(p plugins.Info) []string {
	var list []string
	for _, path := range p.Paths {
		if slices.Contains(p.Ungranted, path) {
			path += "(not granted)"
		}
		list = append(list, path)
	}
	return list
}

func unknownPlugin(id string, list []plugins.Info) error {
	var ids []string
	for _, p := range list {
		ids = append(ids, p.ID)
	}
	err := print.Usagef("there is no plugin %q", id)
	if near := config.Nearest(id, ids); near != "" {
		return err.Hint("did you mean %q?", near)
	}
	return err.Hint("there are %s", strings.Join(ids, ", "))
}

// shortDigest is enough of a digest to tell it from another by eye.
func shortDigest(digest string) string { return digest[:min(len(digest), 12)] }
