package mcpcmd

import (
	"context"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/servers"
	"errand/host/tool"
)

// serversCommand lists the servers whose tools Errand uses.
func (s commands) serversCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:               "servers",
		ValidArgsFunction: s.completeServers,
		RunE: s.WithApp(func(_ context.Context, a *app.App, args []string) error {
			list := slices.DeleteFunc(a.Servers().List(), func(i servers.Info) bool { return len(args) > 0 && !slices.Contains(args, i.Name) })
			if len(list) == 0 && len(args) > 0 {
				return print.BadUsage("cli_mcp.no_server", "server", args[0]).Hint("cli_mcp.see_servers")
			}
			return s.Show(map[string]any{"servers": list}, func() { s.showServers(list, len(args) > 0) })
		}),
	})
}

func (s commands) showServers(list []servers.Info, inFull bool) {
	if len(list) == 0 {
		s.Note("cli_mcp.no_servers")
		return
	}
	rows := [][]string{s.Row("cli_mcp.column_server", "cli.column_state", "cli_mcp.column_tools", "cli.column_from")}
	for _, i := range list {
		rows = append(rows, []string{i.Name, s.Text("cli_mcp.state", "state", string(i.State)), strconv.Itoa(len(i.Tools)), i.Target})
	}
	s.Columns(rows)
	for _, i := range list {
		if i.Problem != nil {
			s.Sayf("%s: %s", i.Name, i.Problem.Message)
			s.SayHint(i.Problem.Hint)
		}
		if !inFull {
			continue
		}
		for _, line := range i.Access {
			s.Printf("  %s", line)
		}
		for _, t := range i.Tools {
			s.Printf("  %s", s.Text("cli_mcp.tool", "tool", t.Name, "class", class(t.SideEffectClass), "description", t.Description))
		}
	}
}

// class is the parameter of texts about a tool's class.
func class(c tool.SideEffectClass) string {
	if c == tool.Read {
		return "reads"
	}
	return "changes"
}

// completeServers completes the name of a server.
func (s commands) completeServers(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	conf, err := s.Load()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []cobra.Completion
	for name := range conf.MCP.Servers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, cobra.ShellCompDirectiveNoFileComp
}

// removeCommand withdraws the agreement to a server.
func (s commands) removeCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:               "remove",
		Args:              print.OneArg("cli_mcp.want_server", "cli_mcp.see_servers"),
		ValidArgsFunction: s.completeServers,
		RunE: s.WithApp(func(_ context.Context, a *app.App, args []string) error {
			done, err := a.Servers().Withdraw(args[0])
			if err != nil {
				return err
			}
			_, configured := a.Config().MCP.Servers[args[0]]
			if !done && !configured {
				return print.BadUsage("cli_mcp.no_server", "server", args[0]).Hint("cli_mcp.see_servers")
			}
			return s.Show(map[string]any{"server": args[0], "removed": done}, func() {
				s.Print("cli_mcp.removed", "server", args[0], "done", done)
				if configured {
					s.Note("cli_mcp.still_configured", "server", args[0], "file", a.Config().Paths.File)
				}
			})
		}),
	})
}
