// Package telegramcmd has the commands of the bot: it serves chats, pairs them and lists them.
package telegramcmd

import (
	"context"
	"log/slog"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/app/telegram"
	"errand/host/store"
	host "errand/host/telegram"
)

// commands has the commands of one invocation.
type commands struct{ *shell.Shell }

// Command returns the command `errand telegram`.
func Command(sh *shell.Shell) *cobra.Command {
	s := commands{sh}
	var demo bool
	c := &cobra.Command{
		Use:  "telegram",
		Args: print.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := s.Open(app.Options{Demo: demo})
			if err != nil {
				return err
			}
			serve, err := Prepare(cmd.Context(), s.Shell, a)
			if err != nil {
				return err
			}
			return serve(cmd.Context())
		},
	}
	c.Flags().BoolVar(&demo, "demo", false, "")
	c.AddCommand(s.pairCommand(), s.chatsCommand(), s.unpairCommand())
	return c
}

// Prepare reads the token of the bot and returns what serves its paired chats until its context ends.
func Prepare(ctx context.Context, s *shell.Shell, a *app.App) (serve func(context.Context) error, err error) {
	p := app.TelegramOf(a)
	chats, err := p.Chats()
	if err != nil {
		return nil, err
	}
	client, err := p.Client(ctx)
	if err != nil {
		return nil, err
	}
	private, err := p.PrivateFolder()
	if err != nil {
		return nil, err
	}
	paired, err := chats.Chats(ctx)
	if err != nil {
		return nil, err
	}
	level := slog.LevelWarn
	if s.Quiet {
		level = slog.LevelError
	}
	bot := telegram.New(telegram.Options{
		Program: p, Client: client, Chats: chats, Texts: texts{}, Hear: p.Hear(), Private: private,
		Log: slog.New(slog.NewTextHandler(s.Stderr, &slog.HandlerOptions{Level: level})),
		Started: func(me host.User) {
			s.Note("cli.telegram_started", "bot", me.Name, "count", countOf(paired, me.ID))
		},
		Paired: func(c store.Chat) { s.Say("cli.telegram_paired", "name", c.Name, "chat", strconv.FormatInt(c.ID, 10)) },
	})
	return bot.Run, nil
}

func countOf(chats []store.Chat, bot int64) (n int) {
	for _, c := range chats {
		if c.Bot == bot {
			n++
		}
	}
	return n
}

func (s commands) pairCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:  "pair",
		Args: print.NoArgs,
		RunE: s.withChats(func(ctx context.Context, a *app.App, chats store.Chats, _ []string) error {
			now := time.Now()
			code, err := telegram.NewCode(ctx, chats, now)
			if err != nil {
				return err
			}
			return s.Show(map[string]any{"code": code, "expires_at": now.Add(telegram.PairingTime).UTC()}, func() {
				s.Printf("%s", code)
				s.Note("cli.telegram_code", "minutes", int(telegram.PairingTime.Minutes()), "address", a.Config().Telegram.BaseURL)
			})
		}),
	})
}

func (s commands) chatsCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:  "chats",
		Args: print.NoArgs,
		RunE: s.withChats(func(ctx context.Context, _ *app.App, chats store.Chats, _ []string) error {
			list, err := chats.Chats(ctx)
			if err != nil {
				return err
			}
			return s.Show(map[string]any{"chats": list}, func() {
				if len(list) == 0 {
					s.Note("cli.no_chats")
					return
				}
				rows := [][]string{s.Row("cli.column_chat", "cli.column_name", "cli.column_paired")}
				for _, c := range list {
					rows = append(rows, []string{strconv.FormatInt(c.ID, 10), c.Name, s.Text("cli.token_time", "time", c.PairedAt.Local())})
				}
				s.Columns(rows)
			})
		}),
	})
}

func (s commands) unpairCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:  "unpair",
		Args: print.OneArg("cli.want_chat", "cli.see_chats"),
		RunE: s.withChats(func(ctx context.Context, _ *app.App, chats store.Chats, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			found := false
			if err == nil {
				if found, err = chats.UnpairChat(ctx, id); err != nil {
					return err
				}
			}
			if !found {
				return print.BadUsage("cli.unknown_chat", "chat", args[0]).Hint("cli.see_chats")
			}
			return s.Show(map[string]any{"unpaired": id}, func() { s.Print("cli.telegram_unpaired", "chat", args[0]) })
		}),
	})
}

// withChats calls do with what keeps the chats.
func (s commands) withChats(do func(context.Context, *app.App, store.Chats, []string) error) func(*cobra.Command, []string) error {
	return s.WithApp(func(ctx context.Context, a *app.App, args []string) error {
		chats, err := app.TelegramOf(a).Chats()
		if err != nil {
			return err
		}
		return do(ctx, a, chats, args)
	})
}
