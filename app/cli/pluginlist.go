package cli

import (
	"slices"

	"github.com/spf13/cobra"

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
					return usagef("there is no plugin %q", id).hint("errand plugin list shows which there are")
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
					p.ID, orDash(p.Version), string(p.State), orDash(p.ABI), dash(p.Tools), dash(p.Hosts), dash(p.Paths),
					orDash(shortDigest(p.Digest)), orDash(p.Signer), from,
				})
			}
			s.columns(rows)
			for _, p := range list {
				if p.Problem != nil {
					s.say("%s: %s", p.ID, p.Problem.Message)
					s.say("  hint: %s", p.Problem.Hint)
				}
			}
			return nil
		},
	}
	s.jsonFlag(c)
	return c
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// shortDigest is enough of a digest to tell it from another by eye.
func shortDigest(digest string) string { return digest[:min(len(digest), 12)] }
