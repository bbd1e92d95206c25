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
)

// run is a call that an instance does, and the context that the guest runs in.
// It is used again for the instance's next call, so nothing may keep it: what
// waits gets [run.Lasting].
type run struct {
	instance *Instance
	parent   context.Context
	call     *Call

	granted int64     // fuel, since the function was called
	budget  int64     // fuel that it may have; 0: no bound
	slice   int64     // fuel that it gets at a time; of all calls of the instance
	asked   time.Time // when it last asked for fuel; zero: not since the function was called

	mu      sync.Mutex
	lasting context.Context // nil until something waits
	release func()
}

var _ context.Context = (*run)(nil)

// begin makes ready for a call within ctx.
func (r *run) begin(ctx context.Context, c *Call) {
	r.parent, r.call = ctx, c
	r.budget = r.instance.Limits.Fuel
}

// until is when the call's time is over. Time is counted from when it is first
// asked for, which a guest that runs for a millisecond does: looking at the clock
// would be a good part of a call that does nothing. What is done ahead of a call,
// as a part of it, and the call itself share the time.
func (r *run) until() time.Time {
	if r.call.deadline.IsZero() {
		r.call.deadline = time.Now().Add(r.call.Timeout)
	}
	return r.call.deadline
}

// end releases what the call waited on.
func (r *run) end() {
	if r.release != nil {
		r.release()
	}
	r.lasting, r.release, r.parent, r.call = nil, nil, nil, nil
}

// Lasting is the run's context for what may outlive the call.
func (r *run) Lasting() context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lasting == nil {
		ctx, cancel := context.WithDeadline(r.parent, r.until())
		stop := context.AfterFunc(r.instance.Closing, cancel)
		r.lasting, r.release = ctx, func() { stop(); cancel() }
	}
	return r.lasting
}

// Deadline implements [context.Context].
func (r *run) Deadline() (time.Time, bool) {
	until := r.until()
	if d, ok := r.parent.Deadline(); ok && d.Before(until) {
		return d, true
	}
	return until, true
}

// Done implements [context.Context].
func (r *run) Done() <-chan struct{} { return r.Lasting().Done() }

// Err implements [context.Context].
func (r *run) Err() error {
	return r.at(time.Now())
}

// at is Err at a time.
func (r *run) at(now time.Time) error {
	if err := r.cancelled(); err != nil {
		return err
	}
	if !now.Before(r.until()) {
		return context.DeadlineExceeded
	}
	return nil
}

// cancelled is Err but for the time limit.
func (r *run) cancelled() error {
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

// runOf finds the run that a host function is called in, nil for none.
func runOf(ctx context.Context) *run {
	if r, ok := ctx.(*run); ok {
		return r
	}
	r, _ := ctx.Value(runKey{}).(*run)
	return r
}

// ended says why the call is over before the guest is.
func (r *run) ended() *tool.Error {
	l, name := r.instance.Limits, r.instance.Name
	switch err := r.parent.Err(); {
	case r.instance.Closing.Err() != nil:
		var why *tool.Error
		if errors.As(context.Cause(r.instance.Closing), &why) {
			return why
		}
		return ErrClosed
	case errors.Is(err, context.DeadlineExceeded):
		return l.exceeded(tool.ToolTimeout, "deadline_exceeded", CallerTime, "%s was stopped: the time that its caller gave it was over", name)
	case err != nil:
		return Interrupted(name)
	}
	return l.timeExceeded(name, r.call.Timeout)
}

// Interrupted says that who waited for a call didn't want to any longer.
func Interrupted(name string) *tool.Error {
	return tool.Errorf(tool.ExecutionError, "interrupted", "%s was interrupted", name)
}

// instantiateYield makes the function known by which a rewritten guest asks for
// fuel.
func instantiateYield(ctx context.Context, r wazero.Runtime) error {
	i64 := []api.ValueType{api.ValueTypeI64}
	_, err := r.NewHostModuleBuilder(meter.YieldModule).NewFunctionBuilder().
		WithGoFunction(api.GoFunc(yield), i64, i64).Export(meter.YieldName).Instantiate(ctx)
	return err
}

// yield grants fuel or ends the guest.
func yield(ctx context.Context, stack []uint64) {
	r := runOf(ctx)
	left := int64(stack[0])
	now := time.Now()
	switch {
	case left == meter.TooDeep:
		r.instance.stop(r.instance.Limits.depthExceeded(r.instance.Name))
	case r.at(now) != nil:
		r.instance.stop(r.ended())
	}
	if !r.asked.IsZero() {
		r.slice = pace(r.slice, now.Sub(r.asked))
	}
	r.asked = now
	next := r.slice - min(left, 0) // what it owes, and a slice
	if r.budget > 0 {
		next = min(next, r.budget-r.granted)
		if left+next <= 0 {
			r.instance.stop(r.instance.Limits.fuelExceeded(r.instance.Name))
		}
	}
	r.granted += next
	stack[0] = uint64(left + next)
}
