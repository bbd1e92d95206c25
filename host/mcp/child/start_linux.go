package child

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// launchVariable has what a copy of this program is to become: see [init].
const launchVariable = "ERRAND_CONFINED_PROGRAM"

// launch is a program with its limits.
type launch struct {
	Path   string
	Args   []string
	Limits Limits
}

// faultFD is where the copy says why it can't become the program. It is closed when it does.
const faultFD = 3

// init makes a copy of this program, which [Process.run] starts, confine itself and become another
// program. Limits can only be put on the own process; this program itself must not have them, and
// no thread of it: a program may control what has the same limits.
func init() {
	text, ok := os.LookupEnv(launchVariable)
	if !ok {
		return
	}
	runtime.LockOSThread()
	unix.CloseOnExec(faultFD)
	_, _ = os.NewFile(faultFD, "").WriteString(become(text).Error())
	os.Exit(1)
}

// become makes this process another program. It returns only an error.
func become(text string) error {
	var l launch
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		return err
	}
	if err := confine(l.Limits); err != nil {
		return err
	}
	env := os.Environ()
	kept := env[:0]
	for _, line := range env {
		if !strings.HasPrefix(line, launchVariable+"=") {
			kept = append(kept, line)
		}
	}
	return &os.PathError{Op: "exec", Path: l.Path, Err: unix.Exec(l.Path, l.Args, kept)}
}

// setProcessGroup starts a program in its own group, and has the kernel kill it when the thread that started
// it ends: with this program, however that dies.
func setProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func terminate(pid int) { _ = syscall.Kill(-pid, syscall.SIGTERM) }
func kill(pid int)      { _ = syscall.Kill(-pid, syscall.SIGKILL) }

// run starts the program and waits for its end. The thread that it runs on has to stay until then.
func (p *Process) run(l *Limits, require bool, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.begin(l, require)
	started <- err
	if err != nil {
		return
	}
	_ = p.cmd.Wait()
	kill(p.cmd.Process.Pid) // the rest of its group
	close(p.exited)
}

// begin starts the program, by way of a copy of this one if it has limits.
func (p *Process) begin(l *Limits, require bool) error {
	if l == nil {
		return p.cmd.Start()
	}
	can := Available()
	p.Confined = Confinement{Files: can.Files, Network: can.Network && !l.Network}
	if require && (!can.Files || !can.Network) {
		return ErrUnconfined
	}
	text, err := json.Marshal(launch{p.cmd.Path, p.cmd.Args, *l})
	if err != nil {
		return err
	}
	if info, err := os.Stat(p.cmd.Path); err != nil {
		return err
	} else if info.IsDir() {
		return &os.PathError{Op: "exec", Path: p.cmd.Path, Err: syscall.EISDIR}
	}
	fault, theirs, err := os.Pipe()
	if err != nil {
		return err
	}
	defer fault.Close()
	p.cmd.Path, p.cmd.Env = "/proc/self/exe", append(p.cmd.Env, launchVariable+"="+string(text))
	p.cmd.ExtraFiles = []*os.File{theirs}
	err = p.cmd.Start()
	_ = theirs.Close()
	if err != nil {
		return err
	}
	why, _ := io.ReadAll(io.LimitReader(fault, maxLog))
	if len(why) == 0 {
		return nil
	}
	_ = p.cmd.Wait()
	return errors.New(string(why))
}
