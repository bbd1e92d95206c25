// Package shell is the program's window. It asks before it closes during a run, and ends all
// processes when it closes. Only this package imports the toolkit.
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

// eventUsable is the event by which the page says that it is ready.
const eventUsable = "usable"

// shutdownWithin limits the time that closing the window takes to end a run and its browser.
const shutdownWithin = 3 * time.Second

// Shell manages the window. It is the [desktop.Face] of the API that [Shell.Options] gets.
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

// Assets are the files of the page.
type Assets struct {
	Page     fs.FS        // with index.html at its root
	Pictures http.Handler // for paths that Page lacks; nil for none
	Icon     []byte       // PNG
}

// Options returns the options for wails.Run.
func (s *Shell) Options(life *desktop.Life, assets Assets) *options.App {
	s.life = life
	boot := life.Boot()
	if n := len(boot.Problems); n > 0 {
		s.log.Warn("safe mode", "faults", n)
	}
	o := &options.App{
		Title:            appName,
		BackgroundColour: paper(boot.Theme),
		StartHidden:      true, // shown when the page is ready, to avoid a white flash
		AssetServer:      &assetserver.Options{Assets: assets.Page, Handler: assets.Pictures, Middleware: strict},
		OnStartup:        s.startup,
		OnDomReady:       s.ready,
		OnBeforeClose:    s.beforeClose,
		OnShutdown:       func(context.Context) { s.Shutdown() },
		Bind:             []any{life.API()},
		ErrorFormatter:   life.Format,
		// Only the page itself may call the API. Other origins, and menus that reload or
		// inspect the page, are disabled.
		BindingsAllowedOrigins:   "",
		EnableDefaultContextMenu: false,
		Linux: &linux.Options{
			ProgramName: "errand",
			Icon:        assets.Icon,
			// The default of this setting means "on demand", which shows an empty window on
			// some drivers.
			WebviewGpuPolicy: linux.WebviewGpuPolicyNever,
		},
	}
	s.place.applyTo(o)
	return o
}

// paper is the background colour of the window until the page is shown.
func paper(theme string) *options.RGBA {
	switch theme {
	case "dark":
		return options.NewRGB(0x16, 0x18, 0x1A)
	case "contrast":
		return options.NewRGB(0, 0, 0)
	}
	return options.NewRGB(0xFB, 0xFA, 0xF8)
}

// strict adds the headers of `errand serve` to the page's files.
func strict(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", desktop.ContentSecurityPolicy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
}

// CalmWebKit disables WebKitGTK's DMA-BUF renderer, which shows an empty window on some
// drivers. It keeps the user's setting. Call it before creating the window.
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
		_ = s.life.API().Close(true) // there may be no user to ask
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

// listen handles the messages of later starts of the program.
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

// beforeClose reports whether to keep the window open. If a run is active, it lets the page ask
// the user.
func (s *Shell) beforeClose(ctx context.Context) (keep bool) {
	if s.life.MustConfirmClose() {
		s.show() // the window may be hidden, and the question is in it
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

// Shutdown ends everything that the window started, within 3 seconds. It may be called more
// than once.
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

// Quit closes the window as if the user had closed it.
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
