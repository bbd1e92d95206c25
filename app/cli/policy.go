package cli

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/input"
	"errand/app/cli/print"
	"errand/app/grants"
	"errand/policy"
	"errand/policy/quarantine"
	"errand/policy/redact"
)

// policyCommands has the commands below `errand policy`.
type policyCommands struct{ *shell }

func init() {
	addCommand("policy", func(s *shell) *cobra.Command { return policyCommands{s}.policyCommand() })
}

func (s policyCommands) policyCommand() *cobra.Command {
	c := &cobra.Command{Use: "policy"}
	c.AddCommand(s.policyCheckCommand(), s.explainCommand(), s.allowCommand(), s.grantsCommand(), s.revokeCommand(),
		s.redactCommand(), s.quarantineCommand())
	return c
}

func (s policyCommands) policyCheckCommand() *cobra.Command {
	var jsonl bool
	var allow []string
	c := &cobra.Command{
		Use: "check",
		RunE: func(cmd *cobra.Command, args []string) error {
			if !jsonl {
				return s.checkURLs(cmd, args, allow, false)
			}
			if len(args) > 0 {
				return print.BadUsage("cli.jsonl_reads_stdin")
			}
			app, err := s.open(app.Options{Allow: allow})
			if err != nil {
				return err
			}
			return s.AnswerLines(s.Console, checkLine(app))
		},
	}
	s.AddJSONFlag(c)
	c.Flags().StringSliceVar(&allow, "allow", nil, "")
	c.Flags().BoolVar(&jsonl, "jsonl", false, "")
	return c
}

// checkURLs answers check and explain. What would change a verdict is part of an
// explanation alone.
func (s policyCommands) checkURLs(cmd *cobra.Command, args, allow []string, explain bool) error {
	if len(args) == 0 {
		return print.BadUsage("cli.give_url").Hint("cli.give_url_hint", "command", cmd.CommandPath())
	}
	app, err := s.open(app.Options{Allow: allow})
	if err != nil {
		return err
	}
	var checks []grants.URLCheck
	ask := app.Policy().CheckURL
	if explain {
		ask = app.Policy().ExplainURL
	}
	for _, raw := range args {
		check, err := ask(cmd.Context(), raw)
		if err != nil {
			return err
		}
		checks = append(checks, check)
		s.Code = worse(s.Code, exitOfCheck(check))
	}
	if s.JSON {
		s.Document(map[string]any{"checks": checks})
		return nil
	}
	for _, c := range checks {
		s.PrintURLCheck(c, explain)
	}
	return nil
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

// worse is the code that a script should see of two: a denial before a
// question, a question before a failure.
func worse(a, b print.Exit) print.Exit {
	for _, code := range []print.Exit{print.Denied, print.NeedsApproval, print.Failed} {
		if a == code || b == code {
			return code
		}
	}
	return print.Done
}

func (s policyCommands) redactCommand() *cobra.Command {
	var jsonl bool
	c := &cobra.Command{
		Use:  "redact",
		Args: print.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if jsonl {
				return s.AnswerLines(s.Console, textLine(func(id json.RawMessage, text string) any {
					return struct {
						ID   json.RawMessage `json:"id"`
						Text string          `json:"text"`
					}{id, redact.New(nil).Text(text)}
				}))
			}
			text, err := s.ReadInput()
			if err != nil {
				return err
			}
			return s.Raw([]byte(redact.New(nil).Text(text)))
		},
	}
	c.Flags().BoolVar(&jsonl, "jsonl", false, "")
	return c
}

func (s policyCommands) quarantineCommand() *cobra.Command {
	var jsonl bool
	c := &cobra.Command{
		Use:  "quarantine",
		Args: print.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if jsonl {
				return s.AnswerLines(s.Console, textLine(func(id json.RawMessage, text string) any {
					f := quarantine.Scan(text)
					return struct {
						ID         json.RawMessage `json:"id"`
						Flagged    bool            `json:"flagged"`
						Techniques []string        `json:"techniques"`
						Text       string          `json:"text"`
					}{id, f.Flagged, f.Techniques, f.Text}
				}))
			}
			text, err := s.ReadInput()
			if err != nil {
				return err
			}
			f := quarantine.Scan(text)
			if f.Flagged {
				s.Say("cli.flagged", "techniques", f.Techniques)
			}
			return s.Raw([]byte(f.Text))
		},
	}
	c.Flags().BoolVar(&jsonl, "jsonl", false, "")
	return c
}

func textLine(answer func(id json.RawMessage, text string) any) func([]byte) (any, error) {
	return func(line []byte) (any, error) {
		var in struct {
			ID   json.RawMessage `json:"id"`
			Text string          `json:"text"`
		}
		if err := input.Decode(line, &in); err != nil {
			return nil, err
		}
		return answer(in.ID, in.Text), nil
	}
}
