// Errand-desktop is the window of Errand: a goal in words, the smallest plan
// for it, its run and its record.
package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/wailsapp/wails/v2"

	"errand/app"
	"errand/app/config"
	"errand/app/desktop"
	"errand/app/desktop/shell"
	"errand/frontend"
)

//go:embed build/icon.png
var icon []byte

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// run opens the program and shows its window until it is closed. It answers the
// exit code.
func run(args []string, stderr io.Writer) int {
	flags := flag.NewFlagSet("errand-desktop", flag.ContinueOnError)
	flags.SetOutput(stderr)
	file := flags.String("config", "", "read this configuration `file`")
	demo := flags.Bool("demo", false, "serve the built-in site in place of the web; needs no network")
	show := flags.Bool("show", false, "show the browser that does the work")
	toggle := flags.Bool("toggle", false, "hide the window that is open, or show it; opens one where there is none")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "errand-desktop: %q is no flag: a goal is typed into the window, or given to errand run\n", flags.Arg(0))
		return 2
	}
	conf := config.Options{File: *file, Env: os.Environ()}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	single, state, err := claim(conf, *toggle)
	switch {
	case errors.Is(err, shell.ErrShown):
		return 0
	case err == nil:
		err = window(conf, shell.New(log, state, single), *demo, *show)
	}
	if err != nil {
		fmt.Fprintf(stderr, "errand-desktop: %v\n", err)
		return 1
	}
	return 0
}

// claim makes this the one window over its record, or tells the one that is open
// what is wanted. It answers the folder of the window's state.
func claim(conf config.Options, toggle bool) (*shell.Single, string, error) {
	places, err := config.Fallback(conf)
	if err != nil {
		return nil, "", nil // without a home there is no record to share; the window says what is wrong
	}
	single, err := shell.Claim(places.Paths.State, shell.Word(toggle))
	return single, places.Paths.State, err
}

func window(conf config.Options, window *shell.Shell, demo, show bool) error {
	defer window.Shutdown() // also where the toolkit ends without its own call
	life := desktop.New(desktop.Options{
		Open: func() (*desktop.Engine, error) {
			return desktop.OpenEngine(app.Options{Config: conf, Demo: demo, Show: show})
		},
		Config: conf, Face: window, Demo: demo,
	})
	shell.CalmWebKit()
	return wails.Run(window.Options(life, shell.Assets{Page: frontend.Page(), Pictures: life.Artifacts(), Icon: icon}))
}
