package shell

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
)

// short returns a folder whose path leaves room for a socket's name.
func short(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "e")
	must.Succeed(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func TestSecondStartRaisesWindow(t *testing.T) {
	dir := filepath.Join(short(t), "state")
	first, err := Claim(dir, StartMessage(false))
	must.Succeed(t, err)
	for _, toggle := range []bool{false, true} {
		if _, err := Claim(dir, StartMessage(toggle)); !errors.Is(err, ErrShown) {
			t.Fatalf("a second start: %v", err)
		}
		if got := <-first.Words(); got != StartMessage(toggle) {
			t.Errorf("the first was told %q", got)
		}
	}
	if err := sendToWindow(socketOf(dir), "quit"); err == nil {
		t.Error("a word that nobody knows was taken")
	}
	for range cap(first.words) { // without a reader
		if _, err := Claim(dir, wordShow); !errors.Is(err, ErrShown) {
			t.Fatal(err)
		}
	}
	if _, err := Claim(dir, wordShow); err == nil || errors.Is(err, ErrShown) || !strings.Contains(i18n.English().Error(err), "does not respond") {
		t.Errorf("a first that does not answer: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	for range first.Words() { // what was not read; then it is closed
		continue
	}

	third, err := Claim(dir, wordShow)
	if err != nil {
		t.Fatalf("after the first has ended: %v", err)
	}
	if err := third.Close(); err != nil {
		t.Error(err)
	}
}

func TestStaleSocket(t *testing.T) {
	dir := short(t)
	l, err := net.Listen("unix", socketOf(dir))
	must.Succeed(t, err)
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	must.Succeed(t, l.Close())
	first, err := Claim(dir, wordShow)
	must.Succeed(t, err)
	defer first.Close()
	if _, err := Claim(dir, wordShow); !errors.Is(err, ErrShown) {
		t.Errorf("a second start: %v", err)
	}
}

// TestSocketPathTooLong checks that without a socket the lock shows that there is a window.
func TestSocketPathTooLong(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", "")
	dir := filepath.Join(short(t), strings.Repeat("d", 120))
	first, err := Claim(dir, wordShow)
	must.Succeed(t, err)
	defer first.Close()
	if _, err := Claim(dir, wordShow); err == nil || errors.Is(err, ErrShown) || !strings.Contains(i18n.English().Error(err), "another window") {
		t.Errorf("a second start: %v", err)
	}
	t.Setenv("XDG_RUNTIME_DIR", short(t))
	if at := socketOf(dir); at == "" || strings.HasPrefix(at, dir) {
		t.Errorf("with a folder for sockets it is at %q", at)
	}
}
