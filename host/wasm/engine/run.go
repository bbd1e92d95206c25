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
// reuses it, so nothing may retain it; use [run.Lasting] to wait.
type run struct {
	instance *Instance
	parent   context.Context
	call     *Call

	granted int64     // fuel granted since the function was called
	budget  int64     // maximum fuel; 0: unlimited
	slice   int64     // fuel granted at a time; shared by all calls of the instance
	asked   time.Time // time of the last request for fuel; zero before the first

	mu      sync.Mutex
	lasting context.Context // nil until needed
	release func()
}

var _ context.Context = (*run)(nil)

// begin starts a call within ctx.
func (r *run) begin(ctx context.Context, c *Call) {
	r.parent, r.call = ctx, c
	r.budget = r.instance.Limits.Fuel
}

// until returns the deadline of the call. Time counts from the first call of
// until, which happens once a guest has run for a millisecond: reading the clock
// would be expensive for a very short call. Preparation for a call counts towards
// its time.
func (r *run) until() time.Time {
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
	r.lasting, r.release, r.parent, r.call = nil, nil, nil, nil
}

// Lasting returns the run's context for work that may outlive the call.
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

// at returns Err at a given time.
func (r *run) at(now time.Time) error {
	if err := r.cancelled(); err != nil {
		return err
	}
	if !now.Before(r.until()) {
		return context.DeadlineExceeded
	}
	return nil
}

// cancelled returns Err without the time limit.
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

// runOf returns the run that called a host function, or nil.
func runOf(ctx context.Context) *run {
	if r, ok := ctx.(*run); ok {
		return r
	}
	r, _ := ctx.Value(runKey{}).(*run)
	return r
}

// ended returns why the call ended before the guest.
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
		return l.exceeded(tool.ToolTimeout, "deadline_exceeded", CallerTime, message.New("plugin.step_timeout", "name", name))
	case err != nil:
		return Interrupted(name)
	}
	return l.timeExceeded(name, r.call.Timeout)
}

// Interrupted returns the error of a call whose caller canceled it.
func Interrupted(name message.Message) *tool.Error {
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
	next := r.slice - min(left, 0) // its debt plus a slice
	if r.budget > 0 {
		next = min(next, r.budget-r.granted)
		if left+next <= 0 {
			r.instance.stop(r.instance.Limits.fuelExceeded(r.instance.Name))
		}
	}
	r.granted += next
	stack[0] = uint64(left + next)
}
