package engine

import (
	"bytes"
	"strings"

	"errand/host/wasm/extism"
	"errand/host/wasm/stack"
	"errand/planner/message"
)

// input is the standard input of the current call.
type input struct{ bytes.Reader }

// boundedBuffer collects a plugin's output up to a limit. Exceeding it stops the
// plugin at once, because a program that ignores write errors would never stop.
type boundedBuffer struct {
	limit uint64
	bytes.Buffer
	overflow func()
	pause    func()
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	b.pause()
	if uint64(b.Len())+uint64(len(p)) > b.limit {
		b.overflow() // does not return
	}
	return b.Buffer.Write(p)
}

// logger passes on a plugin's standard streams. It limits them, so that a plugin
// can't fill the disk or the screen.
type logger struct {
	sink     func(level string, line message.Message)
	limit    int // lines per call
	exceeded func()
	ended    bool // the call has ended, so limits no longer apply
	lines    int
	tail     stack.Tail
}

func (l *logger) log(level, text string) {
	if l.lines++; l.lines > l.limit {
		if !l.ended {
			l.exceeded() // does not return
		}
		return
	}
	if strings.TrimSpace(text) != "" {
		l.tail.Add(stack.Clip(text, 200))
	}
	l.report(level, message.Verbatim(stack.Clip(text, extism.MaxLogLine)))
}

// report passes on a line of the host's own.
func (l *logger) report(level string, line message.Message) {
	if l.sink != nil {
		l.sink(level, line)
	}
}

// lineWriter logs each line that is written to it. A write without a newline does
// not count towards the limit of lines, so each write first checks whether the
// call has ended.
type lineWriter struct {
	log   func(line string)
	pause func()
	part  []byte
}

func (w *lineWriter) Write(p []byte) (int, error) {
	w.pause()
	for rest := p; len(rest) > 0; {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		if free := extism.MaxLogLine - len(w.part); free > 0 {
			w.part = append(w.part, line[:min(len(line), free)]...)
		}
		if whole {
			w.flush()
		}
		rest = after
	}
	return len(p), nil
}

// flush logs a last line without a newline.
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
