package browser

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/defaults"
	"github.com/go-rod/rod/lib/proto"

	"errand/host/tool"
	"errand/policy"
)

// Deadlines. They nest: the caller's context, then these.
const (
	launchTimeout = 30 * time.Second // from exec to the first answer; 1–2 s on an idle machine
	callTimeout   = 10 * time.Second // one protocol call
)

// Options say how a browser runs. The zero value is refused by [Launch]: it
// has no proxy to be held by.
type Options struct {
	Bin  string // executable; empty: see [Find]
	Dir  string // where what is thrown away goes, such as the profile; made if missing
	Show bool   // a visible window, which stays until the person closes it

	Profile  string   // a named profile of Profiles, which remembers; empty: thrown away
	Profiles Profiles // mandatory with Profile

	Proxy     Proxy    // mandatory
	TrustSPKI []string // base64 of SHA-256 of public keys whose certificates need no authority

	// Decide is asked before every request of the browser: a top-level document
	// is a KindNavigate, all else, frames included, a KindSubresource. Who opened
	// the page is filled in where it is known, see [As]. Nothing
	// goes out unless it allows; nil refuses everything. It is called by
	// several goroutines at once and should answer within seconds.
	Decide func(policy.Request) policy.Decision
	// Admit is told the host:port of an allowed request before it
	// goes on, so that the proxy opens for it. May be nil.
	Admit func(hostport string)
	// Explain answers why the proxy did not open for host:port, where it knows:
	// the browser itself only sees a tunnel that failed. May be nil.
	Explain func(hostport string) error
	// Note is told what happened: kind "browser" for the browser itself,
	// "connection" for a request that was decided, "page" for a dialog, a popup
	// or a download that was turned down. May be nil; called by several
	// goroutines at once.
	Note func(kind string, data map[string]any)
}

// Proxy is the forward proxy that all traffic goes through.
type Proxy struct {
	Addr     netip.AddrPort // on loopback
	Username string
	Password string
}

// Browser is a running Chromium. Its methods may be called by several
// goroutines at once.
type Browser struct {
	// fixed at creation
	opts      Options
	info      Info
	scratch   *scratch
	profile   *keptProfile // nil: thrown away with the scratch folder
	process   *process
	attached  *socket // to a browser that is not ours, which has none of the three above; see [Attach]
	rod       *rod.Browser
	life      context.Context // ends when the browser does
	notes     *notes
	gate      *gate
	tabs      *tabs
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
	if err := o.validate(); err != nil {
		return nil, err
	}
	forgetDefaults()
	bin, _, err := Find(o.Bin)
	if err != nil {
		return nil, err
	}
	b, err := claim(o)
	if err != nil {
		return nil, err
	}
	proc, err := start(bin, arguments(b.data(), b.scratch.path, o), environment(os.Environ(), b.scratch, o.Show), b.scratch.output())
	if err != nil {
		return nil, errors.Join(err, b.forgetFolders())
	}
	life, end := context.WithCancel(context.Background())
	go func() {
		<-proc.exited
		end()
	}()

	b.process, b.life = proc, life
	b.info = Info{Path: bin, PID: proc.cmd.Process.Pid, Profile: o.Profile, Visible: o.Show, Sandbox: sandboxed()}
	b.gate = newGate(b)
	b.tabs = newTabs(b)
	b.downloads = newDownloads(b)
	pipe := newPipe(proc.fromIt, proc.toIt)
	pipe.hear = b.hear
	b.rod = rod.New().NoDefaultDevice().Context(life).Client(newClient(pipe))

	ctx, cancel := context.WithTimeout(ctx, launchTimeout)
	defer cancel()
	if err := b.connect(ctx); err != nil {
		err = b.startError(ctx, err)
		return nil, errors.Join(err, b.Close())
	}
	started := map[string]any{
		"path": bin, "product": b.info.Product, "visible": o.Show, "sandbox": b.info.Sandbox,
	}
	if o.Profile != "" {
		started["profile"] = o.Profile
	}
	b.notes.add("browser", started)
	return b, nil
}

// claim takes the folders that a browser runs in.
func claim(o Options) (*Browser, error) {
	b := &Browser{opts: o, notes: newNotes(o.Note), camera: make(chan struct{}, 1)}
	var err error
	if b.scratch, err = newScratch(o.Dir); err == nil && o.Profile != "" {
		if b.profile, err = o.Profiles.use(o.Profile, time.Now()); err != nil {
			err = errors.Join(err, b.scratch.remove())
		} else if err = linkOutput(b.profile.path, b.scratch.path); err != nil {
			err = errors.Join(err, b.forgetFolders())
		}
	}
	if err == nil {
		if err = writePreferences(b.data()); err != nil {
			err = errors.Join(fmt.Errorf("make browser profile: %w", err), b.forgetFolders())
		}
	}
	var typed *tool.Error
	switch {
	case errors.As(err, &typed):
		return nil, typed
	case err != nil:
		return nil, tool.Errorf(tool.ToolUnavailable, "browser_profile", "%v", err).
			WithHint("make the folder writable, or free some space")
	}
	return b, nil
}

