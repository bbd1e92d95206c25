package cli

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"errand/app/cli/print"
	"errand/build/must"
	"errand/build/poll"
)

// transcript is the output of a command so far.
type transcript struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.buf.Write(p)
}

// await waits for new output.
func (s *transcript) await(t *testing.T, text string) {
	t.Helper()
	if !poll.WaitUntil(func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		_, after, ok := strings.Cut(s.buf.String(), text)
		if ok {
			s.buf.Reset()
			s.buf.WriteString(after)
		}
		return ok
	}) {
		s.mu.Lock()
		defer s.mu.Unlock()
		t.Fatalf("it never said %q; it said:\n%s", text, s.buf.String())
	}
}

// TestPluginDev checks that plugin dev builds and tests a plugin after each change until the user
// ends it.
func TestPluginDev(t *testing.T) {
	if ok, err := hasC(); err != nil {
		t.Fatal(err)
	} else if !ok {
		t.Skip("no clang: the C template can't be built")
	}
	home := t.TempDir()
	folder := filepath.Join(home, "greeter")
	must.ShareKey(t, filepath.Join(home, "errand"))
	env := append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+cache, "XDG_DATA_HOME="+home, "XDG_CONFIG_HOME="+home)
	var made bytes.Buffer
	if code := Main(t.Context(), System{Args: []string{"plugin", "new", "greeter", "--lang", "c", "--in", folder}, Env: env, Stdin: strings.NewReader(""), Stdout: &made, Stderr: &made}); code != 0 {
		t.Fatalf("exit %d: %s", code, made.String())
	}
	edit := func(name, old, new string) {
		t.Helper()
		place := filepath.Join(folder, name)
		b, err := os.ReadFile(place)
		if err != nil || !strings.Contains(string(b), old) {
			t.Fatalf("%s has no %q (%v)", name, old, err)
		}
		must.Succeed(t, os.WriteFile(place, []byte(strings.ReplaceAll(string(b), old, new)), 0o644))
	}
	ctx, interrupt := context.WithCancel(t.Context())
	said := &transcript{}
	code := make(chan int)
	go func() {
		code <- Main(ctx, System{Args: []string{"plugin", "dev", folder}, Env: env, Stdin: strings.NewReader(""), Stdout: said, Stderr: said})
	}()
	said.await(t, "3 passed, 0 failed")
	said.await(t, "Ctrl+C")
	edit("plugin.c", "no_name", "nobody")
	said.await(t, "changed: plugin.c")
	said.await(t, "FAIL greeter.greet: nobody")
	said.await(t, "2 passed, 1 failed")
	edit("plugin.c", "int main", "nonsense main")
	said.await(t, "unknown type name 'nonsense'")
	said.await(t, "did not build the plugin")
	edit("plugin.c", "nonsense main", "int main")
	edit("plugin.toml", `error = "no_name"`, `error = "nobody"`)
	said.await(t, "PASS greeter.greet: nobody")
	said.await(t, "3 passed, 0 failed")
	interrupt()
	select {
	case got := <-code:
		if print.Exit(got) != print.Interrupted {
			t.Errorf("exit code %d, want %d", got, print.Interrupted)
		}
	case <-time.After(poll.Patience):
		t.Error("it did not end with Ctrl+C")
	}
}

// TestPluginRecord checks that recorded answers replace a server that is gone, and that hosts
// that are not permitted are not contacted.
func TestPluginRecord(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/extism/go-sdk").Output()
	must.Succeed(t, err)
	module := must.ReadFile(t, filepath.Join(strings.TrimSpace(string(dir)), "wasm", "http_headers.wasm"))
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		w.Header().Set("ETag", `"seven"`)
	}))
	defer server.Close()
	home := t.TempDir()
	folder := filepath.Join(home, "web")
	manifest := `schema = 1
id = "web"
version = "1"
module = "web.wasm"
abi = "extism"
hosts = ["` + server.URL + `"]
[[tool]]
name = "web.headers"
function = "http_get"
description = "d"
side_effect_class = "read"
effect = "read"
args_schema = '{"type":"object","properties":{"url":{"type":"string"}}}'
# the one case
[[tool.case]]
args = { url = "` + server.URL + `/a" }
payload = { etag = '"seven"' }
`
	for name, text := range map[string]string{
		filepath.Join(folder, "plugin.toml"): manifest, filepath.Join(folder, "web.wasm"): string(module),
		filepath.Join(home, "errand", "errand.toml"): "# nothing yet\n",
	} {
		must.Succeed(t, os.MkdirAll(filepath.Dir(name), 0o755))
		must.Succeed(t, os.WriteFile(name, []byte(text), 0o644))
	}
	run := func(want print.Exit, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		env := []string{"HOME=" + home, "XDG_CACHE_HOME=" + cache, "XDG_DATA_HOME=" + home, "XDG_CONFIG_HOME=" + home}
		code := Main(t.Context(), System{Args: append([]string{"plugin", "test", folder}, args...), Env: env, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
		if print.Exit(code) != want {
			t.Errorf("test %v: exit %d, want %d:\n%s", args, code, want, out.String())
		}
		return out.String()
	}
	if said := run(print.Failed); !strings.Contains(said, "no recorded answer for GET "+server.URL+"/a") {
		t.Errorf("without a recording it says\n%s", said)
	}
	if said := run(print.Failed, "--record"); !strings.Contains(said, "host_denied") || requests > 0 {
		t.Errorf("%d requests to an address that nobody opened:\n%s", requests, said)
	}
	settings := filepath.Join(home, "errand", "errand.toml")
	must.Succeed(t, os.WriteFile(settings, []byte("[policy]\nallow_private = [\""+strings.TrimPrefix(server.URL, "http://")+"\"]\n"), 0o600))
	run(print.Failed, "--record") // the answer has a date, and the case expects none
	server.Close()
	said := run(print.Done)
	b, err := os.ReadFile(filepath.Join(folder, "plugin.toml"))
	if err != nil || !strings.HasPrefix(string(b), strings.TrimSuffix(manifest, "\n")) || !strings.Contains(string(b), `headers = { "etag" = "\"seven\"" }`) {
		t.Errorf("the manifest is (%v)\n%s\n%s", err, b, said)
	}
	if requests != 1 {
		t.Errorf("%d requests were made, want 1", requests)
	}
}
