package engine

import (
	"bytes"
	"context"
	"errors"

	"errand/host/tool"
	"errand/host/wasm/extism"
	"errand/host/wasm/linear"
	"errand/host/wasm/stack"
	"errand/planner/message"
)

// Template makes instances with the same start state: that of the first instance
// after its initialisation. It is safe for concurrent use.
type Template struct {
	program *Program
	turn    chan struct{} // holds a token unless the first instance is being made

	// Set with the first instance.
	hasInstance   bool
	initialState  *state          // nil if instances can't be reset
	notResettable message.Message // why they can't be reset
}

// state is a snapshot of an instance.
type state struct {
	image   *linear.Image
	globals []uint64
	depth   uint64
}

// Template returns a new template of the program.
func (p *Program) Template() *Template {
	t := &Template{program: p, turn: make(chan struct{}, 1)}
	t.turn <- struct{}{}
	return t
}

// Open makes an instance for the call c; the time counts towards the call. The
// first instance is initialised and warmed up, and later ones get its state. All
// setups must look the same to a guest that initialises.
func (t *Template) Open(ctx context.Context, s Setup, c *Call) (*Instance, error) {
	select {
	case <-t.turn:
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.Canceled) {
			return nil, InterruptedError(s.Name)
		}
		return nil, tool.NewError(tool.ToolTimeout, "busy", message.New("plugin.busy_starting", "name", s.Name, "cause", ctx.Err()))
	}
	if !t.hasInstance {
		defer func() { t.turn <- struct{}{} }()
		i, err := t.program.Start(ctx, s, c)
		if err == nil {
			t.saveState(i)
		}
		return i, err
	}
	t.turn <- struct{}{}
	if t.initialState == nil {
		return t.program.Start(ctx, s, c)
	}
	return t.openFromState(ctx, s, c)
}

// initialCall returns the call for the initialisation before c. It shares c's time
// and log. The guest's state must not depend on which call makes the instance, so
// the guest sees only values of the setup.
func (s *Setup) initialCall(c *Call) *Call {
	b := *c
	b.Input, b.Args, b.Writes, b.Itself, b.WritesAll = nil, nil, nil, nil, false
	if c.Extism != nil {
		begin := s.Begin
		begin.Vars, begin.Client, begin.Hosts, begin.Secrets, begin.ReadOnly, begin.Starting = map[string][]byte{}, nil, nil, nil, true, true
		if begin.Log = c.Extism.Log; begin.Log == nil {
			begin.Log = func(extism.Level, message.Message) {} // it still counts lines
		}
		b.Extism = &begin
	}
	return &b
}

// start runs the initialisation and the warm-up.
func (i *Instance) start(ctx context.Context, c *Call) error {
	if !i.Extism || c.IsInitialiser() {
		return nil
	}
	i.beginCall(ctx, c)
	defer i.endCall()
	if err := i.beginKernel(c, nil); err != nil {
		return err
	}
	if err := i.initialise(c); err != nil {
		return err
	}
	if i.Warmup == "" {
		return nil
	}
	i.starting = i.Warmup
	code, err := i.invoke(c.Extism, i.Warmup)
	i.starting = ""
	errorText := i.kernel.ErrorMessage(maxErrorText)
	switch {
	case err != nil && !errors.Is(err, errExited):
		return err
	case err != nil || code != 0 || !errorText.IsZero():
		if err := i.exhaustedError(message.New("plugin.it_ended", "code", int32(code)), stack.Trap{}); err != nil {
			return err
		}
		return tool.NewError(tool.ExecutionError, "warmup_failed", message.New("plugin.warmup_failed", "name", i.Name, "warmup", i.Warmup, "code", int32(code), "said", errorText)).
			WithHint(message.New("plugin.warmup_must_return_0"))
	}
	return nil
}

