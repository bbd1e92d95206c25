package page

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/document"
	"errand/host/browser/initiator"
	"errand/host/trace"
	"errand/policy"
)

// Tab is one page of the browser.
type Tab struct {
	// fixed at creation
	*document.Document
	Browser *Browser
	ready   chan struct{} // closed when the setup is done or has failed

	setupErr error // valid once ready is closed

	caller policy.Request // the call that opened it; protected by the mutex of tabs
	actor  policy.Request // the call that acts on it now, zero if none does; protected likewise
	number int            // from 1, in the order of opening; protected by the mutex of tabs

	turn    chan struct{} // held by the current action
	mu      sync.Mutex
	state   state
	changed chan struct{} // closed and replaced with each change of state
}

// state is a page's state according to its events.
type state struct {
	blank             proto.NetworkLoaderID // of the initial empty document
	loader            proto.NetworkLoaderID // of the current document
	lifecycle         map[proto.PageLifecycleEventName]bool
	status            int    // HTTP status of the document
	proxy             string // error code in a response of the proxy
	refusal           *refusal
	download          bool                         // a navigation became a download
	open              bool                         // a dialog is open
	dialogs           []Dialog                     // dialogs during the current action
	leaving           bool                         // a navigation has started and not ended
	sameDocument      bool                         // the last navigation stayed within its document
	acting            bool                         // an action is running, which answers dialogs
	departed          bool                         // a navigation has started since the action began
	startLoader       proto.NetworkLoaderID        // the document at the start of the action
	navigationAllowed bool                         // a navigation of the page was allowed
	requested         string                       // the URL that Errand is opening in the page; "": none
	mitigated         string                       // the marked substitute for the requested document, such as a challenge
	asking            int                          // number of dialogs of this document, or of the current action
	looped            bool                         // there were too many dialogs, so the page is being closed
	chooser           *proto.PageFileChooserOpened // the latest file chooser; it is not displayed
	opening           int                          // number of popups that are not decided yet
	popupNames        []string                     // names of adopted popups of the current action
	crashed           bool
	closed            bool
	unwanted          bool // the page is being closed and must not load anything
	handedOver        bool // the user controls the page and answers dialogs

	documents int    // number of documents since Errand opened a URL in the page
	landed    string // where the server of the opened URL has led, before any script; "": not opened, or moved by itself
}

func newTab(b *Browser, id proto.TargetTargetID, session proto.TargetSessionID) *Tab {
	t := &Tab{Browser: b, ready: make(chan struct{}), changed: make(chan struct{}), turn: make(chan struct{}, 1)}
	t.Document = document.NewDocument(t, id, session)
	return t
}

// To implements [host].
func (t *Tab) To(ctx context.Context, id proto.TargetSessionID, limit time.Duration) chromium.Session {
	return t.Browser.bindSession(ctx, id, limit)
}

// Parts implements [host].
func (t *Tab) Parts() []*document.Part { return t.Browser.tabs.partsOf(t) }

// steps returns the calls that make the page observable.
func (t *Tab) steps() []func(proto.Client) error {
	none := 0 // response bodies are not needed
	return []func(proto.Client) error{
		proto.PageEnable{}.Call,
		proto.PageSetLifecycleEventsEnabled{Enabled: true}.Call,
		proto.NetworkEnable{MaxTotalBufferSize: &none, MaxResourceBufferSize: &none}.Call,
		// A service worker could answer a navigation from its cache.
		proto.NetworkSetBypassServiceWorker{Bypass: true}.Call,
		proto.PageSetInterceptFileChooserDialog{Enabled: true}.Call,
		watchParts.Call,
		t.Browser.intercept,
		t.Browser.downloads.ForcePopup(t.ID),
	}
}

// setup makes the page observable and lets it run.
func (t *Tab) setup() {
	defer close(t.ready)
	to := t.Call(t.Browser.life, chromium.CallTimeout)
	for _, step := range append(t.steps(), t.learnBlank, proto.RuntimeRunIfWaitingForDebugger{}.Call) {
		if t.setupErr = step(to); t.setupErr != nil {
			return
		}
	}
}

