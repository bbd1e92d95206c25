package wasm

import (
	"bytes"
	"context"
	"errors"

	"errand/host/tool"
	"errand/host/wasm/extism"
)

// job is one call of a module's function, with all that it may use.
type job struct {
	name     string // of the plugin or file, for messages
	digest   string
	load     func() ([]byte, error) // the code, where it isn't compiled yet
	function string
	input    []byte
	limits   limits
	mounts   []Mount
	call     *extism.Call // nil for a WASI command
	sink     func(level, message string)
	keep     *sticky // where the instance is kept for the next call
}

// outcome is how a guest ended by itself.
type outcome struct {
	data  []byte
	fault string // what it said went wrong
	code  uint32 // 0 for success
}

// run does a job. What the guest itself says, good or bad, is an outcome; a
// *tool.Error is for a guest that could not be run or had to be ended.
func (h *Host) run(ctx context.Context, j job) (outcome, error) {
	leave, err := h.enter()
	if err != nil {
		return outcome{}, err
	}
	defer leave()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(h.ctx, func() { cancel(errClosed) })()

	c, err := h.compiled(ctx, j.digest, j.load)
	if err != nil {
		return outcome{}, err
	}
	e := c.engine
	// Compiling is not the plugin's fault: its time begins here.
	ctx, stop := j.limits.within(ctx)
	defer stop()
	if j.call == nil {
		return e.command(ctx, c, j)
	}
	return e.extism(ctx, c, j)
}

// command runs a WASI command: input on standard input, output on standard
// output.
func (e *engine) command(ctx context.Context, c *compilation, j job) (outcome, error) {
	i, err := e.open(ctx, c, j.setup())
	if err != nil {
		return outcome{}, err
	}
	defer i.close()
	code, err := i.call(ctx, j.function)
	if err != nil && !errors.Is(err, errExited) {
		return outcome{code: code}, err
	}
	if code != 0 {
		if err := i.exhausted("it ended with exit code " + exitCode(code)); err != nil {
			return outcome{code: code}, err
		}
	}
	return outcome{data: bytes.Clone(i.stdout.Bytes()), code: code}, nil
}

// extism calls a function of an Extism plugin.
func (e *engine) extism(ctx context.Context, c *compilation, j job) (out outcome, err error) {
	i, err := j.keep.take(ctx, func() (*instance, error) { return e.open(ctx, c, j.setup()) })
	if err != nil {
		return outcome{}, err
	}
	healthy := false
	defer func() { j.keep.put(i, healthy) }()
	j.call.Log = func(level extism.Level, message string) { i.log.log(level.String(), message) }
	if i.vars == nil {
		i.vars = j.call.Vars
	}
	j.call.Vars = i.vars // they are the instance's
	if err := i.kernel.Begin(ctx, j.call, j.input); err != nil {
		return outcome{}, err
	}
	if err := i.begin(j.call, j.function); err != nil {
		return outcome{code: 1}, err
	}
	code, err := i.call(j.call, j.function)
	exited := errors.Is(err, errExited)
	if err != nil && !exited {
		return outcome{code: code}, err
	}
	out = outcome{code: code, fault: i.kernel.Error()}
	if i.kernel.OutputLen() > uint64(i.limits.output) {
		return out, i.limits.outputExceeded(i.name)
	}
	if code != 0 && out.fault == "" {
		if err := i.exhausted("it ended with code " + exitCode(code)); err != nil {
			return out, err
		}
	}
	out.data = i.kernel.Output()
	healthy = !exited && !i.kernel.Grown()
	return out, nil
}

func (j job) setup() setup {
	s := setup{name: j.name, limits: j.limits, mounts: j.mounts, log: &logger{sink: j.sink}, extism: j.call}
	if j.call == nil {
		s.stdin = bytes.NewReader(j.input)
		return s
	}
	j.call.Raise = func(key string) string {
		if j.limits.flags && key != "memory" {
			return "" // no flag raises it
		}
		return j.limits.raise(key, key)
	}
	j.call.Log = func(level extism.Level, message string) { s.log.log(level.String(), message) }
	return s
}

// sticky keeps an instance between calls, which take turns. A nil one keeps
// nothing.
type sticky struct {
	turn     chan struct{} // holds a token while nobody has the instance
	instance *instance     // the holder's
}

// newSticky makes one whose instance is closed with the host.
func (h *Host) newSticky() *sticky {
	s := &sticky{turn: make(chan struct{}, 1)}
	s.turn <- struct{}{}
	h.mu.Lock()
	h.kept = append(h.kept, s)
	h.mu.Unlock()
	return s
}

// close closes the kept instance, once no call has it.
func (s *sticky) close() {
	if s.instance != nil {
		s.instance.close()
		s.instance = nil
	}
}

// take answers the kept instance, or a new one. The caller gives it back with
// put, unless there is an error.
func (s *sticky) take(ctx context.Context, open func() (*instance, error)) (*instance, error) {
	if s == nil {
		return open()
	}
	select {
	case <-s.turn:
	case <-ctx.Done():
		return nil, tool.Errorf(tool.ToolTimeout, "busy", "the plugin was busy with an earlier call until this one had to end")
	}
	if s.instance != nil {
		s.instance.log.lines = 0
		return s.instance, nil
	}
	i, err := open()
	if err != nil {
		s.turn <- struct{}{}
		return nil, err
	}
	s.instance = i
	return i, nil
}

// put ends the caller's turn. An instance that is not healthy is thrown away:
// nothing is known of its state.
func (s *sticky) put(i *instance, healthy bool) {
	switch {
	case s == nil:
		i.close()
		return
	case !healthy:
		i.close()
		s.instance = nil
	}
	s.turn <- struct{}{}
}
