package wasm

import (
	"context"
	"errors"
	"sync"
	"time"

	"errand/host/tool"
	"errand/host/wasm/engine"
	"errand/host/wasm/extism"
	"errand/host/wasm/pool"
	"errand/planner/message"
)

// unit runs the calls of a module, either with pooled instances that all start in
// one state, or with one instance that keeps its state.
type unit struct {
	host          *Host
	name          message.Message
	digest        string
	load          loader
	effort        int                              // of compiling, see [Options]
	setup         func(kind string) engine.Setup   // how to make an instance
	isSticky      bool                             // calls continue from the state of the last call
	maxConcurrent int                              // maximum number of concurrent calls if not sticky
	raise         func(key string) message.Message // how to raise a limit
	instances     *pool.Partition[*engine.Instance]

	ctx      context.Context // canceled by close, and so is every call
	end      context.CancelCauseFunc
	released chan struct{} // closed when all resources are released

	mu        sync.Mutex
	closed    bool
	busy      sync.WaitGroup // users of the unit; call Add only under mu while not closed
	program   *program       // acquired on first use
	templates map[string]*engine.Template
	opening   time.Duration // time to make the last instance

	stickyInstances [2]stickyInstance // of a sticky unit: one for reading, one for writing
}

// Kinds of instances: those of a sticky plugin for reading, for writing and for previews,
// and WASI commands of a session.
const (
	reading    = "reading"
	writing    = "writing"
	previewing = "previewing" // each call has its own
	command    = "command"
)

// add registers a unit and prepares it for calls.
func (h *Host) add(u *unit) *unit {
	u.host, u.instances = h, h.pool.Partition(u.maxConcurrent)
	u.ctx, u.end = context.WithCancelCause(h.ctx)
	u.released = make(chan struct{})
	u.templates = map[string]*engine.Template{}
	h.mu.Lock()
	defer h.mu.Unlock()
	u.closed = h.closed
	h.units[u] = struct{}{}
	return u
}

// enter keeps the unit open until the caller calls leave. It returns the unit's
// program, or nil if it is not compiled yet.
func (u *unit) enter() (*program, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.closed {
		return nil, u.unloadedError()
	}
	u.busy.Add(1)
	return u.program, nil
}

func (u *unit) leave() { u.busy.Done() }

// begin enters the unit and compiles its module if needed. Without an error the
// caller must leave the unit.
func (u *unit) begin(ctx context.Context) (*program, error) {
	p, err := u.enter()
	if err != nil || p != nil {
		return p, err
	}
	if p, err = u.compile(ctx); err != nil {
		u.leave()
	}
	return p, err
}

func (u *unit) compile(ctx context.Context) (*program, error) {
	p, err := u.host.acquire(ctx, u.digest, u.effort, u.load)
	if err != nil {
		return nil, err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.program != nil { // compiled in the meantime
		u.host.release(p)
		return u.program, nil
	}
	u.program = p
	return p, nil
}

var errUnloaded = tool.UnavailableError("plugin_unloaded", message.New("plugin.unloaded")).
	WithHint(message.New("plugin.try_again_next_run"))

// unloadedError returns the error of a call of a closed unit.
func (u *unit) unloadedError() *tool.Error {
	if u.host.ctx.Err() != nil {
		return engine.ErrClosed
	}
	return errUnloaded
}

// instance returns how to make an instance of the unit.
func (u *unit) instance(kind string) engine.Setup {
	s := u.setup(kind)
	s.Closing, s.Total = u.ctx, u.host.total
	if u.isSticky {
		s.Warmup = "" // there is no snapshot
	}
	return s
}

// template returns the start state of the instances with this key: a kind, or
// those of a kind that initialise themselves.
func (u *unit) template(p *program, key string) *engine.Template {
	u.mu.Lock()
	defer u.mu.Unlock()
	t := u.templates[key]
	if t == nil {
		t = p.Template()
		u.templates[key] = t
	}
	return t
}

// call runs a call in an instance of a kind.
func (u *unit) call(ctx context.Context, kind string, c *engine.Call) (engine.Outcome, error) {
	p, err := u.begin(ctx)
	if err != nil {
		return engine.Outcome{}, err
	}
	defer u.leave()
	if kind == previewing {
		return u.callAlone(ctx, p, kind, c)
	}
	if u.isSticky && c.Extism != nil { // a command always ends
		return u.callSticky(ctx, p, kind, c)
	}
	return u.retryBegin(ctx, p, kind, c)
}

// retryBegin runs a call that starts in the unit's initial state.
func (u *unit) retryBegin(ctx context.Context, p *program, kind string, c *engine.Call) (engine.Outcome, error) {
	key := kind // of instances with the same start state
	if c.IsInitialiser() {
		key += ", not begun"
	}
	i, found, err := u.instances.Take(ctx, c.Timeout, key)
	switch {
	case errors.Is(err, pool.ErrClosed):
		return engine.Outcome{}, u.unloadedError()
	case err != nil && errors.Is(ctx.Err(), context.Canceled):
		return engine.Outcome{}, engine.InterruptedError(u.name)
	case err != nil:
		return engine.Outcome{}, u.busyError(errors.Is(err, pool.ErrFull))
	}
	if found && (i.IsStale() || !i.FitsMemory()) {
		i.Close()
		found = false
	}
	if !found {
		begin := time.Now()
		if i, err = u.template(p, key).Open(ctx, u.instance(kind), c); err != nil {
			u.instances.Drop()
			return engine.Outcome{}, err
		}
		u.recordTime(time.Since(begin))
	}
	out, err := i.Call(ctx, c)
	if i.Reset() {
		u.instances.Release(key, i)
		return out, err
	}
	u.busy.Add(1) // allowed: this call keeps the unit open
	go func() {   // in the background, because releasing much memory is slow
		defer u.leave()
		i.Close()
		u.instances.Drop()
		if key == kind {
			u.prepareNext(p, kind)
		}
	}()
	return out, err
}

// busyError returns the error of a call whose turn did not come in time.
func (u *unit) busyError(full bool) *tool.Error {
	if full {
		return tool.NewError(tool.ToolTimeout, "busy", message.New("plugin.all_calls_taken", "name", u.name, "limit", u.host.o.Calls)).
			WithHint(message.New("plugin.try_again"))
	}
	return tool.NewError(tool.ToolTimeout, "busy", message.New("plugin.own_calls_taken", "name", u.name, "limit", u.maxConcurrent)).WithHint(u.raise("instances"))
}

func (u *unit) recordTime(d time.Duration) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.opening = d
}

