package engine

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tetratelabs/wazero/api"

	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/host/wasm/meter"
	"errand/host/wasm/stack"
)

// Most frames of a stack in an error, and fewer where the guest did nothing
// wrong but take long.
const (
	mostFrames = 10
	fewFrames  = 3
)

// mostSaid is how many bytes are told of what a guest said before it was ended.
const mostSaid = 500

// fault makes a typed error of what a guest's end by force answers.
func (i *Instance) fault(err error) *tool.Error {
	var typed *tool.Error
	switch {
	case i.broken != nil:
		return i.within(i.broken, err)
	case i.run.parent != nil && i.run.Err() != nil:
		return i.within(i.run.ended(), err)
	case errors.As(err, &typed) && !(i.share.Full() && typed.Code == "memory_limit"):
		return i.within(typed, err)
	}
	trap := i.located(err)
	if e := i.exhausted(trap.Reason, trap); e != nil {
		return e
	}
	if i.overflowed(trap) {
		trap.Reason = "stack overflow: it used up the stack that its compiler gave it"
	}
	e := tool.Errorf(tool.ExecutionError, "plugin_trap", "%s", i.what(trap))
	e.Details = i.details(trap.Text(mostFrames))
	if cure := stack.Cure(trap.Reason); cure != "" {
		return e.WithHint("%s", cure)
	}
	return e
}

// what happened, in one line.
func (i *Instance) what(trap stack.Trap) string {
	text := i.Name + " broke"
	if c := i.current; c != nil && c.Function != "" {
		text += " in " + c.Function
	}
	text += ": " + stack.Clip(strings.ReplaceAll(trap.Reason, "\n", " "), 200)
	if i.kernel == nil {
		return text
	}
	if said := i.kernel.ErrorStart(mostSaid); said != "" {
		text += "; it said: " + said
	}
	return text
}

// details are what an author looks for: the stack, the last words of the log,
// and which call it was.
func (i *Instance) details(stack []string) []string {
	return append(stack, Last(i.lastLines(), i.current)...)
}

// Last are the last words of a call's log, and which call it was, as an error's
// details have them; c is nil where there was none.
func Last(log []string, c *Call) []string {
	var lines []string
	for _, line := range log {
		lines = append(lines, "log: "+line)
	}
	if c != nil {
		lines = append(lines, fmt.Sprintf("input: %d bytes, sha256 %.6x…", len(c.Input), sha256.Sum256(c.Input)))
	}
	return lines
}

// lastLines are the last lines that the call logged, those of its standard
// streams first.
func (i *Instance) lastLines() []string {
	i.log.over = true // a last line without an end counts, and ends nothing any more
	i.stderr.flush()
	i.lines.flush()
	lines := i.log.tail.Lines()
	if c := i.current; c != nil && c.Extism != nil {
		lines = append(lines, c.Extism.LastLines()...)
	}
	return lines
}

// within says of a guest that passed a limit where it was, in which call.
func (i *Instance) within(e *tool.Error, err error) *tool.Error {
	if e.Code != "deadline_exceeded" && !strings.HasSuffix(e.Code, "_limit") {
		return e
	}
	late := *e
	late.Details = i.details(i.called(i.located(err).Text(fewFrames)))
	return &late
}

// called adds to the frames that are shown which function it was that was called,
// unless it is among them.
func (i *Instance) called(frames []string) []string {
	c := i.current
	if c == nil || c.Function == "" || slices.ContainsFunc(frames, func(line string) bool { return strings.HasPrefix(line, "at "+c.Function) }) {
		return frames
	}
	return append(frames, "in a call of "+c.Function)
}

// located is what the runtime says of the guest's end, in the functions of the
// module as it came, with places in the source where it has them.
func (i *Instance) located(err error) stack.Trap {
	trap := stack.Parse(err.Error())
	trap.Frames = slices.DeleteFunc(trap.Frames, func(f stack.Frame) bool { return strings.HasPrefix(f.Name, meter.YieldModule) })
	for n := range trap.Frames {
		i.renumber(&trap.Frames[n])
	}
	if lines := i.program.lines; lines != nil && len(trap.Frames) > 0 {
		trap.Locate(lines())
	}
	return trap
}

// renumber gives a function without a name the number that it has in the
// module as it came.
func (i *Instance) renumber(f *stack.Frame) {
	number, ok := strings.CutPrefix(f.Name, "$")
	index, err := strconv.ParseUint(number, 10, 32)
	if !ok || err != nil {
		return
	}
	if original, ok := i.program.metered.OriginalFunc(uint32(index)); ok {
		f.Name = fmt.Sprintf("$%d", original)
		f.Function = fmt.Sprintf("function %d", original)
	}
}

// exhausted answers the memory limit's error where the plugin was refused
// memory before it failed, which is then most likely why.
func (i *Instance) exhausted(detail string, trap stack.Trap) *tool.Error {
	if i.share.Full() {
		return i.totalExceeded(trap)
	}
	if i.memory.Refused() || i.kernel != nil && i.kernel.Exhausted() {
		e := i.Limits.memoryExceeded(i.Name, detail)
		e.Details = i.details(i.called(trap.Text(mostFrames)))
		return e
	}
	return nil
}

// totalExceeded is the error of a guest that got no more memory because others had it.
func (i *Instance) totalExceeded(trap stack.Trap) *tool.Error {
	e := tool.Errorf(tool.ToolUnavailable, "total_memory_limit", "%s got no more memory: all calls of plugins together may take %s at a time",
		i.Name, manifest.Size(i.Total.Limit())).WithHint("try again when other calls have ended: no key raises that")
	e.Details = i.details(i.called(trap.Text(mostFrames)))
	return e
}

// overflowed reports whether an access outside of the memory came of the guest's
// own stack, which compilers lay out in the memory and let grow down: LLVM's keep
// its pointer in the first global, and one that went below 0 is beyond all memory
// without a sign.
func (i *Instance) overflowed(trap stack.Trap) bool {
	if !strings.Contains(trap.Reason, "out of bounds memory") || len(i.globals) == 0 || i.module.Memory() == nil {
		return false
	}
	pointer := i.globals[0]
	return pointer.Type() == api.ValueTypeI32 && uint32(pointer.Get()) > i.module.Memory().Size() && int32(uint32(pointer.Get())) < 0
}
