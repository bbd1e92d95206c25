package app

import (
	"context"
	"errors"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"errand/app/config"
	"errand/app/grants"
	"errand/host/desktop/keyring"
	"errand/host/speech"
	"errand/host/store"
	"errand/host/telegram"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/guard"
)

// TelegramProgram is the opened program as the chats of a bot use it.
type TelegramProgram struct{ *App }

// TelegramOf returns the program as the chats of a bot use it.
func TelegramOf(a *App) TelegramProgram { return TelegramProgram{a} }

// The time that a request to the bot API may take: a file of 50 MB, or a poll that waits.
const (
	telegramTime   = 10 * time.Minute
	telegramHeader = 5 * time.Minute
)

// Chats returns what keeps the chats.
func (p TelegramProgram) Chats() (store.Chats, error) { return p.storage() }

// Client returns the client of the bot, whose only way leads to telegram.base_url. The desktop may ask the
// user to unlock the token. The token is removed from everything that is recorded or told from now on, and
// from the environment of programs that are started.
func (p TelegramProgram) Client(ctx context.Context) (*telegram.Client, error) {
	token, err := p.token(ctx)
	if err != nil {
		return nil, err
	}
	p.vault.AddKey(token)
	gate, err := p.conf.TelegramPolicy()
	if err != nil {
		return nil, tool.NewError(tool.ValidationError, telegram.CodeUnreachable, message.FromError(err))
	}
	g := guard.New(gate, guard.Options{HeaderTimeout: telegramHeader, ClientTimeout: telegramTime})
	client := g.Client(policy.Request{Kind: policy.KindFetch, Origin: plan.UserGoal, Tool: "telegram"})
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // the token goes nowhere else
	return telegram.New(telegram.Options{BaseURL: p.conf.Telegram.BaseURL, Token: token, Client: client})
}

// token reads the token of the bot.
func (p TelegramProgram) token(ctx context.Context) (string, error) {
	source := p.conf.Telegram.TokenSource()
	token := ""
	if source.Secret != "" {
		secret, err := keyring.Read(ctx, source.Secret)
		if err != nil {
			return "", err
		}
		token = strings.TrimSpace(secret)
	} else {
		for _, line := range p.o.Config.Env { // the last one counts
			if v, ok := strings.CutPrefix(line, source.Variable+"="); ok {
				token = strings.TrimSpace(v)
			}
		}
		if err := os.Unsetenv(source.Variable); err != nil {
			return "", err
		}
		p.o.Config.Env = slices.DeleteFunc(slices.Clone(p.o.Config.Env), func(line string) bool { return strings.HasPrefix(line, source.Variable+"=") })
	}
	switch {
	case token == "":
		hint := message.New("telegram.no_token_hint", "variable", source.Variable)
		if source.Secret != "" {
			hint = message.New("keyring.store_hint", "name", source.Secret)
		}
		return "", tool.UnavailableError(telegram.CodeToken, message.New("telegram.no_token", "source", source.String())).WithHint(hint)
	case !isBotToken(token):
		return "", tool.UnavailableError(telegram.CodeToken, message.New("telegram.bad_token", "source", source.String())).WithHint(message.New("telegram.wrong_token_hint"))
	}
	return token, nil
}

// isBotToken reports whether a text has the form of a token: a number, a colon, and letters.
func isBotToken(text string) bool {
	id, secret, ok := strings.Cut(text, ":")
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
	return ok && id != "" && len(id) <= 20 && strings.Trim(id, "0123456789") == "" && secret != "" && len(secret) <= 200 && strings.Trim(secret, letters) == ""
}

// Hear returns what turns recordings into text; nil: the user has named no program.
func (p TelegramProgram) Hear() func(ctx context.Context, file string) (speech.Speech, error) {
	if len(p.conf.Voice.Command) == 0 {
		return nil
	}
	r := speech.Recogniser{
		Command: p.conf.Voice.Command, File: config.VoiceFile, Timeout: time.Duration(p.conf.Voice.TimeoutMS) * time.Millisecond, Env: p.o.Config.Env,
	}
	return r.Recognise
}

// PrivateFolder returns a folder for recordings that others can't read.
func (p TelegramProgram) PrivateFolder() (string, error) {
	if p.conf.Paths.Cache == "" {
		return "", errors.New("cache")
	}
	return p.conf.Paths.Cache, os.MkdirAll(p.conf.Paths.Cache, 0o700)
}

// Permit grants a host or a folder that the user allows.
func (p TelegramProgram) Permit(ctx context.Context, runID string, access grants.Access, always bool) (string, error) {
	return p.grants.Permit(ctx, runID, access, always)
}

// NewRunID returns the id of a new run.
func (p TelegramProgram) NewRunID() string { return p.newID() }

// LanguageOf returns the tag of the language of words.
func (p TelegramProgram) LanguageOf(words string) string { return p.Interpret(words).Language }

// Clean removes secrets from a text.
func (p TelegramProgram) Clean(text string) string {
	return p.vault.Redactor().Text(p.vault.Cleaner().Text(text))
}

// KeepTimers starts the resident process if something is due later.
func (p TelegramProgram) KeepTimers(ctx context.Context) { p.Agent().KeepTimers(ctx) }

// Now is the program's clock.
func (p TelegramProgram) Now() time.Time { return p.now() }
