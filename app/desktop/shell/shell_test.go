package shell

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"testing/fstest"

	"errand/app/config"
	"errand/app/desktop"
	"errand/app/desktop/view"
	"errand/planner/message"
)

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// TestOptions checks the window's behaviour and its look before the page is loaded.
func TestOptions(t *testing.T) {
	s := New(quiet(), "", nil)
	life := desktop.New(desktop.Options{
		Face: s, Config: config.Options{Env: []string{"HOME=" + t.TempDir()}},
		Open: func() (*desktop.Engine, error) { return nil, config.Problems{{Message: message.Verbatim("bad")}} },
	})
	o := s.Options(life, Assets{Page: fstest.MapFS{}})
	if !o.StartHidden || o.EnableDefaultContextMenu || o.BindingsAllowedOrigins != "" || o.Width != usualWidth || o.MinWidth != leastWidth {
		t.Errorf("options %+v", o)
	}
	w := httptest.NewRecorder()
	o.AssetServer.Middleware(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if w.Header().Get("Content-Security-Policy") != desktop.ContentSecurityPolicy {
		t.Errorf("headers %v", w.Header())
	}
	s.Shutdown() // ends life, also where no window was shown
	s.Shutdown()
	if _, err := s.Choose(view.ChooseAsk{Kind: "folder"}); err == nil {
		t.Error("a dialog of a window that is gone")
	}
	s.Notify(desktop.Notice{Title: "Done"}) // goes nowhere, and ends nothing
	s.Emit("run", view.RunEvent{})
	s.Quit()
}

func TestPaper(t *testing.T) {
	for theme, dark := range map[string]bool{"dark": true, "contrast": true, "light": false, "system": false, "": false} {
		if got := paper(theme).R < 0x40; got != dark {
			t.Errorf("%q: %+v", theme, paper(theme))
		}
	}
}

func TestCalmWebKitKeepsUserValue(t *testing.T) {
	const name = "WEBKIT_DISABLE_DMABUF_RENDERER"
	t.Setenv(name, "0")
	CalmWebKit()
	if os.Getenv(name) != "0" {
		t.Error("it was changed")
	}
	_ = os.Unsetenv(name)
	CalmWebKit()
	if os.Getenv(name) != "1" {
		t.Error("it was not set")
	}
}
