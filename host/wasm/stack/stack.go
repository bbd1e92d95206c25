// Package stack describes a plugin's trap for people: the reason, the plugin's own
// functions with their source names, and a likely fix. It does no I/O.
package stack

import (
	"regexp"
	"strings"
	"sync"
)

// Frame is a stack frame of a function of the plugin.
type Frame struct {
	Function string   // source name, if the module has it
	Name     string   // name in the module
	Sources  []string // "src/lib.rs:12:5", inlined calls first; empty without debug sections
}

// Trap is the runtime's description of a guest that it stopped.
type Trap struct {
	Reason string  // "unreachable", "out of bounds memory access"
	Frames []Frame // innermost first, only the plugin's own
	More   bool    // the runtime omitted outer frames
}

var (
	// Suffixes that the runtime appends to a function's name.
	signature = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\((?:(?:i32|i64|f32|f64|v128|externref|funcref)(?:,(?:i32|i64|f32|f64|v128|externref|funcref))*)?\)(?: (?:i32|i64|f32|f64|v128|externref|funcref|\([^()]*\)))?$`)
	})
	source = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^0x[0-9a-f]+: (.+)$`) })
)

const (
	stackTitle    = "wasm stack trace:"
	goTitle       = "Go runtime stack trace:"
	omittedSuffix = "... maybe followed by omitted frames"
)

// Parse parses the message of a wazero error, whose guests have no module name. Other
// text becomes the reason of a trap without frames.
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
		case line == omittedSuffix:
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

// isWrapper reports whether a function is a linker's wrapper of an exported function.
func (t Trap) isWrapper(name string) bool {
	inner, ok := strings.CutSuffix(name, ".command_export")
	return ok && len(t.Frames) > 0 && t.Frames[len(t.Frames)-1].Name == inner
}

// machinery matches functions that a language calls to panic. They are innermost in each
// stack and don't belong to the plugin.
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

// OwnFrames returns the frames without the innermost ones of the language's panic, unless
// there are no others.
func (t Trap) OwnFrames() []Frame {
	for i, f := range t.Frames {
		if !machinery().MatchString(f.Function) {
			return t.Frames[i:]
		}
	}
	return t.Frames
}

// Locate fills in the sources of frames without them, from the result of [Lines].
func (t Trap) Locate(lines map[string]string) {
	for i := range t.Frames {
		if f := &t.Frames[i]; len(f.Sources) == 0 && lines[f.Name] != "" {
			f.Sources = []string{lines[f.Name]}
		}
	}
}

// Text formats a stack for people, one line per frame and at most most lines, innermost
// first: "at", the function and its source if that is known. Repeated calls of one
// function share a line.
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

// maxFunction is how many bytes of a function's name a frame shows. Templates of C++ and
// Rust have long ones.
const maxFunction = 4 * MaxName

func (f Frame) line(times int) string {
	var b strings.Builder
	b.WriteString("at " + Clip(f.Function, maxFunction))
	if times > 1 {
		b.WriteString(", which called itself")
	}
	if len(f.Sources) > 0 {
		b.WriteString(" (" + strings.Join(f.Sources, " < ") + ")")
	}
	return b.String()
}
