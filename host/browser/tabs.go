package browser

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"

	"errand/host/tool"
	"errand/policy"
)

// tabs knows every page of the browser. Each new one waits, paused by
// Chromium, until it was set up or turned away here, so that none of its
// requests, dialogs and redirects comes too early to be seen.
type tabs struct {
	b *Browser

	creating sync.Mutex // held while we make a page, so that a stranger can be told from ours

	mu        sync.Mutex
	byTarget  map[proto.TargetTargetID]*tab
	bySession map[proto.TargetSessionID]*tab
	byFrame   map[proto.PageFrameID]*tab // of frames within pages
	parts     map[proto.TargetSessionID]tabPart
	ours      map[proto.TargetTargetID]bool
	popups    int // that were meant
	pages     pages
	inFront   *tab          // the page that was brought in front last
	none      chan struct{} // closed while there are no pages, but not before the first
}

func newTabs(b *Browser) *tabs {
	return &tabs{
		b:         b,
		byTarget:  map[proto.TargetTargetID]*tab{},
		bySession: map[proto.TargetSessionID]*tab{},
		byFrame:   map[proto.PageFrameID]*tab{},
		parts:     map[proto.TargetSessionID]tabPart{},
		ours:      map[proto.TargetTargetID]bool{},
		none:      make(chan struct{}),
	}
}

// maxTabs bounds the pages of a browser, popups included.
const maxTabs = 100

// open makes an empty page and waits until it is set up.
func (ts *tabs) open(ctx context.Context) (*tab, error) {
	ts.mu.Lock()
	many := len(ts.byTarget) >= maxTabs
	ts.mu.Unlock()
	if many {
		return nil, tool.Errorf(tool.ExecutionError, "too_many_tabs", "%d tabs are open, and no more are opened", maxTabs).
			WithHint("close some with browser.tab_close")
	}
	ts.creating.Lock()
	made, err := proto.TargetCreateTarget{URL: "about:blank"}.Call(ts.b.root(ctx))
	if err == nil {
		ts.mu.Lock()
		ts.ours[made.TargetID] = true
		ts.mu.Unlock()
	}
	ts.creating.Unlock()
	if err == nil {
		err = ts.attachTo(ctx, made.TargetID)
	}
	if err != nil {
		return nil, err
	}
	// The event that announces the page may come after the answer above.
	for tick := time.NewTicker(5 * time.Millisecond); ; {
		if t := ts.ofTarget(made.TargetID); t != nil {
			tick.Stop()
			select {
			case <-t.ready:
				ts.mu.Lock()
				t.as = subjectOf(ctx)
				ts.mu.Unlock()
				return t, t.setupErr
			case <-ctx.Done():
				return t, ctx.Err()
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			tick.Stop()
			return nil, ctx.Err()
		case <-ts.b.life.Done():
			tick.Stop()
			return nil, errGone
		}
	}
}

// attached is told of a new page, or of a part of one, which waits for us.
// parent is the session that announces it: the browser's own, or a page's.
func (ts *tabs) attached(e *proto.TargetAttachedToTarget, parent proto.TargetSessionID) {
	if e.TargetInfo.Type != proto.TargetTargetInfoTypePage {
		ts.partAttached(e, parent)
		ts.b.watchPart(e)
		return
	}
	t := newTab(ts.b, e.TargetInfo.TargetID, e.SessionID)
	ts.mu.Lock()
	ts.byTarget[t.id], ts.bySession[t.session] = t, t
	ts.inFront = nil // a new page comes in front by itself
	select {
	case <-ts.none:
		ts.none = make(chan struct{})
	default:
	}
	var opener *tab
	if e.WaitingForDebugger && !ts.ours[t.id] { // ours may not be known to be yet; then it has no opener
		if opener = ts.opener(e.TargetInfo); opener != nil {
			opener.update(func(s *state) { s.opening++ })
		}
	}
	ts.mu.Unlock()

	go func() {
		ts.creating.Lock()
		ts.mu.Lock()
		ours := ts.ours[t.id]
		ts.mu.Unlock()
		ts.creating.Unlock()
		if !ours {
			ts.popped(t, e.TargetInfo, opener)
			return
		}
		if opener != nil {
			opener.update(func(s *state) { s.opening-- })
		}
		t.setup()
	}()
}

// infoChanged watches where pages are. What must not be a page, a data: or
// file: document for one, is refused before it is asked for; should one get
// through on a way that nobody thought of, the page is closed.
func (ts *tabs) infoChanged(e *proto.TargetTargetInfoChanged) {
	t := ts.ofTarget(e.TargetInfo.TargetID)
	if t == nil || mayShow(e.TargetInfo.URL) {
		return
	}
	go func() {
		ts.b.notes.add("page", map[string]any{"event": "page_closed", "url": bare(e.TargetInfo.URL), "rule": ruleScheme})
		t.refuse(refusal{e.TargetInfo.URL, policy.Decision{Rule: ruleScheme, Reason: "only http and https pages are opened"}})
		t.close()
	}()
}

// mayShow says whether a page may be at rawURL: on the web, or on one of the
// pages that stand for none.
func mayShow(rawURL string) bool {
	u, err := url.Parse(rawURL)
	if err != nil {
		return false
	}
	switch u.Scheme {
	case "http", "https", "chrome-error":
		return true
	case "about":
		return rawURL == "about:blank" || strings.HasPrefix(rawURL, "about:blank#")
	}
	return rawURL == ""
}

func (ts *tabs) destroyed(e *proto.TargetTargetDestroyed) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.byTarget[e.TargetID]
	if t == nil {
		return
	}
	delete(ts.byTarget, t.id)
	delete(ts.bySession, t.session)
	delete(ts.ours, t.id)
	ts.pages.left(t)
	maps.DeleteFunc(ts.byFrame, func(_ proto.PageFrameID, of *tab) bool { return of == t })
	maps.DeleteFunc(ts.parts, func(_ proto.TargetSessionID, p tabPart) bool { return p.tab == t })
	t.update(func(s *state) { s.gone = true })
	if len(ts.byTarget) == 0 {
		close(ts.none)
	}
}

