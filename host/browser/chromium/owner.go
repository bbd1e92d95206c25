package chromium

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"errand/planner/message"
)

// ownerName is the file that identifies the owner of a folder. It holds a [Holder] and is
// locked while that program lives. The system releases the lock when the program ends for
// any reason.
const ownerName = "owner"

// forkTimeout limits the wait for a lock that outlives its program: a process
// that the program had just forked holds a copy of it until it starts its own
// program.
const forkTimeout = 5 * time.Second

// errInUse is returned if another program owns a folder or has just removed it.
var errInUse = message.Error("browser.folder_in_use")

// Holder is the program that uses a profile.
type Holder struct {
	PID   int       `json:"pid"`
	Since time.Time `json:"since"`
}

// Message names the program for people.
func (h Holder) Message() message.Message {
	since := h.Since.Format("2006-01-02 15:04")
	if h.PID == os.Getpid() {
		return message.New("browser.held_by_this_program", "since", since)
	}
	return message.New("browser.held_by_process", "pid", h.PID, "since", since)
}

// openOwner makes this program the owner of a folder until the file is closed. Errors are
// errInUse or those of the file system.
//
// A sweep may take a folder without an owner file at any time, even during this call. The
// program that has locked the file in the folder afterwards is the owner. The other one
// gets errInUse or os.ErrNotExist.
func openOwner(folder string) (*os.File, error) {
	path := filepath.Join(folder, ownerName)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lockOwner(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	ours, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if there, err := os.Lstat(path); err != nil || !os.SameFile(ours, there) {
		return nil, errors.Join(errInUse, f.Close())
	}
	return f, nil
}

// lockOwner locks an owner file. If the file names a dead program, it retries for at most
// forkTimeout.
func lockOwner(f *os.File) error {
	for end := time.Now().Add(forkTimeout); ; time.Sleep(10 * time.Millisecond) {
		err := lock(f)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, errors.ErrUnsupported):
			return err
		case isAlive(readHolder(f).PID) || time.Now().After(end):
			return errInUse
		}
	}
}

// writeHolder writes this program to an owner file.
func writeHolder(f *os.File, since time.Time) error {
	line, err := json.Marshal(Holder{os.Getpid(), since.UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err = f.WriteAt(append(line, '\n'), 0)
	return err
}

// readHolder reads the owner of a folder. It returns zero while a program is taking the
// folder.
func readHolder(f *os.File) Holder {
	var h Holder
	b := make([]byte, 1024)
	n, _ := f.ReadAt(b, 0)
	_ = json.Unmarshal(b[:n], &h)
	return h
}

// holderOf returns the owner of a folder.
func holderOf(folder string) Holder {
	f, err := os.Open(filepath.Join(folder, ownerName))
	if err != nil {
		return Holder{}
	}
	defer f.Close()
	return readHolder(f)
}