// saveState stores the state of the first instance in the template.
func (t *Template) saveState(i *Instance) {
	t.hasInstance = true
	if t.notResettable = t.program.notResettable(i); !t.notResettable.IsZero() {
		return
	}
	image, err := i.memory.Snapshot()
	if err != nil {
		t.notResettable = message.FromError(err)
		return
	}
	t.initialState = &state{image: image}
	for _, g := range i.globals {
		t.initialState.globals = append(t.initialState.globals, g.Get())
	}
	if i.depth != nil {
		t.initialState.depth = i.depth.Get()
	}
	i.begin = t.initialState
	clear(i.listedFolders) // as in instances made from the template
}

// notResettable returns why an initialised instance can't be reset to its state, or zero.
func (p *Program) notResettable(i *Instance) message.Message {
	switch {
	case !p.metered.Resettable():
		return p.metered.NewInstanceReasons[0]
	case i.changed:
		return message.New("plugin.changed_descriptor")
	case i.account.CountOpen(i.folders...) > 0:
		return message.New("plugin.left_file_open")
	}
	return message.Message{}
}

// openFromState makes an instance with the template's state.
func (t *Template) openFromState(ctx context.Context, s Setup, c *Call) (*Instance, error) {
	b := s.initialCall(c)
	defer func() { c.deadline = b.deadline }()
	i, err := t.program.open(ctx, s, b)
	if err != nil {
		return nil, err
	}
	if err := i.adopt(t.initialState); err != nil {
		full := i.share.IsFull()
		i.Close()
		if full {
			return nil, i.totalExceeded(stack.Trap{})
		}
		return nil, tool.NewError(tool.ExecutionError, "host_fault", message.New("plugin.cannot_reset", "name", i.Name, "cause", err))
	}
	return i, nil
}

func (i *Instance) adopt(s *state) error {
	if more := s.image.Size(); more > i.memory.Size() {
		pages := uint32((more - i.memory.Size()) / linear.Page)
		i.memory.Pause = nil // the image replaces these pages
		_, ok := i.module.Memory().Grow(pages)
		i.memory.Pause = i.pause
		if !ok {
			return message.Error("plugin.memory_cannot_grow", "size", more)
		}
	}
	if err := i.memory.Adopt(s.image); err != nil {
		return err
	}
	i.begin, i.isInitialised = s, true
	i.restore()
	return nil
}

// Reset restores the template's state and reports whether the instance can run
// another call. If not, close it.
func (i *Instance) Reset() bool {
	if !i.healthy || i.begin == nil || i.changed || i.account.CountOpen(i.folders...) > 0 || i.kernel != nil && i.kernel.HasGrown() {
		return false
	}
	i.memory.Restore()
	i.restore()
	i.stdin.Reset(nil)
	if i.stdout.Cap() > keptOutput {
		i.stdout.Buffer = bytes.Buffer{}
	}
	i.log.tail.Reset()
	return true
}

// keptOutput is the maximum capacity of the output buffer of an idle instance, in
// bytes.
const keptOutput = 256 << 10

func (i *Instance) restore() {
	clear(i.listedFolders)
	for n, g := range i.globals {
		g.Set(i.begin.globals[n])
	}
	if i.depth != nil {
		i.depth.Set(i.begin.depth)
	}
}

// NotResettable returns why each call needs a new instance. It is zero if instances are
// reset, and before the first was made.
func (t *Template) NotResettable() message.Message {
	<-t.turn
	defer func() { t.turn <- struct{}{} }()
	return t.notResettable
}

// HasInstance reports whether the first instance exists.
func (t *Template) HasInstance() bool {
	<-t.turn
	defer func() { t.turn <- struct{}{} }()
	return t.hasInstance
}

// SharedBytes returns how many bytes the instances share.
func (t *Template) SharedBytes() uint64 {
	<-t.turn
	defer func() { t.turn <- struct{}{} }()
	if t.initialState == nil {
		return 0
	}
	return t.initialState.image.Bytes()
}

// Close releases what the instances share. Close the instances first.
func (t *Template) Close() {
	<-t.turn
	defer func() { t.turn <- struct{}{} }()
	if t.initialState != nil {
		t.initialState.image.Close()
	}
	t.hasInstance, t.initialState = true, nil
}
