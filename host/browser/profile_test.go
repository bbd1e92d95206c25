//go:build unix

package browser_test

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/browser/chromium"
	"errand/host/browser/page"
	"errand/host/tool"
)

// remembering serves a page that shows how often this profile has opened it.
func remembering(w *world) {
	w.https("a.example", http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		seen := "first"
		if c, err := r.Cookie("seen"); err == nil {
			seen = c.Value + " again"
		}
		http.SetCookie(rw, &http.Cookie{Name: "seen", Value: "once", MaxAge: 3600, Secure: true})
		html("<title>"+seen+"</title>").ServeHTTP(rw, r)
	}))
}

func title(t *testing.T, b *page.Browser, url string) string {
	t.Helper()
	page, err := b.Open(t.Context(), url)
	must.Succeed(t, err)
	return page.Title
}

// TestNamedProfile checks that a named profile keeps state and a temporary one does not, that
// only one browser at a time can use it, and that remains of a dead browser or of another host
// name don't block it.
func TestNamedProfile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	remembering(w)
	profiles := chromium.Profiles{Dir: filepath.Join(t.TempDir(), "profiles")}
	work := func(o *page.Options) { o.Profile, o.Profiles = "work", profiles }
	data := filepath.Join(profiles.Dir, "work", "data")

	notes := &notebook{}
	b := w.launch(work, func(o *page.Options) { o.Note = notes.write })
	if got := title(t, b, "https://a.example/"); got != "first" {
		t.Errorf("title = %q", got)
	}
	if b.Info().Profile != "work" || !notes.has("browser", map[string]any{"profile": "work"}) {
		t.Error("the record does not name the profile")
	}

	t.Run("in use", func(t *testing.T) {
		_, err := page.Launch(t.Context(), optionsOf(w, t, work))
		wantError(t, err, tool.ToolUnavailable, "profile_in_use", "in use by this program, since ")
		list, err := profiles.List()
		if err != nil || len(list) != 1 || list[0].InUse == nil || list[0].InUse.PID != os.Getpid() || list[0].Size == 0 {
			t.Errorf("List = %+v, %v", list, err)
		}
		wantError(t, profiles.Remove("work"), tool.ToolUnavailable, "profile_in_use", "")
		profiles.Sweep()
		if !b.IsAlive() {
			t.Error("the sweep ended a browser that is in use")
		}
	})
	must.Succeed(t, b.Close())
	if left := processesOf(profiles.Dir); len(left) > 0 {
		t.Errorf("processes left after Close: %v", left)
	}

	// The state after a crash on a machine with another name.
	for name, target := range map[string]string{"SingletonLock": "elsewhere-1", "SingletonSocket": "/nowhere/socket", "SingletonCookie": "1"} {
		must.Succeed(t, os.Symlink(target, filepath.Join(data, name)))
	}
	b = w.launch(work)
	if got := title(t, b, "https://a.example/"); got != "once again" {
		t.Errorf("title the second time = %q", got)
	}
	must.Succeed(t, b.Close())
	prefs, err := os.ReadFile(filepath.Join(data, "Default", "Preferences"))
	if err != nil || !strings.Contains(string(prefs), `"network_prediction_options":2`) {
		t.Errorf("our preferences are not among those of the profile: %v", err)
	}

	if got := title(t, w.launch(), "https://a.example/"); got != "first" {
		t.Errorf("a throw-away profile remembers: %q", got)
	}
	if err := profiles.Remove("work"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(data)); !os.IsNotExist(err) {
		t.Errorf("after Remove: %v", err)
	}
	wantError(t, profiles.Remove("work"), tool.ValidationError, "no_such_profile", "")
	if list, err := profiles.List(); err != nil || len(list) != 0 {
		t.Errorf("List = %v, %v", list, err)
	}
}

// TestNamedProfileAfterKill checks that a profile can be used again after its program was killed,
// even if its browser hangs.
func TestNamedProfileAfterKill(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	remembering(w)
	needsChromium(t)
	dir := t.TempDir()
	profiles := chromium.Profiles{Dir: filepath.Join(dir, "profiles")}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), helperEnv+"="+dir+" "+w.proxy.Listener.Addr().String()+" "+w.spki, helperProfileEnv+"=work")
	out, err := cmd.StdoutPipe()
	must.Succeed(t, err)
	must.Succeed(t, cmd.Start())
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		must.Succeed(t, err)
		if line == "opened <nil>\n" {
			break
		}
	}
	_, err = page.Launch(t.Context(), optionsOf(w, t, func(o *page.Options) { o.Profile, o.Profiles = "work", profiles }))
	wantError(t, err, tool.ToolUnavailable, "profile_in_use", "in use by process ")
	signalAll(t, dir, syscall.SIGSTOP)
	_ = cmd.Process.Kill()
	_, _ = io.Copy(io.Discard, out)
	_ = cmd.Wait()

	if len(processesOf(profiles.Dir)) == 0 {
		t.Fatal("the frozen browser is gone: this shows nothing")
	}
	profiles.Sweep()
	if removed, err := chromium.Sweep(dir); removed != 1 || err != nil {
		t.Errorf("Sweep = %d, %v, want 1", removed, err)
	}
	if left := processesOf(dir); len(left) > 0 {
		t.Errorf("after the sweep: %v", left)
	}
	b := w.launch(func(o *page.Options) { o.Profile, o.Profiles = "work", profiles })
	title(t, b, "https://a.example/")
	if list, err := profiles.List(); err != nil || len(list) != 1 || list[0].Used.Before(time.Now().Add(-time.Minute)) {
		t.Errorf("List = %+v, %v", list, err)
	}
}

func TestProfileNames(t *testing.T) {
	for name, good := range map[string]bool{
		"work": true, "a": true, "bank-2": true, "under_score": true, "": false, "..": false, "a/b": false, "Work": false, "-x": false, "x-": false,
		"con": false, "lpt1": false, "a.b": false, "работа": false, strings.Repeat("x", 33): false,
	} {
		if err := chromium.CheckProfileName(name); (err == nil) != good {
			t.Errorf("CheckProfileName(%q) = %v", name, err)
		}
	}
}

func wantError(t *testing.T, err error, class tool.Class, code, message string) {
	t.Helper()
	var e *tool.Error
	if !errors.As(err, &e) || e.Class != class || e.Code != code || !strings.Contains(i18n.English().Text(e.Message), message) {
		t.Errorf("error = %v (%+v)\nwant %s %s …%q…", err, e, class, code, message)
	}
}
