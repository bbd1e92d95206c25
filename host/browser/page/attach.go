package page

import (
	"context"
	"net/url"
	"sync"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/notes"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy"
)

// Attach connects to a browser that the user started. It opens and closes only its own
// pages, in the user's profile, and never closes the browser.
//
// The network policy is not fully enforced there: the browser has no proxy, and requests
// of the user's own pages are not inspected. For the pages that are opened here, Decide is
// called for each request and redirect, including those of frames and dedicated workers. A
// popup is closed or adopted when it is detected, which may be after its first request.
// WebSockets are decided for the record but not stopped. WebRTC, shared workers, name
// resolution and the browser's own requests are not decided. Downloads go where the user's
// settings say; [Browser.Download] is refused.
//
// Of the options it reads Decide, Note and Show. Errors are *tool.Error.
func Attach(ctx context.Context, o Options, at chromium.DevTools) (*Browser, error) {
	resetRodDefaults()
	if u, err := url.Parse(at.URL); err != nil || u.Scheme != "ws" || at.Dialer == nil {
		return nil, tool.NewError(tool.ValidationError, "cdp_invalid", message.New("browser.cdp_invalid", "url", at.URL))
	}
	ctx, cancel := context.WithTimeout(ctx, launchTimeout)
	defer cancel()
	life, end := context.WithCancel(context.Background())
	line := chromium.NewSocket(at, end)
	if err := line.Connect(ctx, at.URL); err != nil {
		end()
		return nil, attachError(at, err)
	}
	b := &Browser{
		opts: o, notes: notes.New(o.Note, o.NoteOf), camera: make(chan struct{}, 1),
		attached: line, life: life,
		info: Info{Path: at.URL, Visible: o.Show, Sandbox: true, Attached: true},
	}
	b.gate = newGate(b)
	b.tabs = newTabs(b)
	b.downloads = b.newDownloads()
	line.OnEvent = b.handleEvent
	b.rod = rod.New().NoDefaultDevice().Context(life).Client(cdp.New().Start(line))
	if err := b.handshake(ctx); err != nil {
		_ = b.Close()
		return nil, attachError(at, err)
	}
	b.notes.Add(subjectOf(ctx), trace.BrowserNote{CDP: at.URL, Product: b.info.Product, NetworkPolicy: NotEnforced})
	return b, nil
}

// NotEnforced is recorded as the network policy of a browser that Errand only attached to.
const NotEnforced = "not enforced"

func attachError(at chromium.DevTools, err error) *tool.Error {
	return tool.UnavailableError("cdp_unreachable", message.New("browser.cdp_unreachable", "url", at.URL, "cause", err)).
		WithHint(message.New("browser.start_with_port"))
}

// handshake connects and asks for the browser's version.
func (b *Browser) handshake(ctx context.Context) error {
	// Connect has no timeout: it returns when the browser responds or exits. Otherwise the
	// caller kills the browser in time.
	connected := make(chan error, 1)
	go func() { connected <- b.rod.Connect() }()
	select {
	case err := <-connected:
		if err != nil {
			return err
		}
	case <-ctx.Done():
		return ctx.Err()
	}
	version, err := proto.BrowserGetVersion{}.Call(b.Root(ctx))
	if err != nil {
		return err
	}
	b.info.Product = version.Product
	return nil
}

// closeAttached closes the pages that were opened here, except one left to the user, and
// disconnects.
func (b *Browser) closeAttached() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	var all sync.WaitGroup
	for _, t := range b.tabs.all() {
		if !t.snapshot().handedOver {
			all.Go(func() {
				_, _ = proto.TargetCloseTarget{TargetID: t.ID}.Call(b.bindSession(ctx, "", closeTimeout))
			})
		}
	}
	all.Wait()
	b.attached.HangUp()
}

// attachTo subscribes to the events of a page. In Errand's own browser that happens
// automatically.
func (ts *tabList) attachTo(ctx context.Context, id proto.TargetTargetID) error {
	if ts.b.attached == nil {
		return nil
	}
	_, err := proto.TargetAttachToTarget{TargetID: id, Flatten: true}.Call(ts.b.Root(ctx))
	return err
}

// intercept pauses the requests of one page or part of one, for browsers that can't be
// intercepted as a whole.
func (b *Browser) intercept(to proto.Client) error {
	if b.attached == nil {
		return nil
	}
	return proto.FetchEnable{Patterns: []*proto.FetchRequestPattern{{URLPattern: "*"}}}.Call(to)
}

// handleCreated handles a new page of the user's browser. Chromium does not pause popups
// there: one that is not allowed is closed, perhaps after its first request.
func (ts *tabList) handleCreated(e *proto.TargetTargetCreated) {
	if ts.b.attached == nil || e.TargetInfo.OpenerID == "" || ts.ofTarget(e.TargetInfo.OpenerID) == nil {
		return
	}
	go func() {
		opener := ts.ofTarget(e.TargetInfo.OpenerID)
		if d := ts.adopt(e.TargetInfo, opener); d.Verdict != policy.Allow {
			ts.b.notes.Add(userOf(opener), trace.PageNote{Event: trace.PagePopupClosed, URL: address.StripUser(e.TargetInfo.URL), Rule: d.Rule})
			_, _ = proto.TargetCloseTarget{TargetID: e.TargetInfo.TargetID}.Call(ts.b.Root(ts.b.life))
			return
		}
		ts.mu.Lock()
		ts.created[e.TargetInfo.TargetID] = true
		ts.mu.Unlock()
		if ts.attachTo(ts.b.life, e.TargetInfo.TargetID) != nil {
			return
		}
		if t := ts.ofTarget(e.TargetInfo.TargetID); t != nil {
			<-t.ready
			ts.enter(t, false)
		}
	}()
}

// lastWords returns the last output of the browser's process, or "" for the user's
// browser.
func (b *Browser) lastWords() string {
	if b.instance == nil {
		return "(it is your own)"
	}
	return b.instance.LastWords()
}
