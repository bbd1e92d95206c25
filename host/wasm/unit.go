package wasm

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"errand/host/tool"
	"errand/host/wasm/engine"
	"errand/host/wasm/extism"
	"errand/host/wasm/pool"
)

// unit is a module that calls are made of: by pooled instances that all begin
// in one state, or by one that goes on from call to call.
type unit struct {
	host   *Host
	name   string // for messages
	digest string
	load   func() ([]byte, error)
	setup  func(kind string) engine.Setup // of an instance
	sticky bool                           // calls go on from where the last one ended
	atOnce int                            // calls side by side, of one that isn't sticky
	raise  func(key string) string        // what raises a limit
	lane   *pool.Lane[*engine.Instance]

	ctx      context.Context // ends with the unit, and every call with it
	end      context.CancelCauseFunc
	released chan struct{} // closed once nothing is left

	mu        sync.Mutex
	closed    bool
	busy      sync.WaitGroup // what uses the unit; Add only under mu and not closed
	program   *program       // acquired, once it was needed
	templates map[string]*engine.Template
	opening   time.Duration // that the last instance took to make

	kept [2]sticky // of a sticky unit: for reading and for writing
}

// Kinds of instances: whether they may write to the plugin's folders, and a
// session's WASI commands.
const (
	reading = "reading"
	writing = "writing"
	command = "command"
)

// add makes a unit ready for calls.
func (h *Host) add(u *unit) *unit {
	u.host, u.lane = h, h.pool.Lane(u.atOnce)
	u.ctx, u.end = context.WithCancelCause(h.ctx)
	u.released = make(chan struct{})
	u.templates = map[string]*engine.Template{}
	h.mu.Lock()
	defer h.mu.Unlock()
	u.closed = h.closed
	h.units[u] = struct{}{}
	return u
}

// enter keeps the unit open until leave is called, and answers its program, nil
// where it isn't compiled yet.
func (u *unit) enter() (*program, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.closed {
		return nil, u.unloaded()
	}
	u.busy.Add(1)
	return u.program, nil
}

func (u *unit) leave() { u.busy.Done() }

// begin enters the unit and compiles it where that hasn't happened. Without an
// error the caller leaves it.
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
	p, err := u.host.acquire(ctx, u.digest, u.load)
	if err != nil {
		return nil, err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.program != nil { // meanwhile
		u.host.release(p)
		return u.program, nil
	}
	u.program = p
	return p, nil
}

var errUnloaded = unavailable("plugin_unloaded", "the plugin was removed, disabled or updated").
	WithHint("try again: the next run has the plugins as they are now")

// unloaded is what a call of a closed unit ends with.
func (u *unit) unloaded() *tool.Error {
	if u.host.ctx.Err() != nil {
		return engine.ErrClosed
	}
	return errUnloaded
}

// instance is what the unit's instances are made of.
func (u *unit) instance(kind string) engine.Setup {
	s := u.setup(kind)
	s.Closing = u.ctx
	return s
}

// template answers the state in which instances of a kind, or of those of it that
// begin themselves, begin.
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

// call has an instance of a kind do a call.
func (u *unit) call(ctx context.Context, kind string, c *engine.Call) (engine.Outcome, error) {
	p, err := u.begin(ctx)
	if err != nil {
		return engine.Outcome{}, err
	}
	defer u.leave()
	if u.sticky && c.Extism != nil { // a command has an end
		return u.goOn(ctx, p, kind, c)
	}
	return u.beginAnew(ctx, p, kind, c)
}

// beginAnew does a call that begins in the unit's first state.
func (u *unit) beginAnew(ctx context.Context, p *program, kind string, c *engine.Call) (engine.Outcome, error) {
	key := kind // of the instances that begin alike
	if c.BeginsItself() {
		key += ", not begun"
	}
	i, found, err := u.lane.Take(ctx, c.Timeout, key)
	switch {
	case errors.Is(err, pool.ErrClosed):
		return engine.Outcome{}, u.unloaded()
	case err != nil && errors.Is(ctx.Err(), context.Canceled):
		return engine.Outcome{}, engine.Interrupted(u.name)
	case err != nil:
		return engine.Outcome{}, u.crowded(errors.Is(err, pool.ErrFull))
	}
	if found && i.Stale() {
		i.Close()
		found = false
	}
	if !found {
		begin := time.Now()
		if i, err = u.template(p, key).Open(ctx, u.instance(kind), c); err != nil {
			u.lane.Drop()
			return engine.Outcome{}, err
		}
		u.took(time.Since(begin))
	}
	out, err := i.Call(ctx, c)
	if i.Reset() {
		u.lane.Give(key, i)
		return out, err
	}
	u.busy.Add(1) // this call is counted, so the unit is open
	go func() {   // giving much memory back takes a while, which the caller needn't wait for
		defer u.leave()
		i.Close()
		u.lane.Drop()
		if key == kind {
			u.ahead(p, kind)
		}
	}()
	return out, err
}

