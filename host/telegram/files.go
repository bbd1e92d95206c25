package telegram

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"errand/host/tool"
	"errand/planner/message"
)

// SendFile sends a file of at most [MaxUpload] bytes, which open reads from its beginning, and a text in
// HTML with it.
func (c *Client) SendFile(ctx context.Context, chat int64, name, html string, open func() (io.ReadCloser, error)) error {
	return c.call(ctx, fileTimeout, func(ctx context.Context) error {
		r, err := open()
		if err != nil {
			return err
		}
		defer r.Close()
		_, err = c.bot.SendDocument(ctx, &bot.SendDocumentParams{
			ChatID: chat, Document: &models.InputFileUpload{Filename: name, Data: &reader{r}}, Caption: html, ParseMode: models.ParseModeHTML,
			DisableContentTypeDetection: true,
		})
		return err
	})
}

// reader is a pointer, as the library needs it: with another value it ends the program.
type reader struct{ io.Reader }

// Download writes a file that the bot got to w. One of more than [MaxDownload] bytes is an error with code
// telegram_file_too_large.
func (c *Client) Download(ctx context.Context, fileID string, w io.Writer) error {
	var file *models.File
	err := c.call(ctx, callTimeout, func(ctx context.Context) (err error) {
		file, err = c.bot.GetFile(ctx, &bot.GetFileParams{FileID: fileID})
		return err
	})
	if err != nil {
		return err
	}
	if file.FileSize > MaxDownload {
		return tooLarge()
	}
	if p := "/" + file.FilePath + "/"; file.FilePath == "" || strings.Contains(p, "//") || strings.Contains(p, "/../") || strings.ContainsAny(p, "?#\\%") {
		return tool.NewError(tool.ExecutionError, CodeRefused, message.New("telegram.bad_file_path"))
	}
	return c.once(ctx, fileTimeout, func(ctx context.Context) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.bot.FileDownloadLink(file), nil)
		if err != nil {
			return err
		}
		resp, err := c.o.Client.Do(r)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("status %d", resp.StatusCode)
		}
		n, err := io.Copy(w, io.LimitReader(resp.Body, MaxDownload+1))
		if err == nil && n > MaxDownload {
			return tooLarge()
		}
		return err
	})
}

func tooLarge() *tool.Error {
	return tool.NewError(tool.ValidationError, CodeTooLarge, message.New("telegram.file_too_large", "limit", MaxDownload))
}
