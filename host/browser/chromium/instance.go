package chromium

import (
	"context"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"errand/host/tool"
	"errand/planner/message"
)

// Options configure Chromium. The zero value is rejected because it has no proxy.
type Options struct {
	Bin  string // executable; empty: see [Find]
	Dir  string // folder for scratch folders; created if missing
	Show bool   // show a window, which stays until the user closes it

	Profile  string   // named profile in Profiles; empty: a temporary profile
	Profiles Profiles // required with Profile

	MaxProfile int64 // bytes of the profile, beyond which the browser is ended; 0: 2 GiB

	Proxy     Proxy    // required
	TrustSPKI []string // base64 of SHA-256 of public keys whose certificates are trusted without an authority
}

// Proxy is the forward proxy for all traffic.
type Proxy struct {
	Addr netip.AddrPort // on loopback
	// Sockets is the proxy for WebSockets and requests without TLS, on loopback; zero: Addr.
	// It answers a request for itself with 204, see [Proxy.Check].
	Sockets  netip.AddrPort
	Username string
	Password string
}

// Check returns the URL of the proxy for WebSockets. Chromium answers no challenge of a
// WebSocket: it sends the credentials that it knows from another request. Empty: there is
// no such proxy.
func (p Proxy) Check() string {
	if !p.Sockets.IsValid() {
		return ""
	}
	return "http://" + p.Sockets.String() + "/"
}

// rules returns the proxy of each kind of request in Chromium's format. WebSockets use the
// entry for SOCKS before those for http and https (Chromium, net/docs/proxy.md). Requests
// without TLS go there too: one of them has to bring the credentials, see [Proxy.Check].
func (p Proxy) rules() string {
	all := "http://" + p.Addr.String()
	if !p.Sockets.IsValid() {
		return all
	}
	sockets := "http://" + p.Sockets.String()
	return "http=" + sockets + ";https=" + all + ";socks=" + sockets
}

// Instance is a running Chromium with the folders that it uses.
type Instance struct {
	opts    Options
	path    string // of the executable
	scratch *scratch
	profile *profileLock // nil: the profile is in the scratch folder
	process *process

	overfull atomic.Bool // ended because of MaxProfile
}

// Start starts Chromium. The caller must call Close. Errors are *tool.Error:
// tool_unavailable for a browser that is missing or can't be started.
func Start(o Options) (*Instance, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	bin, _, err := Find(o.Bin)
	if err != nil {
		return nil, err
	}
	if managed := CheckManaged(bin); managed != nil {
		return nil, managed
	}
	i, err := claim(o)
	if err != nil {
		return nil, err
	}
	i.path = bin
	i.process, err = start(bin, commandLine(i.data(), i.scratch.path, o), environment(os.Environ(), i.scratch, o.Show), i.scratch.output())
	if err != nil {
		return nil, errors.Join(err, i.removeFolders())
	}
	go i.watchStorage()
	return i, nil
}

// Path returns the path of the executable.
func (i *Instance) Path() string { return i.path }

// PID returns the id of the first process.
func (i *Instance) PID() int { return i.process.cmd.Process.Pid }

// Folder returns the folder of this browser's files. Close removes it.
func (i *Instance) Folder() string { return i.scratch.path }

// Done returns a channel that is closed when the first process has ended.
func (i *Instance) Done() <-chan struct{} { return i.process.exited }

// LastWords returns the last lines of the browser's output.
func (i *Instance) LastWords() string { return i.process.output.String() }

// Pipe returns the DevTools transport. hear receives the events and must not block.
func (i *Instance) Pipe(hear func(*Message)) *pipe {
	p := newPipe(i.process.reader, i.process.writer)
	p.onEvent = hear
	return p
}

