package plugincmd

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/plugins"
	"errand/planner/message"
)

func (s commands) listCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use: "list",
		RunE: s.WithApp(func(ctx context.Context, app *app.App, args []string) error {
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
			rows := [][]string{s.Row("cli_plugin.column_plugin", "cli_plugin.column_version", "cli.column_state", "cli_plugin.column_abi", "cli_plugin.column_tools",
				"cli_plugin.column_hosts", "cli_plugin.column_folders", "cli_plugin.column_digest", "cli_plugin.column_signer", "cli.column_from")}
			for _, p := range list {
				from := p.From
				if p.Source != "" {
					from = p.Source
				}
				rows = append(rows, []string{
					p.ID, print.OrDash(p.Version), s.Text("cli_plugin.plugin_state", "state", p.State), print.OrDash(p.ABI), dash(p.Tools), dash(p.Hosts), dash(s.folders(p)),
					print.OrDash(shortDigest(p.Digest)), print.OrDash(p.Signer), from,
				})
			}
			s.Columns(rows)
			for _, p := range list {
				if p.Problem != nil {
					s.Sayf("%s: %s", p.ID, p.Problem.Message)
					s.SayHint(p.Problem.Hint)
				}
				if len(p.Phrases) > 0 && len(args) > 0 {
					s.Say("cli_plugin.plugin_phrases", "plugin", p.ID, "phrases", p.Phrases)
				}
				if len(p.Reading) > 0 {
					s.Say("cli_plugin.plugin_marks", "plugin", p.ID, "tools", p.Reading)
				}
				for _, root := range p.Ungranted {
					root, _, _ = strings.Cut(root, ":ro")
					s.Say("cli_plugin.plugin_root_not_granted", "plugin", p.ID, "root", root)
				}
			}
			if len(args) > 0 {
				return nil
			}
			stray, err := app.Plugins().UnlistedFolders()
			if err != nil {
				return err
			}
			for _, folder := range stray {
				s.Say("cli_plugin.not_in_lock", "folder", folder)
			}
			if len(stray) > 0 {
				s.SayHint(plugins.StrayHint)
			}
			return nil
		}),
	})
}

// folders returns the roots that a plugin asks for, and marks those that were not granted.
func (s commands) folders(p plugins.Info) []string {
	var list []string
	for _, path := range p.Paths {
		if slices.Contains(p.Ungranted, path) {
			path += s.Text("cli_plugin.not_granted")
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
	err := print.BadUsage("cli_plugin.no_plugin", "plugin", id)
	if near := message.Nearest(id, ids); near != "" {
		return err.Hint("cli.did_you_mean", "name", near)
	}
	return err.Hint("cli_plugin.there_are", "plugins", ids)
}

// shortDigest shortens a digest so that users can still compare it.
func shortDigest(digest string) string { return digest[:min(len(digest), 12)] }
