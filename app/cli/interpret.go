package cli

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/input"
	"errand/app/cli/print"
	"errand/app/planning"
	"errand/planner/plan"
)

func (s *shell) interpretCommand() *cobra.Command {
	var jsonl, explain bool
	var voiced string
	c := &cobra.Command{
		Use:   "interpret TEXT",
		Short: "Show how Errand understands a text",
		Long: `Interpret shows the goals that Errand finds in a text, and the words that led to
each value. It runs nothing.

  --explain shows the steps: the words and phrases, the clauses, and the words
            that were not used
  --jsonl   reads {id, text} per line and writes {id, status, goals, questions}
  --voice   reads a transcript; with a confidence below 0.70 Errand asks you to
            confirm it first`,
		ValidArgsFunction: s.completeGoal,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(app.Options{})
			if err != nil {
				return err
			}
			if jsonl {
				if len(args) > 0 || voiced != "" {
					return print.Usagef("--jsonl reads texts from standard input, not from arguments")
				}
				if explain {
					return print.Usagef("--explain is for one text, not for --jsonl")
				}
				return s.AnswerLines(s.Console, interpretLine(app))
			}
			text, in, err := s.interpretation(app, args, voiced)
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
		},
	}
	s.AddJSONFlag(c)
	c.Flags().BoolVar(&jsonl, "jsonl", false, "read one JSON object per line, write one per line")
	c.Flags().BoolVar(&explain, "explain", false, "show the steps from words to goals")
	c.Flags().StringVar(&voiced, "voice", "", "read the text from a transcript in `FILE.json` {file_id, transcript, confidence}")
	return c
}

// interpretation reads the words or the transcript that were given.
func (s *shell) interpretation(app *app.App, args []string, voiced string) (text string, in planning.Interpretation, err error) {
	voice, err := s.voice(voiced)
	switch {
	case err != nil:
		return "", in, err
	case voice != nil && len(args) > 0:
		return "", in, print.Usagef("give a text or --voice, not both")
	case voice != nil:
		return voice.Transcript, app.InterpretVoice(*voice), nil
	case len(args) == 0:
		return "", in, print.Usagef("give a text").Hint(`for example: errand interpret "search cats on youtube"`)
	}
	if text, err = s.goalText(args); err != nil {
		return "", in, err
	}
	if err := planning.CheckGoal(text); err != nil {
		return "", in, err
	}
	return text, app.Interpret(text), nil
}

func interpretLine(app *app.App) func([]byte) (any, error) {
	return func(line []byte) (any, error) {
		var in struct {
			ID   json.RawMessage `json:"id"`
			Text string          `json:"text"`
		}
		if err := input.Decode(line, &in); err != nil {
			return nil, err
		}
		read := app.Interpret(in.Text)
		return struct {
			ID        json.RawMessage `json:"id"`
			Status    any             `json:"status"`
			Goals     []plan.Goal     `json:"goals"`
			Questions []plan.Question `json:"questions"`
		}{in.ID, read.Status, read.Goals, read.Questions}, nil
	}
}
