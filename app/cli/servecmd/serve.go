// Package servecmd has the command that serves the page and the local API, and those for the API's
// tokens.
package servecmd

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"path/filepath"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/app/config"
	"errand/app/desktop"
	"errand/app/web"
)

// commands has the commands of one invocation.
type commands struct {
	*shell.Shell
	page fs.FS // what the server shows
}

// Command returns the command `errand serve`, for a page with index.html at its root.
func Command(sh *shell.Shell, page fs.FS) *cobra.Command {
	s := commands{sh, page}
	c := s.serveCommand()
	c.AddCommand(s.tokenCommand())
	return c
}

func (s commands) serveCommand() *cobra.Command {
	var o web.Options
	var demo, show, open, withAPI, withMCP, withTelegram bool
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "serve",
		Args: print.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Page = s.page
			o.Config = config.Options{File: s.ConfigFile, Env: s.Env}
			withToken := o.Config
			if withTelegram {
				o.Config.Env = withoutToken(o.Config)
			}
			o.Demo, o.Log = demo, slog.New(slog.NewTextHandler(s.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
			o.Open = func() (*desktop.Engine, error) {
				return desktop.OpenEngine(app.Options{Config: o.Config, Demo: demo, Show: show, Program: s.ProgramLine(), LeftOut: s.LeftOut})
			}
			var jobs *jobServer
			if !withAPI {
				conf, err := config.Load(o.Config)
				withAPI = err == nil && conf.API.Enabled // otherwise the page shows what is wrong
			}
			if withAPI {
				var err error
				if jobs, err = s.openJobs(cmd.Context(), app.Options{Config: o.Config, Demo: demo}, o.Log); err != nil {
					return err
				}
				defer func() { _ = jobs.close() }()
				o.Routes = jobs.routes()
			}
			if withMCP {
				agents, err := s.openAgents(cmd.Context(), app.Options{Config: o.Config, Demo: demo}, o.Log)
				if err != nil {
					return err
				}
				defer agents.close()
				defer context.AfterFunc(cmd.Context(), agents.server.Close)() // its streams would hold up the end
				if o.Routes == nil {
					o.Routes = map[string]http.Handler{}
				}
				o.Routes["/mcp"] = agents.handler()
			}
			if withTelegram {
				stop, err := s.startTelegram(cmd.Context(), app.Options{Config: withToken, Demo: demo, Program: s.ProgramLine(), LeftOut: s.LeftOut, Conversation: "telegram"})
				if err != nil {
					return err
				}
				defer stop()
			}
			server, err := web.Listen(o)
			if err != nil {
				return err
			}
			s.printAddress(server, withAPI, withMCP)
			if open {
				remove, err := app.ShowPage(cmd.Context(), server.Private(), server.URL())
				if err != nil {
					s.Say("cli.cannot_open_page", "cause", err)
				} else {
					defer func() { _ = remove() }()
				}
			}
			return server.Serve(cmd.Context())
		},
	})
	c.Flags().StringVar(&o.Addr, "addr", "127.0.0.1:0", "")
	c.Flags().BoolVar(&o.Remote, "remote", false, "")
	c.Flags().BoolVar(&open, "open", false, "")
	c.Flags().BoolVar(&demo, "demo", false, "")
	c.Flags().BoolVar(&show, "show", false, "")
	c.Flags().BoolVar(&withAPI, "api", false, "")
	c.Flags().BoolVar(&withMCP, "mcp", false, "")
	c.Flags().BoolVar(&withTelegram, "telegram", false, "")
	return c
}

// printAddress prints the address of the page, and those of the API and for agents.
func (s commands) printAddress(server *web.Server, withAPI, withMCP bool) {
	if s.JSON {
		out := map[string]any{"url": server.URL(), "faults": server.Problems()}
		if withAPI {
			out["api"] = server.APIURL()
		}
		if withMCP {
			out["mcp"] = server.MCPURL()
		}
		s.Document(out)
		return
	}
	s.Printf("%s", server.URL())
	s.Notef("%s", print.PaintMessage(print.Quiet, "cli.open_address"))
	if withAPI {
		s.Note("cli.api_address", "address", server.APIURL())
	}
	if withMCP {
		s.Note("cli.mcp_address", "address", server.MCPURL())
	}
	for _, f := range server.Problems() {
		s.Say("cli.safe_mode", "fault", config.Problem{Source: filepath.Base(f.Source), Line: f.Line, Key: f.Key, Message: f.Message}.AsMessage())
	}
}