func (ts *tabs) crashed(e *proto.TargetTargetCrashed) {
	if t := ts.ofTarget(e.TargetID); t != nil {
		t.update(func(s *state) { s.crashed = true })
	}
}

// downloading is told of each download, also of one that Chromium denies by
// itself.
func (ts *tabs) downloading(e *proto.BrowserDownloadWillBegin) {
	ts.mu.Lock()
	t := ts.byTarget[proto.TargetTargetID(e.FrameID)]
	if t == nil {
		t = ts.byFrame[e.FrameID]
	}
	ts.mu.Unlock()
	if ts.b.downloads.began(t, e) {
		return
	}
	go func() {
		ts.b.notes.add("page", map[string]any{"event": "download_denied", "url": bare(e.URL), "name": e.SuggestedFilename})
		if t != nil && t.id == proto.TargetTargetID(e.FrameID) {
			t.update(func(s *state) { s.download = true })
		}
	}()
}

// refused tells the page of a frame that its navigation was not allowed.
func (ts *tabs) refused(frame proto.PageFrameID, r refusal) {
	if t := ts.ofTarget(proto.TargetTargetID(frame)); t != nil {
		t.refuse(r)
	}
}

// isTop says whether a frame is the top of a page, whose id it then shares. A
// frame that is not known yet is asked for; only the browser's word that it is
// no page makes it one of the page's own frames.
func (ts *tabs) isTop(frame proto.PageFrameID) bool {
	id := proto.TargetTargetID(frame)
	if ts.ofTarget(id) != nil {
		return true
	}
	res, err := proto.TargetGetTargetInfo{TargetID: id}.Call(ts.b.root(ts.b.life))
	if err != nil {
		_, answered := err.(*cdp.Error) //nolint:errorlint // rod returns it unwrapped
		return !answered
	}
	return res.TargetInfo.Type != "iframe"
}

// turnedAway says whether a frame is a page that is being closed.
func (ts *tabs) turnedAway(frame proto.PageFrameID) bool {
	t := ts.ofTarget(proto.TargetTargetID(frame))
	return t != nil && t.snapshot().unwanted
}

// empty is closed once the last page is gone.
func (ts *tabs) empty() <-chan struct{} {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.none
}

func (ts *tabs) all() []*tab {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return slices.Collect(maps.Values(ts.byTarget))
}

func (ts *tabs) ofTarget(id proto.TargetTargetID) *tab {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.byTarget[id]
}

func (ts *tabs) ofSession(id proto.TargetSessionID) *tab {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.bySession[id]
}

// InFront reports whether the page is known to be in front, where it paints.
func (t *tab) InFront() bool {
	ts := t.b.tabs
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.inFront == t
}

// front brings the page in front, where it paints and takes input.
func (t *tab) front(ctx context.Context) error {
	ts := t.b.tabs
	ts.mu.Lock()
	there := ts.inFront == t
	ts.inFront = t
	ts.mu.Unlock()
	if there {
		return nil
	}
	return proto.PageBringToFront{}.Call(t.call(ctx, callTimeout))
}

// NewTab opens an empty page. With an error it may answer with a page that is to be closed.
func (b *Browser) NewTab(ctx context.Context) (*tab, error) { return b.tabs.open(ctx) }

// Select makes a page the current one.
func (b *Browser) Select(t *tab) { b.tabs.entered(t, true) }
