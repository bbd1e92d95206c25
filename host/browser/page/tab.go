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
	"errand/policy"
)

// Tab is one page of the browser.
type Tab struct {
	// fixed at creation
	*document.Document
	Browser *Browser
	ready   chan struct{} // closed when it is set up, or could not be

	setupErr error // readable when ready is closed

	as     policy.Request // for whom it was opened; under the mutex of tabs
	number int            // in the run's order of pages, from 1; under the mutex of tabs

	turn    chan struct{} // held by the action that is under way
	mu      sync.Mutex
	state   state
	changed chan struct{} // closed and replaced with each change of state
}

// state is what events have told of a page.
type state struct {
	blank     proto.NetworkLoaderID // of the empty document that every page begins with
	loader    proto.NetworkLoaderID // of the document that is there now
	reached   map[proto.PageLifecycleEventName]bool
	status    int    // HTTP status of the document
	proxy     string // what the proxy says went wrong, in its own answer
	refused   *refusal
	download  bool                         // a navigation became a download
	open      bool                         // a dialog is
	dialogs   []Dialog                     // that the action under way has met
	leaving   bool                         // a navigation was begun and has not ended
	same      bool                         // the last one stayed within its document
	acting    bool                         // an action is under way: dialogs are its own
	departed  bool                         // since it began, a navigation has
	from      proto.NetworkLoaderID        // the document that it began in
	asked     bool                         // a page of it was allowed
	mitigated string                       // what the document was answered with in place of what was asked for, as its sender marks it
	asking    int                          // dialogs of this document, or of the action under way
	looped    bool                         // there were too many of them: it is being closed
	chooser   *proto.PageFileChooserOpened // the last question for files; no window shows it
	opening   int                          // windows that it opened and that were not looked at yet
	opened    []string                     // names of those that the action under way opened and that were taken in
	crashed   bool
	gone      bool
	unwanted  bool // it is being closed, and loads nothing
	handed    bool // the person has it: dialogs are theirs
}

func newTab(b *Browser, id proto.TargetTargetID, session proto.TargetSessionID) *Tab {
	t := &Tab{Browser: b, ready: make(chan struct{}), changed: make(chan struct{}), turn: make(chan struct{}, 1)}
	t.Document = document.NewDocument(t, id, session)
	return t
}

// To implements [host].
func (t *Tab) To(ctx context.Context, id proto.TargetSessionID, limit time.Duration) chromium.Session {
	return t.Browser.to(ctx, id, limit)
}

// Parts implements [host].
func (t *Tab) Parts() []*document.Part { return t.Browser.tabs.partsOf(t) }

