// Package mcpcmd has the commands for the Model Context Protocol: the server for agents of others, and the servers
// of others.
package mcpcmd

import (
	"context"
	"log/slog"
	"path/filepath"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/app/config"
	"errand/app/i18n"
	"errand/app/mcp"
)

// commands has the commands of one invocation.
type commands struct{ *shell.Shell }

// Command returns the command `errand mcp` with its subcommands.
func Command(sh *shell.Shell) *cobra.Command {
	s := commands{sh}
	var demo bool
	var client string
	c := &cobra.Command{
		Use:  "mcp",
		Args: print.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("print-config") {
				return s.printConfig(client)
			}
			return s.serve(cmd.Context(), demo)
		},
	}
	c.Flags().BoolVar(&demo, "demo", false, "")
	c.Flags().StringVar(&client, "print-config", "", "")
	c.AddCommand(s.serversCommand(), s.addCommand(), s.reviewCommand(), s.removeCommand())
	return c
}

// serve serves the client at standard input and output.
func (s commands) serve(ctx context.Context, demo bool) error {
	// Nothing is shown: the client asked for it, not the user.
	s.Env = append(s.Env, config.EnvName("browser.show")+"="+config.ShowNever)
	a, err := s.Open(app.Options{Demo: demo})
	if err != nil {
		return err
	}
	server, err := mcp.New(ctx, mcp.Options{
		Agents: a.External, Text: i18n.English().Text, Version: app.Version,
		Log: slog.New(slog.NewTextHandler(s.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		return err
	}
	return server.ServeStdio(ctx, s.Stdin, s.Stdout)
}

// printConfig prints the configuration of a client for this program.
func (s commands) printConfig(client string) error {
	program := s.Program
	if program == "" {
		program = "errand"
	}
	args := []string{"mcp"}
	if s.ConfigFile != "" {
		file, err := filepath.Abs(s.ConfigFile)
		if err != nil {
			return err
		}
		args = append(args, "--config", file)
	}
	text, ok := mcp.ClientConfig(client, program, args)
	if !ok {
		return print.BadUsage("cli.unknown_mcp_client", "client", client, "clients", mcp.Clients()).Hint("cli.see_mcp_help")
	}
	if err := s.Raw([]byte(text + "\n")); err != nil {
		return err
	}
	s.Note("cli.mcp_client_file", "client", client)
	return nil
}
