package page

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

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/initiator"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy"
)

// tabList has every page of the browser. Chromium pauses each new page until it is set up
// or closed here, so that no request, dialog or redirect is missed.
type tabList struct {
	b *Browser

	creating sync.Mutex // held while a page is created, to distinguish it from popups

	mu        sync.Mutex
	byTarget  map[proto.TargetTargetID]*Tab
	bySession map[proto.TargetSessionID]*Tab
	byFrame   map[proto.PageFrameID]*Tab // includes frames inside pages
	documents *initiator.Documents
	parts     map[proto.TargetSessionID]tabPart
	created   map[proto.TargetTargetID]bool
	popups    int // number of adopted popups
	pages     tabOrder
	inFront   *Tab          // the page that was last brought to the front
	closedAll chan struct{} // closed when there are no pages left
}

func newTabs(b *Browser) *tabList {
	return &tabList{
		b:         b,
		byTarget:  map[proto.TargetTargetID]*Tab{},
		bySession: map[proto.TargetSessionID]*Tab{},
		byFrame:   map[proto.PageFrameID]*Tab{},
		documents: initiator.NewDocuments(),
		parts:     map[proto.TargetSessionID]tabPart{},
		created:   map[proto.TargetTargetID]bool{},
		closedAll: make(chan struct{}),
	}
}

// maxTabs is the maximum number of pages of a browser, including popups.
const maxTabs = 100