// data is Chromium's --user-data-dir.
func (b *Browser) data() string {
	if b.profile != nil {
		return b.profile.data()
	}
	return b.scratch.data()
}

// forgetFolders removes what is thrown away and lets go of what stays.
func (b *Browser) forgetFolders() error {
	return errors.Join(b.scratch.remove(), b.profile.release())
}

// leaveFolders leaves the folders to the next sweep: a process still writes there.
func (b *Browser) leaveFolders() error {
	err := b.scratch.owner.Close()
	if b.profile != nil {
		err = errors.Join(err, b.profile.owner.Close())
	}
	return err
}

func (o Options) validate() error {
	switch {
	case !supported:
		return tool.Errorf(tool.ToolUnavailable, "browser_unsupported", "start browser: not supported on this system yet").
			WithHint(`set mode = "external" in the [browser] section of the config`)
	case !o.Proxy.Addr.IsValid() || !o.Proxy.Addr.Addr().IsLoopback() || o.Proxy.Addr.Port() == 0:
		return tool.Errorf(tool.ValidationError, "browser_without_proxy",
			"start browser: no filtering proxy on loopback is given, and it never runs without one")
	case o.Show && !hasDisplay():
		return tool.Errorf(tool.ToolUnavailable, "no_display", "show browser: there is no screen (DISPLAY and WAYLAND_DISPLAY are empty)").
			WithHint("leave --show out, or run it in a desktop session")
	}
	return nil
}

// connect makes the protocol connection and everything that must stand before
// the first page: interception, the watch on new pages, no downloads.
func (b *Browser) connect(ctx context.Context) error {
	if err := b.greet(ctx); err != nil {
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
		if err := step(b.root(ctx)); err != nil {
			return err
		}
	}
	return nil
}

// startError makes the error of a browser that did not come up. Its own words
// explain it better than a closed pipe does.
func (b *Browser) startError(ctx context.Context, err error) error {
	dead := b.process.exitedWithin(100 * time.Millisecond)
	switch words := b.process.said.String(); {
	case errors.Is(context.Cause(ctx), context.Canceled):
		return tool.AsError(fmt.Errorf("start browser: %w", context.Canceled))
	case dead:
		e := tool.Errorf(tool.ToolUnavailable, "browser_died", "start browser %q: it ended at once; its last words:\n%s", b.info.Path, words)
		if b.opts.Show {
			return e.WithHint("check that the screen (DISPLAY, WAYLAND_DISPLAY) can be reached, or leave --show out")
		}
		return e.WithHint("run `errand doctor`; another browser can be set as `bin` in the [browser] section of the config")
	case ctx.Err() != nil:
		return tool.Errorf(tool.ToolTimeout, "browser_start_timeout", "start browser %q: no answer in time; its last words:\n%s", b.info.Path, words).
			WithHint("the machine may be busy: try again, or raise step_timeout_ms in [run]")
	}
	return tool.Errorf(tool.ToolUnavailable, "browser_start_failed", "start browser %q: %v", b.info.Path, err)
}

// Processes counts the processes that were started for this browser and are
// alive, also after Close; -1: this platform can't tell. A person's own browser,
// which was only attached to, is none of them.
func (b *Browser) Processes() int {
	if b.attached != nil {
		return 0
	}
	return countUsersOf(b.scratch.path, filepath.Dir(b.data()))
}

// Alive reports whether the browser still runs.
func (b *Browser) Alive() bool { return b.life.Err() == nil }

// Wait blocks until the person has closed the last window or the browser has
// ended, and answers nil then; or until ctx ends, with its error.
func (b *Browser) Wait(ctx context.Context) error {
	select {
	case <-b.tabs.empty():
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
			b.detach()
			return
		}
		err := b.process.stop(func(ctx context.Context) { _ = proto.BrowserClose{}.Call(b.root(ctx)) })
		deadline := time.Now().Add(grace)
		if endUsersOf(filepath.Dir(b.data()), deadline) && endUsersOf(b.scratch.path, deadline) {
			b.err = errors.Join(err, b.forgetFolders())
			return
		}
		if err == nil {
			err = tool.Errorf(tool.ExecutionError, "browser_not_stopped", "stop browser: a process of it did not end after SIGKILL")
		}
		b.err = errors.Join(err, b.leaveFolders())
	})
	return b.err
}
