//go:build unix

package install_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/wasm/install"
)

// TestMain lets this test binary run as the program that is killed.
func TestMain(m *testing.M) {
	if data := os.Getenv("INSTALL_UNTIL_KILLED"); data != "" {
		if err := installUntilKilled(data); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// installUntilKilled installs two versions in turn until it is killed.
func installUntilKilled(data string) error {
	s := install.New(data, time.Now)
	for i := 0; ; i++ {
		dir := os.Getenv([]string{"VERSION_A", "VERSION_B"}[i%2])
		b, err := install.Read(context.Background(), install.Origin{Place: dir})
		if err != nil {
			return err
		}
		p, err := s.Propose(b, install.Signature{}, nil)
		if err != nil {
			return err
		}
		if _, err := s.Install(context.Background(), p); err != nil {
			return err
		}
		fmt.Println("installed")
	}
}

// TestPipes checks that a pipe, which would block forever, is refused.
func TestPipes(t *testing.T) {
	dir := write(t, map[string]string{"go.wasm": string(module("a"))})
	for _, name := range []string{"plugin.toml", "a.zip"} {
		must.Succeed(t, syscall.Mkfifo(filepath.Join(dir, name), 0o600))
	}
	for place, want := range map[string]string{".": "bad_manifest", "go.wasm": "bad_manifest", "plugin.toml": "no_source", "a.zip": "no_source"} {
		if _, err := install.Read(t.Context(), install.Origin{Place: filepath.Join(dir, place)}); code(err) != want {
			t.Errorf("%s: %v, want %s", place, err, want)
		}
	}
}

// TestKilled kills an installation at many moments. The installed plugin is always one complete
// version, and the next change removes what was left.
func TestKilled(t *testing.T) {
	s, data := newStore(t)
	dirs := []string{
		write(t, map[string]string{"plugin.toml": manifestOf("go", "1.0.0"), "go.wasm": string(module("a"))}),
		write(t, map[string]string{"plugin.toml": manifestOf("go", "2.0.0"), "go.wasm": string(module("b"))}),
	}
	r := rand.New(rand.NewSource(time.Now().UnixNano()))
	seen := map[string]int{}
	for i := range 40 {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), "INSTALL_UNTIL_KILLED="+data, "VERSION_A="+dirs[i%2], "VERSION_B="+dirs[1-i%2])
		out, err := cmd.StdoutPipe()
		must.Succeed(t, err)
		must.Succeed(t, cmd.Start())
		lines := bufio.NewScanner(out)
		if !lines.Scan() || lines.Text() != "installed" {
			t.Fatalf("it says %q", lines.Text())
		}
		time.AfterFunc(time.Duration(r.Intn(20_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		for lines.Scan() { // until it has ended
		}
		_ = cmd.Wait()
		e := find(t, s, "go")
		if e == nil {
			t.Fatal("nothing is installed")
		}
		if err := s.Verify(*e, install.Trust{}); err != nil {
			t.Fatalf("what is installed is not whole: %v", err)
		}
		seen[e.Version]++
	}
	if len(seen) != 2 {
		t.Errorf("it was never killed at another version: %v", seen)
	}
	must.Succeed(t, s.Remove(t.Context(), *find(t, s, "go")))
	if got := tree(t, data); got != "plugins\nplugins.lock" {
		t.Errorf("left is\n%s", got)
	}
}
