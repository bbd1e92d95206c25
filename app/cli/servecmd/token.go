package servecmd

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/host/jobs"
)

func (s commands) tokenCommand() *cobra.Command {
	c := &cobra.Command{Use: "token"}
	c.AddCommand(s.addCommand(), s.listCommand(), s.revokeCommand())
	return c
}

// withTokens calls do with the tokens of the API.
func (s commands) withTokens(do func(ctx context.Context, p app.JobProgram, tokens jobs.Tokens, args []string) error) func(*cobra.Command, []string) error {
	return s.WithApp(func(ctx context.Context, a *app.App, args []string) error {
		p := app.JobProgramOf(a)
		q, err := p.OpenQueue(ctx, slog.New(slog.DiscardHandler))
		if err != nil {
			return err
		}
		defer func() { _ = q.Close() }()
		return do(ctx, p, q, args)
	})
}

// newToken is the answer of `errand serve token add`: the only place with the secrets.
type newToken struct {
	jobs.Token
	Secret  string `json:"token"`
	Signing string `json:"signing_secret"`
}

func (s commands) addCommand() *cobra.Command {
	var names []string
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "add",
		Args: print.OneArg("cli.want_token_name", "cli.see_token_help"),
		RunE: s.withTokens(func(ctx context.Context, p app.JobProgram, tokens jobs.Tokens, args []string) error {
			scopes, err := jobs.ParseScopes(names)
			if err != nil {
				return err
			}
			if err := jobs.CheckTokenName(args[0]); err != nil {
				return err
			}
			t := newToken{jobs.Token{ID: p.NewJobID(), Name: args[0], Scopes: scopes, CreatedAt: time.Now().UTC()}, jobs.NewSecret(), jobs.NewSigning()}
			t.Token.Signing = t.Signing
			if err := tokens.AddToken(ctx, t.Token, jobs.HashSecret(t.Secret)); err != nil {
				return err
			}
			return s.Show(t, func() {
				s.Print("cli.token_secret", "shown", t.Secret)
				s.Print("cli.token_signing", "shown", t.Signing)
				s.Note("cli.token_once")
			})
		}),
	})
	c.Flags().StringSliceVar(&names, "scopes", []string{string(jobs.ScopeRun)}, "")
	return c
}

func (s commands) listCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:  "list",
		Args: print.NoArgs,
		RunE: s.withTokens(func(ctx context.Context, _ app.JobProgram, tokens jobs.Tokens, _ []string) error {
			list, err := tokens.Tokens(ctx)
			if err != nil {
				return err
			}
			return s.Show(map[string]any{"tokens": list}, func() {
				if len(list) == 0 {
					s.Note("cli.no_tokens")
					return
				}
				rows := [][]string{s.Row("cli.column_token", "cli.column_name", "cli.column_scopes", "cli.column_created", "cli.column_revoked")}
				for _, t := range list {
					var scopes []string
					for _, scope := range t.Scopes {
						scopes = append(scopes, string(scope))
					}
					revoked := ""
					if !t.RevokedAt.IsZero() {
						revoked = s.Text("cli.token_time", "time", t.RevokedAt.Local())
					}
					rows = append(rows, []string{t.ID, t.Name, strings.Join(scopes, ","), s.Text("cli.token_time", "time", t.CreatedAt.Local()), revoked})
				}
				s.Columns(rows)
			})
		}),
	})
}

func (s commands) revokeCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:  "revoke",
		Args: print.OneArg("cli.want_token", "cli.see_tokens"),
		RunE: s.withTokens(func(ctx context.Context, _ app.JobProgram, tokens jobs.Tokens, args []string) error {
			t, err := tokens.RevokeToken(ctx, args[0], time.Now())
			if err != nil {
				return err
			}
			return s.Show(map[string]any{"revoked": t}, func() { s.Print("cli.token_revoked", "name", t.Name) })
		}),
	})
}
