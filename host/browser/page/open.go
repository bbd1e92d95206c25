package page

import (
	"bytes"
	"context"
	"image/png"
	"net/url"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/document"
	"errand/host/browser/initiator"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
	"errand/policy/website"
)

// Timeouts of the phases of opening a page.
const (
	loadTimeout   = 15 * time.Second        // until the document is parsed (DOMContentLoaded)
	settleTimeout = 1500 * time.Millisecond // then until the page is quiet
	downloadNews  = 300 * time.Millisecond
	pictureLimit  = 10 * time.Second
	areaLimit     = 35 * time.Second // for an area of up to a whole page, which is painted for its picture
)

// Page is a page that was opened.
type Page struct {
	URL        string // the final URL after redirects
	Title      string // "" if it has none
	Status     int    // HTTP status of the document
	Screenshot []byte // PNG of the visible area of a window of 1280×800; nil: none was taken
}

// Open loads rawURL in a new page, waits until it is loaded and quiet, and takes a
// screenshot. The page stays open. A page with an HTTP error counts as opened; its Status
// has the error.
//
// Errors are *tool.Error: policy_denied with the rule if the URL or a redirect is not
// allowed, tool_unavailable for a host that can't be found or reached, tool_timeout for a
// page that is not loaded within 15 s, and execution_error for everything else.
func (b *Browser) Open(ctx context.Context, rawURL string) (Page, error) {
	if d := b.Evaluate(ctx, rawURL); d.Verdict != policy.Allow {
		return Page{}, DeniedError(rawURL, d)
	}
	t, err := b.tabs.open(ctx)
	if err == nil {
		var page Page
		if page, err = t.open(ctx, rawURL); err == nil {
			b.tabs.enter(t, true)
			if b.opts.Show {
				t.update(func(s *state) { s.handedOver = true })
			}
			return page, nil
		}
	}
	if t != nil {
		if t.snapshot().looped {
			err = errLoop
		}
		go t.Close()
	}
	return Page{}, b.OpenError(ctx, rawURL, err)
}

// Evaluate decides whether the user may open a page. Nothing is sent.
func (b *Browser) Evaluate(ctx context.Context, rawURL string) policy.Decision {
	return b.EvaluateFrom(ctx, "", rawURL)
}

// EvaluateFrom is Evaluate for a URL that a document opens.
func (b *Browser) EvaluateFrom(ctx context.Context, page, rawURL string) policy.Decision {
	u, err := url.Parse(rawURL)
	if err != nil {
		return policy.Decision{Rule: ruleBadURL, Reason: message.New("browser.bad_url")}
	}
	if d, ok := webScheme(u); !ok {
		return d
	}
	r := subjectOf(ctx)
	r.Kind, r.URL, r.Page, r.Preview = policy.KindNavigate, rawURL, page, true
	return decide(ctx, b.decider(subjectOf(ctx)), r)
}

func (t *Tab) open(ctx context.Context, rawURL string) (Page, error) {
	page, err := load(ctx, t, rawURL, passObstacles)
	if err != nil {
		return Page{}, err
	}
	page.Screenshot, err = t.screenshot(ctx)
	return page, err
}

// load loads a URL in a page, waits until it is loaded and quiet, and calls pass. The result has
// no picture.
func load(ctx context.Context, t *Tab, rawURL string, pass func(context.Context, *Tab) error) (Page, error) {
	loading, cancel := context.WithTimeoutCause(ctx, loadTimeout, document.ErrSlow)
	defer cancel()
	if err := t.navigate(loading, rawURL); err != nil {
		return Page{}, err
	}
	if err := t.settle(loading); err != nil {
		return Page{}, err
	}
	if s := t.snapshot(); s.proxy != "" { // the response may be reported only after the navigation
		return Page{}, t.Browser.proxyError(rawURL, s.proxy)
	}
	if err := pass(ctx, t); err != nil {
		return Page{}, err
	}
	history, err := proto.PageGetNavigationHistory{}.Call(t.Call(ctx, chromium.CallTimeout))
	if err != nil {
		return Page{}, err
	}
	page := Page{Status: t.snapshot().status}
	if i := history.CurrentIndex; i >= 0 && i < len(history.Entries) {
		page.URL, page.Title = history.Entries[i].URL, history.Entries[i].Title
	}
	t.update(func(s *state) {
		if s.documents == 1 {
			s.landed = website.Of(address.StripUser(page.URL))
		}
	})
	return page, nil
}

