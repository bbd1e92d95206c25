package engine

import (
	"bytes"
	"strings"

	"errand/host/wasm/extism"
	"errand/host/wasm/stack"
)

// input is standard input: the call's.
type input struct{ bytes.Reader }

// boundedBuffer takes a plugin's output up to a limit. Going beyond ends the
// plugin at once: a program that doesn't look at write errors would go on for
// ever.
type boundedBuffer struct {
	limit uint64
	bytes.Buffer
	overflow func()
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	if uint64(b.Len())+uint64(len(p)) > b.limit {
		b.overflow() // does not return
	}
	return b.Buffer.Write(p)
}

// logger passes on what a plugin writes to its standard streams, bounded: a
// plugin may not fill the person's disk or screen.
type logger struct {
	sink     func(level, message string)
	limit    int // lines a call
	exceeded func()
	over     bool // the call is: nothing is left to be ended
	lines    int
	tail     stack.Tail
}

func (l *logger) log(level, message string) {
	if l.lines++; l.lines > l.limit {
		if !l.over {
			l.exceeded() // does not return
		}
		return
	}
	l.pass(level, message)
}

func (l *logger) pass(level, message string) {
	if strings.TrimSpace(message) != "" {
		l.tail.Add(stack.Clip(message, 200))
	}
	if l.sink != nil {
		l.sink(level, stack.Clip(message, extism.MaxLogLine))
	}
}

// lineWriter logs each line that is written to it.
type lineWriter struct {
	log  func(line string)
	part []byte
}

func (w *lineWriter) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		if room := extism.MaxLogLine - len(w.part); room > 0 {
			w.part = append(w.part, line[:min(len(line), room)]...)
		}
		if whole {
			w.flush()
		}
		rest = after
	}
	return len(p), nil
}

// flush logs a last line that has no end.
func (w *lineWriter) flush() {
	if len(w.part) == 0 {
		return
	}
	line := strings.ToValidUTF8(strings.TrimRight(string(w.part), "\r"), "\uFFFD")
	w.part = w.part[:0]
	if line != "" {
		w.log(line)
	}
}
