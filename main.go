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

	"errand/app/config"
	"errand/app/core"
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
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	if err := window(config.Options{File: *file, Env: os.Environ()}, *demo, *show, stderr); err != nil {
		fmt.Fprintf(stderr, "errand-desktop: %v\n", err)
		return 1
	}
	return 0
}

func window(conf config.Options, demo, show bool, stderr io.Writer) error {
	window := shell.New(slog.New(slog.NewTextHandler(stderr, nil)))
	defer window.Shutdown() // also where the toolkit ends without its own call

	life := desktop.New(desktop.Options{
		Open: func() (desktop.Engine, error) {
			return core.Open(core.Options{Config: conf, Demo: demo, Show: show})
		},
		Config: conf, Face: window, Demo: demo,
	})
	shell.CalmWebKit()
	return wails.Run(window.Options(life, shell.Assets{Page: frontend.Page(), Pictures: life.Artifacts(), Icon: icon}))
}
