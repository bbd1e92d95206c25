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
	"errand/planner/message"
)

// Maximum number of stack frames in an error. Errors without a bug in the guest,
// such as a timeout, show fewer.
const (
	mostFrames = 10
	fewFrames  = 3
)

// maxErrorText is how many bytes of a guest's last output an error quotes.
const maxErrorText = 500

// toError converts the error of a stopped guest into a typed one.
func (i *Instance) toError(err error) *tool.Error {
	var typed *tool.Error
	switch {
	case i.stopError != nil:
		return i.addLocation(i.stopError, err)
	case i.run.parent != nil && i.run.Err() != nil:
		return i.addLocation(i.run.endError(), err)
	case errors.As(err, &typed) && !(i.share.IsFull() && typed.Code == "memory_limit"):
		return i.addLocation(typed, err)
	}
	trap := i.parseTrap(err)
	if e := i.exhaustedError(message.Verbatim(trap.Reason), trap); e != nil {
		return e
	}
	reason := message.Verbatim(stack.Clip(strings.ReplaceAll(trap.Reason, "\n", " "), 200))
	if i.hasStackOverflow(trap) {
		trap.Reason, reason = "stack overflow", message.New("plugin.stack_overflow")
	}
	e := tool.NewError(tool.ExecutionError, "plugin_trap", i.trapMessage(reason))
	e.Details = i.details(trap.Text(mostFrames))
	if cure := stack.FixFor(trap.Reason); !cure.IsZero() {
		return e.WithHint(cure)
	}
	return e
}

// trapMessage says in one line that the guest broke.
func (i *Instance) trapMessage(reason message.Message) message.Message {
	broke := message.New("plugin.broke", "name", i.Name, "reason", reason)
	if i.starting != "" {
		broke = message.New("plugin.broke_at_start", "name", i.Name, "function", i.starting, "reason", reason)
	} else if c := i.current; c != nil && c.Function != "" {
		broke = message.New("plugin.broke_in", "name", i.Name, "function", stack.Clip(c.Function, stack.MaxName), "reason", reason)
	}
	i.lastLines() // which completes the log
	if i.kernel != nil {
		if errorText := i.kernel.ErrorMessage(maxErrorText); !errorText.IsZero() {
			return message.New("plugin.broke_and_said", "broke", broke, "said", errorText)
		}
	}
	if cause := i.log.tail.Cause(); cause != "" {
		return message.New("plugin.broke_and_said", "broke", broke, "said", message.Verbatim(cause))
	}
	return broke
}

// details returns information for the plugin's author: the stack, the end of the
// log and the call.
func (i *Instance) details(stack []string) []string {
	return append(stack, CallDetails(i.lastLines(), i.current)...)
}

// CallDetails formats the end of a call's log and the call for an error's details. c may
// be nil.
func CallDetails(log []string, c *Call) []string {
	var lines []string
	for _, line := range log {
		lines = append(lines, "log: "+line)
	}
	if c != nil {
		lines = append(lines, fmt.Sprintf("input: %d bytes, sha256 %.6x…", len(c.Input), sha256.Sum256(c.Input)))
	}
	return lines
}

// lastLines returns the last lines of the call's log, standard streams first.
func (i *Instance) lastLines() []string {
	i.log.ended = true // keep a last line without a newline; limits no longer apply
	i.stderr.flush()
	i.lines.flush()
	lines := i.log.tail.Lines()
	if c := i.current; c != nil && c.Extism != nil {
		lines = append(lines, c.Extism.LastLines()...)
	}
	return lines
}

// addLocation adds to an exceeded limit where in the guest and in which call that was.
func (i *Instance) addLocation(e *tool.Error, err error) *tool.Error {
	if e.Code != "deadline_exceeded" && !strings.HasSuffix(e.Code, "_limit") {
		return e
	}
	late := *e
	late.Details = i.details(i.addCalledFunction(i.parseTrap(err).Text(fewFrames)))
	return &late
}

// addCalledFunction adds the called function to the displayed frames, unless it is among
// them.
func (i *Instance) addCalledFunction(frames []string) []string {
	c := i.current
	if c == nil || c.Function == "" || i.starting != "" || slices.ContainsFunc(frames, func(line string) bool { return strings.HasPrefix(line, "at "+stack.Clip(c.Function, stack.MaxName)) }) {
		return frames
	}
	return append(frames, "in a call of "+stack.Clip(c.Function, stack.MaxName))
}

// parseTrap parses the runtime's error. Functions are those of the original module,
// with source positions if it has them.
func (i *Instance) parseTrap(err error) stack.Trap {
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

// renumber gives an unnamed function its number in the original module.
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

// exhaustedError returns the memory limit's error if the plugin was refused memory
// before it failed, which is the likely cause.
func (i *Instance) exhaustedError(detail message.Message, trap stack.Trap) *tool.Error {
	if i.share.IsFull() {
		return i.totalExceeded(trap)
	}
	if i.memory.IsRefused() || i.kernel != nil && i.kernel.IsExhausted() {
		e := i.Limits.memoryExceeded(i.Name, detail)
		e.Details = i.details(i.addCalledFunction(trap.Text(mostFrames)))
		return e
	}
	return nil
}

// totalExceeded returns the error of a guest that was refused memory because other
// calls use it.
func (i *Instance) totalExceeded(trap stack.Trap) *tool.Error {
	e := tool.NewError(tool.ToolUnavailable, "total_memory_limit", message.New("plugin.total_memory_limit", "name", i.Name, "limit", manifest.Size(i.Total.Limit()))).WithHint(message.New("plugin.try_again_later"))
	e.Details = i.details(i.addCalledFunction(trap.Text(mostFrames)))
	return e
}

// hasStackOverflow reports whether the guest's own stack caused an access outside its
// memory. Compilers place that stack in the memory, where it grows down. LLVM
// keeps its pointer in the first global; below 0 it is a huge unsigned address.
func (i *Instance) hasStackOverflow(trap stack.Trap) bool {
	if !strings.Contains(trap.Reason, "out of bounds memory") || len(i.globals) == 0 || i.module.Memory() == nil {
		return false
	}
	pointer := i.globals[0]
	return pointer.Type() == api.ValueTypeI32 && uint32(pointer.Get()) > i.module.Memory().Size() && int32(uint32(pointer.Get())) < 0
}
