// Man writes the manual pages of the command line, one for each command, from
// the texts that --help shows: they can't say anything else.
//
//	go run ./build/man -out bin/man
//
// The date is that of the SOURCE_DATE_EPOCH environment variable, in seconds, so
// that the same sources give the same bytes; without it the pages have none.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"errand/app/cli"
)

func main() {
	out := flag.String("out", filepath.Join("bin", "man"), "`folder` to write into")
	flag.Parse()
	if err := write(*out, os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		fmt.Fprintln(os.Stderr, "man:", err)
		os.Exit(1)
	}
}

func write(out, epoch string) error {
	date := ""
	if epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return fmt.Errorf("SOURCE_DATE_EPOCH: %q is no number of seconds", epoch)
		}
		date = time.Unix(seconds, 0).UTC().Format("2006-01-02")
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, c := range commands(cli.Tree()) {
		if err := os.WriteFile(filepath.Join(out, pageName(c)+".1"), page(c, date), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// commands is c and all below it that --help shows.
func commands(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			all = append(all, commands(sub)...)
		}
	}
	return all
}
