// Package shell is the window itself: it opens, asks before it closes on a run,
// and leaves nothing behind. It is the only importer of the toolkit.
package shell

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"errand/app/desktop"
)

const appName = "Errand"

// shutdownWithin is how long closing the window may take to end a run and its
// browser.
const shutdownWithin = 3 * time.Second

// Shell owns the window's life. It is the [desktop.Face] of the API that it is
// given with [Shell.Options].
type Shell struct {
	log     *slog.Logger
	life    *desktop.Life
	notices notices

	mu     sync.Mutex
	ctx    context.Context // of the toolkit; nil before the start and after the end
	deaf   func()          // no longer listens to signals
	closed bool
}

// New makes a shell that writes what it does to log.
func New(log *slog.Logger) *Shell { return &Shell{log: log} }

// Assets is what the window shows.
type Assets struct {
	Page     fs.FS        // with index.html at its root
	Pictures http.Handler // what the page does not hold; nil for nothing
	Icon     []byte       // PNG
}

// Options is the window, ready for wails.Run.
func (s *Shell) Options(life *desktop.Life, assets Assets) *options.App {
	s.life = life
	if n := len(life.Boot().Faults); n > 0 {
		s.log.Warn("safe mode", "faults", n)
	}
	return &options.App{
		Title: appName, Width: 1080, Height: 760, MinWidth: 480, MinHeight: 420,
		BackgroundColour: options.NewRGB(0xFB, 0xFA, 0xF8),
		StartHidden:      true, // shown when the page is there: no white flash
		AssetServer:      &assetserver.Options{Assets: assets.Page, Handler: assets.Pictures},
		OnStartup:        s.startup,
		OnDomReady:       s.ready,
		OnBeforeClose:    s.beforeClose,
		OnShutdown:       func(context.Context) { s.Shutdown() },
		Bind:             []any{life.API()},
		ErrorFormatter:   desktop.Format,
		Linux: &linux.Options{
			ProgramName: "errand",
			Icon:        assets.Icon,
			// A Linux section that says nothing would mean "on demand", which
			// shows an empty window on some drivers.
			WebviewGpuPolicy: linux.WebviewGpuPolicyNever,
		},
	}
}

// CalmWebKit turns off WebKitGTK's DMA-BUF renderer, which leaves the window
// empty on some drivers, unless the person has set it. Call it before the
// window is made.
func CalmWebKit() {
	const name = "WEBKIT_DISABLE_DMABUF_RENDERER"
	if _, set := os.LookupEnv(name); !set {
		_ = os.Setenv(name, "1")
	}
}

func (s *Shell) startup(ctx context.Context) {
	told, deaf := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	s.mu.Lock()
	s.ctx, s.deaf = ctx, deaf
	s.mu.Unlock()
	go func() { // ends with the first signal, or in Shutdown
		<-told.Done()
		_ = s.life.API().Close(true) // who sends a signal is not there to be asked
	}()
}

func (s *Shell) ready(ctx context.Context) {
	runtime.WindowShow(ctx)
	s.log.Info("window ready")
}

// beforeClose keeps the window while a run is active, and has the page ask.
func (s *Shell) beforeClose(context.Context) (keep bool) {
	if !s.life.MustAsk() {
		return false
	}
	s.Emit(desktop.EventClose, nil)
	return true
}

// Shutdown ends what the window has started, within 3 seconds. It may be called
// again.
func (s *Shell) Shutdown() {
	s.mu.Lock()
	first := !s.closed
	deaf := s.deaf
	s.ctx, s.deaf, s.closed = nil, nil, true
	s.mu.Unlock()
	if deaf != nil {
		deaf()
	}
	if !first || s.life == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), shutdownWithin)
	defer cancel()
	if err := s.life.End(ctx); err != nil {
		s.log.Error("close", "error", err)
	}
	s.log.Info("window closed")
}

// Emit sends an event to the page.
func (s *Shell) Emit(event string, data any) {
	if e, ok := data.(desktop.RunEvent); ok && e.Run != nil {
		s.log.Info("run", "run_id", e.RunID, "status", e.Run.Status, "error", e.Run.Error.Text())
	}
	s.with(func(ctx context.Context) {
		if data == nil {
			runtime.EventsEmit(ctx, event)
			return
		}
		runtime.EventsEmit(ctx, event, data)
	})
}

// Quit closes the window as if the person had.
func (s *Shell) Quit() { s.with(runtime.Quit) }

// with calls the toolkit while there is one: its functions end the program
// where the context is not theirs.
func (s *Shell) with(do func(context.Context)) {
	s.mu.Lock()
	ctx := s.ctx
	s.mu.Unlock()
	if ctx != nil {
		do(ctx)
	}
}
