package shell

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"errand/planner/message"
)

// Messages of a second start of the program to the first.
const (
	wordShow   = "show"
	wordToggle = "toggle"
)

// StartMessage returns the message of a start to a window that is already open.
func StartMessage(toggle bool) string {
	if toggle {
		return wordToggle
	}
	return wordShow
}

// knockTimeout limits the time that a second start waits for an answer of the first.
const knockTimeout = 2 * time.Second

// ErrShown means that the open window has accepted the message of a second start, which can end
// now.
var ErrShown = message.Error("window.shown")

// Single ensures that a state folder has only one window. It uses a lock in the folder, and a
// socket beside it for messages of later starts. It needs no session bus.
type Single struct {
	lock     *flock.Flock
	listener net.Listener // nil if there can't be one; then a second start returns an error
	words    chan string
}

// Claim takes the lock of the state folder dir. If another process has it, Claim sends that
// process the message word and returns [ErrShown]. Any other error names the process that has
// the lock.
func Claim(dir, word string) (*Single, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(dir, "window.lock"), flock.SetPermissions(0o600))
	mine, err := lock.TryLock() // released when the process ends, even if it crashes
	if err != nil {
		return nil, message.Error("window.lock", "path", lock.Path(), "cause", err)
	}
	if !mine {
		if err := sendToWindow(socketOf(dir), word); err != nil {
			return nil, message.Error("window.not_responding", "cause", err)
		}
		return nil, ErrShown
	}
	s := &Single{lock: lock, words: make(chan string, 8)}
	if at := socketOf(dir); at != "" {
		_ = os.Remove(at) // left by a process that died: the lock is free
		s.listener, _ = net.Listen("unix", at)
		if s.listener != nil {
			_ = os.Chmod(at, 0o600)
			go s.serve() // ends with Close
		}
	}
	return s, nil
}

// Words returns the channel of messages of later starts. Close closes it. If there is no
// socket, nothing is ever sent.
func (s *Single) Words() <-chan string { return s.words }

// Close releases the lock.
func (s *Single) Close() error {
	var err error
	if s.listener != nil {
		err = s.listener.Close() // removes the socket's file
	}
	return errors.Join(err, s.lock.Close())
}

func (s *Single) serve() {
	defer close(s.words)
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		_ = c.SetDeadline(time.Now().Add(knockTimeout))
		word, err := bufio.NewReader(c).ReadString('\n')
		if word = trimWord(word); err == nil && (word == wordShow || word == wordToggle) {
			select {
			case s.words <- word:
				_, _ = c.Write([]byte("ok\n"))
			default: // the reader is closed
			}
		}
		_ = c.Close()
	}
}

func trimWord(line string) string {
	if n := len(line); n > 0 {
		return line[:n-1]
	}
	return ""
}

// sendToWindow sends a message to the open window and waits for its answer.
func sendToWindow(at, word string) error {
	if at == "" {
		return message.Error("window.socket_path_too_long")
	}
	ctx, cancel := context.WithTimeout(context.Background(), knockTimeout)
	defer cancel()
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", at)
	if err != nil {
		return err
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(knockTimeout))
	if _, err := c.Write([]byte(word + "\n")); err != nil {
		return err
	}
	answer, err := bufio.NewReader(c).ReadString('\n')
	if err != nil || answer != "ok\n" {
		return message.Error("window.no_answer")
	}
	return nil
}

// maxSocketPath is the maximum length of a socket's path, in bytes, on the platform with the
// smallest limit.
const maxSocketPath = 100

// socketOf returns the path of a state folder's socket. If the folder's path is too long, the
// socket is in the user's runtime folder. "" means that there is no place for it.
func socketOf(dir string) string {
	if at := filepath.Join(dir, "window.sock"); len(at) <= maxSocketPath {
		return at
	}
	base := os.Getenv("XDG_RUNTIME_DIR")
	if !filepath.IsAbs(base) {
		return ""
	}
	sum := sha256.Sum256([]byte(dir))
	if at := filepath.Join(base, "errand-"+hex.EncodeToString(sum[:8])+".sock"); len(at) <= maxSocketPath {
		return at
	}
	return ""
}
