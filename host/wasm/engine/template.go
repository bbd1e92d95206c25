package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"errand/host/tool"
	"errand/host/wasm/extism"
	"errand/host/wasm/linear"
)

// Template makes instances that all begin in one state: the one in which the
// first was once it had begun. It is good for several goroutines.
type Template struct {
	program *Program
	turn    chan struct{} // a token while nobody makes the first

	// set with the first
	made  bool
	begin *state // nil: instances can't be put back
	held  string // why not
}

// state is what an instance was like.
type state struct {
	image   *linear.Image
	globals []uint64
	depth   uint64
}

// Template makes a template of the program.
func (p *Program) Template() *Template {
	t := &Template{program: p, turn: make(chan struct{}, 1)}
	t.turn <- struct{}{}
	return t
}

// Open makes an instance that is about to do the call c, which the time it
// takes is part of. The first that is made is initialised and warmed up; those
// that follow are brought to the same state. The setups of all are alike in
// what a guest can see while it begins.
func (t *Template) Open(ctx context.Context, s Setup, c *Call) (*Instance, error) {
	select {
	case <-t.turn:
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.Canceled) {
			return nil, Interrupted(s.Name)
		}
		return nil, tool.Errorf(tool.ToolTimeout, "busy", "%s was still starting when the call had to end: %v", s.Name, ctx.Err())
	}
	if !t.made {
		defer func() { t.turn <- struct{}{} }()
		i, err := t.fresh(ctx, s, c)
		if err == nil {
			t.keep(i)
		}
		return i, err
	}
	t.turn <- struct{}{}
	if t.begin == nil {
		return t.fresh(ctx, s, c)
	}
	return t.again(ctx, s, c)
}

// fresh makes an instance that has begun.
func (t *Template) fresh(ctx context.Context, s Setup, c *Call) (*Instance, error) {
	b := s.beginning(c)
	defer func() { c.deadline = b.deadline }()
	i, err := t.program.Open(ctx, s, b)
	if err != nil {
		return nil, err
	}
	if err := i.start(ctx, b); err != nil {
		i.Close()
		return nil, err
	}
	return i, nil
}

// beginning is the call c for what an instance does before it: it shares the
// call's time and log. What the guest sees must not depend on which call makes the
// instance, or whether one does: it sees the setup's, and nothing of the call's own.
func (s *Setup) beginning(c *Call) *Call {
	b := *c
	if c.Extism != nil {
		begin := s.Begin
		begin.Vars, begin.Client, begin.Hosts, begin.Secrets, begin.ReadOnly = map[string][]byte{}, nil, nil, nil, true
		if begin.Log = c.Extism.Log; begin.Log == nil {
			begin.Log = func(extism.Level, string) {} // which counts
		}
		b.Extism = &begin
	}
	return &b
}

// start initialises and warms up.
func (i *Instance) start(ctx context.Context, c *Call) error {
	if !i.Extism || c.BeginsItself() {
		return nil
	}
	i.take(ctx, c)
	defer i.leave()
	if err := i.kernel.Begin(&i.run, c.Extism, nil); err != nil {
		return err
	}
	if err := i.initialise(c); err != nil {
		return err
	}
	if i.Warmup == "" {
		return nil
	}
	code, err := i.invoke(c.Extism, i.Warmup)
	said := i.kernel.ErrorStart(mostSaid)
	switch {
	case err != nil && !errors.Is(err, errExited):
		return err
	case err != nil || code != 0 || said != "":
		return tool.Errorf(tool.ExecutionError, "warmup_failed", "%s: its warm-up %s ended with code %s: %s", i.Name, i.Warmup, ExitCode(code), said).
			WithHint("it must return 0, without an error: it runs once, with neither input nor request")
	}
	return nil
}

// keep makes the state of the first instance the template's.
func (t *Template) keep(i *Instance) {
	t.made = true
	if t.held = t.program.held(i); t.held != "" {
		return
	}
	image, err := i.memory.Snapshot()
	if err != nil {
		t.held = err.Error()
		return
	}
	t.begin = &state{image: image}
	for _, g := range i.globals {
		t.begin.globals = append(t.begin.globals, g.Get())
	}
	if i.depth != nil {
		t.begin.depth = i.depth.Get()
	}
	i.begin = t.begin
	clear(i.listed) // as in those that are made like it
}

// held says why an instance that has begun can't be put back to where it is;
// empty where it can.
func (p *Program) held(i *Instance) string {
	switch {
	case !p.metered.Resettable():
		return p.metered.Held[0]
	case i.changed:
		return "it closed or changed a descriptor while it began"
	case i.account.Left(i.folders...) > 0:
		return "it left a file open while it began"
	}
	return ""
}

// again makes an instance in the template's state.
func (t *Template) again(ctx context.Context, s Setup, c *Call) (*Instance, error) {
	b := s.beginning(c)
	defer func() { c.deadline = b.deadline }()
	i, err := t.program.Open(ctx, s, b)
	if err != nil {
		return nil, err
	}
	if err := i.adopt(t.begin); err != nil {
		i.Close()
		return nil, tool.Errorf(tool.ExecutionError, "host_fault", "%s can't be brought to where it begins: %v", i.Name, err)
	}
	return i, nil
}

func (i *Instance) adopt(s *state) error {
	if more := s.image.Size(); more > i.memory.Size() {
		pages := uint32((more - i.memory.Size()) / linear.Page)
		if _, ok := i.module.Memory().Grow(pages); !ok {
			return fmt.Errorf("its memory can't grow to %d bytes", more)
		}
	}
	if err := i.memory.Adopt(s.image); err != nil {
		return err
	}
	i.begin, i.begun = s, true
	i.restore()
	return nil
}

// Reset puts the instance back to where its template begins and reports whether
// it can do another call. If not, it is to be closed.
func (i *Instance) Reset() bool {
	if !i.healthy || i.begin == nil || i.changed || i.account.Left(i.folders...) > 0 || i.kernel != nil && i.kernel.Grown() {
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

// keptOutput is as much as an idle instance keeps of the room that its output
// took, in bytes.
const keptOutput = 256 << 10

func (i *Instance) restore() {
	clear(i.listed)
	for n, g := range i.globals {
		g.Set(i.begin.globals[n])
	}
	if i.depth != nil {
		i.depth.Set(i.begin.depth)
	}
}

// Held says why each call has a new instance; empty where instances are put back
// and used again, and before the first was made.
func (t *Template) Held() string {
	<-t.turn
	defer func() { t.turn <- struct{}{} }()
	return t.held
}

// Made reports whether the first instance was made.
func (t *Template) Made() bool {
	<-t.turn
	defer func() { t.turn <- struct{}{} }()
	return t.made
}

// Shared is how many bytes the instances share.
func (t *Template) Shared() uint64 {
	<-t.turn
	defer func() { t.turn <- struct{}{} }()
	if t.begin == nil {
		return 0
	}
	return t.begin.image.Bytes()
}

// Close releases what the instances share, once they are closed.
func (t *Template) Close() {
	<-t.turn
	defer func() { t.turn <- struct{}{} }()
	if t.begin != nil {
		t.begin.image.Close()
	}
	t.made, t.begin = true, nil
}
