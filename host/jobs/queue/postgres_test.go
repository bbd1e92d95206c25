//go:build unix

package queue_test

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/jobs"
	"errand/host/jobs/jobstest"
	"errand/host/jobs/queue"
)

func TestPostgreSQL(t *testing.T) {
	t.Parallel()
	server := startPostgreSQL(t)
	var places atomic.Int32
	jobstest.Run(t, func(t *testing.T) func(string) jobs.Queue {
		address := server.database(t, fmt.Sprint("place", places.Add(1)))
		dirs := map[string]string{}
		return func(key string) jobs.Queue {
			if dirs[key] == "" { // each program has a machine of its own
				dirs[key] = t.TempDir()
			}
			return open(t, dirs[key], address, key)
		}
	})
}

// TestUnreachablePostgreSQL checks that a wrong address is an error, which has no password.
func TestUnreachablePostgreSQL(t *testing.T) {
	for _, address := range []string{"postgres://ann:hunter2Xq9@/errand?host=" + t.TempDir(), "postgres://ann:hunter2Xq9@127.0.0.1:1/errand", "postgres://ann:hunter2Xq9@:x/"} {
		_, err := queue.Open(t.Context(), queue.Options{Dir: t.TempDir(), DatabaseURL: address, Key: []byte("a")})
		if err == nil || strings.Contains(fmt.Sprintf("%+v", err), "hunter2Xq9") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// postgreSQL is a server of a test. It has a socket in its folder and no port.
type postgreSQL struct {
	dir    string
	making *sync.Mutex // a database: one at a time, because each is a copy of another
}

// startPostgreSQL starts a server as another user, because it refuses root.
func startPostgreSQL(t *testing.T) postgreSQL {
	t.Helper()
	programs := func(name string) string {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
		found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
		if len(found) == 0 {
			if os.Getenv("CI") != "" {
				t.Fatalf("%s is not installed: run make tools", name)
			}
			t.Skipf("%s is not installed: run make tools", name)
		}
		slices.Sort(found)
		return found[len(found)-1]
	}
	initialize, serve := programs("initdb"), programs("postgres")
	dir, err := os.MkdirTemp("/tmp", "errand-pg") // a socket's path has to be short
	must.Succeed(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	attributes := &syscall.SysProcAttr{}
	if os.Geteuid() == 0 {
		u, err := user.Lookup("postgres")
		if err != nil {
			u, err = user.Lookup("nobody")
		}
		must.Succeed(t, err)
		uid, err := strconv.Atoi(u.Uid)
		must.Succeed(t, err)
		gid, err := strconv.Atoi(u.Gid)
		must.Succeed(t, err)
		must.Succeed(t, os.Chown(dir, uid, gid))
		attributes.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	command := func(name string, args ...string) *exec.Cmd {
		c := exec.Command(name, args...)
		c.Dir, c.SysProcAttr, c.Env = dir, attributes, []string{"PATH=/usr/bin:/bin", "LC_ALL=C"}
		return c
	}
	data := filepath.Join(dir, "data")
	if out, err := command(initialize, "-D", data, "-A", "trust", "-U", "errand", "-E", "UTF8", "--no-sync").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	server := command(serve, "-D", data, "-k", dir, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=200")
	var log strings.Builder
	server.Stdout, server.Stderr = &log, &log
	must.Succeed(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGQUIT) // immediate shutdown
		_ = server.Wait()
		if t.Failed() {
			t.Logf("the server's log:\n%s", log.String())
		}
	})
	s := postgreSQL{dir, new(sync.Mutex)}
	poll.Await(t, "PostgreSQL", func() bool {
		c, err := pgx.Connect(t.Context(), s.address("postgres"))
		if err == nil {
			_ = c.Close(t.Context())
		}
		return err == nil
	})
	return s
}

func (s postgreSQL) address(database string) string {
	return (&url.URL{Scheme: "postgres", User: url.User("errand"), Path: "/" + database, RawQuery: url.Values{"host": {s.dir}}.Encode()}).String()
}

// database makes a new database and returns its address.
func (s postgreSQL) database(t *testing.T, name string) string {
	t.Helper()
	s.making.Lock()
	defer s.making.Unlock()
	c, err := pgx.Connect(t.Context(), s.address("postgres"))
	must.Succeed(t, err)
	defer c.Close(t.Context())
	_, err = c.Exec(t.Context(), "CREATE DATABASE "+name)
	must.Succeed(t, err)
	return s.address(name)
}
