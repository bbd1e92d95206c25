package child_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/mcp/child"
)

// TestMain is also the program that the tests run: it tries what its arguments say and prints how
// that ended.
func TestMain(m *testing.M) {
	if os.Getenv("CHILD_TRIES") == "" { // init has made it the program that it is
		os.Exit(m.Run())
	}
	for _, arg := range os.Args[1:] {
		what, on, _ := strings.Cut(arg, "=")
		fmt.Printf("%s %t\n", what, try(what, on) == nil)
	}
}

func try(what, on string) error {
	switch what {
	case "read":
		_, err := os.ReadFile(on)
		return err
	case "list":
		_, err := os.ReadDir(on)
		return err
	case "write":
		return os.WriteFile(on, []byte("x"), 0o600)
	case "remove":
		return os.Remove(on)
	case "truncate":
		return os.Truncate(on, 0)
	case "rename":
		from, to, _ := strings.Cut(on, ",")
		return os.Rename(from, to)
	case "run":
		return exec.Command(on, "-c", ":").Run()
	case "grandchild_reads":
		return exec.Command("/bin/cat", on).Run()
	case "kill":
		pid, err := strconv.Atoi(on)
		if err != nil {
			return err
		}
		return syscall.Kill(pid, 0)
	case "connect", "connect_unix":
		network := map[string]string{"connect": "tcp", "connect_unix": "unix"}[what]
		c, err := net.DialTimeout(network, on, 2*time.Second)
		if err == nil {
			c.Close()
		}
		return err
	case "packet":
		c, err := net.Dial("udp", on)
		if err == nil {
			c.Close()
		}
		return err
	case "start":
		return start()
	case "listen":
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err == nil {
			l.Close()
		}
		return err
	}
	return errors.New(what)
}

// run runs this program and returns what worked.
func run(t *testing.T, limits *child.Limits, tries ...string) string {
	t.Helper()
	if limits != nil {
		limits.Read = append(limits.Read, os.Args[0])
	}
	p, err := child.Start(child.Options{Path: os.Args[0], Args: tries, Env: []string{"CHILD_TRIES=1", "PATH=/usr/bin:/bin"}, Dir: t.TempDir(), Limits: limits}, false)
	must.Succeed(t, err)
	t.Cleanup(p.Stop)
	out, err := io.ReadAll(p.Out)
	must.Succeed(t, err)
	if log := p.Log(); len(log) > 0 {
		t.Log(log)
	}
	return strings.ReplaceAll(strings.TrimSpace(string(out)), "\n", ", ")
}

