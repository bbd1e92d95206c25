package chromium

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"time"

	"errand/host/tool"
	"errand/planner/message"
)

// stopTimeout limits each step of ending a browser.
const stopTimeout = 2 * time.Second

// process is a running Chromium: the leader of its process group, and the ends of its
// pipe.
type process struct {
	cmd    *exec.Cmd
	output *tail
	writer *os.File // its file descriptor 3
	reader *os.File // its file descriptor 4
	exited chan struct{}
}

// start runs a browser with its output in a new named pipe at output. When the browser's
// first process has ended, the rest of its group is killed.
func start(bin string, args, env []string, output string) (*process, error) {
	outputTail, theirOutput, err := makeOutput(output)
	if err != nil {
		return nil, message.Error("browser.start_browser", "cause", err)
	}
	defer theirOutput.Close() // the child has its own copy
	theirIn, toIt, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(message.Error("browser.start_browser", "cause", err), outputTail.Close())
	}
	fromIt, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(message.Error("browser.start_browser", "cause", err), theirIn.Close(), toIt.Close(), outputTail.Close())
	}
	p := &process{
		cmd: exec.Command(bin, args...), output: &tail{},
		writer: toIt, reader: fromIt, exited: make(chan struct{}),
	}
	p.cmd.Env = env
	p.cmd.Stdout, p.cmd.Stderr = theirOutput, theirOutput
	p.cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	setProcessGroup(p.cmd)

	err = p.cmd.Start()
	// The child has its own copies: ours would keep the pipe open after it died.
	_, _ = theirIn.Close(), theirOut.Close()
	if err != nil {
		p.closePipe()
		_ = outputTail.Close()
		return nil, tool.NewError(tool.ToolUnavailable, "browser_start_failed", message.New("browser.start_failed", "path", bin, "cause", err))
	}
	outputDone := make(chan struct{})
	go func() {
		defer close(outputDone)
		_, _ = io.Copy(p.output, outputTail)
		_ = outputTail.Close()
	}()
	go func() {
		defer close(p.exited)
		_ = p.cmd.Wait()
		kill(p.cmd.Process.Pid)
		select { // the rest of its output
		case <-outputDone:
		case <-time.After(stopTimeout): // a process outside of its group holds the output open
		}
	}()
	return p, nil
}

func (p *process) closePipe() {
	_, _ = p.writer.Close(), p.reader.Close()
}

func (p *process) waitExit(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}

// stop ends the browser: it calls ask, and then sends SIGTERM and SIGKILL to the group. It
// returns when the process is reaped, after at most 3 × stopTimeout.
func (p *process) stop(ask func(context.Context)) error {
	defer p.closePipe()
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	go ask(ctx) // may hang as long as the browser does

	pid := p.cmd.Process.Pid
	if p.waitExit(stopTimeout) {
		return nil
	}
	terminate(pid)
	if p.waitExit(stopTimeout) {
		return nil
	}
	kill(pid)
	if p.waitExit(stopTimeout + stopTimeout) { // includes the time for the rest of its output
		return nil
	}
	return tool.NewError(tool.ExecutionError, "browser_not_stopped", message.New("browser.process_not_stopped", "pid", pid))
}
