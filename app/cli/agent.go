package cli

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/agent"
	"errand/app/cli/print"
	"errand/app/config"
	"errand/app/runs"
	"errand/host/llm/price"
)

// agentCommands has the commands below `errand agent`.
type agentCommands struct{ *commands }

func init() {
	addCommand("ask", (*commands).askCommand)
	addCommand("agent", func(s *commands) *cobra.Command { return agentCommands{s}.agentCommand() })
}

func (s agentCommands) agentCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "agent",
	}
	c.AddCommand(s.agentStatusCommand(), s.agentModelsCommand(), s.agentTestCommand())
	return c
}

func (s agentCommands) agentStatusCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:  "status",
		Args: print.NoArgs,
		RunE: s.WithApp(func(ctx context.Context, app *app.App, args []string) error {
			status, err := app.ModelAgent.Status(ctx)
			if err != nil {
				return err
			}
			if status.Enabled && len(status.Faults) > 0 {
				s.Code = print.Failed
			}
			return s.Show(status, func() {
				s.Print("cli.agent_enabled", "enabled", status.Enabled)
				for _, fault := range status.Faults {
					s.Printf("  %s", fault)
				}
				rows := [][]string{s.Row("cli.column_provider", "cli.column_model", "cli.column_key", "cli.column_address")}
				var others []string
				for _, p := range status.Providers {
					if p.Place == 0 {
						others = append(others, p.Name)
						continue
					}
					rows = append(rows, []string{p.Name, p.Model, s.Text("cli.agent_key", "state", p.Key, "variable", cmp.Or(p.Variable, "secret:"+p.Secret)), p.BaseURL})
				}
				s.Columns(rows)
				for _, p := range status.Providers {
					if p.Place > 0 && !p.Reason.IsZero() {
						s.Printf("  %s: %s", p.Name, p.Reason)
					}
				}
				if len(others) > 0 {
					s.Print("cli.agent_not_asked", "providers", others)
				}
				s.printToday(status.Today)
			})
		}),
	})
}

// printToday prints what the agent used today, if it used anything.
func (s agentCommands) printToday(today agent.Spending) {
	if len(today.Models) == 0 {
		return
	}
	s.Print("cli.agent_today", "used", today.TokensIn+today.TokensOut, "limit", today.Limit, "cost", price.Dollars(today.CostMicros))
	for _, m := range today.Models {
		cost := price.Dollars(m.CostMicros)
		if m.Unpriced == m.Requests {
			cost = s.Text("cli.agent_no_price")
		}
		s.Print("cli.agent_day_model", "provider", m.Provider, "model", m.Model, "in", m.TokensIn, "out", m.TokensOut, "cost", cost)
	}
}

func (s agentCommands) agentModelsCommand() *cobra.Command {
	return s.providerCommand("models", (*agent.Providers).Models, func(answers []agent.Answer) {
		for _, a := range answers {
			for _, model := range a.Models {
				s.Printf("%s  %s", a.Provider, model)
			}
		}
	})
}

func (s agentCommands) agentTestCommand() *cobra.Command {
	return s.providerCommand("test", (*agent.Providers).Test, func(answers []agent.Answer) {
		var rows [][]string
		for _, a := range answers {
			if a.Error == nil {
				rows = append(rows, []string{
					a.Provider, a.Model, s.Text("cli.agent_took", "time", a.Duration),
					s.Text("cli.agent_tokens", "in", strconv.Itoa(a.Usage.In), "out", strconv.Itoa(a.Usage.Out)),
				})
			}
		}
		s.Columns(rows)
	})
}

// providerCommand makes a command that asks one provider, or all that the agent asks and that have their
// keys. It fails if one of them does not answer.
func (s agentCommands) providerCommand(name string, ask func(*agent.Providers, context.Context, string) ([]agent.Answer, error), show func([]agent.Answer)) *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:       name,
		Args:      print.OptionalArg("cli.want_provider", "cli.see_providers"),
		ValidArgs: config.ProviderNames(),
		RunE: s.WithApp(func(ctx context.Context, app *app.App, args []string) error {
			args = append(args, "")
			answers, err := ask(app.ModelAgent, ctx, args[0])
			if err != nil {
				return err
			}
			for _, a := range answers {
				if a.Error != nil {
					s.Code = print.Failed
				}
			}
			return s.Show(map[string]any{"providers": answers}, func() {
				show(answers)
				for _, a := range answers {
					if a.Error != nil {
						s.Printf("%s", a.Error.Message)
						if !a.Error.Hint.IsZero() {
							s.Printf("  %s", a.Error.Hint)
						}
					}
				}
			})
		}),
	})
}

func (s *commands) askCommand() *cobra.Command {
	var o agent.TaskOptions
	var yes, demo bool
	c := s.AddJSONFlag(&cobra.Command{
		Use: "ask",
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := s.goalText(args)
			if err != nil {
				return err
			}
			if strings.TrimSpace(text) == "" {
				return print.BadUsage("cli.give_task").Hint("cli.give_task_hint")
			}
			app, err := s.Open(app.Options{Demo: demo})
			if err != nil {
				return err
			}
			p := print.RunPrinter{Console: s.Console, Yes: yes}
			r := runs.Request{Words: text, Yes: yes}
			if !s.JSON {
				s.SpeakOf(app.Interpret(text).Language)
				r.Progress = p.Progress
				if s.CanAsk {
					r.Approve = s.AskApproval
				}
			}
			report, err := app.ModelAgent.Ask(cmd.Context(), r, o)
			if err != nil {
				return err
			}
			p.Finish(report)
			return nil
		},
	})
	c.Flags().StringVar(&o.Provider, "provider", "", "")
	c.Flags().StringSliceVar(&o.Tools, "tools", nil, "")
	c.Flags().BoolVar(&yes, "yes", false, "")
	c.Flags().BoolVar(&demo, "demo", false, "")
	c.Flags().IntVar(&o.MaxSteps, "max-steps", 0, "")
	c.Flags().BoolVar(&o.Plan, "plan", false, "")
	return c
}
