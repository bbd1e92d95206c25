package web

import (
	"bytes"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	"errand/app"
	"errand/app/config"
	"errand/app/desktop"
	"errand/build/must"
)

// lockedBuffer may be written by several goroutines at once.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestNoSecretInTheLog sends secrets in paths, queries, headers, bodies and goals, and lets a
// call panic with one.
func TestNoSecretInTheLog(t *testing.T) {
	const password, token = "hunter2Xq9", "ghp_aB3dE6aB3dE6aB3dE6aB3dE6aB3dE6aB3dE6"
	log := &lockedBuffer{}
	conf := config.Options{Env: []string{"HOME=" + t.TempDir(), "USER=ann"}}
	s, err := Listen(Options{
		Addr: "127.0.0.1:0", Page: testPage, Config: conf, Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Open: func() (*desktop.Engine, error) { return desktop.OpenEngine(app.Options{Config: conf}) },
	})
	must.Succeed(t, err)
	c := serving(t, s)
	c.ask(http.MethodGet, "/password="+password+"/x?token="+token, "", nil)
	c.ask(http.MethodPost, "/api/Understand", `{"text":"my password is `+password+`","bad`, nil)
	c.ask(http.MethodPost, "/api/"+token, `["type `+token+` into the field"]`, nil)
	c.ask(http.MethodPost, "/api/Understand", `[{"text":"type my password `+password+`"}]`, func(r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Cookie", "session="+password)
	})
	if conn, err := net.Dial("tcp", s.listener.Addr().String()); err == nil { // what is no HTTP
		fmt.Fprintf(conn, "GET /?password=%s HTTP/9.9\r\nAuthorization: Basic %s\r\n\r\n", password, token)
		conn.Close()
	}
	panics := func(value any) method { return method{call: reflect.ValueOf(func() { panic(value) })} }
	for _, value := range []any{
		"password=" + password, "Authorization: Bearer " + token,
		map[string]any{"password": password},
		fmt.Errorf("open ?token=%s", token),
		"the page is " + s.URL(), "session_key=" + c.keys.Call,
	} {
		if _, err := s.invoke("Stop", panics(value), nil); err == nil {
			t.Error("no error")
		}
	}
	got := log.String()
	if strings.Count(got, "method=Stop") != 6 || !strings.Contains(got, "[redacted:") {
		t.Errorf("the log is\n%s", got)
	}
	for _, secret := range []string{password, token, s.keys.token, c.keys.Call} {
		if strings.Contains(got, secret) {
			t.Errorf("%s is in the log:\n%s", secret, got)
		}
	}
}
