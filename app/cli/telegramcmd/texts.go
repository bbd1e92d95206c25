package telegramcmd

import (
	"strings"

	"errand/app/cli/print"
	"errand/app/drafts"
	"errand/app/i18n"
	"errand/planner/message"
)

// texts writes what the command line prints, so that a chat shows all that a terminal shows.
type texts struct{}

// Draft implements [telegram.Texts].
func (texts) Draft(l *i18n.Language, d drafts.View) string {
	var out strings.Builder
	c := console(l)
	c.PrintDraftBody(&out, d)
	return out.String()
}

// Answer implements [telegram.Texts].
func (texts) Answer(l *i18n.Language, answer message.Message) string { return console(l).Lines(answer) }

func console(l *i18n.Language) *print.Console {
	c := &print.Console{}
	c.Language = func(string) *i18n.Language { return l }
	return c
}
