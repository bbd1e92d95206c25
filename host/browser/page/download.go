package page

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/chromium"
	"errand/host/browser/document"
	"errand/host/browser/download"
	"errand/host/browser/initiator"
	"errand/host/browser/transfer"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
)

// beginTimeout limits the wait for the first data of a download.
const beginTimeout = 30 * time.Second

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
	d, forbid, err := t.Browser.downloads.Allow(ctx, downloaderOf(t), download.Terms{MaxBytes: most, HTML: html, Frame: frame})
	if err != nil {
		return Downloaded{}, err
	}
	defer forbid()
	if err := t.beginDownload(ctx, d, begin); err != nil {
		return Downloaded{}, err
	}
	if d.Page == policy.UnknownPage {
		d.Page = findMaker(ctx, t, frame)
	}
	if err := checkDownload(ctx, t, d); err != nil {
		return Downloaded{}, err
	}
	data, err := d.Wait(ctx)
	if err != nil {
		return Downloaded{}, err
	}
	if to.Name == "" {
		to.Name = d.SuggestName()
	}
	file, err := transfer.Place(ctx, data, to, d.Source(), t.Browser.instance.Folder())
	if err != nil {
		if ctx.Err() != nil {
			return Downloaded{}, err
		}
		return Downloaded{}, transfer.SaveError(to.Folder, err)
	}
	return Downloaded{Path: file.Path, Name: filepath.Base(file.Path), Size: file.Size, SHA256: file.SHA256, URL: d.Source(), MediaType: d.MediaType}, nil
}

// downloaderOf is a page as one that may download.
func downloaderOf(t *Tab) download.Page { return download.Page{ID: t.ID, Call: t.Call} }

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
func checkDownload(ctx context.Context, t *Tab, d *download.Download) error {
	if d.Source() == policy.UnknownPage {
		return tool.NewError(tool.PolicyDenied, "download_denied", message.New("browser.download_by_unknown"))
	}
	page := "" // the user's, with a URL
	if !d.HTML {
		page = t.Browser.tabs.documents.Page(proto.PageFrameID(t.ID))
	}
	if decision := t.Browser.EvaluateFrom(ctx, page, d.Document()); decision.Verdict != policy.Allow {
		return DeniedError(d.Source(), decision)
	}
	return nil
}

// beginDownload starts the download and waits for the first data.
func (t *Tab) beginDownload(ctx context.Context, d *download.Download, begin func(context.Context) error) error {
	ctx, release := tool.Hold(ctx, beginTimeout)
	defer release()
	failed := make(chan error, 1)
	go func() { failed <- begin(ctx) }()
	var late error // the error may be a consequence of the started download
	var patience <-chan time.Time
	for {
		begun, refused, changed := d.State()
		switch s := t.snapshot(); {
		case begun:
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
			if late == nil && d.HTML {
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

// newDownloads returns the permits to download of the browser's pages.
func (b *Browser) newDownloads() *download.Permits {
	return download.New(download.Options{
		Folder: func() string { return filepath.Join(b.instance.Folder(), "downloads") },
		Life:   b.life, Call: b.bindSession, Documents: b.tabs.documents,
		PageOf: func(session proto.TargetSessionID) (proto.TargetTargetID, bool) {
			t := b.tabs.ofSession(session)
			if t == nil {
				return "", false
			}
			return t.ID, true
		},
	})
}
