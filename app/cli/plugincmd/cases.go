package plugincmd

import (
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/plancheck/junit"
	"errand/app/plugins/author"
)

func (s commands) testCommand() *cobra.Command {
	var t author.Test
	var report, only string
	var allow []string
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "test",
		Args: maxOneArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := path.Match(only, ""); err != nil {
				return print.BadUsage("cli_plugin.bad_pattern", "pattern", only).Hint("cli_plugin.bad_pattern_hint")
			}
			if len(allow) > 0 && !t.Record {
				return print.BadUsage("cli_plugin.allow_host_needs_record")
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
				t.Selects = func(tool, title string) bool { return matchesName(only, tool) || matchesName(only, title) }
			}
			cases, err := app.PluginKit().Test(cmd.Context(), t)
			if err != nil {
				return err
			}
			if only != "" && len(cases) == 0 { // a mistake in a script must not look like a success
				return print.BadUsage("cli_plugin.no_case_matches", "pattern", only).Hint("cli_plugin.no_case_matches_hint")
			}
			if err := file.Write(func(w io.Writer) error { return s.writeJUnit(w, cases) }); err != nil {
				return err
			}
			return s.reportCases(cases)
		},
	})
	f := c.Flags()
	f.BoolVar(&t.Record, "record", false, "")
	f.StringArrayVar(&allow, "allow-host", nil, "")
	f.StringVar(&only, "run", "", "")
	f.StringVar(&report, "junit", "", "")
	return c
}

func matchesName(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// reportCases prints the failed cases and the number of failures.
func (s commands) reportCases(cases []author.Case) error {
	failed, recorded := 0, 0
	for _, c := range cases {
		recorded += len(c.Recorded)
		if !c.HasPassed() {
			failed++
		}
	}
	if failed > 0 {
		s.Code = print.Failed
	}
	return s.Show(map[string]any{"total": len(cases), "failed": failed, "cases": append([]author.Case{}, cases...)}, func() {
		for _, c := range cases {
			if !c.HasPassed() {
				s.printFailed(c)
			}
		}
		if recorded > 0 {
			s.Note("cli_plugin.recorded", "count", recorded)
		}
		if len(cases) == 0 {
			s.Say("cli_plugin.no_case_ran")
		}
		s.Print("cli.cases_passed_failed", "passed", len(cases)-failed, "failed", failed)
	})
}

func (s commands) printFailed(c author.Case) {
	s.Print("cli.case_failed", "fail", print.PaintMessage(print.Red, "cli.fail"), "case", c.Tool+": "+c.Case, "place", caseLocation(c))
	s.PrintLines(s.caseText(c))
}

func caseLocation(c author.Case) string {
	if c.Line == 0 {
		return c.File
	}
	return fmt.Sprintf("%s:%d", c.File, c.Line)
}

// caseText describes for people how a case's outcome differs.
func (s commands) caseText(c author.Case) string {
	labels := s.Cells("cli_plugin.case_want", "cli_plugin.case_got")
	want, got := labels[0], labels[1]
	var b strings.Builder
	for _, d := range c.Diffs {
		fmt.Fprintf(&b, "    %s\n", d.Field)
		if d.Want != "" {
			fmt.Fprintf(&b, "      - %s %s\n", want, d.Want)
		}
		for i, line := range strings.Split(s.Lines(d.Got), "\n") {
			switch {
			case d.Got.IsZero():
			case i == 0:
				fmt.Fprintf(&b, "      + %s %s\n", got, line)
			default:
				fmt.Fprintf(&b, "        %s %s\n", strings.Repeat(" ", utf8.RuneCountInString(got)), line)
			}
		}
	}
	if c.Error != nil {
		for _, line := range c.Error.Details {
			fmt.Fprintf(&b, "    %s\n", line)
		}
		if !c.Error.Hint.IsZero() {
			fmt.Fprintf(&b, "  %s\n", s.Text("cli.hint", "hint", c.Error.Hint))
		}
	}
	if c.Error != nil && len(c.Error.Details) > 0 {
		return b.String() // which hold the end of the log
	}
	for i, line := range c.Logs {
		if left := len(c.Logs) - 5; i < left {
			continue
		}
		fmt.Fprintf(&b, "    %s\n", s.Text("cli_plugin.case_log", "level", line.Level, "text", line.Message))
	}
	return b.String()
}

func (s commands) writeJUnit(w io.Writer, all []author.Case) error {
	cases := make([]junit.Case, len(all))
	for i, c := range all {
		cases[i] = junit.Case{File: c.File, Line: c.Line, Name: c.Tool + ": " + c.Case, Time: c.Duration}
		if !c.HasPassed() {
			cases[i].Failure = &junit.Problem{Message: s.Text("cli_plugin.case_differs_in", "field", c.Diffs[0].Field), Type: "plugin", Text: s.caseText(c)}
		}
	}
	return junit.Write(w, cases)
}
