//go:build unix

package browser_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/browser/actions"
	"errand/host/browser/page"
	"errand/host/filestate"
	"errand/host/tool"
)

// TestUpload checks that a page gets the given files as they were when they were checked, and
// none from outside of the granted folders.
func TestUpload(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.https("a.example", http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			said := "got"
			if err := r.ParseMultipartForm(1 << 20); err != nil {
				said = err.Error()
			} else {
				for _, h := range r.MultipartForm.File["f"] {
					f, _ := h.Open()
					b, _ := io.ReadAll(f)
					said += fmt.Sprintf(" %s=%s", h.Filename, b)
				}
			}
			html("<title>"+said+"</title>").ServeHTTP(rw, r)
			return
		}
		html(`<title>form</title><form method="post" enctype="multipart/form-data">
			<label>One <input type="file" name="f"></label>
			<label>Many <input type="file" name="f" multiple></label>
			<input type="file" name="f" id="picker" style="display:none"><button type="button" onclick="picker.click()">Choose</button>
			<button type="button">Nothing</button><button>Send</button></form>`).ServeHTTP(rw, r)
	}))
	b := w.launch()
	root, outside := t.TempDir(), t.TempDir()
	write := func(path, content string) string {
		must.Succeed(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	one, two := write(root+"/one.txt", "1"), write(root+"/zwei ü.txt", "2")
	secret := write(outside+"/secret.txt", "s")
	must.Succeed(t, os.Symlink(secret, root+"/link.txt"))
	must.Succeed(t, syscall.Mkfifo(root+"/pipe", 0o600))
	call := caller(t, b, actions.Files{Roots: func() []string { return []string{root} }})
	label := func(s string) map[string]any { return map[string]any{"label": s} }
	button := func(s string) map[string]any { return map[string]any{"role": "button", "name": s} }

	tests := []struct {
		name string
		args map[string]any
		want string // the received files, or the error's code
	}{
		{"a field", map[string]any{"locator": label("One"), "path": one}, "got one.txt=1"},
		{"two files", map[string]any{"locator": label("Many"), "paths": []any{one, two}}, "got one.txt=1 zwei ü.txt=2"},
		{"a button that asks", map[string]any{"locator": button("Choose"), "path": two}, "got zwei ü.txt=2"},
		{"a field that a person does not see", map[string]any{"locator": map[string]any{"css": "#picker"}, "path": one}, "got one.txt=1"},
		{"two for a field of one", map[string]any{"locator": label("One"), "paths": []any{one, two}}, "takes_one_file"},
		{"a button that does not ask", map[string]any{"locator": button("Nothing"), "path": one}, "takes_no_file"},
		{"outside", map[string]any{"locator": label("One"), "path": secret}, "path_outside_roots"},
		{"outside, by dots", map[string]any{"locator": label("One"), "path": root + "/../" + filepath.Base(outside) + "/secret.txt"}, "path_outside_roots"},
		{"outside, by a link", map[string]any{"locator": label("One"), "path": root + "/link.txt"}, "file_not_read"},
		{"one of two outside", map[string]any{"locator": label("Many"), "paths": []any{one, secret}}, "path_outside_roots"},
		{"a pipe", map[string]any{"locator": label("One"), "path": root + "/pipe"}, "not_a_file"},
		{"a folder", map[string]any{"locator": label("One"), "path": root}, "not_a_file"},
		{"missing", map[string]any{"locator": label("One"), "path": root + "/none"}, "file_not_read"},
		{"no file", map[string]any{"locator": label("One")}, "invalid_args"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := b.Open(t.Context(), "https://a.example/"); err != nil {
				t.Fatal(err)
			}
			r := call("browser.upload", tt.args)
			if !strings.HasPrefix(tt.want, "got") {
				if r.OK || r.Error.Code != tt.want {
					t.Errorf("%v, %+v, want %s", r.Payload, r.Error, tt.want)
				}
				return
			}
			if !r.OK {
				t.Fatal(r.Error)
			}
			told := r.Payload.(map[string]any)["files"].([]any)
			if first := told[0].(map[string]any); first["size"] != int64(1) || len(first["sha256"].(string)) != 64 {
				t.Errorf("files = %v", told)
			}
			if r = call("browser.submit", map[string]any{"locator": button("Send")}); !r.OK {
				t.Fatal(r.Error)
			}
			if got := r.Payload.(map[string]any)["title"]; got != tt.want {
				t.Errorf("the server %v, want %s", got, tt.want)
			}
		})
	}
}

