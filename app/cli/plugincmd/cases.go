package plugincmd

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/plancheck/junit"
	"errand/app/plugins/author"
)

func (s *Shell) testCommand() *cobra.Command {
	var t author.Test
	var report, only string
	var allow []string
	c := &cobra.Command{
		Use:   "test [FOLDER]",
		Short: "Run the test cases of plugin.toml",
		Long: `Test runs the [[tool.case]] tables of plugin.toml and reports where an answer differs.
Each case has its own empty folders with its files, its settings, and recorded HTTP
answers instead of the network. The plugin's limits apply. Random numbers are real,
and so is the clock unless the case sets now = "2026-03-01T12:00:00Z". Any difference
gives exit code 1.

  [[tool.case]]
  name = "somebody"
  args = { name = "Ada" }
  payload = { text = "Hello, Ada!" }   # or error = "CODE"

--record sends real requests, to hosts of the manifest that you allow, and writes
the answers into plugin.toml.`,
		Args: maxOneArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := path.Match(only, ""); err != nil {
				return print.Usagef("--run %q is not a pattern", only).Hint(`for example: --run "greeter.*"`)
			}
			if len(allow) > 0 && !t.Record {
				return print.Usagef("--allow-host is for --record: without it no request leaves")
			}
			file := print.JUnitFile(report)
			if err := file.Check(); err != nil {
				return err
			}
			app, err := s.Open(app.Options{Allow: allow})
			if err != nil {
				return err
			}
			t.Folder = folderOf(args)
			if only != "" {
				t.Only = func(tool, title string) bool { return matched(only, tool) || matched(only, title) }
			}
			cases, err := app.PluginKit().Test(cmd.Context(), t)
			if err != nil {
				return err
			}
			if only != "" && len(cases) == 0 { // a slip in a script must not pass for success
				return print.Usagef("--run %q: no case and no tool goes by that", only).Hint("errand plugin test alone runs all of them, by name")
			}
			if err := file.Write(func(w io.Writer) error { return writeJUnit(w, cases) }); err != nil {
				return err
			}
			s.reportCases(cases)
			return nil
		},
	}
	s.AddJSONFlag(c)
	f := c.Flags()
	f.BoolVar(&t.Record, "record", false, "send real HTTP requests and write the answers into plugin.toml")
	f.StringArrayVar(&allow, "allow-host", nil, "with --record: also allow `HOST` (a pattern); may be repeated")
	f.StringVar(&only, "run", "", "only run cases whose name or tool matches `PATTERN`")
	f.StringVar(&report, "junit", "", "also write the results as JUnit XML to `FILE`")
	return c
}

func matched(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// reportCases shows the cases that failed, then how many did.
func (s *Shell) reportCases(cases []author.Case) {
	failed, recorded := 0, 0
	for _, c := range cases {
		recorded += len(c.Recorded)
		if !c.Passed() {
			failed++
		}
	}
	if failed > 0 {
		s.Code = print.Failed
	}
	if s.JSON {
		s.Document(map[string]any{"total": len(cases), "failed": failed, "cases": append([]author.Case{}, cases...)})
		return
	}
	for _, c := range cases {
		if !c.Passed() {
			s.Print("%s %s: %s (%s)", print.Paint(print.Red, "FAIL"), c.Tool, c.Case, where(c))
			for line := range strings.Lines(caseText(c)) {
				s.Print("%s", strings.TrimSuffix(line, "\n"))
			}
		}
	}
	if recorded > 0 {
		s.Note("%d recorded in plugin.toml", recorded)
	}
	if len(cases) == 0 {
		s.Say("no case ran: write a [[tool.case]] into plugin.toml")
	}
	s.Print("%d passed, %d failed", len(cases)-failed, failed)
}

func where(c author.Case) string {
	if c.Line == 0 {
		return c.File
	}
	return fmt.Sprintf("%s:%d", c.File, c.Line)
}

// caseText is what came out otherwise, as a person reads it.
func caseText(c author.Case) string {
	var b strings.Builder
	for _, d := range c.Diffs {
		fmt.Fprintf(&b, "    %s\n", d.Field)
		if d.Want != "" {
			fmt.Fprintf(&b, "      - want %s\n", d.Want)
		}
		for i, line := range strings.Split(d.Got, "\n") {
			switch {
			case d.Got == "":
			case i == 0:
				fmt.Fprintf(&b, "      + got  %s\n", line)
			default:
				fmt.Fprintf(&b, "             %s\n", line)
			}
		}
	}
	if c.Error != nil {
		for _, line := range c.Error.Details {
			fmt.Fprintf(&b, "    %s\n", line)
		}
		if c.Error.Hint != "" {
			fmt.Fprintf(&b, "    hint: %s\n", c.Error.Hint)
		}
	}
	if c.Error != nil && len(c.Error.Details) > 0 {
		return b.String() // which hold the end of the log
	}
	for i, line := range c.Logs {
		if left := len(c.Logs) - 5; i < left {
			continue
		}
		fmt.Fprintf(&b, "    log %s: %s\n", line.Level, line.Message)
	}
	return b.String()
}

func writeJUnit(w io.Writer, all []author.Case) error {
	cases := make([]junit.Case, len(all))
	for i, c := range all {
		cases[i] = junit.Case{File: c.File, Line: c.Line, Name: c.Tool + ": " + c.Case, Time: c.Duration}
		if !c.Passed() {
			cases[i].Failure = &junit.Problem{Message: "differs in " + c.Diffs[0].Field, Type: "plugin", Text: caseText(c)}
		}
	}
	return junit.Write(w, cases)
}
