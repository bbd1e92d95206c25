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

	"errand/host/browser/chromium"
	"errand/policy"
)

// Deadlines. They nest: the caller's context, then these.
const (
	launchTimeout = 30 * time.Second // from exec to the first answer; 1–2 s on an idle machine
	closeTimeout  = 2 * time.Second  // a call that closes a page
)

// Options say how a browser runs. The zero value is refused by [Launch]: it
// has no proxy to be held by.
type Options struct {
	chromium.Options

	// Decide is asked before every request of the browser: a top-level document
	// is a KindNavigate, all else, frames included, a KindSubresource. Who opened
	// the page is filled in where it is known, see [As]. Nothing
	// goes out unless it allows; nil refuses everything. It is called by
	// several goroutines at once and should answer within seconds.
	Decide func(policy.Request) policy.Decision
	// Admit gets the host:port of an allowed request before the request goes on, so
	// that the proxy lets it through. May be nil.
	Admit func(hostport string)
	// Explain answers why the proxy did not open for host:port, where it knows:
	// the browser itself only sees a tunnel that failed. May be nil.
	Explain func(hostport string) error
	// Note gets what happened: kind "browser" for the browser itself,
	// "connection" for a request that was decided, "page" for a dialog, a popup
	// or a download that was turned down. May be nil; called by several
	// goroutines at once.
	Note func(kind string, data map[string]any)
}

// Browser is a running Chromium. Its methods may be called by several
// goroutines at once.
type Browser struct {
	// fixed at creation
	opts      Options
	info      Info
	instance  *chromium.Instance // nil: the browser is not ours; see [Attach]
	attached  *chromium.Socket   // the connection to a browser that is not ours
	rod       *rod.Browser
	life      context.Context // ends when the browser does
	notes     *notes
	gate      *gate
	tabs      *tabList
	downloads *downloads
	camera    chan struct{} // held by the tab that is in front for its picture

	waits atomic.Int64 // for a person, so far; each has its number

	close sync.Once
	err   error // of Close
}

// Info is what a run's record says of its browser.
type Info struct {
	Path    string `json:"path"`
	Product string `json:"product"` // "Chrome/156.0.8078.108"
	PID     int    `json:"pid"`
	Profile string `json:"profile,omitempty"` // a named one
	Visible bool   `json:"visible"`
	Sandbox bool   `json:"sandbox"` // false when running as root, where Chromium has none
	// Attached: somebody else started it, and Path is its address. No network
	// policy is enforced there.
	Attached bool `json:"attached,omitempty"`
}

// Root makes calls to the browser itself.
func (b *Browser) Root(ctx context.Context) chromium.Session {
	return b.to(ctx, "", chromium.CallTimeout)
}

// to makes calls to a session, each within limit.
func (b *Browser) to(ctx context.Context, id proto.TargetSessionID, limit time.Duration) chromium.Session {
	return chromium.Session{Rod: b.rod, Life: b.life, Ctx: ctx, ID: id, Limit: limit}
}

// Info says what is running.
func (b *Browser) Info() Info { return b.info }

// forgetDefaults drops what rod has read of the environment and the command line:
// none of it may reach us. Browsers may start side by side.
var forgetDefaults = sync.OnceFunc(defaults.Reset)

// Launch starts a browser and sets up all that holds it before any page
// exists. ctx bounds the start alone; the browser runs until [Browser.Close],
// which the caller owes it. Errors are *tool.Error: tool_unavailable for a
// browser that is missing or dies at once (with its last words), tool_timeout
// for one that does not answer.
func Launch(ctx context.Context, o Options) (*Browser, error) {
	forgetDefaults()
	instance, err := chromium.Start(o.Options)
	if err != nil {
		return nil, err
	}
	life, end := context.WithCancel(context.Background())
	go func() {
		<-instance.Exited()
		end()
	}()

	b := &Browser{opts: o, notes: newNotes(o.Note), camera: make(chan struct{}, 1), instance: instance, life: life}
	b.info = Info{Path: instance.Path(), PID: instance.PID(), Profile: o.Profile, Visible: o.Show, Sandbox: chromium.HasSandbox()}
	b.gate = newGate(b)
	b.tabs = newTabs(b)
	b.downloads = newDownloads(b)
	b.rod = rod.New().NoDefaultDevice().Context(life).Client(chromium.NewClient(instance.Pipe(b.handleEvent)))

	ctx, cancel := context.WithTimeout(ctx, launchTimeout)
	defer cancel()
	if err := b.connect(ctx); err != nil {
		err = instance.StartError(ctx, err)
		return nil, errors.Join(err, b.Close())
	}
	started := map[string]any{
		"path": b.info.Path, "product": b.info.Product, "visible": o.Show, "sandbox": b.info.Sandbox,
	}
	if o.Profile != "" {
		started["profile"] = o.Profile
	}
	b.notes.add("browser", started)
	return b, nil
}

// connect makes the protocol connection and everything that must stand before
// the first page: interception, the watch on new pages, no downloads.
func (b *Browser) connect(ctx context.Context) error {
	if err := b.handshake(ctx); err != nil {
		return err
	}
	steps := []func(proto.Client) error{
		proto.FetchEnable{Patterns: []*proto.FetchRequestPattern{{URLPattern: "*"}}, HandleAuthRequests: true}.Call,
		proto.BrowserSetDownloadBehavior{Behavior: proto.BrowserSetDownloadBehaviorBehaviorDeny, EventsEnabled: true}.Call,
		// Workers that several pages share belong to none of them.
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

// Processes counts the processes that were started for this browser and are
// alive, also after Close; -1: this platform can't tell. The user's own
// browser does not count.
func (b *Browser) Processes() int {
	if b.attached != nil {
		return 0
	}
	return b.instance.Processes()
}

// Alive reports whether the browser still runs.
func (b *Browser) Alive() bool { return b.life.Err() == nil }

// Wait blocks until the person has closed the last window or the browser has
// ended, and answers nil then; or until ctx ends, with its error.
func (b *Browser) Wait(ctx context.Context) error {
	select {
	case <-b.tabs.closed():
		return nil
	case <-b.life.Done():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close ends the browser with every process of it and removes its profile, but
// for a named one. It
// takes some 100 ms, and 10 s at worst: it asks, then sends SIGTERM, then
// SIGKILL. If a process does not end even then, it answers with an error and
// leaves the folders to the next [Sweep]. It may be called several times.
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

// Folder is where this browser keeps its files; "": the browser is not ours.
func (b *Browser) Folder() string {
	if b.instance == nil {
		return ""
	}
	return b.instance.Folder()
}
