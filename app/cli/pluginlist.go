package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"errand/app/config"
	"errand/app/core"
)

func (s *shell) pluginListCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "list [ID…]",
		Short: "The plugins that are there, their state, and what they may touch",
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			list, err := app.Plugins()
			if err != nil {
				return err
			}
			for _, id := range args {
				if !slices.ContainsFunc(list, func(p core.PluginInfo) bool { return p.ID == id }) {
					return unknownPlugin(id, list)
				}
			}
			list = slices.DeleteFunc(list, func(p core.PluginInfo) bool { return len(args) > 0 && !slices.Contains(args, p.ID) })
			if s.json {
				s.document(map[string]any{"plugins": list})
				return nil
			}
			rows := [][]string{{"PLUGIN", "VERSION", "STATE", "ABI", "TOOLS", "HOSTS", "FOLDERS", "DIGEST", "SIGNER", "FROM"}}
			for _, p := range list {
				from := p.From
				if p.Source != "" {
					from = p.Source
				}
				rows = append(rows, []string{
					p.ID, orDash(p.Version), string(p.State), orDash(p.ABI), dash(p.Tools), dash(p.Hosts), dash(folders(p)),
					orDash(shortDigest(p.Digest)), orDash(p.Signer), from,
				})
			}
			s.columns(rows)
			for _, p := range list {
				if p.Problem != nil {
					s.say("%s: %s", p.ID, p.Problem.Message)
					s.say("  hint: %s", p.Problem.Hint)
				}
				for _, root := range p.Ungranted {
					root, _, _ = strings.Cut(root, ":ro")
					s.say("%s: no folder stands for %s: errand plugin update %s --grant %s=FOLDER", p.ID, root, p.ID, root)
				}
			}
			if len(args) > 0 {
				return nil
			}
			stray, err := app.StrayPlugins()
			if err != nil {
				return err
			}
			for _, folder := range stray {
				s.say("%s: plugins.lock says nothing of it", folder)
			}
			if len(stray) > 0 {
				s.say("  hint: %s", core.StrayCure)
			}
			return nil
		},
	}
	s.jsonFlag(c)
	return c
}

// folders are the roots that a plugin asks for; those that it doesn't have are
// marked.
func folders(p core.PluginInfo) []string {
	var list []string
	for _, path := range p.Paths {
		if slices.Contains(p.Ungranted, path) {
			path += "(not granted)"
		}
		list = append(list, path)
	}
	return list
}

func unknownPlugin(id string, list []core.PluginInfo) error {
	var ids []string
	for _, p := range list {
		ids = append(ids, p.ID)
	}
	err := usagef("there is no plugin %q", id)
	if near := config.Nearest(id, ids); near != "" {
		return err.hint("did you mean %q?", near)
	}
	return err.hint("there are %s", strings.Join(ids, ", "))
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// shortDigest is enough of a digest to tell it from another by eye.
func shortDigest(digest string) string { return digest[:min(len(digest), 12)] }
