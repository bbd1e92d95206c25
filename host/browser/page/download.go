package page

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/document"
	"errand/host/browser/initiator"
	"errand/host/browser/transfer"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
)

// Limits of one download.
const (
	DefaultDownload = 200_000_000   // bytes, the default
	MaxDownload     = 1_000_000_000 // bytes; the proxy closes larger connections

	beginTimeout    = 30 * time.Second // until the first data
	stallTimeout    = 30 * time.Second // without further data
	downloadTimeout = 30 * time.Minute // the whole download
)

// Downloaded is a finished download at its destination.
type Downloaded struct {
	Path   string // absolute
	Name   string // the last element of Path
	Size   int64  // bytes
	SHA256 string // in hex
	URL    string // the final URL, without credentials; for data: that of the document that has it

	MediaType string // according to the server, such as "text/html"; "": unknown
}

// Download downloads the file at rawURL in a new page.
func (b *Browser) Download(ctx context.Context, rawURL string, most int64, to transfer.Destination) (Downloaded, error) {
	if err := b.CheckDownloads(); err != nil {
		return Downloaded{}, err
	}
	if d := b.Evaluate(ctx, rawURL); d.Verdict != policy.Allow {
		return Downloaded{}, DeniedError(rawURL, d)
	}
	t, err := b.tabs.open(ctx)
	if t != nil {
		defer t.Close()
	}
	if err != nil {
		return Downloaded{}, b.OpenError(ctx, rawURL, err)
	}
	got, err := t.Download(ctx, most, true, nil, to, func(ctx context.Context) error { return t.navigate(ctx, rawURL) })
	if err != nil {
		err = b.OpenError(ctx, rawURL, err)
	}
	return got, err
}

// CheckDownloads returns an error for the user's own browser, which can't be configured.
func (b *Browser) CheckDownloads() error {
	if b.attached == nil {
		return nil
	}
	return tool.NewError(tool.PolicyDenied, "download_denied", message.New("browser.download_denied")).
		WithHint(message.New("browser.take_cdp_out_or_download"))
}

// Download lets the page download what begin starts, and moves the file to its
// destination. Frames of the page's origin may start it, and frame. html allows HTML pages as
// files. The final URL has to be allowed as a page, whichever frame it came to.
func (t *Tab) Download(ctx context.Context, most int64, html bool, frame *document.Frame, to transfer.Destination, begin func(context.Context) error) (Downloaded, error) {
	ds := t.Browser.downloads
	d, forbid, err := ds.allow(ctx, t, most, html, frame)
	if err != nil {
		return Downloaded{}, err
	}
	defer forbid()
	if err := t.beginDownload(ctx, d, begin); err != nil {
		return Downloaded{}, err
	}
	if d.page == policy.UnknownPage {
		d.page = findMaker(ctx, t, frame)
	}
	if err := checkDownload(ctx, t, d); err != nil {
		return Downloaded{}, err
	}
	if err := ds.wait(ctx, t.Browser.life, d); err != nil {
		return Downloaded{}, err
	}
	if ds.size(d.guid) == 0 {
		return Downloaded{}, emptyAnswerError(d.source())
	}
	if to.Name == "" {
		to.Name = d.suggestName()
	}
	file, err := transfer.Place(ctx, ds.files(d.guid)[0], to, d.source(), t.Browser.instance.Folder())
	if err != nil {
		if ctx.Err() != nil {
			return Downloaded{}, err
		}
		return Downloaded{}, transfer.SaveError(to.Folder, err)
	}
	return Downloaded{Path: file.Path, Name: filepath.Base(file.Path), Size: file.Size, SHA256: file.SHA256, URL: d.source(), MediaType: d.mediaType}, nil
}

// findMaker returns the URL of the document of a frame that started a download. It is
// [policy.UnknownPage] if the frame has another document since it was chosen.
func findMaker(ctx context.Context, t *Tab, frame *document.Frame) string {
	all, err := t.Frames(ctx)
	if err != nil || frame == nil || !slices.ContainsFunc(all, frame.HasSameDocument) {
		return policy.UnknownPage
	}
	return initiator.Known(frame.Origin())
}

