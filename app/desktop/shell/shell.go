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
	"errand/app/desktop/view"
)

const appName = "Errand"

// eventUsable is the page's word that it can be used.
const eventUsable = "usable"

// shutdownWithin is how long closing the window may take to end a run and its
// browser.
const shutdownWithin = 3 * time.Second

// Shell owns the window's life. It is the [desktop.Face] of the API that it is
// given with [Shell.Options].
type Shell struct {
	log     *slog.Logger
	life    *desktop.Life
	state   string // folder; "" for none
	single  *Single
	notices notices

	mu          sync.Mutex
	ctx         context.Context // of the toolkit; nil before the start and after the end
	stopSignals func()          // no longer listens to signals
	place       place
	hidden      bool
	closed      bool
}

// New makes a shell that logs to log and keeps the window's place in the folder state.
// single reports later starts of the program; it may be nil.
func New(log *slog.Logger, state string, single *Single) *Shell {
	s := &Shell{log: log, state: state, single: single, hidden: true}
	if state != "" {
		s.place = readPlace(state)
	}
	return s
}

// Assets is what the window shows.
type Assets struct {
	Page     fs.FS        // with index.html at its root
	Pictures http.Handler // what the page does not hold; nil for nothing
	Icon     []byte       // PNG
}

// Options is the window, ready for wails.Run.
func (s *Shell) Options(life *desktop.Life, assets Assets) *options.App {
	s.life = life
	boot := life.Boot()
	if n := len(boot.Problems); n > 0 {
		s.log.Warn("safe mode", "faults", n)
	}
	o := &options.App{
		Title:            appName,
		BackgroundColour: paper(boot.Theme),
		StartHidden:      true, // shown when the page is there: no white flash
		AssetServer:      &assetserver.Options{Assets: assets.Page, Handler: assets.Pictures, Middleware: strict},
		OnStartup:        s.startup,
		OnDomReady:       s.ready,
		OnBeforeClose:    s.beforeClose,
		OnShutdown:       func(context.Context) { s.Shutdown() },
		Bind:             []any{life.API()},
		ErrorFormatter:   life.Format,
		// Nothing but the page itself may call: no origin beside its own, and no menu
		// that reloads or inspects it.
		BindingsAllowedOrigins:   "",
		EnableDefaultContextMenu: false,
		Linux: &linux.Options{
			ProgramName: "errand",
			Icon:        assets.Icon,
			// A Linux section that says nothing would mean "on demand", which
			// shows an empty window on some drivers.
			WebviewGpuPolicy: linux.WebviewGpuPolicyNever,
		},
	}
	s.place.applyTo(o)
	return o
}

// paper is what the window is painted with before the page is.
func paper(theme string) *options.RGBA {
	switch theme {
	case "dark":
		return options.NewRGB(0x16, 0x18, 0x1A)
	case "contrast":
		return options.NewRGB(0, 0, 0)
	}
	return options.NewRGB(0xFB, 0xFA, 0xF8)
}

// strict gives what the window loads the headers that `errand serve` gives.
func strict(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", desktop.ContentSecurityPolicy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
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
	signals, stopSignals := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	s.mu.Lock()
	s.ctx, s.stopSignals = ctx, stopSignals
	s.mu.Unlock()
	runtime.EventsOnce(ctx, eventUsable, func(...any) { s.log.Info("page usable") })
	go func() { // ends with the first signal, or in Shutdown
		<-signals.Done()
		_ = s.life.API().Close(true) // who sends a signal is not there to be asked
	}()
	if s.single != nil {
		go s.listen() // ends when single is closed
	}
}

func (s *Shell) ready(ctx context.Context) {
	s.mu.Lock()
	at := s.place
	s.mu.Unlock()
	at.restore(ctx)
	s.show()
	s.log.Info("window ready")
}

// listen does what later starts of the program want.
func (s *Shell) listen() {
	for word := range s.single.Words() {
		s.mu.Lock()
		hide := word == wordToggle && !s.hidden
		s.mu.Unlock()
		s.log.Info("another start", "word", word, "hide", hide)
		if hide {
			s.withToolkit(runtime.WindowHide)
			s.setHidden(true)
			continue
		}
		s.show()
	}
}

// show brings the window to the front.
func (s *Shell) show() {
	s.withToolkit(func(ctx context.Context) {
		runtime.WindowUnminimise(ctx)
		runtime.WindowShow(ctx)
	})
	s.setHidden(false)
}

func (s *Shell) setHidden(hidden bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hidden = hidden
}

// beforeClose keeps the window while a run is active, and has the page ask.
func (s *Shell) beforeClose(ctx context.Context) (keep bool) {
	if s.life.MustAsk() {
		s.show() // it may be hidden: the question is in it
		s.Emit(view.EventClose, nil)
		return true
	}
	s.keepPlace(ctx)
	return false
}

func (s *Shell) keepPlace(ctx context.Context) {
	s.mu.Lock()
	before := s.place
	s.mu.Unlock()
	if s.state == "" {
		return
	}
	if err := placeOf(ctx, before).write(s.state); err != nil {
		s.log.Info("the window's place is not kept", "error", err)
	}
}

// Shutdown ends what the window has started, within 3 seconds. It may be called
// again.
func (s *Shell) Shutdown() {
	s.mu.Lock()
	first := !s.closed
	ctx, stopSignals := s.ctx, s.stopSignals
	s.ctx, s.stopSignals, s.closed = nil, nil, true
	s.mu.Unlock()
	if stopSignals != nil {
		stopSignals()
	}
	if !first || s.life == nil {
		return
	}
	if ctx != nil {
		s.notices.close(ctx)
	}
	if s.single != nil {
		_ = s.single.Close()
	}
	bounded, cancel := context.WithTimeout(context.Background(), shutdownWithin)
	defer cancel()
	if err := s.life.End(bounded); err != nil {
		s.log.Error("close", "error", err)
	}
	s.log.Info("window closed")
}

// Emit sends an event to the page.
func (s *Shell) Emit(event string, data any) {
	if e, ok := data.(view.RunEvent); ok && e.Run != nil {
		s.log.Info("run", "run_id", e.RunID, "status", e.Run.Status, "error", e.Run.Error.Text())
	}
	s.withToolkit(func(ctx context.Context) {
		if data == nil {
			runtime.EventsEmit(ctx, event)
			return
		}
		runtime.EventsEmit(ctx, event, data)
	})
}

// Quit closes the window as if the person had.
func (s *Shell) Quit() { s.withToolkit(runtime.Quit) }

// withToolkit calls do with the toolkit's context, if the window is open. The toolkit's
// functions end the program if they get another context.
func (s *Shell) withToolkit(do func(context.Context)) {
	s.mu.Lock()
	ctx := s.ctx
	s.mu.Unlock()
	if ctx != nil {
		do(ctx)
	}
}
