// Package desktoptest starts the services of a desktop for tests: a bus, and what is on it.
package desktoptest

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"

	"errand/build/must"
)

// Need skips the test if one of the programs is not installed. With CI set it fails instead.
func Need(t testing.TB, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("%s is not installed", name)
			}
			t.Skipf("%s is not installed", name)
		}
	}
}

// config is that of a bus which starts no services.
const config = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=SOCKET</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`

// StartBus runs a bus that is the session and the system bus of the test, and returns its address.
func StartBus(t testing.TB) string {
	t.Helper()
	Need(t, "dbus-daemon")
	dir, err := os.MkdirTemp("", "bus") // the path of a socket is short
	must.Succeed(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	file := filepath.Join(dir, "bus.conf")
	must.Succeed(t, os.WriteFile(file, []byte(strings.Replace(config, "SOCKET", filepath.Join(dir, "bus"), 1)), 0o600))
	daemon := exec.Command("dbus-daemon", "--config-file="+file, "--nofork", "--nopidfile", "--nosyslog", "--print-address=1")
	daemon.Stderr = os.Stderr
	out, err := daemon.StdoutPipe()
	must.Succeed(t, err)
	must.Succeed(t, daemon.Start())
	t.Cleanup(func() { _ = daemon.Process.Kill(); _ = daemon.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	must.Succeed(t, err)
	address = strings.TrimSpace(address)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", address)
	return address
}

// Connect connects a service of the test to the bus at an address, and gives it a name.
func Connect(t testing.TB, address, name string) *dbus.Conn {
	t.Helper()
	c, err := dbus.Dial(address)
	must.Succeed(t, err)
	t.Cleanup(func() { c.Close() })
	must.Succeed(t, c.Auth([]dbus.Auth{dbus.AuthExternal(strconv.Itoa(os.Getuid()))}))
	must.Succeed(t, c.Hello())
	reply, err := c.RequestName(name, dbus.NameFlagDoNotQueue)
	must.Succeed(t, err)
	if reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("the name %s is taken", name)
	}
	return c
}