// checkDownload decides the final URL of a download that has begun.
func checkDownload(ctx context.Context, t *Tab, d *download) error {
	if d.source() == policy.UnknownPage {
		return tool.NewError(tool.PolicyDenied, "download_denied", message.New("browser.download_by_unknown"))
	}
	page := "" // the user's, with a URL
	if !d.html {
		page = t.Browser.tabs.documents.Page(proto.PageFrameID(t.ID))
	}
	if decision := t.Browser.EvaluateFrom(ctx, page, d.document()); decision.Verdict != policy.Allow {
		return DeniedError(d.source(), decision)
	}
	return nil
}

// source returns the final URL, or that of the document that has the file within itself: data:,
// and the blob: of a document without an origin.
func (d *download) source() string {
	if address.Origin(strings.TrimPrefix(d.url, "blob:")) == "" {
		return address.StripUser(d.page)
	}
	return address.StripUser(d.url)
}

// document returns the URL to decide: the final URL, for a blob: that of the document that
// made it, or of its origin.
func (d *download) document() string {
	from, isBlob := strings.CutPrefix(d.source(), "blob:")
	if isBlob && address.Origin(from) == address.Origin(d.page) {
		return d.page
	}
	return from
}

// suggestName returns the file name that the server or the page suggests. If the URL has
// no name, it uses the host, which is better than Chromium's default.
func (d *download) suggestName() string {
	stem, ext := transfer.SplitExt(d.name)
	if stem == "download" && address.LastElement(d.url) == "" {
		if host := transfer.NameFromURL(d.url); host != "" {
			return transfer.SafeName(host + ext)
		}
	}
	return transfer.SafeName(d.name)
}

// beginDownload starts the download and waits for the first data.
func (t *Tab) beginDownload(ctx context.Context, d *download, begin func(context.Context) error) error {
	ctx, release := tool.Hold(ctx, beginTimeout)
	defer release()
	failed := make(chan error, 1)
	go func() { failed <- begin(ctx) }()
	var late error // the error may be a consequence of the started download
	var patience <-chan time.Time
	for {
		d.mu.Lock()
		guid, refused, changed := d.guid, d.refusal, d.changed
		d.mu.Unlock()
		switch s := t.snapshot(); {
		case guid != "":
			return nil
		case refused != nil:
			return refused
		case s.refusal != nil:
			return refusedError("", *s.refusal)
		case s.crashed:
			return errCrashed
		}
		select {
		case <-changed:
		case late = <-failed:
			if late == nil && d.html {
				late = tool.NewError(tool.ExecutionError, "not_a_download", message.New("browser.nothing_sent"))
			}
			failed = nil
			if late != nil {
				patience = time.After(downloadNews)
			}
		case <-patience:
			return late
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return tool.NewError(tool.ToolUnavailable, "not_a_download", message.New("browser.download_not_begun", "limit", beginTimeout))
			}
			return ctx.Err()
		case <-t.Browser.life.Done():
			return chromium.ErrGone
		case <-time.After(250 * time.Millisecond): // for failures that only the page's state shows
		}
	}
}

// wait waits until the download is complete. The call's clock is stopped while data
// arrives.
func (ds *downloads) wait(ctx, life context.Context, d *download) error {
	ctx, release := tool.Hold(ctx, downloadTimeout)
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
		case got > d.maxBytes || total > d.maxBytes:
			return tooLargeError(max(got, total), d.maxBytes)
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
		case <-life.Done():
			return chromium.ErrGone
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return tool.NewError(tool.ToolUnavailable, "download_timeout", message.New("browser.download_timeout", "limit", downloadTimeout, "size", got))
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
		WithAlternative(message.New("browser.raise_max_bytes", "limit", MaxDownload))
}
