package resident

import (
	"os"
	"os/exec"
	"path/filepath"

	"errand/planner/message"
)

// Command says how a process is started.
type Command struct {
	Program string   // absolute path of the program
	Args    []string // without the program's name
	Env     []string
	Log     string // file for its output; its folder is made
}

// maxLog is the size, in bytes, from which a log becomes the old one.
const maxLog = 256 << 10

// ExitRunning is the exit code of a process that ended because another one serves already.
const ExitRunning = 75

// Start starts a process in a session of its own, so that it outlives this program and gets no
// signals of its terminal. failed returns how it ended, and nil while it runs.
func (c Command) Start() (failed func() error, err error) {
	if err := os.MkdirAll(filepath.Dir(c.Log), 0o700); err != nil {
		return nil, err
	}
	if info, err := os.Stat(c.Log); err == nil && info.Size() > maxLog {
		if err := os.Rename(c.Log, c.Log+".old"); err != nil {
			return nil, err
		}
	}
	log, err := os.OpenFile(c.Log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(c.Program, c.Args...) // not CommandContext: it outlives the call
	cmd.Env, cmd.Dir, cmd.SysProcAttr = c.Env, string(filepath.Separator), ownSession()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { // ends with the process or with this program
		err := cmd.Wait()
		switch {
		case cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == ExitRunning:
			err = ErrRunning
		case err == nil:
			err = message.Error("resident.ended_at_once", "log", c.Log)
		default:
			err = message.Error("resident.start_failed", "cause", err, "log", c.Log)
		}
		ended <- err
	}()
	return func() error {
		select {
		case err := <-ended:
			ended <- err
			return err
		default:
			return nil
		}
	}, nil
}
