package plugincmd

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/plugins/author"
	"errand/host/tool"
	"errand/planner/message"
)

// watchEvery is the interval of checks for changed sources.
const watchEvery = 300 * time.Millisecond

func (s commands) devCommand() *cobra.Command {
	var debug bool
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "dev",
		Args: maxOneArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.JSON {
				return print.BadUsage("cli_plugin.dev_no_json").Hint("cli_plugin.dev_no_json_hint")
			}
			app, err := s.Open(app.Options{})
			if err != nil {
				return err
			}
			d := &devSession{commands: s, app: app, folder: folderOf(args), debug: debug, failing: map[string]string{}}
			if err := author.CheckFolder(d.folder); err != nil { // nothing there would ever change
				return err
			}
			snapshot := author.Snap(d.folder) // before the build, to notice changes during it
			if err := d.rebuild(cmd.Context(), nil); err != nil {
				return err
			}
			s.Say("cli_plugin.watching", "folder", d.folder)
			return author.Watch(cmd.Context(), snapshot, watchEvery, func(names []string) error {
				return d.rebuild(cmd.Context(), names)
			})
		},
	})
	if err := c.Flags().MarkHidden("json"); err != nil {
		panic(err) // the flag was made one line above
	}
	c.Flags().BoolVar(&debug, "debug", false, "")
	return c
}

// devSession is a plugin under development.
type devSession struct {
	commands
	app     *app.App
	folder  string
	debug   bool
	broken  message.Message   // why it could not be built or loaded the last time
	failing map[string]string // cases that failed the last time, and how
}

// rebuild builds and tests the plugin, and prints errors of the plugin.
func (d *devSession) rebuild(ctx context.Context, names []string) error {
	if len(names) > 0 {
		d.Say("cli_plugin.changed", "names", names)
	}
	start := time.Now()
	_, err := d.build(ctx, d.folder, author.BuildOptions{Debug: d.debug})
	var cases []author.Case
	if err == nil {
		cases, err = d.app.PluginKit().Test(ctx, author.Test{Folder: d.folder, Uncached: true})
	}
	took := time.Since(start).Round(10 * time.Millisecond)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err != nil {
		var typed *tool.Error
		if !errors.As(err, &typed) {
			return err
		}
		if !d.broken.Equal(typed.Message) {
			d.PrintError(typed)
		} else {
			d.Say("cli_plugin.as_before", "time", took)
		}
		d.broken = typed.Message
		return nil
	}
	d.broken = message.Message{}
	d.printChanges(cases, took)
	return nil
}

// printChanges prints the cases whose outcome changed.
func (d *devSession) printChanges(cases []author.Case, took time.Duration) {
	failing := map[string]string{}
	for _, c := range cases {
		name := c.Tool + ": " + c.Case
		if c.HasPassed() {
			if d.failing[name] != "" {
				d.Printf("%s %s", print.PaintMessage(print.Green, "cli_plugin.pass"), name)
			}
			continue
		}
		failing[name] = d.caseText(c)
		if d.failing[name] == failing[name] {
			continue
		}
		d.printFailed(c)
	}
	for name := range d.failing {
		if !slices.ContainsFunc(cases, func(c author.Case) bool { return c.Tool+": "+c.Case == name }) {
			d.Print("cli_plugin.case_gone", "case", name)
		}
	}
	d.failing = failing
	d.Print("cli_plugin.cases_passed_failed_time", "passed", len(cases)-len(failing), "failed", len(failing), "time", took)
}
