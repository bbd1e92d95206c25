package cli

import (
	"log/slog"
	"path/filepath"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/config"
	"errand/app/desktop"
	"errand/app/web"
)

func init() { addCommand("serve", (*commands).serveCommand) }

func (s *commands) serveCommand() *cobra.Command {
	var o web.Options
	var demo, show, open bool
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "serve",
		Args: print.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Page = s.page
			o.Config = config.Options{File: s.ConfigFile, Env: s.Env}
			o.Demo, o.Log = demo, slog.New(slog.NewTextHandler(s.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
			o.Open = func() (*desktop.Engine, error) {
				return desktop.OpenEngine(app.Options{Config: o.Config, Demo: demo, Show: show, Program: s.ProgramLine(), LeftOut: s.LeftOut})
			}
			server, err := web.Listen(o)
			if err != nil {
				return err
			}
			s.printAddress(server)
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
	return c
}

// printAddress prints the address of the page.
func (s *commands) printAddress(server *web.Server) {
	if s.JSON {
		s.Document(map[string]any{"url": server.URL(), "faults": server.Problems()})
		return
	}
	s.Printf("%s", server.URL())
	s.Notef("%s", print.PaintMessage(print.Quiet, "cli.open_address"))
	for _, f := range server.Problems() {
		s.Say("cli.safe_mode", "fault", config.Problem{Source: filepath.Base(f.Source), Line: f.Line, Key: f.Key, Message: f.Message}.AsMessage())
	}
}
