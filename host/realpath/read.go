package realpath

import (
	"io"
	"os"

	"errand/planner/message"
)

// TooLargeError is the error of [ReadFile] for a file over its limit.
type TooLargeError struct {
	File  string
	Limit int64 // bytes
}

// AsMessage implements [message.Source].
func (e *TooLargeError) AsMessage() message.Message {
	return message.New("realpath.file_too_large", "file", e.File, "limit", e.Limit)
}

func (e *TooLargeError) Error() string { return e.AsMessage().String() }

// ReadFile reads a regular file that the user named, links followed. It refuses a pipe and a
// device, which may never end, and never waits for one. More than limit bytes are a
// [*TooLargeError], whatever size the system reports.
func ReadFile(name string, limit int64) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := checkRegular(name, info); err != nil { // opening a device may have effects
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDONLY|NonBlock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil { // another file may have taken its place
		return nil, err
	}
	if err := checkRegular(name, info); err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		return nil, &TooLargeError{name, limit}
	}
	return b, err
}

// checkRegular leaves folders to the system's own error.
func checkRegular(name string, info os.FileInfo) error {
	if info.Mode().IsRegular() || info.IsDir() {
		return nil
	}
	return message.Error("realpath.not_a_file", "file", name)
}
