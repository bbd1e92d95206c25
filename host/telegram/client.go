// Package telegram speaks the Bot API of Telegram: it polls for updates, and sends, changes and downloads.
// It is the only importer of the library for it. Errors are *tool.Error and never have the token, which is
// a part of every address of that API.
package telegram

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"errand/host/tool"
	"errand/planner/message"
)

// Limits of the Bot API.
const (
	MaxText     = 4096     // characters of a message
	MaxData     = 64       // bytes of the data of a button
	MaxUpload   = 50 << 20 // bytes of a file that a bot sends
	MaxDownload = 20 << 20 // bytes of a file that a bot gets
)

// Times that requests may take.
const (
	callTimeout = 30 * time.Second
	fileTimeout = 5 * time.Minute
)

// Options of a client.
type Options struct {
	BaseURL string // without a slash at its end
	Token   string
	Client  *http.Client // the way to the network. It must not follow redirects.
}

// Client is a bot. Its methods may be called by several goroutines at once.
type Client struct {
	o   Options
	bot *bot.Bot
}

// New returns the client of a bot. It sends nothing.
func New(o Options) (*Client, error) {
	o.BaseURL = strings.TrimRight(o.BaseURL, "/")
	c := &Client{o: o}
	var err error
	c.bot, err = bot.New(o.Token, bot.WithSkipGetMe(), bot.WithServerURL(o.BaseURL), bot.WithHTTPClient(callTimeout, o.Client), bot.WithErrorsHandler(func(error) {}))
	if err != nil {
		return nil, c.describe(err)
	}
	return c, nil
}

// User is a user of Telegram, or the bot itself.
type User struct {
	ID   int64
	Name string // with @ if it is a user name
}

// Me returns the bot.
func (c *Client) Me(ctx context.Context) (User, error) {
	var me *models.User
	err := c.call(ctx, callTimeout, func(ctx context.Context) (err error) {
		me, err = c.bot.GetMe(ctx)
		return err
	})
	if err != nil {
		return User{}, err
	}
	return userOf(me), nil
}

func userOf(u *models.User) User {
	if u == nil {
		return User{}
	}
	name := strings.TrimSpace(u.FirstName + " " + u.LastName)
	if u.Username != "" {
		name = "@" + u.Username
	}
	return User{u.ID, name}
}

// Button is a button below a message. Its data comes back when it is pressed.
type Button struct{ Text, Data string }

// Message is a message of the bot, in the HTML of Telegram.
type Message struct {
	HTML    string
	Buttons [][]Button // rows
	ReplyTo int        // the message that it answers; 0: none
}

func (m Message) markup() models.ReplyMarkup {
	keyboard := models.InlineKeyboardMarkup{InlineKeyboard: [][]models.InlineKeyboardButton{}}
	for _, row := range m.Buttons {
		var buttons []models.InlineKeyboardButton
		for _, b := range row {
			buttons = append(buttons, models.InlineKeyboardButton{Text: b.Text, CallbackData: b.Data})
		}
		keyboard.InlineKeyboard = append(keyboard.InlineKeyboard, buttons)
	}
	return &keyboard
}

func noPreview() *models.LinkPreviewOptions {
	return &models.LinkPreviewOptions{IsDisabled: bot.True()}
}

// Send sends a message and returns its id. After an error, the message may have been sent.
func (c *Client) Send(ctx context.Context, chat int64, m Message) (id int, err error) {
	p := &bot.SendMessageParams{ChatID: chat, Text: m.HTML, ParseMode: models.ParseModeHTML, LinkPreviewOptions: noPreview()}
	if len(m.Buttons) > 0 {
		p.ReplyMarkup = m.markup()
	}
	if m.ReplyTo != 0 {
		p.ReplyParameters = &models.ReplyParameters{MessageID: m.ReplyTo, AllowSendingWithoutReply: true}
	}
	err = c.call(ctx, callTimeout, func(ctx context.Context) error {
		sent, err := c.bot.SendMessage(ctx, p)
		if err == nil {
			id = sent.ID
		}
		return err
	})
	return id, err
}

// Edit changes a message of the bot. Without buttons it loses those that it has. A message that is
// gone is an error with code telegram_message_gone; one that is the same already stays.
func (c *Client) Edit(ctx context.Context, chat int64, id int, m Message) error {
	p := &bot.EditMessageTextParams{ChatID: chat, MessageID: id, Text: m.HTML, ParseMode: models.ParseModeHTML, LinkPreviewOptions: noPreview(), ReplyMarkup: m.markup()}
	return c.call(ctx, callTimeout, func(ctx context.Context) error {
		_, err := c.bot.EditMessageText(ctx, p)
		if isSame(err) {
			return nil
		}
		return err
	})
}

// Answer ends the wait that a pressed button shows, with a short text. A press that is too old is an
// error, which means nothing.
func (c *Client) Answer(ctx context.Context, press, text string) error {
	return c.call(ctx, callTimeout, func(ctx context.Context) error {
		_, err := c.bot.AnswerCallbackQuery(ctx, &bot.AnswerCallbackQueryParams{CallbackQueryID: press, Text: text})
		return err
	})
}

// maxWaits is how often a request waits for the time that Telegram asks for, maxWait the longest such time.
const (
	maxWaits = 4
	maxWait  = 90 * time.Second
)

// call makes a request. If Telegram asks for a pause, it waits and makes it again.
func (c *Client) call(ctx context.Context, timeout time.Duration, do func(context.Context) error) error {
	for range maxWaits {
		err := c.once(ctx, timeout, do)
		pause, asked := pauseOf(err)
		if !asked || pause > maxWait {
			return err
		}
		if !wait(ctx, pause) {
			return ctx.Err()
		}
	}
	return c.once(ctx, timeout, do)
}

func (c *Client) once(ctx context.Context, timeout time.Duration, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := do(ctx); err != nil {
		return c.describe(err)
	}
	return nil
}

// pauseOf returns the pause that an error asks for.
func pauseOf(err error) (time.Duration, bool) {
	if err == nil {
		return 0, false
	}
	e := tool.AsError(err)
	return time.Duration(e.RetryAfterMS) * time.Millisecond, e.Code == CodeBusy
}

func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// unreachable is the error of a request that got no answer.
func unreachable(cause string) *tool.Error {
	e := tool.UnavailableError(CodeUnreachable, message.New("telegram.unreachable", "cause", cause))
	e.Retriable = true
	return e
}
