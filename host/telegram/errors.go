package telegram

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/go-telegram/bot"

	"errand/host/tool"
	"errand/planner/message"
	"errand/policy/guard"
)

// Codes of errors.
const (
	CodeToken       = "telegram_token"        // the token is wrong or was revoked
	CodeConflict    = "telegram_conflict"     // another program receives the updates of the bot
	CodeBusy        = "telegram_busy"         // Telegram asks for a pause
	CodeGone        = "telegram_message_gone" // the message was deleted or can't be changed any more
	CodeBlocked     = "telegram_blocked"      // the user blocked the bot
	CodeUnreachable = "telegram_unreachable"  // no answer
	CodeRefused     = "telegram_refused"      // another answer that is an error
	CodeTooLarge    = "telegram_file_too_large"
)

// maxCause is the most characters of a cause in an error.
const maxCause = 300

// describe returns an error of the library or of the network as an *[tool.Error] without the token.
func (c *Client) describe(err error) error {
	var denied *guard.DeniedError
	var busy *bot.TooManyRequestsError
	var ours *tool.Error
	switch {
	case errors.As(err, &ours):
		return ours
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case errors.As(err, &denied): // its address has the token
		return tool.NewError(tool.PolicyDenied, CodeUnreachable, message.New("telegram.denied", "reason", denied.Decision.Reason)).WithHint(message.New("telegram.denied_hint"))
	case errors.As(err, &busy):
		e := tool.UnavailableError(CodeBusy, message.New("telegram.busy", "seconds", busy.RetryAfter))
		e.Retriable, e.RetryAfterMS = true, int64(busy.RetryAfter)*1000
		return e
	case errors.Is(err, bot.ErrorUnauthorized), errors.Is(err, bot.ErrorNotFound): // the path has the token
		return tool.NewError(tool.ToolUnavailable, CodeToken, message.New("telegram.wrong_token")).WithHint(message.New("telegram.wrong_token_hint"))
	case errors.Is(err, bot.ErrorConflict):
		return tool.NewError(tool.ToolUnavailable, CodeConflict, message.New("telegram.conflict")).WithHint(message.New("telegram.conflict_hint"))
	case errors.Is(err, bot.ErrorForbidden):
		return tool.NewError(tool.ToolUnavailable, CodeBlocked, message.New("telegram.blocked"))
	case errors.Is(err, bot.ErrorBadRequest):
		text := err.Error()
		for _, sign := range []string{"message to edit not found", "message can't be edited", "MESSAGE_ID_INVALID"} {
			if strings.Contains(text, sign) {
				return tool.NewError(tool.ExecutionError, CodeGone, message.New("telegram.message_gone"))
			}
		}
		return tool.NewError(tool.ExecutionError, CodeRefused, message.New("telegram.refused", "cause", c.clean(text)))
	}
	var network *url.Error
	if errors.As(err, &network) { // its text has the address
		return unreachable(c.clean(network.Err.Error()))
	}
	return unreachable(c.clean(err.Error()))
}

// isSame reports whether Telegram refused to change a message because it is the same already.
func isSame(err error) bool {
	return err != nil && strings.Contains(err.Error(), "message is not modified")
}

// clean removes the token from a text, and what is too long.
func (c *Client) clean(text string) string {
	for _, secret := range []string{c.o.Token, url.QueryEscape(c.o.Token), url.PathEscape(c.o.Token)} {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "***")
		}
	}
	if runes := []rune(text); len(runes) > maxCause {
		text = string(runes[:maxCause]) + "…"
	}
	return text
}
