package cli

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"errand/app/cli/print"
	"errand/build/must"
	"errand/build/tier"
)

// TestSeedCommands runs the acceptance cases that name a command or its exit code.
func TestSeedCommands(t *testing.T) {
	errand := func(t *testing.T, args ...string) (print.Exit, string, string) {
		t.Helper()
		var out, message bytes.Buffer
		home := t.TempDir()
		must.ShareKey(t, filepath.Join(home, ".local/share/errand"))
		code := Main(context.Background(), System{
			Args: args, Env: []string{"HOME=" + home, "XDG_CACHE_HOME=" + cache},
			Stdin: strings.NewReader(""), Stdout: &out, Stderr: &message,
		})
		return print.Exit(code), out.String(), message.String()
	}

	t.Run("S4-H08 no goal of a script or a file, and no socket to this machine", func(t *testing.T) {
		for _, text := range []string{"open javascript:alert(1)", "open file:///c:/x"} {
			if code, out, message := errand(t, "interpret", "--json", text); strings.Contains(out, "goal_type") || !strings.Contains(out+message, "unsupported") {
				t.Errorf("%s: exit %d, %s%s", text, code, out, message)
			}
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		must.Succeed(t, err)
		defer l.Close()
		url := "http://" + l.Addr().String()
		if code, out, message := errand(t, "plan", "open "+url); code != print.Done && code != print.Denied || !strings.Contains(out, "127.0.0.1") {
			t.Errorf("plan: exit %d, %s%s", code, out, message)
		}
		code, out, message := errand(t, "run", "--yes", "open "+url)
		if code != print.Denied || !strings.Contains(out+message, "private") {
			t.Errorf("run: exit %d, want 3 with its rule; %s%s", code, out, message)
		}
		must.Succeed(t, l.(*net.TCPListener).SetDeadline(time.Now().Add(50*time.Millisecond)))
		if c, err := l.Accept(); err == nil {
			t.Errorf("a socket was opened from %s", c.RemoteAddr())
		}
	})

	t.Run("S4-H29 five hundred cases in two seconds", func(t *testing.T) {
		var cases strings.Builder
		for i := range 500 {
			fmt.Fprintf(&cases, "[[case]]\nname = \"c%d\"\ntext = \"open youtube and search nvidia %d\"\n[case.expect]\nactions = 1\ntools = [\"system.apps.launch.shell\"]\n", i, i)
		}
		dir := t.TempDir()
		file, report := filepath.Join(dir, "cases.toml"), filepath.Join(dir, "out.xml")
		must.Succeed(t, os.WriteFile(file, []byte(cases.String()), 0o600))
		if code, out, message := errand(t, "check", file, "--junit", report); code != print.Done { // it compiles the plugins, once in a cache
			t.Fatalf("exit %d, %s%s", code, out, message)
		}
		began := time.Now()
		code, out, message := errand(t, "check", file, "--junit", report)
		if took := time.Since(began); code != print.Done || !strings.Contains(out, "500 passed, 0 failed") || took > time.Duration(tier.Size(40, 2))*time.Second {
			t.Errorf("exit %d in %v, %s%s", code, took, out, message)
		}
		if b, err := os.ReadFile(report); err != nil || !bytes.Contains(b, []byte(`tests="500" failures="0"`)) {
			t.Errorf("report %.200s, %v", b, err)
		}
		wrong := strings.Replace(cases.String(), "actions = 1", "actions = 2", 1)
		must.Succeed(t, os.WriteFile(file, []byte(wrong), 0o600))
		if code, out, _ := errand(t, "check", file); code != print.Failed || !strings.Contains(out, "499 passed, 1 failed") {
			t.Errorf("one is wrong: exit %d, %s", code, out)
		}
	})
}
