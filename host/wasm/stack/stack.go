// Package stack makes the end of a plugin by force readable: what happened,
// where in the plugin's own functions, by the names that its source has, and
// what is likely to help. It asks nothing of the system.
package stack

import (
	"regexp"
	"strings"
	"sync"
)

// Frame is a call that was under way, one function of the plugin.
type Frame struct {
	Function string   // as its source has it, as far as the module tells
	Name     string   // as the module has it
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
	signature = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\((?:(?:i32|i64|f32|f64|v128|externref|funcref)(?:,(?:i32|i64|f32|f64|v128|externref|funcref))*)?\)(?: (?:i32|i64|f32|f64|v128|externref|funcref|\([^()]*\)))?$`)
	})
	source = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^0x[0-9a-f]+: (.+)$`) })
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
		place := source().FindStringSubmatch(line)
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
			name, own = strings.CutPrefix(signature().ReplaceAllString(line, ""), ".")
			own = own && !t.isWrapper(name)
			if own { // a name before the dot is a function of the host
				t.Frames = append(t.Frames, Frame{Function: Demangle(name), Name: name})
			}
		}
	}
	return t
}

// isWrapper reports whether a function only calls the one inside of it: a linker's
// wrapper of an exported function.
func (t Trap) isWrapper(name string) bool {
	inner, ok := strings.CutSuffix(name, ".command_export")
	return ok && len(t.Frames) > 0 && t.Frames[len(t.Frames)-1].Name == inner
}

// machinery are functions by which languages end a program that panics: they
// stand innermost in every stack and say nothing of the plugin.
var machinery = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + strings.Join([]string{
		// C
		`abort`, `__abort`, `abort_message`, `_?_?assert_fail`, `__wasi_proc_exit`, `_Exit`, `exit`,
		// AssemblyScript, and its templates
		`~lib/builtins/abort`, `assembly/[a-z]+/abort`,
		// Rust
		`rust_panic`, `rust_begin_unwind`, `_?_?rust_start_panic`, `_?_?rust_abort`, `rust_panic_with_hook`, `rust_eh_personality`,
		`std::panicking::.*`, `std::sys.*::abort_internal`, `std::process::abort`, `panic_abort::.*`, `core::panicking::.*`,
		`std::sys_common::backtrace::.*`, `std::sys::backtrace::.*`, `core::(?:result|option)::(?:unwrap|expect)_failed`,
		`<?core::option::.*::expect_failed`, `alloc::alloc::handle_alloc_error`, `alloc::raw_vec::.*`,
		// Go and TinyGo
		`runtime\.(?:fatal|throw|gopanic|panic|abort|exit|goPanic|dopanic|crash|sigpanic|systemstack|mcall|gogo|trace|_panic|runtimePanic|` +
			`startpanic|printpanics|fatalthrow|fatalpanic)[A-Za-z0-9_.()*]*`,
	}, "|") + `)$`)
})

// OwnFrames answers the frames from the plugin's own code on: without what a language
// does to panic, unless there is nothing else.
func (t Trap) OwnFrames() []Frame {
	for i, f := range t.Frames {
		if !machinery().MatchString(f.Function) {
			return t.Frames[i:]
		}
	}
	return t.Frames
}

// Locate fills in where functions are, as [Lines] answers it, of those frames
// for which the runtime didn't say.
func (t Trap) Locate(lines map[string]string) {
	for i := range t.Frames {
		if f := &t.Frames[i]; len(f.Sources) == 0 && lines[f.Name] != "" {
			f.Sources = []string{lines[f.Name]}
		}
	}
}

// Text lays a stack out for people, a line a frame, innermost first, at most
// most of them: "at" the function, then where in the source where that is
// known. A function that called itself over and over is one line. There are none
// where there are no frames.
func (t Trap) Text(most int) []string {
	frames := t.OwnFrames()
	var lines []string
	for i := 0; i < len(frames); {
		same := 1
		for i+same < len(frames) && frames[i+same].Name == frames[i].Name {
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
		lines = append(lines, "… and those that called it")
	}
	return lines
}

func (f Frame) line(times int) string {
	var b strings.Builder
	b.WriteString("at " + f.Function)
	if times > 1 {
		b.WriteString(", which called itself")
	}
	if len(f.Sources) > 0 {
		b.WriteString(" (" + strings.Join(f.Sources, " < ") + ")")
	}
	return b.String()
}
