package resident

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"errand/planner/message"
)

// maxSocketPath is the maximum length of a socket's path, in bytes, on the platform with the
// smallest limit.
const maxSocketPath = 100

// Place is the folder of a process's socket. At the zero Place, no process is found or
// started.
type Place struct {
	dir  string // private: mode 0700
	name string // without its extension
}

// FindPlace returns the place of the user's process: $XDG_RUNTIME_DIR/errand if that folder is the
// user's own, else a folder in the state folder. A demo has a process of its own. ok is false if the platform has no
// such process, or if both paths are too long for a socket.
func FindPlace(runtimeDir, stateDir string, demo bool) (p Place, ok bool) {
	name := "agentd"
	if demo {
		name = "agentd-demo"
	}
	for _, dir := range []string{runtimeDir, stateDir} {
		if !isSupported || !filepath.IsAbs(dir) {
			continue
		}
		if dir == runtimeDir {
			dir = filepath.Join(dir, "errand")
			if info, err := os.Stat(runtimeDir); err != nil || !info.IsDir() || !isOwn(info) || info.Mode().Perm()&0o022 != 0 {
				continue
			}
		} else {
			dir = filepath.Join(dir, "runtime")
		}
		if p = (Place{dir, name}); len(p.Socket()) <= maxSocketPath {
			return p, true
		}
	}
	return Place{}, false
}

// Socket returns the path of the socket.
func (p Place) Socket() string { return filepath.Join(p.dir, p.name+".sock") }

// lock is the file that a process locks while it lives.
func (p Place) lock() string { return filepath.Join(p.dir, p.name+".lock") }

// mark is the file that exists while a process lives. One that was killed leaves it.
func (p Place) mark() string { return filepath.Join(p.dir, p.name+".pid") }

// pid returns the id of the process that made the mark, 0 without one.
func (p Place) pid() int {
	b, err := os.ReadFile(p.mark())
	if err != nil || len(b) > 32 {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return 0
	}
	return pid
}

// isMarked reports whether a process lives, or was killed.
func (p Place) isMarked() bool {
	if p.dir == "" {
		return false
	}
	_, err := os.Lstat(p.mark())
	return err == nil
}

// prepare makes the folder. It fails if another user owns it or may enter it.
func (p Place) prepare() error {
	if p.dir == "" {
		return message.Error("resident.no_place")
	}
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(p.dir)
	if err != nil {
		return err
	}
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 || !isOwn(info) {
		return message.Error("resident.folder_not_private", "folder", p.dir)
	}
	return nil
}
