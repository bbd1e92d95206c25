package resident

import (
	"errors"
	"net"
	"os"
	"testing"
	"time"

	"errand/build/must"
	"errand/planner/message"
)

// TestSilentProcess: a process that is suspended, so that it holds its place and answers nothing, is not
// taken for one that is missing. No client waits longer than its deadline.
func TestSilentProcess(t *testing.T) {
	p := testPlace(t)
	must.Succeed(t, p.prepare())
	must.Succeed(t, os.WriteFile(p.mark(), []byte("4711\n"), 0o600))
	l, err := net.Listen("unix", p.Socket()) // the system accepts for it
	must.Succeed(t, err)
	t.Cleanup(func() { _ = l.Close() })
	c := &Client{Place: p, Identity: identity}
	start := time.Now()
	_, statusErr := c.Status(t.Context())
	stopped, stopErr := c.Stop(t.Context())
	if stopped {
		t.Error("it is stopped")
	}
	for name, err := range map[string]error{"status": statusErr, "stop": stopErr} {
		if m := message.FromError(err); !IsSilent(err) || m.String() != "resident.no_answer(pid=4711)" {
			t.Errorf("%s: %v", name, err)
		}
	}
	started := 0
	c.Start = func() (func() error, error) {
		started++
		return func() error { return ErrRunning }, nil
	}
	if _, err := c.Do(t.Context(), openRequest("x"), Events{}, nil); !isUnavailable(err) || !IsSilent(err) {
		t.Errorf("a call: %v", err)
	}
	if started > 0 {
		t.Errorf("%d further processes were started", started)
	}
	if took := time.Since(start); took > 4*dialTimeout+silentTimeout {
		t.Errorf("it took %s", took)
	}
	_ = l.Close()
	if _, err := c.Status(t.Context()); IsSilent(err) || !isUnavailable(err) {
		t.Errorf("without a process: %v", err)
	}
}

// TestRuntimeFolder: the socket is in the runtime folder only if that is the user's own. A folder of
// another user, as after su or sudo -E, is left alone.
func TestRuntimeFolder(t *testing.T) {
	own, state := t.TempDir(), t.TempDir()
	must.Succeed(t, os.Chmod(own, 0o700))
	foreign := "/usr"
	if os.Geteuid() == 0 {
		foreign = t.TempDir()
		must.Succeed(t, os.Chown(foreign, 65534, 65534))
	}
	open := t.TempDir()
	must.Succeed(t, os.Chmod(open, 0o777))
	for name, tt := range map[string]struct{ runtime, want string }{
		"own":             {own, own + "/errand"},
		"another user's":  {foreign, state + "/runtime"},
		"open to all":     {open, state + "/runtime"},
		"missing":         {own + "/none", state + "/runtime"},
		"none":            {"", state + "/runtime"},
		"a relative path": {"run", state + "/runtime"},
	} {
		p, ok := FindPlace(tt.runtime, state, false)
		if !ok || p.dir != tt.want {
			t.Errorf("%s: %q, %t", name, p.dir, ok)
		}
		if err := p.prepare(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if entries, err := os.ReadDir(foreign); errors.Is(err, nil) && foreign != "/usr" && len(entries) > 0 {
		t.Errorf("in the folder of another user: %v", entries)
	}
}
