// Package policycmd has the commands of `errand policy`.
package policycmd

import (
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/input"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/app/grants"
	"errand/policy"
)

// commands has the commands of one invocation.
type commands struct{ *shell.Shell }

// Command returns errand policy with all its subcommands.
func Command(sh *shell.Shell) *cobra.Command {
	s := commands{sh}
	c := &cobra.Command{Use: "policy"}
	c.AddCommand(s.checkCommand(), s.explainCommand(), s.allowCommand(), s.grantsCommand(), s.revokeCommand(),
		s.redactCommand(), s.quarantineCommand(), s.testCommand())
	return c
}

func (s commands) checkCommand() *cobra.Command {
	var jsonl bool
	var allow []string
	c := s.AddJSONFlag(&cobra.Command{
		Use: "check",
		RunE: func(cmd *cobra.Command, args []string) error {
			if !jsonl {
				return s.checkURLs(cmd, args, allow, false)
			}
			if len(args) > 0 {
				return print.BadUsage("cli.jsonl_reads_stdin")
			}
			app, err := s.Open(app.Options{Allow: allow})
			if err != nil {
				return err
			}
			return s.AnswerLines(s.Console, checkLine(app))
		},
	})
	c.Flags().StringSliceVar(&allow, "allow", nil, "")
	c.Flags().BoolVar(&jsonl, "jsonl", false, "")
	return c
}

// checkURLs runs check and explain. Only explain prints what would change a decision.
func (s commands) checkURLs(cmd *cobra.Command, args, allow []string, explain bool) error {
	if len(args) == 0 {
		return print.BadUsage("cli.give_url").Hint("cli.give_url_hint", "command", cmd.CommandPath())
	}
	app, err := s.Open(app.Options{Allow: allow})
	if err != nil {
		return err
	}
	var checks []grants.URLCheck
	ask := app.Policy().CheckURL
	if explain {
		ask = app.Policy().ExplainURL
	}
	for _, raw := range args {
		check, err := ask(cmd.Context(), completeURL(raw))
		if err != nil {
			return err
		}
		checks = append(checks, check)
		s.Code = worseExit(s.Code, exitOfCheck(check))
	}
	return s.Show(map[string]any{"checks": checks}, func() {
		for _, c := range checks {
			s.PrintURLCheck(c, explain)
		}
		s.printStrictest(len(checks))
	})
}

// printStrictest prints which of several decisions sets the exit code.
func (s commands) printStrictest(count int) {
	if count > 1 {
		s.Print("cli.strictest_decision", "count", count, "code", int(s.Code))
	}
}

// completeURL adds https:// to a host with an optional port and path. It leaves other texts for
// policy to decide.
func completeURL(raw string) string {
	if strings.Contains(raw, "://") {
		return raw
	}
	if u, err := url.Parse("https://" + raw); err != nil || u.Hostname() == "" || u.User != nil {
		return raw
	}
	return "https://" + raw
}

func checkLine(app *app.App) func([]byte) (any, error) {
	return func(line []byte) (any, error) {
		var in policy.Check
		if err := input.Decode(line, &in); err != nil {
			return nil, err
		}
		return app.Policy().CheckLine(in), nil
	}
}

func exitOfCheck(c grants.URLCheck) print.Exit {
	switch {
	case c.Unresolved:
		return print.Failed
	case c.Verdict == policy.Allow:
		return print.Done
	case c.Verdict == policy.Ask:
		return print.NeedsApproval
	}
	return print.Denied
}

// worseExit returns the more severe of two exit codes: a denial before a question, a question
// before a failure.
func worseExit(a, b print.Exit) print.Exit {
	for _, code := range []print.Exit{print.Denied, print.NeedsApproval, print.Failed} {
		if a == code || b == code {
			return code
		}
	}
	return print.Done
}
