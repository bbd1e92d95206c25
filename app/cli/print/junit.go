package print

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"errand/host/tool"
	"errand/planner/message"
)

// JUnitFile is the file of --junit, or "".
type JUnitFile string

// Check rejects a bad file name before the cases run.
func (f JUnitFile) Check() error {
	if f == "" {
		return nil
	}
	if info, err := os.Stat(string(f)); err == nil && info.IsDir() {
		return f.writeError(message.New("file_fault.not_a_file", "path", string(f)))
	}
	info, err := os.Stat(filepath.Dir(string(f)))
	switch {
	case err != nil:
		return f.writeError(tool.FileFault(err))
	case !info.IsDir():
		return f.writeError(message.New("file_fault.not_a_folder", "path", filepath.Dir(string(f))))
	}
	return nil
}

// Write writes the file if --junit was given.
func (f JUnitFile) Write(report func(io.Writer) error) error {
	if f == "" {
		return nil
	}
	file, err := os.Create(string(f))
	if err != nil {
		return f.writeError(tool.FileFault(err))
	}
	return errors.Join(report(file), file.Close())
}

func (f JUnitFile) writeError(cause message.Message) error {
	return BadUsage("cli.bad_flag", "flag", "junit", "cause", cause).Hint("cli.bad_junit_hint")
}
