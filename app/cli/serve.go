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

func (s *shell) serveCommand() *cobra.Command {
	var o web.Options
	var demo, show, open bool
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve the window in a browser on this machine",
		Long: `Serve shows the window in a browser. It listens only on this machine. The address
that it prints contains a token, which changes each time. Ctrl+C ends the server and
the current run.

To use it from another machine, use an ssh tunnel:

  here:   errand serve --addr 127.0.0.1:7341
  there:  ssh -L 7341:127.0.0.1:7341 this-machine`,
		Example: `  errand serve --open
  errand serve --demo --addr 127.0.0.1:7341`,
		Args: print.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Page = s.page
			o.Config = config.Options{File: s.configFile, Env: s.env}
			o.Demo, o.Log = demo, slog.New(slog.NewTextHandler(s.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
			o.Open = func() (*desktop.Engine, error) {
				return desktop.OpenEngine(app.Options{Config: o.Config, Demo: demo, Show: show, LeftOut: s.leftOut})
			}
			server, err := web.Listen(o)
			if err != nil {
				return err
			}
			s.served(server)
			if open {
				remove, err := app.ShowPage(cmd.Context(), server.Private(), server.URL())
				if err != nil {
					s.Say("it can't be opened from here: %v", err)
				} else {
					defer func() { _ = remove() }()
				}
			}
			return server.Serve(cmd.Context())
		},
	}
	s.AddJSONFlag(c)
	c.Flags().StringVar(&o.Addr, "addr", "127.0.0.1:0", "listen on `HOST:PORT`; port 0 picks a free port")
	c.Flags().BoolVar(&o.Remote, "remote", false, "accept an --addr that other machines can reach; the connection is not encrypted")
	c.Flags().BoolVar(&open, "open", false, "open the page in your default browser")
	c.Flags().BoolVar(&demo, "demo", false, "use built-in pages instead of the web; needs no network")
	c.Flags().BoolVar(&show, "show", false, "show the browser while it works")
	return c
}

// served says where the page is.
func (s *shell) served(server *web.Server) {
	if s.JSON {
		s.Document(map[string]any{"url": server.URL(), "faults": server.Faults()})
		return
	}
	s.Print("%s", server.URL())
	s.Note("%s", print.Paint(print.Quiet, "open this address in a browser of this machine; Ctrl+C ends it"))
	for _, f := range server.Faults() {
		s.Say("safe mode: %s", config.Fault{Source: filepath.Base(f.Source), Line: f.Line, Key: f.Key, Message: f.Message})
	}
}