func (t *Tab) learnBlank(c proto.Client) error {
	tree, err := proto.PageGetFrameTree{}.Call(c)
	if err == nil && tree.FrameTree != nil && tree.FrameTree.Frame != nil {
		t.update(func(s *state) { s.blank = tree.FrameTree.Frame.LoaderID })
	}
	return err
}

// refusePage closes an unwanted page. The page must run for that: while it is paused, an
// opener in the same thread is blocked too. The gate refuses its requests meanwhile.
func (t *Tab) refusePage() {
	defer close(t.ready)
	t.update(func(s *state) { s.unwanted = true })
	_ = proto.RuntimeRunIfWaitingForDebugger{}.Call(t.Call(t.Browser.life, closeTimeout))
	t.Close()
}

// Close closes the page without asking it.
func (t *Tab) Close() {
	_, _ = proto.TargetCloseTarget{TargetID: t.ID}.Call(t.Browser.bindSession(t.Browser.life, "", closeTimeout))
}

// handleEvent handles an event of the page. It must not block.
func (t *Tab) handleEvent(m *chromium.Message) {
	switch m.Method {
	case (proto.PageLifecycleEvent{}).ProtoEvent():
		decodeEvent(m, t.handleLifecycle)
	case (proto.PageFrameAttached{}).ProtoEvent():
		decodeEvent(m, func(e *proto.PageFrameAttached) {
			t.Browser.tabs.addFrame(t, e.FrameID)
			t.Browser.tabs.documents.Add(e)
		})
	case (proto.PageFrameDetached{}).ProtoEvent():
		decodeEvent(m, t.Browser.tabs.removeFrame)
	case (proto.PageJavascriptDialogOpening{}).ProtoEvent():
		decodeEvent(m, t.handleDialog)
	case (proto.PageJavascriptDialogClosed{}).ProtoEvent():
		t.update(func(s *state) { s.open = false })
	case (proto.PageFileChooserOpened{}).ProtoEvent():
		decodeEvent(m, func(e *proto.PageFileChooserOpened) { t.update(func(s *state) { s.chooser = e }) })
	case (proto.NetworkResponseReceived{}).ProtoEvent():
		decodeEvent(m, t.handleResponse)
	case (proto.PageFrameRequestedNavigation{}).ProtoEvent():
		decodeEvent(m, func(e *proto.PageFrameRequestedNavigation) { startNavigation(t, e.FrameID) })
	case "Page.frameStartedNavigating": // newer than rod's types
		decodeEvent(m, func(e *proto.PageFrameRequestedNavigation) { startNavigation(t, e.FrameID) })
	case (proto.PageFrameNavigated{}).ProtoEvent():
		decodeEvent(m, func(e *proto.PageFrameNavigated) {
			if e.Frame != nil {
				t.Browser.tabs.documents.Set(e.Frame)
				t.endNavigation(e.Frame.ID, false)
			}
		})
	case (proto.PageNavigatedWithinDocument{}).ProtoEvent():
		decodeEvent(m, func(e *proto.PageNavigatedWithinDocument) { t.endNavigation(e.FrameID, true) })
	case (proto.PageFrameStoppedLoading{}).ProtoEvent(): // a navigation without a result ends with this event
		decodeEvent(m, func(e *proto.PageFrameStoppedLoading) { t.endNavigation(e.FrameID, false) })
	}
}

// startNavigation records that a frame starts to navigate.
func startNavigation(t *Tab, frame proto.PageFrameID) {
	if frame == proto.PageFrameID(t.ID) {
		t.update(func(s *state) { s.leaving, s.departed, s.sameDocument = true, true, false })
	}
}

// Request records that Errand starts to open a URL in the page.
func (t *Tab) Request(rawURL string) {
	startNavigation(t, proto.PageFrameID(t.ID))
	t.update(func(s *state) { s.requested = initiator.WithoutFragment(rawURL) })
}

