//go:build !linux

package child

// Available reports that this system enforces nothing.
func Available() Confinement { return Confinement{} }

// run starts the program and waits for its end.
func (p *Process) run(l *Limits, require bool, started chan<- error) {
	if l != nil && require {
		started <- ErrUnconfined
		return
	}
	if err := p.cmd.Start(); err != nil {
		started <- err
		return
	}
	started <- nil
	_ = p.cmd.Wait()
	kill(p.cmd.Process.Pid)
	close(p.exited)
}