// TestConfined runs a program that tries to leave its limits, and once without any.
func TestConfined(t *testing.T) {
	if can := child.Available(); !can.Files || !can.Network {
		t.Fatalf("the kernel of the tests enforces %+v", can)
	}
	home, own, readable := t.TempDir(), t.TempDir(), t.TempDir()
	secret := filepath.Join(home, "secret")
	for _, file := range []string{secret, filepath.Join(readable, "a"), filepath.Join(own, "b")} {
		must.Succeed(t, os.WriteFile(file, []byte("x"), 0o600))
	}
	link := filepath.Join(own, "link")
	must.Succeed(t, os.Symlink(secret, link))
	server, err := net.Listen("tcp", "127.0.0.1:0")
	must.Succeed(t, err)
	defer server.Close()
	socket := filepath.Join(own, "s")
	bus, err := net.Listen("unix", socket)
	must.Succeed(t, err)
	defer bus.Close()
	tries := []string{
		"read=" + secret, "read=" + link, "list=" + home, "write=" + filepath.Join(home, "new"), "truncate=" + secret, "rename=" + secret + "," + filepath.Join(own, "taken"),
		"grandchild_reads=" + secret, "read=" + filepath.Join(readable, "a"), "write=" + filepath.Join(readable, "a"), "remove=" + filepath.Join(readable, "a"),
		fmt.Sprintf("read=/proc/%d/environ", os.Getpid()), "kill=" + strconv.Itoa(os.Getpid()), "connect=" + server.Addr().String(), "packet=127.0.0.1:9", "listen", "connect_unix=" + socket,
		"write=" + filepath.Join(own, "c"), "read=" + filepath.Join(own, "b"), "rename=" + filepath.Join(own, "c") + "," + filepath.Join(own, "d"), "run=/bin/sh", "read=/etc/hostname",
	}
	want := "read false, read false, list false, write false, truncate false, rename false, grandchild_reads false, read true, write false, remove false, read false, kill false, "
	inside := "connect_unix false, write true, read true, rename true, run true, read true"
	for _, tt := range []struct {
		name    string
		network bool
		want    string
	}{
		{"without network", false, want + "connect false, packet false, listen false, " + inside},
		{"with network", true, want + "connect true, packet true, listen true, " + inside},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := run(t, &child.Limits{Read: []string{readable}, Write: []string{own}, Network: tt.network}, tries...); got != tt.want {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
		})
	}
	if got := run(t, nil, "read="+secret, "connect="+server.Addr().String(), "connect_unix="+socket); strings.Contains(got, "false") {
		t.Errorf("without limits: %s", got)
	}
	if _, err := os.ReadFile(secret); err != nil {
		t.Errorf("this program is confined, too: %v", err)
	}
}

// TestStop ends programs that ignore the end of their input, signals, and their group.
func TestStop(t *testing.T) {
	for name, script := range map[string]string{
		"polite":      `read line; echo bye >&2`,
		"stubborn":    `trap "" TERM; echo $$; while :; do sleep 1; done`,
		"with others": `sleep 600 & echo $!; read line`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := child.Start(child.Options{Path: "/bin/sh", Args: []string{"-c", script}, Env: []string{"PATH=/usr/bin:/bin"}, Dir: t.TempDir(), Limits: &child.Limits{}}, true)
			must.Succeed(t, err)
			pid := 0
			if name != "polite" {
				line, err := bufio.NewReader(p.Out).ReadString('\n')
				must.Succeed(t, err)
				pid, err = strconv.Atoi(strings.TrimSpace(line))
				must.Succeed(t, err)
			}
			p.Stop()
			p.Stop()
			if name == "polite" {
				poll.Await(t, "its log", func() bool { return strings.Join(p.Log(), "") == "bye" })
			} else {
				poll.Await(t, "the end of its group", func() bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) })
			}
		})
	}
}

// TestNotStarted reports a program that isn't there.
func TestNotStarted(t *testing.T) {
	if _, err := child.Start(child.Options{Path: "/no/such/program", Dir: t.TempDir(), Limits: &child.Limits{}}, false); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestKilledWithParent kills a program that started another one: that one ends, too, although it ignores the
// end of its input.
func TestKilledWithParent(t *testing.T) {
	parent := exec.Command(os.Args[0], "start")
	parent.Env = []string{"CHILD_TRIES=1", "TMPDIR=" + t.TempDir()}
	out, err := parent.StdoutPipe()
	must.Succeed(t, err)
	must.Succeed(t, parent.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	must.Succeed(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	must.Succeed(t, err)
	must.Succeed(t, parent.Process.Kill())
	_ = parent.Wait()
	poll.Await(t, "its end", func() bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) })
}

// start starts a program that ignores the end of its input, prints its process id and waits to be killed.
func start() error {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return err
	}
	p, err := child.Start(child.Options{Path: "/bin/sh", Args: []string{"-c", "echo $$; exec sleep 600"}, Env: []string{"PATH=/usr/bin:/bin"}, Dir: dir, Limits: &child.Limits{}}, false)
	if err != nil {
		return err
	}
	line, err := bufio.NewReader(p.Out).ReadString('\n')
	if err != nil {
		return err
	}
	fmt.Print(line)
	select {}
}