// endNavigation records that a frame's navigation has ended or failed.
func (t *Tab) endNavigation(frame proto.PageFrameID, same bool) {
	if frame == proto.PageFrameID(t.ID) {
		t.update(func(s *state) { s.leaving, s.sameDocument = false, same })
	}
}

func (t *Tab) handleLifecycle(e *proto.PageLifecycleEvent) {
	if e.FrameID != proto.PageFrameID(t.ID) {
		return
	}
	t.update(func(s *state) {
		if s.loader != e.LoaderID { // another document replaced it
			s.asking = 0
			s.loader, s.lifecycle = e.LoaderID, map[proto.PageLifecycleEventName]bool{}
			s.documents++
		}
		s.lifecycle[e.Name] = true
	})
}

func (t *Tab) handleResponse(e *proto.NetworkResponseReceived) {
	if e.Type != proto.NetworkResourceTypeDocument || e.FrameID != proto.PageFrameID(t.ID) || e.Response == nil {
		return
	}
	t.update(func(s *state) {
		s.status, s.proxy, s.mitigated = e.Response.Status, "", ""
		for k, v := range e.Response.Headers {
			if strings.EqualFold(k, "Cf-Mitigated") {
				s.mitigated = v.Str()
			}
			if strings.EqualFold(k, proxyErrorHeader) {
				s.proxy = v.Str()
			}
		}
	})
}

// dialogLimit is the number of dialogs that a document or an action may open before the
// page is closed.
const dialogLimit = 100

// handleDialog answers a dialog immediately, because it blocks the page: no to questions,
// OK to messages, and yes to leaving the page.
func (t *Tab) handleDialog(e *proto.PageJavascriptDialogOpening) {
	var handedOver, looped bool
	t.update(func(s *state) {
		s.open, handedOver = true, s.handedOver && !s.acting
		if !handedOver {
			s.asking++
			looped = s.asking == dialogLimit
			s.looped = s.looped || looped
		}
		if s.acting && len(s.dialogs) < maxDialogs {
			s.dialogs = append(s.dialogs, Dialog{string(e.Type), e.Message})
		}
	})
	if handedOver {
		return
	}
	if looped { // it would never end
		go t.Close()
	}
	accept := e.Type == proto.PageDialogTypeAlert || e.Type == proto.PageDialogTypeBeforeunload
	go func() {
		t.Browser.notes.Add(userOf(t), trace.PageNote{
			Event: trace.PageDialogDismissed, Type: string(e.Type), Message: e.Message, URL: address.StripUser(e.URL),
		})
		_ = proto.PageHandleJavaScriptDialog{Accept: accept}.Call(t.Call(t.Browser.life, chromium.CallTimeout))
	}()
}

func (t *Tab) refuse(r refusal) { t.update(func(s *state) { s.refusal = &r }) }

// update changes the state and wakes waiting goroutines.
func (t *Tab) update(f func(*state)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(&t.state)
	close(t.changed)
	t.changed = make(chan struct{})
}

// waitFor waits until cond holds. It returns false if ctx is done first.
func (t *Tab) waitFor(ctx context.Context, cond func(*state) bool) bool {
	for {
		t.mu.Lock()
		holds, changed := cond(&t.state), t.changed
		t.mu.Unlock()
		if holds {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		case <-t.Browser.life.Done():
			return false
		}
	}
}

// snapshot returns a copy of the state without shared data.
func (t *Tab) snapshot() state {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.state
	s.lifecycle = nil
	return s
}

// Dismiss closes the page and waits until it is gone.
func (t *Tab) Dismiss(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, chromium.CallTimeout)
	defer cancel()
	go t.Close()
	if !t.waitFor(ctx, func(s *state) bool { return s.closed }) {
		return t.actError(ctx, "tab_close", document.ErrSlow)
	}
	return nil
}
