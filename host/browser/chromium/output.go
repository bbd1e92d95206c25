package chromium

import (
	"os"
	"path/filepath"
	"time"
)

// outputName is a named pipe in a browser's scratch folder: the standard output
// and error of the browser. Every process of it inherits that pipe, from the
// moment it is forked until the system has closed its files, so the pipe has a
// writer exactly as long as one of them lives. Command lines can't tell that: a
// process that starts a program or ends has none for a moment, and may still
// write. A named profile has a link of this name to the pipe of its browser.
const outputName = "output"

// endTimeout limits how long the processes of a browser may take to end once
// they are killed.
const endTimeout = 10 * time.Second

// endUsers kills the processes that use a folder until none is left or the
// deadline passes. It tries at least once. False: a process is left, which may
// write into the folder.
func endUsers(folder string, deadline time.Time) bool {
	for {
		killed := killUsers(folder)
		if killed == 0 && !hasWriter(filepath.Join(folder, outputName)) {
			return true
		}
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(20 * time.Millisecond) // SIGKILL is not instant
	}
}

// linkOutput makes folder's output that of the scratch folder.
func linkOutput(folder, scratch string) error {
	link := filepath.Join(folder, outputName)
	if err := os.Remove(link); err != nil && !os.IsNotExist(err) {
		return err
	}
	return os.Symlink(filepath.Join(scratch, outputName), link)
}

func (s *scratch) output() string { return filepath.Join(s.path, outputName) }
