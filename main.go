// Errand-desktop is the window of Errand: a goal in words, the smallest plan
// for it, its run and its record.
package main

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/wailsapp/wails/v2"

	"errand/app"
	"errand/app/cli"
	"errand/app/config"
	"errand/app/desktop"
	"errand/app/desktop/shell"
	"errand/app/i18n"
	"errand/frontend"
	"errand/policy/redact"
)

//go:embed build/icon.png
var icon []byte

func main() {
	if len(os.Args) > 1 && os.Args[1] == app.AgentCommand { // the resident process, which a window starts
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		code := cli.Main(ctx, cli.Process())
		stop()
		os.Exit(code)
	}
	os.Exit(run(os.Args[1:], os.Stderr))
}

// programLine returns the command line that starts the resident process: of the command line
// program beside this one, or else of this one; nil if neither is known.
func programLine() []string {
	own, err := os.Executable()
	if err != nil {
		return nil
	}
	if other := filepath.Join(filepath.Dir(own), "errand"); other != own {
		if info, err := os.Stat(other); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return []string{other}
		}
	}
	return []string{own}
}

// run opens the program, shows its window until it is closed, and returns the exit
// code. It writes in the language of the locale.
func run(args []string, stderr io.Writer) int {
	say := i18n.First(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"))
	flags := flag.NewFlagSet("errand-desktop", flag.ContinueOnError)
	flags.SetOutput(stderr)
	file := flags.String("config", "", say.Say("window.flag_config"))
	demo := flags.Bool("demo", false, say.Say("window.flag_demo"))
	show := flags.Bool("show", false, say.Say("window.flag_show"))
	toggle := flags.Bool("toggle", false, say.Say("window.flag_toggle"))
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintln(stderr, "errand-desktop:", say.Say("window.not_a_flag", "argument", flags.Arg(0)))
		return 2
	}
	conf := config.Options{File: *file, Env: os.Environ()}
	redactor := redact.New(nil, redact.WithKey([]byte(rand.Text())))
	lines := redactor.Writer(stderr) // what comes in pieces is redacted as a whole
	defer lines.Close()
	log := slog.New(redactor.Handler(slog.NewTextHandler(lines, nil)))
	single, state, err := claim(conf, *toggle)
	switch {
	case errors.Is(err, shell.ErrShown):
		return 0
	case err == nil:
		err = window(conf, shell.New(log, state, single), *demo, *show)
	}
	if err != nil {
		fmt.Fprintln(stderr, "errand-desktop:", say.Error(err))
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
	single, err := shell.Claim(places.Paths.State, shell.StartMessage(toggle))
	return single, places.Paths.State, err
}

func window(conf config.Options, window *shell.Shell, demo, show bool) error {
	defer window.Shutdown() // also where the toolkit ends without its own call
	life := desktop.New(desktop.Options{
		Open: func() (*desktop.Engine, error) {
			return desktop.OpenEngine(app.Options{Config: conf, Demo: demo, Show: show, Program: programLine()})
		},
		Config: conf, Face: window, Demo: demo,
	})
	shell.CalmWebKit()
	return wails.Run(window.Options(life, shell.Assets{Page: frontend.Page(), Pictures: life.Artifacts(), Icon: icon}))
}