// steps make the page observable.
func (t *Tab) steps() []func(proto.Client) error {
	none := 0 // keep no bodies: they are never asked for
	return []func(proto.Client) error{
		proto.PageEnable{}.Call,
		proto.PageSetLifecycleEventsEnabled{Enabled: true}.Call,
		proto.NetworkEnable{MaxTotalBufferSize: &none, MaxResourceBufferSize: &none}.Call,
		// A service worker could answer a navigation from its cache.
		proto.NetworkSetBypassServiceWorker{Bypass: true}.Call,
		proto.PageSetInterceptFileChooserDialog{Enabled: true}.Call,
		watchParts.Call,
		t.Browser.intercept,
		t.Browser.downloads.forcePopup(t),
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

// turnAway closes a page that is not wanted. It has to run for that: while it
// is paused, a page that shares its thread, its opener, stands still as well.
// The gate lets it load nothing meanwhile.
func (t *Tab) turnAway() {
	defer close(t.ready)
	t.update(func(s *state) { s.unwanted = true })
	_ = proto.RuntimeRunIfWaitingForDebugger{}.Call(t.Call(t.Browser.life, closeTimeout))
	t.Close()
}

// Close closes the page, whether or not it wants to.
func (t *Tab) Close() {
	_, _ = proto.TargetCloseTarget{TargetID: t.ID}.Call(t.Browser.to(t.Browser.life, "", closeTimeout))
}

// handleEvent takes in an event of the page. It must not wait.
func (t *Tab) handleEvent(m *chromium.Message) {
	switch m.Method {
	case (proto.PageLifecycleEvent{}).ProtoEvent():
		decodeEvent(m, t.handleLifecycle)
	case (proto.PageFrameAttached{}).ProtoEvent():
		decodeEvent(m, func(e *proto.PageFrameAttached) { t.Browser.tabs.addFrame(t, e.FrameID) })
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
		decodeEvent(m, func(e *proto.PageFrameRequestedNavigation) { t.StartNavigation(e.FrameID) })
	case "Page.frameStartedNavigating": // newer than rod's types
		decodeEvent(m, func(e *proto.PageFrameRequestedNavigation) { t.StartNavigation(e.FrameID) })
	case (proto.PageFrameNavigated{}).ProtoEvent():
		decodeEvent(m, func(e *proto.PageFrameNavigated) {
			if e.Frame != nil {
				t.endNavigation(e.Frame.ID, false)
			}
		})
	case (proto.PageNavigatedWithinDocument{}).ProtoEvent():
		decodeEvent(m, func(e *proto.PageNavigatedWithinDocument) { t.endNavigation(e.FrameID, true) })
	case (proto.PageFrameStoppedLoading{}).ProtoEvent(): // a navigation that came to nothing ends so
		decodeEvent(m, func(e *proto.PageFrameStoppedLoading) { t.endNavigation(e.FrameID, false) })
	}
}

// StartNavigation notes that a navigation of a frame begins.
func (t *Tab) StartNavigation(frame proto.PageFrameID) {
	if frame == proto.PageFrameID(t.ID) {
		t.update(func(s *state) { s.leaving, s.departed, s.same = true, true, false })
	}
}

// endNavigation notes that a navigation of a frame has ended, or came to nothing.
func (t *Tab) endNavigation(frame proto.PageFrameID, same bool) {
	if frame == proto.PageFrameID(t.ID) {
		t.update(func(s *state) { s.leaving, s.same = false, same })
	}
}

func (t *Tab) handleLifecycle(e *proto.PageLifecycleEvent) {
	if e.FrameID != proto.PageFrameID(t.ID) {
		return
	}
	t.update(func(s *state) {
		if s.loader != e.LoaderID { // another document took its place
			s.asking = 0
			s.loader, s.reached = e.LoaderID, map[proto.PageLifecycleEventName]bool{}
		}
		s.reached[e.Name] = true
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

// dialogLimit is how many dialogs a document, or an action, may open before its
// page is closed.
const dialogLimit = 100

// handleDialog answers a dialog at once, because a page stands still while one
// is open: no to questions, and yes to what only informs or lets us leave.
func (t *Tab) handleDialog(e *proto.PageJavascriptDialogOpening) {
	var handed, looped bool
	t.update(func(s *state) {
		s.open, handed = true, s.handed && !s.acting
		if !handed {
			s.asking++
			looped = s.asking == dialogLimit
			s.looped = s.looped || looped
		}
		if s.acting && len(s.dialogs) < maxDialogs {
			s.dialogs = append(s.dialogs, Dialog{string(e.Type), e.Message})
		}
	})
	if handed {
		return
	}
	if looped { // it would go on for ever, and nothing else of it can be had
		go t.Close()
	}
	accept := e.Type == proto.PageDialogTypeAlert || e.Type == proto.PageDialogTypeBeforeunload
	go func() {
		t.Browser.notes.add("page", map[string]any{
			"event": "dialog_dismissed", "type": string(e.Type), "message": e.Message, "url": address.StripUser(e.URL),
		})
		_ = proto.PageHandleJavaScriptDialog{Accept: accept}.Call(t.Call(t.Browser.life, chromium.CallTimeout))
	}()
}

func (t *Tab) refuse(r refusal) { t.update(func(s *state) { s.refused = &r }) }

// update changes the state and wakes who waits for it.
func (t *Tab) update(f func(*state)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(&t.state)
	close(t.changed)
	t.changed = make(chan struct{})
}

// waitFor waits until cond holds of the state; it answers false when ctx ends
// first.
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

// snapshot is a copy of the state, without what is shared.
func (t *Tab) snapshot() state {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.state
	s.reached = nil
	return s
}

// Dismiss closes the page and waits until it is gone.
func (t *Tab) Dismiss(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, chromium.CallTimeout)
	defer cancel()
	go t.Close()
	if !t.waitFor(ctx, func(s *state) bool { return s.gone }) {
		return t.actError(ctx, "close tab", document.ErrSlow)
	}
	return nil
}
