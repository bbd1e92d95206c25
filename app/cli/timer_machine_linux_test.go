package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/godbus/dbus/v5"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/desktop/desktoptest"
)

// timerMachine is a machine whose desktop shows notifications.
type timerMachine struct {
	t     *testing.T
	home  string
	bus   string
	notes *desktoptest.Service
}

func newTimerMachine(t *testing.T) *timerMachine {
	t.Helper()
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
	m := &timerMachine{t, home, bus, notes}
	t.Cleanup(func() {
		m.run("stop")
		poll.Await(t, "all processes end", func() bool { return len(processesWith(t, home)) == 0 })
	})
	return m
}

// run runs the program, which has to succeed.
func (m *timerMachine) run(args ...string) string {
	m.t.Helper()
	cmd := m.command(args...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		log, _ := os.ReadFile(filepath.Join(m.home, "state/errand/agentd.log"))
		m.t.Fatalf("%q: %v\n%s\n%s", args, err, out, log)
	}
	return string(out)
}

// command is a command of the program.
func (m *timerMachine) command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "ERRAND_AS_PROGRAM=1", "HOME="+m.home, "XDG_CONFIG_HOME="+m.home+"/config", "XDG_DATA_HOME="+m.home+"/data",
		"XDG_CACHE_HOME="+m.home+"/cache", "XDG_STATE_HOME="+m.home+"/state", "XDG_RUNTIME_DIR="+m.home+"/run", "DBUS_SESSION_BUS_ADDRESS="+m.bus, "ERRAND_TEST_PAGE=yes")
	return cmd
}

// texts are the texts of the notifications so far.
func (m *timerMachine) texts() (all []string) {
	for _, c := range m.notes.Calls() {
		all = append(all, c[0].(string))
	}
	return all
}
