// Package stack makes the end of a plugin by force readable: what happened,
// where in the plugin's own functions, by the names that its source has, and
// what is likely to help. It is pure.
package stack

import (
	"regexp"
	"strings"
)

// Frame is a call that was under way, one function of the plugin.
type Frame struct {
	Function string   // as its source has it, as far as the module tells
	Sources  []string // "src/lib.rs:12:5", inlined calls first; empty without debug sections
}

// Trap is what a runtime says of a guest that it had to end.
type Trap struct {
	Reason string  // "unreachable", "out of bounds memory access"
	Frames []Frame // innermost first, the plugin's own alone
	More   bool    // the runtime left out those further out
}

var (
	// What the runtime appends to a function's name.
	signature = regexp.MustCompile(`\((?:(?:i32|i64|f32|f64|v128|externref|funcref)(?:,(?:i32|i64|f32|f64|v128|externref|funcref))*)?\)(?: (?:i32|i64|f32|f64|v128|externref|funcref|\([^()]*\)))?$`)
	source    = regexp.MustCompile(`^0x[0-9a-f]+: (.+)$`)
)

const (
	stackTitle = "wasm stack trace:"
	goTitle    = "Go runtime stack trace:"
	omitted    = "... maybe followed by omitted frames"
)

// Parse reads the message of an error of wazero, whose guests have no module
// name. Text that is none of its kind is a reason alone.
func Parse(message string) Trap {
	head, trace, _ := strings.Cut(message, "\n"+stackTitle)
	trace, _, _ = strings.Cut(trace, goTitle)
	t := Trap{Reason: strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(head, "wasm error: "), " (recovered by wazero)"))}
	own := false
	for line := range strings.Lines(trace) {
		line = strings.TrimSpace(line)
		place := source.FindStringSubmatch(line)
		switch {
		case line == "":
		case line == omitted:
			t.More = true
		case place != nil:
			if own {
				last := &t.Frames[len(t.Frames)-1]
				last.Sources = append(last.Sources, strings.TrimSpace(strings.Replace(place[1], "(inlined)", "", 1)))
			}
		default:
			var name string
			name, own = strings.CutPrefix(signature.ReplaceAllString(line, ""), ".")
			if own { // a name before the dot is a function of the host
				t.Frames = append(t.Frames, Frame{Function: Demangle(name)})
			}
		}
	}
	return t
}

// machinery are functions by which languages end a program that panics: they
// stand innermost in every stack and say nothing of the plugin.
var machinery = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`abort`, `__abort`, `abort_message`, `_?_?assert_fail`, `__wasi_proc_exit`, `_Exit`, `exit`, // C
	`~lib/builtins/abort`,                                                                                                      // AssemblyScript
	`rust_panic`, `rust_begin_unwind`, `_?_?rust_start_panic`, `_?_?rust_abort`, `rust_panic_with_hook`, `rust_eh_personality`, // Rust
	`std::panicking::.*`, `std::sys.*::abort_internal`, `std::process::abort`, `panic_abort::.*`, `core::panicking::.*`, `std::sys_common::backtrace::.*`, `std::sys::backtrace::.*`,
	`core::(?:result|option)::(?:unwrap|expect)_failed`, `<?core::option::.*::expect_failed`, `alloc::alloc::handle_alloc_error`, `alloc::raw_vec::.*`,
	`runtime\.(?:fatal|throw|gopanic|panic|abort|exit|goPanic|dopanic|crash|sigpanic|systemstack|mcall|gogo|trace|_panic|runtimePanic|startpanic|printpanics|fatalthrow|fatalpanic)[A-Za-z0-9_.()*]*`, // Go, TinyGo
}, "|") + `)$`)

// Own answers the frames from the plugin's own code on: without what a language
// does to panic, unless there is nothing else.
func (t Trap) Own() []Frame {
	for i, f := range t.Frames {
		if !machinery.MatchString(f.Function) {
			return t.Frames[i:]
		}
	}
	return t.Frames
}

// Text lays a stack out for people, a line a frame, innermost first, at most
// most of them: "at" the function, then where in the source where that is
// known. Repetitions, as in a recursion without an end, are counted. It is
// empty where there are no frames.
func (t Trap) Text(most int) string {
	frames := t.Own()
	var lines []string
	for i := 0; i < len(frames); {
		same := 1
		for i+same < len(frames) && frames[i+same].Function == frames[i].Function {
			same++
		}
		lines = append(lines, frames[i].line(same))
		i += same
	}
	cut := len(lines) > most
	if cut {
		lines = lines[:most]
	}
	if (cut || t.More) && len(lines) > 0 {
		lines = append(lines, "  … and those that called it")
	}
	return strings.Join(lines, "\n")
}

func (f Frame) line(times int) string {
	var b strings.Builder
	b.WriteString("  at " + f.Function)
	if times > 1 {
		b.WriteString(", which called itself")
	}
	if len(f.Sources) > 0 {
		b.WriteString(" (" + strings.Join(f.Sources, " < ") + ")")
	}
	return b.String()
}