// claim locks the folders for a browser.
func claim(o Options) (*Instance, error) {
	i := &Instance{opts: o}
	var err error
	if i.scratch, err = newScratch(o.Dir); err == nil && o.Profile != "" {
		if i.profile, err = o.Profiles.acquire(o.Profile, time.Now()); err != nil {
			err = errors.Join(err, i.scratch.remove())
		} else if err = linkOutput(i.profile.path, i.scratch.path); err != nil {
			err = errors.Join(err, i.removeFolders())
		} else if err = i.checkStorage(); err != nil {
			err = errors.Join(err, i.removeFolders())
		}
	}
	if err == nil {
		if err = writePreferences(i.data()); err != nil {
			err = errors.Join(message.Error("browser.make_profile", "cause", err), i.removeFolders())
		}
	}
	var typed *tool.Error
	switch {
	case errors.As(err, &typed):
		return nil, typed
	case err != nil:
		return nil, tool.UnavailableError("browser_profile", message.FromError(err)).
			WithHint(message.New("browser.make_writable"))
	}
	return i, nil
}

// data returns Chromium's --user-data-dir.
func (i *Instance) data() string {
	if i.profile != nil {
		return i.profile.data()
	}
	return i.scratch.data()
}

// removeFolders removes the temporary folders and releases the profile.
func (i *Instance) removeFolders() error {
	return errors.Join(i.scratch.remove(), i.profile.release())
}

// releaseFolders leaves the folders to the next sweep, because a process still uses them.
func (i *Instance) releaseFolders() error {
	err := i.scratch.owner.Close()
	if i.profile != nil {
		err = errors.Join(err, i.profile.owner.Close())
	}
	return err
}

func (o Options) validate() error {
	switch {
	case !isSupported:
		return tool.UnavailableError("browser_unsupported", message.New("browser.not_supported")).
			WithHint(message.New("browser.set_mode_external"))
	case !isLocal(o.Proxy.Addr), o.Proxy.Sockets.IsValid() && !isLocal(o.Proxy.Sockets):
		return tool.NewError(tool.ValidationError, "browser_without_proxy",
			message.New("browser.no_proxy"))
	case o.Show && !hasDisplay():
		return tool.UnavailableError("no_display", message.New("browser.no_display")).
			WithHint(message.New("browser.leave_show_out"))
	}
	return nil
}

func isLocal(a netip.AddrPort) bool { return a.IsValid() && a.Addr().IsLoopback() && a.Port() != 0 }

// StartError returns the error for a browser that failed to start. It includes the
// browser's output, which explains the failure better than a closed pipe.
func (i *Instance) StartError(ctx context.Context, err error) error {
	dead := i.process.waitExit(100 * time.Millisecond)
	switch words := i.process.output.String(); {
	case errors.Is(context.Cause(ctx), context.Canceled):
		return tool.AsError(message.Error("browser.start_browser", "cause", context.Canceled))
	case dead:
		e := tool.NewError(tool.ToolUnavailable, "browser_died", message.New("browser.start_died", "path", i.path, "output", words))
		if i.opts.Show {
			return e.WithHint(message.New("browser.check_display"))
		}
		return e.WithHint(message.New("browser.run_doctor"))
	case ctx.Err() != nil:
		return tool.NewError(tool.ToolTimeout, "browser_start_timeout", message.New("browser.start_timeout", "path", i.path, "output", words)).
			WithHint(message.New("browser.try_again_or_wait"))
	}
	return tool.NewError(tool.ToolUnavailable, "browser_start_failed", message.New("browser.start_failed", "path", i.path, "cause", err))
}

// Processes returns the number of live processes of this browser, even after Close, or -1
// if the platform can't tell.
func (i *Instance) Processes() int {
	return countUsers(i.scratch.path, filepath.Dir(i.data()))
}

// Close ends every process of the browser and removes its folders, except a named profile.
// It calls ask, which asks the browser to close, and then sends SIGTERM and SIGKILL. It
// usually takes 100 ms and at most 10 s. If a process survives, Close returns an error and
// leaves the folders to the next [Sweep].
func (i *Instance) Close(ask func(context.Context)) error {
	err := i.process.stop(ask)
	deadline := time.Now().Add(stopTimeout)
	if endUsers(filepath.Dir(i.data()), deadline) && endUsers(i.scratch.path, deadline) {
		return errors.Join(err, i.removeFolders())
	}
	if err == nil {
		err = tool.NewError(tool.ExecutionError, "browser_not_stopped", message.New("browser.not_stopped"))
	}
	return errors.Join(err, i.releaseFolders())
}
