package page

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/defaults"
	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/download"
	"errand/host/browser/notes"
	"errand/host/trace"
	"errand/policy"
)

// Deadlines. They nest: the caller's context, then these.
const (
	launchTimeout = 30 * time.Second // from exec to the first response; 1–2 s on an idle machine
	closeTimeout  = 2 * time.Second  // a call that closes a page
)

// Options configure a browser. [Launch] rejects the zero value because it has no proxy.
type Options struct {
	chromium.Options

	// Decide is called before every request of the browser. A top-level document is a
	// KindNavigate; everything else, including frames, is a KindSubresource. The call that
	// opened the page is filled in if it is known, see [As]. A request is sent only if
	// Decide allows it; nil refuses everything. Decide must be safe for concurrent use and
	// should return within seconds.
	Decide func(policy.Request) policy.Decision
	// DecideFor replaces Decide for a browser that several runs use: by is the request of the
	// call that acts on the page now, zero if none does. The requests of r are of the call that
	// opened the page.
	DecideFor func(by, r policy.Request) policy.Decision
	// Admit receives the method and URL of an allowed request before it is sent, so that the
	// proxy lets it through. It may be nil.
	Admit func(method, rawURL string)
	// AdmitSocket receives the host:port of an allowed WebSocket. It may be nil.
	AdmitSocket func(hostport string)
	// Explain returns why the proxy refused host:port, if it knows. The browser itself
	// only sees a failed tunnel. It may be nil.
	Explain func(hostport string) error
	// Note receives what happens: in the browser itself, to a decided request, on a page.
	// It may be nil.
	// It must be safe for concurrent use.
	Note func(trace.Note)
	// NoteOf replaces Note for a browser that several runs use: of is the request of the call
	// that acts on the page now, or else of the one that opened it; zero if neither is known.
	NoteOf func(of policy.Request, n trace.Note)
}

// Browser is a running Chromium. Its methods are safe for concurrent use.
type Browser struct {
	// fixed at creation
	opts      Options
	info      Info
	instance  *chromium.Instance // nil for the user's browser; see [Attach]
	attached  *chromium.Socket   // the connection to the user's browser
	rod       *rod.Browser
	life      context.Context // done when the browser ends
	notes     *notes.Notes
	gate      *gate
	tabs      *tabList
	downloads *download.Permits
	camera    chan struct{} // held by the tab that is in front for a screenshot

	primed  sync.Once // the browser knows the credentials for WebSockets
	priming atomic.Pointer[proto.PageFrameID]

	waits atomic.Int64 // number of waits for the user so far

	Closed address.History // pages of tabs that actions closed

	close sync.Once
	err   error // result of Close
}

// Info describes a run's browser for the record.
type Info struct {
	Path    string `json:"path"`
	Product string `json:"product"` // "Chrome/156.0.8078.108"
	PID     int    `json:"pid"`
	Profile string `json:"profile,omitempty"` // the name of a named profile
	Visible bool   `json:"visible"`
	Sandbox bool   `json:"sandbox"` // false when running as root, where Chromium has no sandbox
	// Attached reports that the user started the browser. Path is then its address, and
	// the network policy is not enforced.
	Attached bool `json:"attached,omitempty"`
}

// Root makes calls to the browser itself.
func (b *Browser) Root(ctx context.Context) chromium.Session {
	return b.bindSession(ctx, "", chromium.CallTimeout)
}

// bindSession makes calls to a session, each with a time limit.
func (b *Browser) bindSession(ctx context.Context, id proto.TargetSessionID, limit time.Duration) chromium.Session {
	return chromium.Session{Rod: b.rod, Life: b.life, Ctx: ctx, ID: id, Limit: limit}
}

// Info describes the browser.
func (b *Browser) Info() Info { return b.info }

// resetRodDefaults resets what rod has read from the environment and the command line, which
// must have no influence. It is safe when browsers start concurrently.
var resetRodDefaults = sync.OnceFunc(defaults.Reset)

