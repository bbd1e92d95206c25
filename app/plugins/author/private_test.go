package author_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"errand/app"
	"errand/app/config"
	"errand/app/plugins/author"
	"errand/build/must"
	"errand/host/tool"
)

// TestPluginsCantReachPrivateNetwork: a plugin that may reach every host there is
// reaches none of this machine or network, however the address is spelled, by no
// other scheme, and by no redirect. No socket is opened for it.
func TestPluginsCantReachPrivateNetwork(t *testing.T) {
	var reached atomic.Int32
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer private.Close()
	_, port, _ := strings.Cut(private.Listener.Addr().String(), ":")
	var away atomic.Pointer[string]
	open := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, *away.Load(), http.StatusTemporaryRedirect)
	}))
	defer open.Close()

	module := filepath.Join(t.TempDir(), "fetch.wasm")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-buildmode=c-shared", "-o", module, "../../../host/wasm/testdata/guests/pdk-go")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file := filepath.Join(t.TempDir(), "errand.toml")
	conf := fmt.Sprintf("[policy]\nallowed_domains = [\"*\", \"http://*\"]\nallow_private = [%q]\n", open.Listener.Addr())
	must.Succeed(t, os.WriteFile(file, []byte(conf), 0o600))
	a, err := app.Open(app.Options{Config: config.Options{File: file, Env: []string{"HOME=" + t.TempDir()}}})
	must.Succeed(t, err)
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	fetch := func(url string) error {
		_, err := a.PluginKit().CallModule(t.Context(), author.ModuleCall{
			File: module, Function: "fetch", Input: []byte(url), AllowHosts: []string{"*", "http://*", "http://*:*"},
		})
		return err
	}
	var tries []string
	for _, host := range []string{
		"127.0.0.1", "localhost", "[::1]", "0", "0.0.0.0", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::ffff:127.0.0.1]",
		"[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "localhost.", "LOCALHOST", "x.localhost", "127.0.0.1.",
		"user@127.0.0.1", "example.com@127.0.0.1", "１２７.0.0.1",
	} {
		tries = append(tries, "http://"+host+":"+port+"/")
	}
	tries = append(tries,
		"http://169.254.169.254/latest/meta-data/", "http://metadata.google.internal/", "http://10.0.0.1/", "http://192.168.0.1/",
		"http://172.16.0.1/", "http://100.64.0.1/", "http://[fe80::1]/", "http://[fc00::1]/", "http://224.0.0.1/", "http://router/",
		"file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "data:text/plain,x", "unix:///run/x.sock", "//127.0.0.1/", "javascript:1", "",
	)
	for _, url := range tries {
		for _, way := range []string{"straight", "redirected"} {
			t.Run(way+" "+url, func(t *testing.T) {
				var err error
				if away.Store(&url); way == "straight" {
					err = fetch(url)
				} else {
					err = fetch(open.URL + "/")
				}
				if err == nil {
					t.Fatal("it was fetched")
				}
				if code := tool.AsError(err).Code; code != "host_denied" && code != "bad_http_request" && code != "http_failed" {
					t.Errorf("it ended with %s: %v", code, err)
				}
			})
		}
	}
	if n := reached.Load(); n > 0 {
		t.Errorf("the private server was reached %d times", n)
	}
}
