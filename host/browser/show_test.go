//go:build unix

package browser_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/browser/actions"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/planner/message"
)

// TestShow checks that a visible window opens the page and stays until it is closed.
func TestShow(t *testing.T) {
	needsScreen(t)
	w := newWorld(t)
	w.https("a.example", html("<title>seen</title>"))
	b := w.launch(func(o *page.Options) { o.Show = true })
	if !b.Info().Visible {
		t.Error("Info does not say that it is visible")
	}
	page, err := b.Open(t.Context(), "https://a.example/")
	if err != nil || page.Title != "seen" || len(page.Screenshot) == 0 {
		t.Fatalf("Open = %q, %v", page.Title, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := b.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Wait with a window open = %v", err)
	}
	closeTabs(b)
	ctx, cancel = context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := b.Wait(ctx); err != nil {
		t.Errorf("Wait after the window was closed = %v", err)
	}
}

// needsScreen starts an X server without a screen if the machine has no display.
func needsScreen(t *testing.T) {
	t.Helper()
	needsChromium(t)
	if os.Getenv("DISPLAY") != "" {
		return
	}
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	ready, write, err := os.Pipe()
	must.Succeed(t, err)
	x := exec.Command(path, "-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp")
	x.ExtraFiles = []*os.File{write}
	must.Succeed(t, x.Start())
	t.Cleanup(func() { _, _ = x.Process.Kill(), x.Wait() })
	_ = write.Close()
	number, err := bufio.NewReader(ready).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb: %v", err)
	}
	t.Setenv("DISPLAY", ":"+strings.TrimSpace(number))
}

func TestTools(t *testing.T) {
	w := newWorld(t)
	w.https("a.example", html("<title>a</title>"))
	b := w.launch(func(o *page.Options) { o.Decide = allowHosts("a.example") })
	var openErr error
	set, err := tool.NewSet(actions.New(actions.Options{
		Open: func(context.Context) (*page.Browser, error) { return b, openErr }, Running: func(context.Context) *page.Browser { return b },
	})...)
	must.Succeed(t, err)
	open, ok := set.Get("browser.open")
	if !ok {
		t.Fatal("no browser.open")
	}
	spec := open.Spec()
	if !json.Valid(spec.ArgsSchema) || spec.SideEffectClass != tool.Read || spec.Effect != tool.EffectNavigate {
		t.Errorf("spec = %+v", spec)
	}
	call := func(args map[string]any) tool.Result {
		res, err := open.Call(t.Context(), tool.Call{Args: args})
		must.Succeed(t, err)
		return res
	}

	res := call(map[string]any{"url": "https://a.example/"})
	want := map[string]any{"url": "https://a.example/", "title": "a", "status": 200}
	if diff := cmp.Diff(want, res.Payload); !res.OK || diff != "" {
		t.Errorf("result %v, payload (-want +got):\n%s", res.Error, diff)
	}
	if len(res.Artifacts) != 1 || res.Artifacts[0].MediaType != "image/png" || res.Artifacts[0].Size != int64(len(res.Artifacts[0].Data)) || len(res.Artifacts[0].SHA256) != 64 {
		t.Errorf("artifacts = %+v", res.Artifacts)
	}
	if res.World == nil || res.World.BrowserLastURL != "https://a.example/" {
		t.Errorf("world = %+v", res.World)
	}
	if res := call(map[string]any{"url": "https://b.example/"}); res.OK || res.Error.Class != tool.PolicyDenied || !res.Error.Hint.Equal(message.Verbatim("put it there")) {
		t.Errorf("a host that is not allowed = %+v", res.Error)
	}
	if res := call(map[string]any{"url": 1}); res.OK || res.Error.Class != tool.ValidationError {
		t.Errorf("a bad argument = %+v", res.Error)
	}
	openErr = errors.New("no browser")
	if res := call(map[string]any{"url": "https://a.example/"}); res.OK || !res.Error.Message.Equal(message.Verbatim("no browser")) {
		t.Errorf("no browser = %+v", res.Error)
	}
}
