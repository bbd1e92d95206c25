package engine

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"errand/host/tool"
	"errand/host/wasm/meter"
	"errand/planner/message"
)

// run is the context of the call that an instance runs. The instance's next call
// reuses it, so nothing may retain it; use [run.LongContext] to wait.
type run struct {
	instance *Instance
	parent   context.Context
	call     *Call

	granted   int64     // fuel granted since the function was called
	budget    int64     // maximum fuel; 0: unlimited
	slice     int64     // fuel granted at a time; shared by all calls of the instance
	lastYield time.Time // time of the last request for fuel; zero before the first

	mu          sync.Mutex
	longContext context.Context // nil until needed
	release     func()
}

var _ context.Context = (*run)(nil)

// initialState starts a call within ctx.
func (r *run) begin(ctx context.Context, c *Call) {
	r.parent, r.call = ctx, c
	r.budget = r.instance.Limits.Fuel
}

// deadline returns the deadline of the call. Time counts from the first call of
// until, which happens once a guest has run for a millisecond: reading the clock
// would be expensive for a very short call. Preparation for a call counts towards
// its time.
func (r *run) deadline() time.Time {
	if r.call.deadline.IsZero() {
		r.call.deadline = time.Now().Add(r.call.Timeout)
	}
	return r.call.deadline
}

// end releases the lasting context.
func (r *run) end() {
	if r.release != nil {
		r.release()
	}
	r.longContext, r.release, r.parent, r.call = nil, nil, nil, nil
}

// LongContext returns the run's context for work that may outlive the call.
func (r *run) LongContext() context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.longContext == nil {
		ctx, cancel := context.WithDeadline(r.parent, r.deadline())
		stop := context.AfterFunc(r.instance.Closing, cancel)
		r.longContext, r.release = ctx, func() { stop(); cancel() }
	}
	return r.longContext
}

// Deadline implements [context.Context].
func (r *run) Deadline() (time.Time, bool) {
	until := r.deadline()
	if d, ok := r.parent.Deadline(); ok && d.Before(until) {
		return d, true
	}
	return until, true
}

// Done implements [context.Context].
func (r *run) Done() <-chan struct{} { return r.LongContext().Done() }

// Err implements [context.Context].
func (r *run) Err() error {
	return r.errAt(time.Now())
}

// errAt returns Err at a given time.
func (r *run) errAt(now time.Time) error {
	if err := r.parentErr(); err != nil {
		return err
	}
	if !now.Before(r.deadline()) {
		return context.DeadlineExceeded
	}
	return nil
}

// parentErr returns Err without the time limit.
func (r *run) parentErr() error {
	if err := r.parent.Err(); err != nil {
		return err
	}
	if r.instance.Closing.Err() != nil {
		return context.Canceled
	}
	return nil
}

type runKey struct{}

// Value implements [context.Context].
func (r *run) Value(key any) any {
	if _, ok := key.(runKey); ok {
		return r
	}
	return r.parent.Value(key)
}

// runOf returns the run that called a host function, or nil.
func runOf(ctx context.Context) *run {
	if r, ok := ctx.(*run); ok {
		return r
	}
	r, _ := ctx.Value(runKey{}).(*run)
	return r
}

// endError returns why the call ended before the guest.
func (r *run) endError() *tool.Error {
	l, name := r.instance.Limits, r.instance.Name
	switch err := r.parent.Err(); {
	case r.instance.Closing.Err() != nil:
		if why, ok := errors.AsType[*tool.Error](context.Cause(r.instance.Closing)); ok {
			return why
		}
		return ErrClosed
	case errors.Is(err, context.DeadlineExceeded):
		return l.limitError(tool.ToolTimeout, "deadline_exceeded", CallerTime, message.New("plugin.step_timeout", "name", name))
	case err != nil:
		return InterruptedError(name)
	}
	return l.timeExceeded(name, r.call.Timeout)
}

// InterruptedError returns the error of a call whose caller canceled it.
func InterruptedError(name message.Message) *tool.Error {
	return tool.NewError(tool.ExecutionError, "interrupted", message.New("plugin.interrupted", "name", name))
}

// instantiateYield adds the function that a rewritten guest calls to request fuel.
func instantiateYield(ctx context.Context, r wazero.Runtime) error {
	i64 := []api.ValueType{api.ValueTypeI64}
	_, err := r.NewHostModuleBuilder(meter.YieldModule).NewFunctionBuilder().
		WithGoFunction(api.GoFunc(yield), i64, i64).Export(meter.YieldName).Instantiate(ctx)
	return err
}

// yield grants fuel or stops the guest.
func yield(ctx context.Context, stack []uint64) {
	r := runOf(ctx)
	remaining := int64(stack[0])
	now := time.Now()
	switch {
	case remaining == meter.TooDeep:
		r.instance.stop(r.instance.Limits.depthExceeded(r.instance.Name))
	case r.errAt(now) != nil:
		r.instance.stop(r.endError())
	}
	if !r.lastYield.IsZero() {
		r.slice = pace(r.slice, now.Sub(r.lastYield))
	}
	r.lastYield = now
	next := r.slice - min(remaining, 0) // its debt plus a slice
	if r.budget > 0 {
		next = min(next, r.budget-r.granted)
		if remaining+next <= 0 {
			r.instance.stop(r.instance.Limits.fuelExceeded(r.instance.Name))
		}
	}
	r.granted += next
	stack[0] = uint64(remaining + next)
}