// crowded is what a call ends with whose turn didn't come in its time.
func (u *unit) crowded(full bool) *tool.Error {
	late := func(format string, args ...any) *tool.Error {
		return tool.Errorf(tool.ToolTimeout, "busy", u.name+": "+format+" were taken by earlier ones until this one had to end", args...)
	}
	if full {
		return late("the %d calls that all plugins together may do at a time", u.host.o.Calls).WithHint("try again: no key raises that")
	}
	return late("its limit of %d calls at a time", u.atOnce).WithHint("%s", u.raise("instances"))
}

func (u *unit) took(d time.Duration) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.opening = d
}

// quick is how long making an instance may take for it to be made before it is
// asked for.
const quick = 50 * time.Millisecond

// ahead makes an instance where the one that was used can't do another call, so
// that the next call needn't wait for it.
func (u *unit) ahead(p *program, kind string) {
	u.mu.Lock()
	slow := u.opening > quick
	u.mu.Unlock()
	if !slow && u.ctx.Err() == nil && !u.lane.Idle(kind) {
		u.make(u.ctx, p, kind)
	}
}

// make makes an instance ahead of any call. What is wrong with the plugin is
// said when it is called.
func (u *unit) make(ctx context.Context, p *program, kind string) {
	c := &engine.Call{Timeout: quick * 10, Extism: &extism.Call{}}
	if i, err := u.template(p, kind).Open(ctx, u.instance(kind), c); err == nil {
		u.lane.Add(kind, i)
	}
}

// prepare does ahead of time what the first call would.
func (u *unit) prepare(ctx context.Context, kind string) error {
	p, err := u.begin(ctx)
	if err != nil {
		return err
	}
	defer u.leave()
	if !u.sticky && !u.lane.Idle(kind) && !u.template(p, kind).Made() {
		u.make(ctx, p, kind)
	}
	return nil
}

// begins makes an instance, where none was made, and answers why it can't be.
func (u *unit) begins(ctx context.Context, kind string, within time.Duration) error {
	p, err := u.begin(ctx)
	if err != nil {
		return err
	}
	defer u.leave()
	t := u.template(p, kind)
	if t.Made() {
		return nil
	}
	i, err := t.Open(ctx, u.instance(kind), &engine.Call{Timeout: within, Extism: &extism.Call{}})
	if err != nil {
		return err
	}
	if u.sticky {
		i.Close()
		return nil
	}
	u.lane.Add(kind, i)
	return nil
}

// standing tells how calls of a kind are done.
func (u *unit) standing(ctx context.Context, kind string) (Standing, error) {
	if err := u.prepare(ctx, kind); err != nil {
		return Standing{}, err
	}
	p, err := u.begin(ctx)
	if err != nil {
		return Standing{}, err
	}
	defer u.leave()
	t := u.template(p, kind)
	return Standing{Held: t.Held(), Shared: t.Shared()}, nil
}

// close ends the unit: its calls are broken off, and all that it has is
// released once they are over, or in the background where ctx ends first.
func (u *unit) close(ctx context.Context) error {
	u.mu.Lock()
	closed := u.closed
	u.closed = true
	u.mu.Unlock()
	if !closed {
		u.end(errUnloaded)
		go func() { // ends with the calls, whose contexts have ended
			defer close(u.released)
			u.busy.Wait()
			u.release()
		}()
	}
	select {
	case <-u.released:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("unload %s: something of it still runs or compiles: %w", u.name, ctx.Err())
	}
}

func (u *unit) release() {
	u.lane.Close()
	for n := range u.kept {
		u.kept[n].close()
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
