package policycmd

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/input"
	"errand/app/cli/print"
	"errand/policy/quarantine"
)

func (s commands) redactCommand() *cobra.Command {
	var jsonl bool
	c := &cobra.Command{
		Use:  "redact",
		Args: print.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			opened, err := s.Open(app.Options{})
			if err != nil {
				return err
			}
			redactor := opened.Redactor()
			if jsonl {
				return s.AnswerLines(s.Console, textLine(func(id json.RawMessage, text string) any {
					return struct {
						ID   json.RawMessage `json:"id"`
						Text string          `json:"text"`
					}{id, redactor.Text(text)}
				}))
			}
			text, err := s.ReadInput()
			if err != nil {
				return err
			}
			return s.Raw([]byte(redactor.Text(text)))
		},
	}
	c.Flags().BoolVar(&jsonl, "jsonl", false, "")
	return c
}

func (s commands) quarantineCommand() *cobra.Command {
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