// open creates an empty page and waits for its setup.
func (ts *tabList) open(ctx context.Context) (*Tab, error) {
	ts.mu.Lock()
	many := len(ts.byTarget) >= maxTabs
	ts.mu.Unlock()
	if many {
		return nil, tool.NewError(tool.ExecutionError, "too_many_tabs", message.New("browser.too_many_tabs", "count", maxTabs)).
			WithAlternative(message.New("browser.close_tabs"))
	}
	ts.creating.Lock()
	made, err := proto.TargetCreateTarget{URL: "about:blank"}.Call(ts.b.Root(ctx))
	if err == nil {
		ts.mu.Lock()
		ts.created[made.TargetID] = true
		ts.mu.Unlock()
	}
	ts.creating.Unlock()
	if err == nil {
		err = ts.attachTo(ctx, made.TargetID)
	}
	if err != nil {
		return nil, err
	}
	// The event that announces the page may arrive after the response above.
	for tick := time.NewTicker(5 * time.Millisecond); ; {
		if t := ts.ofTarget(made.TargetID); t != nil {
			tick.Stop()
			select {
			case <-t.ready:
				ts.mu.Lock()
				t.caller = subjectOf(ctx)
				ts.mu.Unlock()
				if t.setupErr == nil {
					ts.b.primed.Do(func() { primeSockets(t) })
				}
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
			return nil, chromium.ErrGone
		}
	}
}

// handleAttached handles a new page or a part of one, which Chromium pauses until its
// setup. parent is the session that announces it: the browser's or a page's.
func (ts *tabList) handleAttached(e *proto.TargetAttachedToTarget, parent proto.TargetSessionID) {
	if e.TargetInfo.Type != proto.TargetTargetInfoTypePage {
		ts.addPart(e, parent)
		ts.b.watchPart(e)
		return
	}
	t := newTab(ts.b, e.TargetInfo.TargetID, e.SessionID)
	ts.mu.Lock()
	ts.byTarget[t.ID], ts.bySession[t.Session] = t, t
	ts.inFront = nil // a new page is brought to the front automatically
	select {
	case <-ts.closedAll:
		ts.closedAll = make(chan struct{})
	default:
	}
	var opener *Tab
	if e.WaitingForDebugger && !ts.created[t.ID] { // it may not be registered in ours yet; then it has no opener
		if opener = ts.opener(e.TargetInfo); opener != nil {
			opener.update(func(s *state) { s.opening++ })
		}
	}
	ts.mu.Unlock()

	go func() {
		ts.creating.Lock()
		ts.mu.Lock()
		ours := ts.created[t.ID]
		ts.mu.Unlock()
		ts.creating.Unlock()
		if !ours {
			ts.handlePopup(t, e.TargetInfo, opener)
			return
		}
		if opener != nil {
			opener.update(func(s *state) { s.opening-- })
		}
		t.setup()
	}()
}

// handleInfo watches the URLs of pages. The gate refuses documents such as data: and file:
// before they load. If one gets through, handleInfo closes the page.
func (ts *tabList) handleInfo(e *proto.TargetTargetInfoChanged) {
	t := ts.ofTarget(e.TargetInfo.TargetID)
	if t == nil || isShowable(e.TargetInfo.URL) {
		return
	}
	go func() {
		ts.b.notes.Add(userOf(t), trace.PageNote{Event: trace.PageClosed, URL: address.StripUser(e.TargetInfo.URL), Rule: ruleScheme})
		t.refuse(refusal{e.TargetInfo.URL, policy.Decision{Rule: ruleScheme, Reason: message.New("browser.not_a_page")}})
		t.Close()
	}()
}

// isShowable reports whether a page may have this URL: a web URL or a blank page.
func isShowable(rawURL string) bool {
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

func (ts *tabList) handleDestroyed(e *proto.TargetTargetDestroyed) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.byTarget[e.TargetID]
	if t == nil {
		return
	}
	delete(ts.byTarget, t.ID)
	delete(ts.bySession, t.Session)
	delete(ts.created, t.ID)
	ts.pages.remove(t)
	ts.documents.Detach(proto.PageFrameID(t.ID), false)
	maps.DeleteFunc(ts.byFrame, func(frame proto.PageFrameID, of *Tab) bool {
		if of == t {
			ts.documents.Detach(frame, false)
		}
		return of == t
	})
	maps.DeleteFunc(ts.parts, func(_ proto.TargetSessionID, p tabPart) bool { return p.tab == t })
	t.update(func(s *state) { s.closed = true })
	if len(ts.byTarget) == 0 {
		close(ts.closedAll)
	}
}

func (ts *tabList) handleCrash(e *proto.TargetTargetCrashed) {
	if t := ts.ofTarget(e.TargetID); t != nil {
		t.update(func(s *state) { s.crashed = true })
	}
}

// handleDownload handles each download, including those that Chromium itself cancels.
func (ts *tabList) handleDownload(e *proto.BrowserDownloadWillBegin) {
	t := ts.ofFrame(e.FrameID)
	var page proto.TargetTargetID
	if t != nil {
		page = t.ID
	}
	if ts.b.downloads.HandleStart(page, e) {
		return
	}
	go func() {
		ts.b.notes.Add(userOf(t), trace.PageNote{Event: trace.PageDownloadDenied, URL: address.StripUser(e.URL), Name: e.SuggestedFilename})
		if t != nil && t.ID == proto.TargetTargetID(e.FrameID) {
			t.update(func(s *state) { s.download = true })
		}
	}()
}

// noteRefusal reports a refused navigation to the page of a frame.
func (ts *tabList) noteRefusal(frame proto.PageFrameID, r refusal) {
	if t := ts.ofTarget(proto.TargetTargetID(frame)); t != nil {
		t.refuse(r)
	}
}

// isTop reports whether a frame is the main frame of a page, which has the same id. It
// asks the browser about an unknown frame, and assumes a page unless the browser says it
// is an iframe.
func (ts *tabList) isTop(frame proto.PageFrameID) bool {
	id := proto.TargetTargetID(frame)
	if ts.ofTarget(id) != nil {
		return true
	}
	res, err := proto.TargetGetTargetInfo{TargetID: id}.Call(ts.b.Root(ts.b.life))
	if err != nil {
		_, answered := err.(*cdp.Error) //nolint:errorlint // rod returns it unwrapped
		return !answered
	}
	return res.TargetInfo.Type != "iframe"
}

// isUnwanted reports whether a frame belongs to a page that is being closed.
func (ts *tabList) isUnwanted(frame proto.PageFrameID) bool {
	t := ts.ofTarget(proto.TargetTargetID(frame))
	return t != nil && t.snapshot().unwanted
}

// allClosed returns a channel that is closed when the last page is gone.
func (ts *tabList) allClosed() <-chan struct{} {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.closedAll
}

func (ts *tabList) all() []*Tab {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return slices.Collect(maps.Values(ts.byTarget))
}

func (ts *tabList) ofTarget(id proto.TargetTargetID) *Tab {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.byTarget[id]
}

func (ts *tabList) ofSession(id proto.TargetSessionID) *Tab {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.bySession[id]
}

// InFront reports whether the page is known to be in front and therefore painted.
func (t *Tab) InFront() bool {
	ts := t.Browser.tabs
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.inFront == t
}

// BringToFront brings the page to the front, where it is painted and gets input.
func (t *Tab) BringToFront(ctx context.Context) error {
	ts := t.Browser.tabs
	ts.mu.Lock()
	there := ts.inFront == t && !ts.b.opts.Show // the user of a window switches tabs, too
	ts.inFront = t
	ts.mu.Unlock()
	if there {
		return nil
	}
	return proto.PageBringToFront{}.Call(t.Call(ctx, chromium.CallTimeout))
}

// NewTab opens an empty page. If it fails, it may still return a page, which must be
// closed.
func (b *Browser) NewTab(ctx context.Context) (*Tab, error) { return b.tabs.open(ctx) }

// AllTabs returns every page in no particular order, including those that are still
// opening.
func (b *Browser) AllTabs() []*Tab { return b.tabs.all() }

// Select makes a page the current one.
func (b *Browser) Select(t *Tab) { b.tabs.enter(t, true) }
