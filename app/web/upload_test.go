package web

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/desktop"
	"errand/build/must"
)

// TestUploadPlugin: its file lies where the program can read it,
// for nobody else, until the next one comes or the server ends.
func TestUploadPlugin(t *testing.T) {
	c := serve(t)
	send := func(name string) string {
		t.Helper()
		response, body := c.ask(http.MethodPost, "/api/upload?name="+name, "bytes of "+name, octets)
		var answer struct{ Result string }
		if err := json.Unmarshal([]byte(body), &answer); err != nil || response.StatusCode != http.StatusOK {
			t.Fatalf("%d, %s", response.StatusCode, body)
		}
		return answer.Result
	}
	first := send("weather.tar.gz")
	if b, err := os.ReadFile(first); err != nil || string(b) != "bytes of weather.tar.gz" || filepath.Base(first) != "weather.tar.gz" {
		t.Errorf("%s: %q, %v", first, b, err)
	}
	for path, want := range map[string]os.FileMode{first: 0o600, filepath.Dir(first): 0o700 | os.ModeDir} {
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, want %v (%v)", path, info.Mode(), want, err)
		}
	}
	second := send("weather.wasm")
	if _, err := os.Stat(first); !os.IsNotExist(err) {
		t.Errorf("the one before is still there: %v", err)
	}
	must.Succeed(t, c.end())
	if _, err := os.Stat(filepath.Dir(second)); !os.IsNotExist(err) {
		t.Errorf("it outlived the server: %v", err)
	}
}

func TestUploadOfInvalidPlugin(t *testing.T) {
	c := serve(t)
	zeros := func(r *http.Request) {
		octets(r)
		r.Body, r.ContentLength = io.NopCloser(io.LimitReader(endless{}, desktop.MaxUpload+1)), desktop.MaxUpload+1
	}
	tests := []struct {
		name, path string
		change     func(*http.Request)
		status     int
		code       string
	}{
		{"no key", "/api/upload?name=a.wasm", func(r *http.Request) { octets(r); r.Header.Del("Authorization") }, 401, "no_session"},
		{"another site's page", "/api/upload?name=a.wasm", func(r *http.Request) { octets(r); r.Header.Set("Origin", "https://evil.example") }, 403, "foreign_origin"},
		{"a form", "/api/upload?name=a.wasm", func(r *http.Request) { r.Header.Set("Content-Type", "multipart/form-data") }, 415, "bad_body"},
		{"another kind of file", "/api/upload?name=notes.txt", octets, 409, "upload_no_plugin"},
		{"no name", "/api/upload", octets, 409, "upload_no_plugin"},
		{"an ending alone", "/api/upload?name=.wasm", octets, 409, "upload_no_plugin"},
		{"a hidden file", "/api/upload?name=.a.wasm", octets, 409, "upload_no_plugin"},
		{"too large", "/api/upload?name=a.wasm", zeros, 413, "upload_too_large"},
		{"a NUL in the name", "/api/upload?name=a%00.wasm", octets, 400, "upload_bad_name"},
		{"a NUL behind the ending", "/api/upload?name=a.wasm%00.txt", octets, 400, "upload_bad_name"},
		{"a line end in the name", "/api/upload?name=a%0Ab.wasm", octets, 400, "upload_bad_name"},
		{"a terminal escape in the name", "/api/upload?name=a%1B%5B31m.wasm", octets, 400, "upload_bad_name"},
		{"a name that is not UTF-8", "/api/upload?name=a%FF.wasm", octets, 400, "upload_bad_name"},
		{"a name that no file system takes", "/api/upload?name=" + strings.Repeat("a", 300) + ".wasm", octets, 400, "upload_bad_name"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			response, body := c.ask(http.MethodPost, tt.path, "x", tt.change)
			if response.StatusCode != tt.status || failure(t, body).Code != tt.code {
				t.Errorf("%d, %s; want %d, %s", response.StatusCode, body, tt.status, tt.code)
			}
		})
	}
	// A path in the name leads nowhere.
	for _, name := range []string{"../../etc/a.wasm", `..\..\a.wasm`, "/etc/a.wasm"} {
		_, body := c.ask(http.MethodPost, "/api/upload?name="+strings.ReplaceAll(name, `\`, "%5C"), "x", octets)
		var answer struct{ Result string }
		_ = json.Unmarshal([]byte(body), &answer)
		if filepath.Base(answer.Result) != "a.wasm" || !strings.HasPrefix(filepath.Base(filepath.Dir(answer.Result)), "upload-") {
			t.Errorf("%s lies at %q", name, answer.Result)
		}
	}
}

func octets(r *http.Request) { r.Header.Set("Content-Type", "application/octet-stream") }

// endless is zeros without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
