// Package child runs programs of others that speak over their input and output, each in a process group of
// its own that ends with it, and confined as far as the system can.
package child

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// stopTimeout limits each step of ending a program.
const stopTimeout = 2 * time.Second

// maxLog is how much of the end of a program's log is kept, in bytes, and maxLines how many lines.
const (
	maxLog   = 8 << 10
	maxLines = 20
)

// Options say what to run.
type Options struct {
	Path string // absolute
	Args []string
	Env  []string // all of it, in the form of os.Environ
	Dir  string   // an existing folder of its own, in which it starts
	// Limits confine the program. Nil: it may do what the user may.
	Limits *Limits
}

// Limits are what a confined program may use, beside the system's own programs and libraries.
type Limits struct {
	Read    []string // files and folders that it may read
	Write   []string // files and folders that it may also change
	Network bool     // it may open connections, past all policy
}

// Process is a running program. Stop ends it.
type Process struct {
	In  io.WriteCloser
	Out io.ReadCloser

	cmd    *exec.Cmd
	log    tail
	exited chan struct{}
	stop   sync.Once
	// Confined says what the system enforces.
	Confined Confinement
}

// Confinement says what the system can enforce about a program.
type Confinement struct {
	Files   bool `json:"files"`   // the folders of [Limits]
	Network bool `json:"network"` // no connections
}

// ErrUnconfined means that the system can't enforce the limits.
var ErrUnconfined = errors.New("unconfined")

// Start starts a program. The caller must Stop it. If require is set, a program that can't be
// confined fully isn't started: the error is [ErrUnconfined].
func Start(o Options, require bool) (*Process, error) {
	p := &Process{exited: make(chan struct{})}
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirIn.Close(), in.Close())
	}
	logged, theirLog, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirIn.Close(), in.Close(), out.Close(), theirOut.Close())
	}
	p.In, p.Out = in, out
	p.cmd = &exec.Cmd{
		Path: o.Path, Args: slices.Concat([]string{o.Path}, o.Args), Env: o.Env, Dir: o.Dir,
		Stdin: theirIn, Stdout: theirOut, Stderr: theirLog,
	}
	setProcessGroup(p.cmd)
	started := make(chan error, 1)
	go p.run(o.Limits, require, started)
	err = <-started
	// The program has its own copies: ours would keep the pipes open after it ended.
	_, _, _ = theirIn.Close(), theirOut.Close(), theirLog.Close()
	if err != nil {
		_, _, _ = in.Close(), out.Close(), logged.Close()
		return nil, err
	}
	go func() {
		_, _ = io.Copy(&p.log, logged)
		_ = logged.Close()
	}()
	go func() { // a process that left the group may hold the log open
		<-p.exited
		late := time.NewTimer(stopTimeout)
		defer late.Stop()
		<-late.C
		_ = logged.Close()
	}()
	return p, nil
}

// Stop closes the program's input, and ends its group if that does not end it. It returns when
// the program is gone, after at most 3 × stopTimeout.
func (p *Process) Stop() {
	p.stop.Do(func() {
		_ = p.In.Close()
		if !p.waitExit(stopTimeout) {
			terminate(p.cmd.Process.Pid)
			if !p.waitExit(stopTimeout) {
				kill(p.cmd.Process.Pid)
				p.waitExit(stopTimeout)
			}
		}
		_ = p.Out.Close()
	})
}

func (p *Process) waitExit(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}

// Log returns the last lines that the program wrote to its standard error.
func (p *Process) Log() []string { return p.log.lines() }

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if extra := len(t.text) - maxLog; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(b), nil
}

func (t *tail) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(strings.ToValidUTF8(string(t.text), "\uFFFD"))
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	if len(lines) > maxLines {
		lines = lines[len(lines)-maxLines:]
	}
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, "\r")
	}
	return lines
}
