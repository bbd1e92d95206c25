package cli

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/input"
	"errand/app/cli/print"
	"errand/app/planning"
	"errand/planner/message"
	"errand/planner/plan"
)

func init() { addCommand("interpret", (*commands).interpretCommand) }

func (s *commands) interpretCommand() *cobra.Command {
	var jsonl, explain bool
	var transcriptFile string
	c := s.AddJSONFlag(&cobra.Command{
		Use:               "interpret",
		ValidArgsFunction: s.completeGoal,
		RunE: s.WithApp(func(ctx context.Context, app *app.App, args []string) error {
			if jsonl {
				if len(args) > 0 || transcriptFile != "" {
					return print.BadUsage("cli.jsonl_reads_stdin")
				}
				if explain {
					return print.BadUsage("cli.flags_exclude", "flag", "--explain", "other", "--jsonl")
				}
				return s.AnswerLines(s.Console, s.interpretLine(app))
			}
			text, in, err := s.interpretation(app, args, transcriptFile)
			if err != nil {
				return err
			}
			s.Code = exitOfPlanned(planning.Planned{Interpretation: in})
			if in.Status == "ok" {
				s.Code = print.Done
			}
			switch {
			case explain && s.JSON:
				s.Document(app.Explain(text, in))
				return nil
			case s.JSON:
				s.Document(in)
				return nil
			case explain:
				s.PrintReading(app.Explain(text, in))
			}
			s.PrintInterpretation(in)
			return nil
		}),
	})
	c.Flags().BoolVar(&jsonl, "jsonl", false, "")
	c.Flags().BoolVar(&explain, "explain", false, "")
	c.Flags().StringVar(&transcriptFile, "voice", "", "")
	return c
}

// interpretation reads the given words or transcript.
func (s *commands) interpretation(app *app.App, args []string, transcriptFile string) (text string, in planning.Interpretation, err error) {
	voice, err := s.readVoice(transcriptFile)
	switch {
	case err != nil:
		return "", in, err
	case voice != nil && len(args) > 0:
		return "", in, print.BadUsage("cli.text_and_voice")
	case voice != nil:
		in = app.InterpretVoice(*voice)
		s.SpeakOf(in.Language)
		return voice.Transcript, in, nil
	case len(args) == 0:
		return "", in, print.BadUsage("cli.give_text").Hint("cli.give_text_hint")
	}
	if text, err = s.goalText(args); err != nil {
		return "", in, err
	}
	if err := planning.CheckGoal(text); err != nil {
		return "", in, err
	}
	in = app.Interpret(text)
	s.SpeakOf(in.Language)
	return text, in, nil
}

func (s *commands) interpretLine(app *app.App) func([]byte) (any, error) {
	return func(line []byte) (any, error) {
		var in struct {
			ID   json.RawMessage `json:"id"`
			Text string          `json:"text"`
		}
		if err := input.Decode(line, &in); err != nil {
			return nil, err
		}
		read := app.Interpret(in.Text)
		s.SpeakOf(read.Language)
		return struct {
			ID        json.RawMessage `json:"id"`
			Status    any             `json:"status"`
			Goals     []plan.Goal     `json:"goals"`
			Questions []plan.Question `json:"questions"`

			Reason      message.Message `json:"reason,omitzero"`
			Suggestions []string        `json:"suggestions,omitempty"`
		}{in.ID, read.Status, read.Goals, read.Questions, read.Reason, read.Suggestions}, nil
	}
}