func TestForecastUpload(t *testing.T) {
	root := t.TempDir()
	must.Succeed(t, os.WriteFile(root+"/a.txt", []byte("abc"), 0o600))
	set, err := tool.NewSet(actions.New(actions.Options{Files: actions.Files{Roots: func() []string { return []string{root} }}})...)
	must.Succeed(t, err)
	x, _ := set.Get("browser.upload")
	forecast := func(paths ...any) (tool.Forecast, error) {
		return x.(tool.Forecaster).Forecast(t.Context(), tool.Call{Args: map[string]any{"paths": paths}})
	}
	f, err := forecast(root+"/a.txt", root+"/later.txt")
	if err != nil || f.Reversible || f.Count != 2 || i18n.English().Text(f.Note) != "the page gets a.txt (3 bytes), later.txt (does not exist yet)" {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err := forecast("/etc/passwd"); err == nil {
		t.Error("a file outside has a forecast")
	}
}

// TestUploadIsWhatWasApproved checks that a page gets no file that changed after its approval.
func TestUploadIsWhatWasApproved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.https("a.example", html(`<title>form</title><label>One <input type="file" name="f"></label>`))
	b := w.launch()
	root := t.TempDir()
	path, secret := filepath.Join(root, "a.txt"), filepath.Join(root, "secret.txt")
	files := actions.Files{Roots: func() []string { return []string{root} }}
	caller(t, b, files)("browser.open", map[string]any{"url": "https://a.example/"})
	set, err := tool.NewSet(actions.New(actions.Options{
		Open: func(context.Context) (*page.Browser, error) { return b, nil }, Running: func(context.Context) *page.Browser { return b }, Files: files,
	})...)
	must.Succeed(t, err)
	upload, _ := set.Get("browser.upload")
	for _, tt := range []struct {
		name   string
		change func() error
		want   string // the error's code
	}{
		{"nothing", func() error { return nil }, ""},
		{"another content of the same size", func() error { return os.WriteFile(path, []byte("thief"), 0o600) }, "approval_drift"},
		{"grown", func() error { return os.WriteFile(path, []byte("draft and more"), 0o600) }, "approval_drift"},
		{"a link", func() error { return errors.Join(os.Remove(path), os.Symlink("secret.txt", path)) }, "approval_drift"},
		{"a hard link", func() error { return errors.Join(os.Remove(path), os.Link(secret, path)) }, "approval_drift"},
		{"gone", func() error { return os.Remove(path) }, "file_not_read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_ = os.Remove(path)
			must.Succeed(t, errors.Join(os.WriteFile(path, []byte("draft"), 0o600), os.WriteFile(secret, []byte("thief"), 0o600)))
			call := tool.Call{Args: map[string]any{"path": path, "locator": map[string]any{"label": "One"}}, Effect: tool.EffectFile}
			states, fault := filestate.Inspect(t.Context(), upload.Spec(), call)
			if fault != nil || len(states) != 1 || states[0].SHA256 == "" {
				t.Fatalf("states %+v, %v", states, fault)
			}
			call.Files = states
			must.Succeed(t, tt.change())
			r, err := upload.Call(t.Context(), call)
			code := ""
			if r.Error != nil {
				code = r.Error.Code
			}
			if err != nil || code != tt.want {
				t.Errorf("%v, %v, want %q", r.Error, err, tt.want)
			}
		})
	}
}
