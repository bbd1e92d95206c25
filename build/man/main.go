// Man writes the manual pages of the command line: one for each command, from its help
// text, and errand.toml(5) from the table of configuration keys. Its tests write
// docs/configuration.md from that table.
//
//	go run ./build/man -out bin/man
//
// The pages are in the subfolders man1, man5 and man7. Their date is that of the
// SOURCE_DATE_EPOCH environment variable, in seconds; without it they have none.
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
			return fmt.Errorf("SOURCE_DATE_EPOCH: %q is not a number of seconds", epoch)
		}
		date = time.Unix(seconds, 0).UTC().Format("2006-01-02")
	}
	for _, section := range []string{"man1", "man5", "man7"} {
		if err := os.MkdirAll(filepath.Join(out, section), 0o755); err != nil {
			return err
		}
	}
	for _, c := range commands(cli.Tree()) {
		if err := os.WriteFile(filepath.Join(out, fileName(c)), page(c, date), 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(out, "man5", "errand.toml.5"), configurationPage(date), 0o644)
}

// fileName returns the file of a command's page, such as man1/errand-run.1. Help topics
// are in section 7.
func fileName(c *cobra.Command) string {
	return filepath.Join("man"+section(c), pageName(c)+"."+section(c))
}

func section(c *cobra.Command) string {
	if c.IsAdditionalHelpTopicCommand() {
		return "7"
	}
	return "1"
}

// commands returns c and all visible commands below it.
func commands(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
			all = append(all, commands(sub)...)
		}
	}
	return all
}
