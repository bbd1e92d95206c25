//go:build unix

package rootfs

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/tetratelabs/wazero/experimental/sys"

	"errand/build/must"
)

// TestRenameRace: while a folder is swapped for a link that leads out, over and
// over, no path through it is ever opened outside, read or written.
func TestRenameRace(t *testing.T) {
	s := newScene(t, false)
	must.Succeed(t, os.WriteFile(filepath.Join(s.inside, "dir/secret"), []byte("inside"), 0o600))
	swapped, link := filepath.Join(s.inside, "swapped"), filepath.Join(s.inside, "way-out")
	must.Succeed(t, os.Rename(filepath.Join(s.inside, "dir"), swapped))
	must.Succeed(t, os.Symlink(s.outside, link))
	stop, done := make(chan struct{}), make(chan int)
	go func() {
		swaps := 0
		aside := filepath.Join(s.inside, "aside")
		for {
			select {
			case <-stop:
				done <- swaps
				return
			default:
			}
			// folder away, link in its place, and back
			if os.Rename(swapped, aside) == nil && os.Rename(link, swapped) == nil {
				swaps++
				_ = os.Rename(swapped, link)
			}
			_ = os.Rename(aside, swapped)
		}
	}()
	buf := make([]byte, 16)
	for range 3000 {
		if f, e := s.OpenFile("swapped/secret", sys.O_RDONLY, 0); e == 0 {
			if n, _ := f.Read(buf); string(buf[:n]) == "secret" {
				t.Fatal("what lies outside was read")
			}
			f.Close()
		}
		if f, e := s.OpenFile("swapped/secret", sys.O_RDWR, 0); e == 0 {
			f.Write([]byte("mine")) // the scene tells if that was outside
			f.Close()
		}
		if f, e := s.OpenFile("swapped/new", sys.O_CREAT|sys.O_RDWR, 0); e == 0 {
			f.Close()
			s.Unlink("swapped/new")
		}
		s.Mkdir("swapped/made", 0)
		s.Rmdir("swapped/made")
		s.Rename("file", "swapped/moved")
		s.Rename("swapped/moved", "file")
	}
	close(stop)
	if swaps := <-done; swaps == 0 {
		t.Error("nothing was ever swapped")
	}
}

// TestDevices: what is no file and no folder is not opened, whoever put it there.
func TestDevices(t *testing.T) {
	s := newScene(t, false)
	listener, err := net.Listen("unix", filepath.Join(s.inside, "socket"))
	must.Succeed(t, err)
	defer listener.Close()
	names := []string{"socket"}
	if syscall.Mknod(filepath.Join(s.inside, "null"), syscall.S_IFCHR|0o666, 1<<8|3) == nil { // for root alone
		names = append(names, "null")
	}
	must.Succeed(t, os.Symlink("/dev/null", filepath.Join(s.inside, "dev")))
	must.Succeed(t, os.Symlink("/proc/self/environ", filepath.Join(s.inside, "proc")))
	must.Succeed(t, os.Symlink("/proc/self/fd", filepath.Join(s.inside, "fds")))
	for _, name := range append(names, "dev", "proc", "fds", "fds/0") {
		for _, flag := range []sys.Oflag{sys.O_RDONLY, sys.O_WRONLY, sys.O_RDWR, sys.O_RDWR | sys.O_CREAT} {
			if f, e := s.OpenFile(name, flag, 0); e == 0 {
				f.Close()
				t.Errorf("%s was opened with flags %#x", name, flag)
			}
		}
	}
}