// navigate starts loading and waits for a document. A refusal by policy takes precedence
// over the browser's error, because it is the cause.
func (t *Tab) navigate(ctx context.Context, rawURL string) error {
	type answer struct {
		text string
		err  error
	}
	answered := make(chan answer, 1)
	t.update(func(s *state) { s.requested, s.documents, s.landed = initiator.WithoutFragment(rawURL), 0, "" })
	go func() {
		res, err := proto.PageNavigate{URL: rawURL}.Call(t.Call(ctx, loadTimeout))
		if err != nil {
			res = &proto.PageNavigateResult{}
		}
		answered <- answer{res.ErrorText, err}
	}()
	var a answer
	select {
	case a = <-answered:
	case <-ctx.Done():
		t.stopLoading()
		return context.Cause(ctx)
	}
	if strings.HasSuffix(a.text, "_ABORTED") { // the event about the download follows immediately
		wait, cancel := context.WithTimeout(ctx, downloadNews)
		t.waitFor(wait, func(s *state) bool { return s.download || s.refusal != nil })
		cancel()
	}
	switch s := t.snapshot(); {
	case s.refusal != nil:
		return refusedError(rawURL, *s.refusal)
	case s.proxy != "":
		return t.Browser.proxyError(rawURL, s.proxy)
	case s.download:
		return downloadError(rawURL)
	case a.err != nil:
		return a.err
	case a.text != "":
		return t.Browser.netError(rawURL, a.text, s.status)
	}
	return nil
}

// settle waits until the document is parsed, and then briefly for it to become quiet. If
// the page navigates by itself, it waits for the next document, within the same deadline.
func (t *Tab) settle(ctx context.Context) error {
	failed := func(s *state) bool { return s.refusal != nil || s.crashed || s.closed || s.looped }
	for first := true; ; first = false {
		var loader proto.NetworkLoaderID
		parsed := t.waitFor(ctx, func(s *state) bool {
			loader = s.loader
			return failed(s) || loader != s.blank && s.lifecycle[proto.PageLifecycleEventNameDOMContentLoaded]
		})
		if !parsed {
			t.stopLoading()
			if t.Browser.life.Err() != nil {
				return chromium.ErrGone
			}
			return context.Cause(ctx)
		}
		moved := false
		quiet, cancel := context.WithTimeout(ctx, settleTimeout)
		t.waitFor(quiet, func(s *state) bool {
			moved = s.loader != loader
			return failed(s) || moved || s.lifecycle[proto.PageLifecycleEventNameNetworkIdle]
		})
		cancel()
		switch s := t.snapshot(); {
		case s.refusal != nil:
			return refusedError("", *s.refusal)
		case s.looped:
			return errLoop
		case s.crashed, s.closed:
			return errCrashed
		case !moved && !first && ctx.Err() != nil: // it kept navigating
			t.stopLoading()
			return context.Cause(ctx)
		case !moved:
			return nil
		}
	}
}

// stopLoading asks a page to stop loading, for a browser with a window.
func (t *Tab) stopLoading() {
	go func() { _ = proto.PageStopLoading{}.Call(t.Call(t.Browser.life, closeTimeout)) }()
}

// screenshot takes a picture of the visible area.
func (t *Tab) screenshot(ctx context.Context) ([]byte, error) {
	return t.Picture(ctx, proto.PageCaptureScreenshot{Format: proto.PageCaptureScreenshotFormatPng, OptimizeForSpeed: true})
}

// Picture takes a picture of the page within 10 seconds, or of an area of it within 35. Only
// the tab in front is painted, so pages take turns.
func (t *Tab) Picture(ctx context.Context, shot proto.PageCaptureScreenshot) ([]byte, error) {
	limit := pictureLimit
	if shot.CaptureBeyondViewport {
		limit = areaLimit
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, document.ErrSlow)
	defer cancel()
	select {
	case t.Browser.camera <- struct{}{}:
		defer func() { <-t.Browser.camera }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if err := t.BringToFront(ctx); err != nil {
		return nil, err
	}
	taken, err := shot.Call(t.Call(ctx, limit))
	if err != nil {
		return nil, err
	}
	if _, err := png.DecodeConfig(bytes.NewReader(taken.Data)); err != nil {
		return nil, errNoPicture
	}
	return taken.Data, nil
}

// Result returns the result of a tool that opened p: its URL, title and status, and the
// screenshot as an artifact if there is one.
func (p Page) Result() tool.Result {
	r := tool.OK(map[string]any{"url": p.URL, "title": p.Title, "status": p.Status})
	if p.Screenshot != nil {
		r.Artifacts = []tool.Artifact{tool.NewArtifact("screenshot.png", "image/png", p.Screenshot)}
	}
	r.World = &tool.WorldChange{BrowserLastURL: p.URL}
	if u, err := url.Parse(p.URL); err == nil && u.Hostname() != "" {
		r.From = []string{u.Hostname()}
	}
	return r
}
