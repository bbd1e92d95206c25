package servecmd

import (
	"context"
	"slices"
	"strings"

	"errand/app"
	"errand/app/cli/telegramcmd"
	"errand/app/config"
	"errand/app/i18n"
)

// withoutToken returns the environment without the token of the bot, for what else is served.
func withoutToken(o config.Options) []string {
	conf, err := config.Load(o)
	if err != nil {
		return o.Env // the bot is not served either
	}
	variable := conf.Telegram.TokenSource().Variable
	return slices.DeleteFunc(slices.Clone(o.Env), func(line string) bool { return variable != "" && strings.HasPrefix(line, variable+"=") })
}

// startTelegram serves the chats of the bot beside the page. stop ends that and waits for it. The page goes on if
// the bot can't be served any more.
func (s commands) startTelegram(ctx context.Context, o app.Options) (stop func(), err error) {
	a, err := app.Open(o)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	run, err := telegramcmd.Prepare(ctx, s.Shell, a)
	if err != nil {
		cancel()
		_ = a.Close()
		return nil, err
	}
	_ = s.SpokenLanguage() // is found at its first use, by one goroutine
	ended := make(chan struct{})
	go func() { // ends with stop
		defer close(ended)
		if err := run(ctx); err != nil {
			s.Say("cli.telegram_ended", "cause", i18n.English().Error(err))
		}
	}()
	return func() {
		cancel()
		<-ended
		_ = a.Close()
	}, nil
}
