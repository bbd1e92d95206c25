package chromium

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type nopWriter struct {
	bytes.Buffer
	err error
}

func (w *nopWriter) Write(b []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	return w.Buffer.Write(b)
}
func (w *nopWriter) SetWriteDeadline(time.Time) error { return nil }

func TestPipe(t *testing.T) {
	out := &nopWriter{}
	long := `"` + strings.Repeat("x", 200_000) + `"` // longer than the reader's buffer
	p := newPipe(strings.NewReader(`{"id":1}`+"\x00"+long+"\x00"+"not json\x00"+`{"half":`), out)

	for _, want := range []string{`{"id":1}`, long} {
		if got, err := p.Read(); err != nil || string(got) != want {
			t.Errorf("Read = %.20q, %v, want %.20q", got, err, want)
		}
	}
	if _, err := p.Read(); err == nil || errors.Is(err, ErrGone) {
		t.Errorf("Read of what is not JSON = %v, want an error of its own", err)
	}
	if _, err := p.Read(); !errors.Is(err, ErrGone) {
		t.Errorf("Read of half a message = %v, want %v", err, ErrGone)
	}

	if err := p.Send([]byte(`{}`)); err != nil || out.String() != "{}\x00" {
		t.Errorf("Send = %v, wrote %q", err, out.String())
	}
	out.err = io.ErrClosedPipe
	if err := p.Send([]byte(`{}`)); !errors.Is(err, ErrGone) {
		t.Errorf("Send to a closed pipe = %v, want %v", err, ErrGone)
	}
	out.err = nil
	if err := p.Send([]byte(`{}`)); err == nil {
		t.Error("a broken pipe was used again")
	}
}

// TestIgnoredMessages checks that messages of the network domain are dropped, except those that a
// handler uses.
func TestIgnoredMessages(t *testing.T) {
	tests := []struct {
		message string
		want    bool
	}{
		{`{"method":"Network.dataReceived","params":{"requestId":"1"},"sessionId":"S"}`, true},
		{`{"method":"Network.requestWillBeSent","params":{"type":"Document"},"sessionId":"S"}`, false}, // names the document that asks
		{`{"method":"Network.responseReceived","params":{"type":"Image","response":{}},"sessionId":"S"}`, true},
		{`{"method":"Network.responseReceived","params":{"type":"Document","response":{}},"sessionId":"S"}`, false},
		{`{"method":"Network.webSocketCreated","params":{"url":"wss://a.example/"},"sessionId":"S"}`, false},
		{`{"method":"Fetch.requestPaused","params":{"requestId":"1"}}`, false},
		{`{"id":1,"result":{"method":"Network.dataReceived"}}`, false},
		{`{"params":{},"method":"Network.dataReceived"}`, false},
		{``, false},
	}
	for _, tt := range tests {
		if got := isIgnored([]byte(tt.message)); got != tt.want {
			t.Errorf("isIgnored(%s) = %t", tt.message, got)
		}
	}
	p := newPipe(strings.NewReader(tests[0].message+"\x00"+tests[5].message+"\x00"), &nopWriter{})
	if got, err := p.Read(); err != nil || string(got) != tests[5].message {
		t.Errorf("Read = %s, %v", got, err)
	}
}

func FuzzPipeRead(f *testing.F) {
	f.Add([]byte("{}\x00[1]\x00"))
	f.Add([]byte("\x00\x00"))
	f.Add([]byte(`{"a":"` + "\xff" + `"}` + "\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		p := newPipe(bytes.NewReader(in), &nopWriter{})
		for range bytes.Count(in, []byte{0}) + 1 { // reads until the end; each message is valid or an error
			if m, err := p.Read(); err == nil && bytes.IndexByte(m, 0) >= 0 {
				t.Errorf("message %q holds its own end", m)
			}
		}
		if _, err := p.Read(); !errors.Is(err, ErrGone) {
			t.Errorf("after all: %v, want %v", err, ErrGone)
		}
	})
}

func TestArguments(t *testing.T) {
	args := commandLine("/p/data", "/s", Options{Proxy: Proxy{Addr: netip.MustParseAddrPort("[::1]:8080")}, TrustSPKI: []string{"a=", "b="}})
	for _, want := range []string{
		"--remote-debugging-pipe", "--user-data-dir=/p/data", "--headless=new",
		"--proxy-server=http://[::1]:8080", "--proxy-bypass-list=<-loopback>",
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE [::1]",
		"--webrtc-ip-handling-policy=disable_non_proxied_udp", "--disable-quic", "--deny-permission-prompts",
		"--ignore-certificate-errors-spki-list=a=,b=",
	} {
		if !slices.Contains(args, want) {
			t.Errorf("%s is missing", want)
		}
	}
	for _, a := range args { // flags that rod would add, and flags that weaken the boundary
		for _, bad := range []string{"--remote-debugging-port", "--disable-site-isolation-trials", "site-per-process", "--disable-popup-blocking", "--disable-web-security", "--ignore-certificate-errors="} {
			if strings.Contains(a, bad) {
				t.Errorf("%s has %s", a, bad)
			}
		}
	}
	shown := commandLine("/p/data", "/s", Options{Show: true})
	if slices.ContainsFunc(shown, func(a string) bool {
		return strings.HasPrefix(a, "--headless") || strings.HasPrefix(a, "--ignore-cert")
	}) {
		t.Errorf("shown: %v", shown)
	}
}

func TestEnvironment(t *testing.T) {
	got := environment([]string{
		"PATH=/bin", "HOME=/root", "AWS_SECRET_ACCESS_KEY=x", "https_proxy=http://evil", "XDG_RUNTIME_DIR=/run", "LC_ALL=C",
		"CHROMIUM_FLAGS=--no-sandbox", "LD_PRELOAD=/x.so", "PATHOLOGICAL=1", "DISPLAY=:0",
		"TMPDIR=/elsewhere",
	}, &scratch{path: "/p", temporary: "/t/errand-1"}, false)
	want := []string{"BREAKPAD_DUMP_LOCATION=/p/crashes", "TMPDIR=/t/errand-1", "GSETTINGS_BACKEND=memory", "PATH=/bin", "HOME=/root", "XDG_RUNTIME_DIR=/run", "LC_ALL=C", "DISPLAY=:0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}

func TestTail(t *testing.T) {
	var said tail
	for i := range 30 {
		fmt.Fprintf(&said, "line %d\n", i)
	}
	_, _ = io.WriteString(&said, "\n  \nha")
	_, _ = io.WriteString(&said, "lf "+strings.Repeat("x", 1000))
	lines := strings.Split(said.String(), "\n")
	if len(lines) != tailLines+1 || lines[0] != "line 10" || lines[19] != "line 29" {
		t.Errorf("kept %d lines, %q to %q", len(lines), lines[0], lines[len(lines)-1])
	}
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "half x") || len(last) != tailLineLen {
		t.Errorf("the unfinished line is %d bytes: %.10q", len(last), last)
	}
}
