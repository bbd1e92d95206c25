package chromium

import (
	"os"
	"path/filepath"
	"time"
)

// outputName is a named pipe in a browser's scratch folder for its standard output and
// error. Every process of the browser inherits it, and holds it until the system has
// closed the process's files. The pipe therefore has a writer exactly as long as a process
// lives. Command lines don't show that: they are empty for a moment when a process starts
// a program or ends. A named profile has a link with this name to its browser's pipe.
const outputName = "output"

// endTimeout limits how long killed processes of a browser may take to end.
const endTimeout = 10 * time.Second

// endUsers kills the processes that use a folder until there are none or the deadline
// passes. It tries at least once. It returns false if a process remains, which may still
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
		time.Sleep(20 * time.Millisecond) // SIGKILL takes effect with a delay
	}
}

// linkOutput links a folder's output to that of the scratch folder.
func linkOutput(folder, scratch string) error {
	link := filepath.Join(folder, outputName)
	if err := os.Remove(link); err != nil && !os.IsNotExist(err) {
		return err
	}
	return os.Symlink(filepath.Join(scratch, outputName), link)
}

func (s *scratch) output() string { return filepath.Join(s.path, outputName) }
