package telegram_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/telegram"
	"errand/host/telegram/telegramtest"
	"errand/host/tool"
	"errand/policy"
	"errand/policy/guard"
)

// clientOf returns a client of a stand-in, over a guard that allows it.
func clientOf(t *testing.T, base, token string, settings policy.Settings) *telegram.Client {
	t.Helper()
	gate, err := policy.New(settings)
	must.Succeed(t, err)
	client := guard.New(gate, guard.Options{}).Client(policy.Request{Kind: policy.KindFetch})
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c, err := telegram.New(telegram.Options{BaseURL: base, Token: token, Client: client})
	must.Succeed(t, err)
	return c
}

func open(base string) policy.Settings {
	return policy.Settings{AllowedDomains: []string{base}, AllowPrivate: []string{strings.TrimPrefix(base, "http://")}}
}

// TestErrorsHaveNoToken: whatever goes wrong, and in whichever request, no error has the token.
func TestErrorsHaveNoToken(t *testing.T) {
	const wrong = "4242:AAsecret-token_that-is-wrong"
	ok := telegramtest.Start(t)
	for name, tt := range map[string]struct {
		base     string
		token    string
		settings policy.Settings
		failure  telegramtest.Failure
		want     string
	}{
		"a wrong token":      {ok.URL(), wrong, open(ok.URL()), telegramtest.Failure{}, telegram.CodeToken},
		"a lost connection":  {ok.URL(), telegramtest.Token, open(ok.URL()), telegramtest.Failure{}, telegram.CodeUnreachable},
		"another error":      {ok.URL(), telegramtest.Token, open(ok.URL()), telegramtest.Failure{Status: 500, Text: "at /bot" + telegramtest.Token + "/x"}, telegram.CodeUnreachable},
		"a refusal":          {ok.URL(), telegramtest.Token, open(ok.URL()), telegramtest.Failure{Status: 400, Text: "Bad Request: " + telegramtest.Token}, telegram.CodeRefused},
		"blocked":            {ok.URL(), telegramtest.Token, open(ok.URL()), telegramtest.Failure{Status: 403, Text: "Forbidden: bot was blocked"}, telegram.CodeBlocked},
		"a conflict":         {ok.URL(), telegramtest.Token, open(ok.URL()), telegramtest.Failure{Status: 409, Text: "Conflict"}, telegram.CodeConflict},
		"nobody listens":     {"http://127.0.0.1:9", telegramtest.Token, open("http://127.0.0.1:9"), telegramtest.Failure{}, telegram.CodeUnreachable},
		"denied":             {ok.URL(), telegramtest.Token, policy.Settings{}, telegramtest.Failure{}, telegram.CodeUnreachable},
		"a host that is not": {"https://bot.invalid", telegramtest.Token, policy.Settings{AllowedDomains: []string{"bot.example"}}, telegramtest.Failure{}, telegram.CodeUnreachable},
	} {
		t.Run(name, func(t *testing.T) {
			c := clientOf(t, tt.base, tt.token, tt.settings)
			for method, call := range map[string]func() error{
				"getMe":               func() error { _, err := c.Me(t.Context()); return err },
				"getUpdates":          func() error { _, err := c.Updates(t.Context(), 0, 0); return err },
				"sendMessage":         func() error { _, err := c.Send(t.Context(), 1, telegram.Message{HTML: "x"}); return err },
				"editMessageText":     func() error { return c.Edit(t.Context(), 1, 1, telegram.Message{HTML: "x"}) },
				"answerCallbackQuery": func() error { return c.Answer(t.Context(), "p", "") },
				"sendDocument": func() error {
					return c.SendFile(t.Context(), 1, "f", "", func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("x")), nil })
				},
				"getFile": func() error { return c.Download(t.Context(), "f", io.Discard) },
			} {
				ok.Restore()
				ok.Fail(method, tt.failure)
				err := call()
				if err == nil {
					t.Errorf("%s: no error", method)
					continue
				}
				e := tool.AsError(err)
				text := err.Error() + i18n.English().Text(e.Message) + i18n.English().Text(e.Hint) + e.Code
				for inner := err; inner != nil; inner = errors.Unwrap(inner) {
					text += inner.Error()
				}
				if strings.Contains(text, "AAsecret") {
					t.Errorf("%s: %s", method, text)
				}
				if method != "getUpdates" && e.Code != tt.want {
					t.Errorf("%s: code %s, want %s (%s)", method, e.Code, tt.want, text)
				}
			}
		})
	}
}

// TestPause: a pause that Telegram asks for is kept, and ends with the caller.
func TestPause(t *testing.T) {
	s := telegramtest.Start(t)
	c := clientOf(t, s.URL(), telegramtest.Token, open(s.URL()))
	s.Fail("sendMessage", telegramtest.Failure{Status: 429, RetryAfter: 1, Text: "Too Many Requests"})
	begun := time.Now()
	if id, err := c.Send(t.Context(), 1, telegram.Message{HTML: "x"}); err != nil || id == 0 || time.Since(begun) < time.Second {
		t.Errorf("sent %d after %s, %v", id, time.Since(begun), err)
	}
	s.Fail("sendMessage", telegramtest.Failure{Status: 429, RetryAfter: 80, Text: "Too Many Requests"})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Send(ctx, 1, telegram.Message{HTML: "x"}); err == nil {
		t.Error("no error after the caller's end")
	}
	s.Fail("sendMessage", telegramtest.Failure{Status: 429, RetryAfter: 3600, Text: "Too Many Requests"})
	if _, err := c.Send(t.Context(), 1, telegram.Message{HTML: "x"}); tool.AsError(err).Code != telegram.CodeBusy {
		t.Errorf("a pause of an hour: %v", err)
	}
}

// TestDownload: files are read up to their limit.
func TestDownload(t *testing.T) {
	s := telegramtest.Start(t)
	c := clientOf(t, s.URL(), telegramtest.Token, open(s.URL()))
	for size, want := range map[int]string{9: "", telegram.MaxDownload: "", telegram.MaxDownload + 1: telegram.CodeTooLarge} {
		s.SayVoice(1, "f", bytes.Repeat([]byte("x"), size))
		var got bytes.Buffer
		err := c.Download(t.Context(), "f", &got)
		code := ""
		if err != nil {
			code = tool.AsError(err).Code
		}
		if code != want || want == "" && got.Len() != size {
			t.Errorf("%d bytes: got %d, %v", size, got.Len(), err)
		}
	}
}