// quickStart is the longest time to make an instance for which instances are made in
// advance.
const quickStart = 50 * time.Millisecond

// prepareNext replaces an instance that can't run another call, so that the next call
// need not wait.
func (u *unit) prepareNext(p *program, kind string) {
	u.mu.Lock()
	slow := u.opening > quickStart
	u.mu.Unlock()
	if !slow && u.ctx.Err() == nil && !u.instances.HasIdle(kind) {
		u.newInstance(u.ctx, p, kind)
	}
}

// newInstance makes an instance in advance. It ignores errors, because the next call
// reports them.
func (u *unit) newInstance(ctx context.Context, p *program, kind string) {
	c := &engine.Call{Timeout: quickStart * 10, Extism: &extism.Call{}}
	if i, err := u.template(p, kind).Open(ctx, u.instance(kind), c); err == nil {
		u.instances.Add(kind, i)
	}
}

// prepare does in advance what the first call would do.
func (u *unit) prepare(ctx context.Context, kind string) error {
	p, err := u.begin(ctx)
	if err != nil {
		return err
	}
	defer u.leave()
	if !u.isSticky && !u.instances.HasIdle(kind) && !u.template(p, kind).HasInstance() {
		u.newInstance(ctx, p, kind)
	}
	return nil
}

// checkStart makes an instance if there is none and returns the error if that fails.
func (u *unit) checkStart(ctx context.Context, kind string, within time.Duration) error {
	p, err := u.begin(ctx)
	if err != nil {
		return err
	}
	defer u.leave()
	t := u.template(p, kind)
	if t.HasInstance() {
		return nil
	}
	i, err := t.Open(ctx, u.instance(kind), &engine.Call{Timeout: within, Extism: &extism.Call{}})
	if err != nil {
		return err
	}
	if u.isSticky {
		i.Close()
		return nil
	}
	u.instances.Add(kind, i)
	return nil
}

// instanceState returns how calls of a kind run.
func (u *unit) instanceState(ctx context.Context, kind string) (InstanceState, error) {
	if err := u.prepare(ctx, kind); err != nil {
		return InstanceState{}, err
	}
	p, err := u.begin(ctx)
	if err != nil {
		return InstanceState{}, err
	}
	defer u.leave()
	t := u.template(p, kind)
	return InstanceState{NotShared: t.NotResettable(), Shared: t.SharedBytes()}, nil
}

// close cancels the unit's calls and waits until its resources are released. If
// ctx ends first, they are released in the background.
func (u *unit) close(ctx context.Context) error {
	u.mu.Lock()
	closed := u.closed
	u.closed = true
	u.mu.Unlock()
	if !closed {
		u.end(errUnloaded)
		go func() { // ends with the calls, whose contexts are canceled
			defer close(u.released)
			u.busy.Wait()
			u.release()
		}()
	}
	select {
	case <-u.released:
		return nil
	case <-ctx.Done():
		return message.Error("plugin.unload", "name", u.name, "cause", ctx.Err())
	}
}

func (u *unit) release() {
	u.instances.Close()
	for n := range u.stickyInstances {
		u.stickyInstances[n].close()
	}
	for _, t := range u.templates {
		t.Close()
	}
	if u.program != nil {
		u.host.release(u.program)
	}
	u.host.mu.Lock()
	delete(u.host.units, u)
	u.host.mu.Unlock()
}