// Launch starts a browser and sets up its restrictions before any page exists. ctx limits
// only the start; the caller must call [Browser.Close]. Errors are *tool.Error:
// tool_unavailable for a browser that is missing or exits immediately (with its last
// output), tool_timeout for one that does not respond.
func Launch(ctx context.Context, o Options) (*Browser, error) {
	resetRodDefaults()
	instance, err := chromium.Start(o.Options)
	if err != nil {
		return nil, err
	}
	life, end := context.WithCancel(context.Background())
	go func() {
		<-instance.Done()
		end()
	}()

	b := &Browser{opts: o, notes: notes.New(o.Note, o.NoteOf), camera: make(chan struct{}, 1), instance: instance, life: life}
	b.info = Info{Path: instance.Path(), PID: instance.PID(), Profile: o.Profile, Visible: o.Show, Sandbox: chromium.HasSandbox()}
	b.gate = newGate(b)
	b.tabs = newTabs(b)
	b.downloads = b.newDownloads()
	b.rod = rod.New().NoDefaultDevice().Context(life).Client(chromium.NewClient(instance.Pipe(b.handleEvent)))

	ctx, cancel := context.WithTimeout(ctx, launchTimeout)
	defer cancel()
	if err := b.connect(ctx); err != nil {
		err = instance.StartError(ctx, err)
		return nil, errors.Join(err, b.Close())
	}
	b.notes.Add(subjectOf(ctx), trace.BrowserNote{Path: b.info.Path, Product: b.info.Product, Visible: &o.Show, Sandbox: &b.info.Sandbox, Profile: o.Profile})
	return b, nil
}

// connect opens the protocol connection and sets up everything that the first page needs:
// interception, events of new pages, disabled downloads.
func (b *Browser) connect(ctx context.Context) error {
	if err := b.handshake(ctx); err != nil {
		return err
	}
	steps := []func(proto.Client) error{
		proto.FetchEnable{Patterns: []*proto.FetchRequestPattern{{URLPattern: "*"}}, HandleAuthRequests: true}.Call,
		proto.BrowserSetDownloadBehavior{Behavior: proto.BrowserSetDownloadBehaviorBehaviorDeny, EventsEnabled: true}.Call,
		// Shared workers don't belong to a page.
		proto.TargetSetAutoAttach{
			AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: true,
			Filter: proto.TargetTargetFilter{
				{Type: "page"},
				{Type: "shared_worker"},
				{Type: "service_worker"},
				{Exclude: true},
			},
		}.Call,
	}
	for _, step := range steps {
		if err := step(b.Root(ctx)); err != nil {
			return err
		}
	}
	return nil
}

// Processes returns the number of live processes of this browser, even after Close, or -1
// if the platform can't tell. The user's own browser does not count.
func (b *Browser) Processes() int {
	if b.attached != nil {
		return 0
	}
	return b.instance.Processes()
}

// IsAlive reports whether the browser still runs.
func (b *Browser) IsAlive() bool { return b.life.Err() == nil }

// Wait blocks until the user has closed the last window or the browser has ended, and
// returns nil. It returns the error of ctx if that is done first.
func (b *Browser) Wait(ctx context.Context) error {
	select {
	case <-b.tabs.allClosed():
		return nil
	case <-b.life.Done():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close ends the browser with all of its processes and removes its profile unless it is
// named. It usually takes 100 ms and at most 10 s: it asks, then sends SIGTERM, then
// SIGKILL. If a process survives, Close returns an error and leaves the folders to the
// next [Sweep]. It may be called several times.
func (b *Browser) Close() error {
	b.close.Do(func() {
		if b.attached != nil {
			b.closeAttached()
			return
		}
		b.err = b.instance.Close(func(ctx context.Context) { _ = proto.BrowserClose{}.Call(b.Root(ctx)) })
	})
	return b.err
}

// Folder returns the folder of this browser's files, or "" for the user's browser.
func (b *Browser) Folder() string {
	if b.instance == nil {
		return ""
	}
	return b.instance.Folder()
}
