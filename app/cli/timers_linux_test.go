package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/desktop/desktoptest"
)

// TestTimersRing: timers ring over D-Bus, also if the resident process was killed meanwhile: the next
// command starts another, which shows each once.
func TestTimersRing(t *testing.T) {
	bus := desktoptest.StartBus(t)
	notes := desktoptest.StartService(t, bus, "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications",
		func(note func(...any)) map[string]any {
			return map[string]any{
				"GetCapabilities": func() ([]string, *dbus.Error) { return []string{"body"}, nil },
				"Notify": func(app string, replaces uint32, icon, summary, body string, actions []string, hints map[string]dbus.Variant, timeout int32) (uint32, *dbus.Error) {
					note(body)
					return 1, nil
				},
			}
		})
	home, err := os.MkdirTemp("", "e") // a socket's path is short
	must.Succeed(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	must.Succeed(t, os.Mkdir(filepath.Join(home, "run"), 0o700))
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), "ERRAND_AS_PROGRAM=1", "HOME="+home, "XDG_CONFIG_HOME="+home+"/config", "XDG_DATA_HOME="+home+"/data",
			"XDG_CACHE_HOME="+home+"/cache", "XDG_STATE_HOME="+home+"/state", "XDG_RUNTIME_DIR="+home+"/run", "DBUS_SESSION_BUS_ADDRESS="+bus)
		out, err := cmd.CombinedOutput()
		if err != nil {
			log, _ := os.ReadFile(filepath.Join(home, "state/errand/agentd.log"))
			t.Fatalf("%q: %v\n%s\n%s", args, err, out, log)
		}
		return string(out)
	}
	t.Cleanup(func() {
		run("stop")
		poll.Await(t, "all processes end", func() bool { return len(processesWith(t, home)) == 0 })
	})
	texts := func() (all []string) {
		for _, c := range notes.Calls() {
			all = append(all, c[0].(string))
		}
		return all
	}
	run("remind me in 1 second to drink")
	poll.Await(t, "the reminder is shown", func() bool { return len(texts()) == 1 })
	if got := texts()[0]; got != "drink" {
		t.Errorf("shown: %q", got)
	}

	run("set a timer for 3 seconds called tea")
	run("in 3 seconds what is 2+3")
	for _, pid := range processesWith(t, home) {
		p, err := os.FindProcess(pid)
		must.Succeed(t, err)
		must.Succeed(t, p.Kill())
	}
	poll.Await(t, "the process is gone", func() bool { return len(processesWith(t, home)) == 0 })
	run("timers") // starts another one
	poll.Await(t, "both are shown", func() bool { return len(texts()) == 3 })
	all := strings.Join(texts(), "\n")
	if !strings.Contains(all, "Timer “tea” is over") || !strings.Contains(all, "“what is 2+3”: 2 + 3 = 5") {
		t.Errorf("shown:\n%s", all)
	}
	if out := run("timers"); !strings.Contains(out, "no timers") {
		t.Errorf("still pending: %s", out)
	}
}
