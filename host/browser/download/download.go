package download

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/transfer"
	"errand/host/tool"
	"errand/planner/message"
)

// Limits of one download.
const (
	DefaultBytes = 200_000_000   // the default
	MaxBytes     = 1_000_000_000 // the proxy closes larger connections

	stallTimeout = 30 * time.Second // without further data
	wholeTimeout = 30 * time.Minute // the whole download

	closeTimeout = 2 * time.Second // a call that revokes a permission
)

// Download is a download that a page is allowed to make.
type Download struct {
	Terms
	permits *Permits

	mu      sync.Mutex
	changed chan struct{} // closed and replaced with each change
	guid    string        // "" until the download starts
	url     string        // after redirects
	name    string        // suggested by the server or the page
	got     int64
	total   int64 // 0: unknown
	state   proto.BrowserDownloadProgressState
	refusal *tool.Error

	// Page is the URL of the document that starts it, or [policy.UnknownPage], once it has begun.
	Page string
	// MediaType is according to the server, without parameters.
	MediaType string
}

func (d *Download) update(f func(*Download)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f(d)
	close(d.changed)
	d.changed = make(chan struct{})
}

// State returns whether the download has begun, or why it was refused, and a channel that is closed
// with the next change.
func (d *Download) State() (begun bool, refused *tool.Error, changed <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.guid != "", d.refusal, d.changed
}

func (d *Download) refuse(why *tool.Error) {
	d.update(func(d *Download) {
		if d.refusal == nil {
			d.refusal = why
		}
	})
}

// Source returns the final URL, or that of the document that has the file within itself: data:,
// and the blob: of a document without an origin.
func (d *Download) Source() string {
	if address.Origin(strings.TrimPrefix(d.url, "blob:")) == "" {
		return address.StripUser(d.Page)
	}
	return address.StripUser(d.url)
}

// Document returns the URL to decide: the final URL, for a blob: that of the document that
// made it, or of its origin.
func (d *Download) Document() string {
	from, isBlob := strings.CutPrefix(d.Source(), "blob:")
	if isBlob && address.Origin(from) == address.Origin(d.Page) {
		return d.Page
	}
	return from
}

// SuggestName returns the file name that the server or the page suggests. If the URL has
// no name, it uses the host, which is better than Chromium's default.
func (d *Download) SuggestName() string {
	stem, ext := transfer.SplitExt(d.name)
	if stem == "download" && address.LastElement(d.url) == "" {
		if host := transfer.NameFromURL(d.url); host != "" {
			return transfer.SafeName(host + ext)
		}
	}
	return transfer.SafeName(d.name)
}

// Wait waits until the download is complete, and returns the file with its data. The call's clock is
// stopped while data arrives.
func (d *Download) Wait(ctx context.Context) (data string, err error) {
	ds := d.permits
	if err := d.wait(ctx); err != nil {
		return "", err
	}
	if ds.size(d.guid) == 0 {
		return "", emptyAnswerError(d.Source())
	}
	return ds.files(d.guid)[0], nil
}

func (d *Download) wait(ctx context.Context) error {
	ds := d.permits
	ctx, release := tool.Hold(ctx, wholeTimeout)
	defer release()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	grew, was := time.Now(), int64(-1)
	for {
		d.mu.Lock()
		state, got, total, changed := d.state, d.got, d.total, d.changed
		d.mu.Unlock()
		got = max(got, ds.size(d.guid))
		if got > was {
			grew, was = time.Now(), got
		}
		switch {
		case got > d.MaxBytes || total > d.MaxBytes:
			return tooLargeError(max(got, total), d.MaxBytes)
		case state == proto.BrowserDownloadProgressStateCompleted:
			return nil
		case state == proto.BrowserDownloadProgressStateCanceled:
			return tool.NewError(tool.ToolUnavailable, "download_broken", message.New("browser.download_broken", "size", got)).
				WithHint(message.New("browser.try_after_space"))
		case time.Since(grew) > stallTimeout:
			return tool.NewError(tool.ToolUnavailable, "download_stalled", message.New("browser.download_stalled", "limit", stallTimeout, "size", got)).
				WithHint(message.New("browser.try_later"))
		}
		select {
		case <-changed:
		case <-look.C:
		case <-ds.o.Life.Done():
			return chromium.ErrGone
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return tool.NewError(tool.ToolUnavailable, "download_timeout", message.New("browser.download_timeout", "limit", wholeTimeout, "size", got))
			}
			return ctx.Err()
		}
	}
}

// emptyAnswerError returns the error for a response without a body, whatever its status.
func emptyAnswerError(rawURL string) *tool.Error {
	return tool.NewError(tool.ExecutionError, "nothing_to_download", message.New("browser.empty_download", "host", address.Host(rawURL))).
		WithAlternative(message.New("browser.open_linking_page"))
}

func tooLargeError(size, most int64) *tool.Error {
	return tool.NewError(tool.ExecutionError, "download_too_large", message.New("browser.download_too_large", "limit", most, "size", size)).
		WithAlternative(message.New("browser.raise_max_bytes", "limit", MaxBytes))
}
