package wasm_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"errand/app/i18n"
	"errand/build/must"
	"errand/build/poll"
	"errand/host/tool"
	"errand/host/wasm"
)

// rogue is the module of testdata/guests/rogue.
func rogue(t testing.TB) []byte {
	t.Helper()
	return guest(t, "rogue").Bytes
}

const env = "extism:host/env"

// grow asks for a table entry more, for ever; take for memory of the host.
var (
	tableBomb = []byte{
		0xd0, 0x70, 0x41, 0x80, 0x80, 0x80, 0x80, 0x01, // ref.null func, i32.const 1<<28
		0xfc, 0x0f, 0x00, // table.grow 0
	}
	allocForever = []byte{0x03, 0x40, 0x42, 0x80, 0x80, 0x40, 0x10, 0x00, 0x50, 0x45, 0x0d, 0x00, 0x0b, 0x00} // loop alloc(1 MiB) br_if nonzero end unreachable
	logForever   = []byte{0x03, 0x40, 0x42, 0x00, 0x10, 0x00, 0x0c, 0x00, 0x0b}
	deep         = []byte{0x10, 0x00} // calls itself
)

// TestModulesThatMisbehave: each ends with a typed error, in time.
func TestModulesThatMisbehave(t *testing.T) {
	h := newHost(t, wasm.Options{})
	extism := func(code []byte, imports ...imported) []byte {
		return mod{imports: append(imports, imported{env, "input_length", toI64}), funcs: []fn{{"f", nothing, code}}, memory: []uint64{1}, table: []uint64{1}}.bytes()
	}
	started := func(code []byte) []byte {
		return mod{funcs: []fn{{"f", nothing, nil}, {"", nothing, code}}, memory: []uint64{1}, start: 2}.bytes()
	}
	short := wasm.CallOptions{Timeout: 200 * time.Millisecond, Memory: 4 << 20}
	good := mod{funcs: []fn{{"f", nothing, nil}}}.bytes()
	tests := []struct {
		name    string
		code    []byte
		options wasm.CallOptions
		class   tool.Class
		want    string // code of the error
	}{
		{"S3-H15 an endless loop", extism(loopForever), short, tool.ToolTimeout, "deadline_exceeded"},
		{"endless loop in the start section", started(loopForever), short, tool.ToolTimeout, "deadline_exceeded"},
		{"endless loop in an initialiser", mod{funcs: []fn{{"f", nothing, nil}, {"_initialize", nothing, loopForever}}}.bytes(), short, tool.ToolTimeout, "deadline_exceeded"},
		{"endless log", extism(logForever, imported{env, "log_warn", i64only}), short, tool.ExecutionError, "log_lines_limit"},
		{"trap", extism(unreachable), short, tool.ExecutionError, "plugin_trap"},
		{"trap in the start section", started(unreachable), short, tool.ExecutionError, "plugin_trap"},
		{"endless recursion", mod{funcs: []fn{{"f", nothing, deep}}}.bytes(), wasm.CallOptions{}, tool.ExecutionError, "depth_limit"},
		{"S3-H16 memory, page by page", extism(append(append([]byte{0x03, 0x40, 0x41, 0x01, 0x40, 0x00}, 0x41, 0x7f, 0x47, 0x0d, 0x00, 0x0b), 0x00)), short, tool.ExecutionError, "memory_limit"},
		{"memory from the start", mod{funcs: []fn{{"f", nothing, nil}}, memory: []uint64{1000}}.bytes(), short, tool.ExecutionError, "memory_limit"},
		{"all the memory there is", mod{funcs: []fn{{"f", nothing, nil}}, memory: []uint64{65536}}.bytes(), wasm.CallOptions{}, tool.ExecutionError, "memory_limit"},
		{"S3-H16 memory of the host", extism(allocForever, imported{env, "alloc", i64toI64}), short, tool.ExecutionError, "memory_limit"},
		{"table too big from the start", mod{funcs: []fn{{"f", nothing, nil}}, table: []uint64{1 << 27}}.bytes(), short, tool.ToolUnavailable, "bad_module"},
		{"no such function", extism(nil), short, tool.ToolUnavailable, "no_such_function"},
		{"function with parameters", mod{funcs: []fn{{"f", i64only, nil}}}.bytes(), short, tool.ToolUnavailable, "bad_signature"},
		{"function with an i64", mod{funcs: []fn{{"f", toI64, []byte{0x42, 0}}}}.bytes(), short, tool.ToolUnavailable, "bad_signature"},
		{"unknown import", mod{imports: []imported{{"env", "abort", nothing}}, funcs: []fn{{"f", nothing, nil}}}.bytes(), short, tool.ToolUnavailable, "missing_imports"},
		{"import of a newer PDK", mod{imports: []imported{{env, "teleport", nothing}}, funcs: []fn{{"f", nothing, nil}}}.bytes(), short, tool.ToolUnavailable, "missing_imports"},
		{"import of another type", mod{imports: []imported{{env, "alloc", nothing}}, funcs: []fn{{"f", nothing, nil}}}.bytes(), short, tool.ToolUnavailable, "wrong_imports"},
		{"PDK before 1.0", mod{imports: []imported{{"env", "extism_alloc", i64toI64}}, funcs: []fn{{"f", nothing, nil}}}.bytes(), short, tool.ToolUnavailable, "unsupported_module"},
		{"invalid code", extism([]byte{0x6a}), short, tool.ToolUnavailable, "bad_module"},
		{"empty file", nil, short, tool.ToolUnavailable, "bad_module"},
		{"no WebAssembly", []byte("#!/bin/sh\n"), short, tool.ToolUnavailable, "bad_module"},
		{"header alone, cut", []byte("\x00asm\x01"), short, tool.ToolUnavailable, "bad_module"},
		{"component", []byte("\x00asm\x0d\x00\x01\x00"), short, tool.ToolUnavailable, "unsupported_module"},
		{"future version", []byte("\x00asm\x02\x00\x00\x00"), short, tool.ToolUnavailable, "bad_module"},
		{"nothing but a header", []byte("\x00asm\x01\x00\x00\x00"), short, tool.ToolUnavailable, "unsupported_module"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			function := "f"
			if tt.name == "no such function" {
				function = "g"
			}
			begin := time.Now()
			_, err := h.Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: tt.code}, function, nil, tt.options)
			wantError(t, err, tt.class, tt.want)
			if took := time.Since(begin); took > poll.Patience {
				t.Errorf("it took %v", took)
			}
			if _, err := h.Call(t.Context(), wasm.Module{Name: "good.wasm", Bytes: good}, "f", nil, short); err != nil {
				t.Errorf("the next call: %v", err)
			}
		})
	}
}

// TestOwnStackOverflow: what a compiler sets aside for the stack lies in the
// plugin's memory, and using it up is not told as an index that went wrong.
func TestOwnStackOverflow(t *testing.T) {
	h := newHost(t, wasm.Options{})
	_, err := h.Call(t.Context(), guest(t, "overflow-c"), "_start", nil, wasm.CallOptions{})
	e := tool.AsError(err)
	if err == nil || e.Code != "plugin_trap" || !strings.Contains(i18n.English().Text(e.Message), "stack overflow") || !strings.Contains(i18n.English().Text(e.Hint), "endless recursion") {
		t.Errorf("it ended with %+v", e)
	}
	index := mod{funcs: []fn{{"f", nothing, []byte{0x41, 0x70, 0x28, 0x02, 0x00, 0x1a}}}, memory: []uint64{1}}.bytes() // i32.load of -16
	_, err = h.Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: index}, "f", nil, wasm.CallOptions{})
	if e := tool.AsError(err); err == nil || !strings.Contains(i18n.English().Text(e.Message), "out of bounds memory") || !strings.Contains(i18n.English().Text(e.Hint), "index or pointer") {
		t.Errorf("an index that is wrong ended with %+v", e)
	}
}

// TestTrapLocation: whichever way a call ends badly, its author is told what was
// called, the end of its log and which input it had, and of one that was ended where
// it was.
func TestTrapLocation(t *testing.T) {
	call := rogueTools(t, wasm.Options{})
	check := func(what string, e *tool.Error, code string, ended bool, log string) {
		t.Helper()
		if e == nil || e.Code != code {
			t.Errorf("%s ended with %+v", what, e)
			return
		}
		has := func(part string) bool {
			return slices.ContainsFunc(e.Details, func(line string) bool { return strings.HasPrefix(line, part) })
		}
		if has("at ") != ended || !has("input: ") || !has("log: "+log) || !has("at _start") && !has("in a call of ") {
			t.Errorf("%s tells\n%s", what, strings.Join(e.Details, "\n"))
		}
	}
	for _, tt := range []struct {
		name, code string
		ended      bool
		log        string // how a line of its log begins
	}{
		{"flood", "output_limit", true, ""},
		{"bomb", "memory_limit", false, "created by"},
		{"loop", "deadline_exceeded", true, ""},
		{"chatter", "log_lines_limit", true, "l"},
		{"panic", "plugin_exited", false, "goroutine 1"},
		{"garbage", "bad_output", false, ""},
		{"silence", "bad_output", false, ""},
		{"exit", "plugin_exited", false, ""},
	} {
		e := call("rogue."+tt.name, nil).Error
		if e != nil && tt.log == "" { // it wrote nothing
			e.Details = append(e.Details, "log: ")
		}
		check("rogue."+tt.name, e, tt.code, tt.ended, tt.log)
	}
	h := newHost(t, wasm.Options{})
	for function, code := range map[string]string{"log": "log_lines_limit", "vars": "vars_limit"} {
		_, err := h.Call(t.Context(), wasm.Module{Name: "greedy.wasm", Bytes: assemble(t, greedy)}, function, nil, wasm.CallOptions{})
		if e := tool.AsError(err); err == nil || e.Code != code || len(e.Details) == 0 || !strings.HasPrefix(e.Details[len(e.Details)-1], "input: 0 bytes") {
			t.Errorf("%s ended with %+v", function, e)
		}
	}
}

// TestTableBomb: a plugin that asks for 2²⁸ table entries is refused them, and
// can go on.
func TestTableBomb(t *testing.T) {
	h := newHost(t, wasm.Options{})
	code := mod{funcs: []fn{{"f", toI32, tableBomb}}, table: []uint64{1}}.bytes()
	out, err := h.Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: code}, "f", nil, wasm.CallOptions{})
	if err != nil || out.ExitCode != -1 {
		t.Errorf("table.grow answered %d (%v), want -1", int32(out.ExitCode), err)
	}
}

func TestInputBeyondMemory(t *testing.T) {
	h := newHost(t, wasm.Options{})
	_, err := h.Call(t.Context(), fixture(t, "input_offset.wasm"), "input_offset_length", make([]byte, 2<<20), wasm.CallOptions{Memory: 2 << 20})
	wantError(t, err, tool.ValidationError, "input_too_large")
}

func TestOutputLimit(t *testing.T) {
	h := newHost(t, wasm.Options{})
	_, err := h.Call(t.Context(), fixture(t, "hello.wasm"), "run_test", nil, wasm.CallOptions{Output: 12})
	wantError(t, err, tool.ExecutionError, "output_limit")
	out, err := h.Call(t.Context(), fixture(t, "hello.wasm"), "run_test", nil, wasm.CallOptions{Output: 13})
	if err != nil || string(out.Data) != "Hello, world!" {
		t.Errorf("output of exactly the limit: %q, %v", out.Data, err)
	}
}

// TestTruncated cuts a real plugin at many places: always an error, never a
// panic.
func TestTruncated(t *testing.T) {
	h := newHost(t, wasm.Options{})
	whole := fixture(t, "hello.wasm").Bytes
	for n := 0; n < len(whole); n += 7 {
		_, cut := wasm.Inspect(whole[:n])
		_, err := h.Call(t.Context(), wasm.Module{Name: "cut.wasm", Bytes: whole[:n]}, "run_test", nil, wasm.CallOptions{})
		if err == nil && cut != nil {
			t.Errorf("%d bytes of %d ran, and are %v", n, len(whole), cut)
		} else if e := new(tool.Error); err != nil && !errors.As(err, &e) {
			t.Errorf("%d bytes: %T is no *tool.Error", n, err)
		}
	}
}

func TestSleepEndsWithTheCall(t *testing.T) {
	h := newHost(t, wasm.Options{})
	sleep := wasm.CallOptions{Config: map[string]string{"duration": "3000"}, Timeout: 150 * time.Millisecond}
	begin := time.Now()
	_, err := h.Call(t.Context(), fixture(t, "sleep.wasm"), "run_test", nil, sleep)
	wantError(t, err, tool.ToolTimeout, "deadline_exceeded")
	if !strings.Contains(i18n.English().Error(err), "150ms") {
		t.Errorf("%q does not name the limit", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	sleep.Timeout = time.Minute
	_, err = h.Call(ctx, fixture(t, "sleep.wasm"), "run_test", nil, sleep)
	wantError(t, err, tool.ExecutionError, "interrupted")
	ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = h.Call(ctx, fixture(t, "sleep.wasm"), "run_test", nil, sleep)
	wantError(t, err, tool.ToolTimeout, "deadline_exceeded")
	if took := time.Since(begin); took > poll.Patience {
		t.Errorf("three ended sleeps took %v", took)
	}
}

// TestMuchEndsWithTheCall: what a guest has the host do with all of its memory is
// ended in the middle of it.
func TestMuchEndsWithTheCall(t *testing.T) {
	h := newHost(t, wasm.Options{})
	code := assemble(t, `
	(import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
	(import "wasi_snapshot_preview1" "path_open" (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
	(import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
	(memory 3900)
	(data (i32.const 16) "f")
	(func (export "random") (drop (call $random (i32.const 64) (i32.const 250000000))))
	(func (export "write")
	  (drop (call $open (i32.const 3) (i32.const 0) (i32.const 16) (i32.const 1) (i32.const 9) (i64.const -1) (i64.const -1) (i32.const 0) (i32.const 32)))
	  (i32.store (i32.const 40) (i32.const 64))
	  (i32.store (i32.const 44) (i32.const 250000000))
	  (drop (call $write (i32.load (i32.const 32)) (i32.const 40) (i32.const 1) (i32.const 36))))`)
	for _, function := range []string{"random", "write"} {
		dir := t.TempDir()
		_, err := h.Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: code}, function, nil, wasm.CallOptions{
			Timeout: 5 * time.Millisecond, Mounts: []wasm.Mount{{Host: dir, Guest: "/d"}},
		})
		wantError(t, err, tool.ToolTimeout, "deadline_exceeded")
		if info, err := os.Stat(filepath.Join(dir, "f")); err == nil && info.Size() >= 250_000_000 {
			t.Error("all of it was written")
		}
	}
}

// TestCloseEndsCalls: Close does not wait for a plugin that never ends.
func TestCloseEndsCalls(t *testing.T) {
	h := wasm.New(wasm.Options{})
	code := mod{funcs: []fn{{"f", nothing, loopForever}, {"g", nothing, nil}}}.bytes()
	if _, err := h.Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: code}, "g", nil, wasm.CallOptions{}); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := h.Call(context.Background(), wasm.Module{Name: "m.wasm", Bytes: code}, "f", nil, wasm.CallOptions{Timeout: time.Hour})
		ended <- err
	}()
	poll.SettleDown() // the call is most likely in its loop; either way it must end
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	must.Succeed(t, h.Close(ctx))
	wantError(t, <-ended, tool.ToolUnavailable, "host_closed")
	_, err := h.Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: code}, "g", nil, wasm.CallOptions{})
	wantError(t, err, tool.ToolUnavailable, "host_closed")
	if err := h.Close(ctx); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

func wantError(t *testing.T, err error, class tool.Class, code string) {
	t.Helper()
	var e *tool.Error
	switch {
	case !errors.As(err, &e):
		t.Fatalf("error is %v (%T), want a *tool.Error with code %s", err, err, code)
	case e.Class != class || e.Code != code:
		t.Fatalf("error is %s %s (%s), want %s %s", e.Class, e.Code, i18n.English().Text(e.Message), class, code)
	case e.Message.IsZero() || strings.Contains(i18n.English().Text(e.Message), "\n"):
		t.Errorf("message is not one line: %q", i18n.English().Text(e.Message))
	}
}

// TestManyPiecesEndWithTheCall: so is what a guest asks for in more pieces than can
// be done, none of which is long: lines without an end, and small writes.
func TestManyPiecesEndWithTheCall(t *testing.T) {
	h := newHost(t, wasm.Options{})
	code := assemble(t, `
	(import "wasi_snapshot_preview1" "path_open" (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
	(import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
	(import "extism:host/env" "input_length" (func (result i64)))
	(memory 200)
	(data (i32.const 16) "f")
	(func $to (param $fd i32) (local $n i32) ;; a million times 200,000 bytes
	  (loop $more
	    (i32.store offset=1000 (local.get $n) (i32.const 64))
	    (i32.store offset=1004 (local.get $n) (i32.const 200000))
	    (br_if $more (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 8))) (i32.const 8000000))))
	  (drop (call $write (local.get $fd) (i32.const 1000) (i32.const 1000000) (i32.const 36))))
	(func (export "file")
	  (drop (call $open (i32.const 3) (i32.const 0) (i32.const 16) (i32.const 1) (i32.const 9) (i64.const -1) (i64.const -1) (i32.const 0) (i32.const 32)))
	  (call $to (i32.load (i32.const 32))))
	(func (export "error") (call $to (i32.const 2)))`)
	for _, function := range []string{"file", "error"} {
		_, err := h.Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: code}, function, nil, wasm.CallOptions{
			Timeout: 100 * time.Millisecond, Mounts: []wasm.Mount{{Host: t.TempDir(), Guest: "/d", Quota: 1 << 50, MaxFile: 1 << 50}},
		})
		wantError(t, err, tool.ToolTimeout, "deadline_exceeded")
	}
}

// TestLongPaths: a path as long as the memory is no path, whoever takes it.
func TestLongPaths(t *testing.T) {
	h := newHost(t, wasm.Options{})
	for call, params := range map[string]string{
		"path_create_directory":   "i32 i32 i32: (i32.const 3) PATH",
		"path_filestat_get":       "i32 i32 i32 i32 i32: (i32.const 3) (i32.const 0) PATH (i32.const 8)",
		"path_filestat_set_times": "i32 i32 i32 i32 i64 i64 i32: (i32.const 3) (i32.const 0) PATH (i64.const 0) (i64.const 0) (i32.const 0)",
		"path_link":               "i32 i32 i32 i32 i32 i32 i32: (i32.const 3) (i32.const 0) (i32.const 64) (i32.const 1) (i32.const 3) PATH",
		"path_open":               "i32 i32 i32 i32 i32 i64 i64 i32 i32: (i32.const 3) (i32.const 0) PATH (i32.const 9) (i64.const -1) (i64.const -1) (i32.const 0) (i32.const 32)",
		"path_readlink":           "i32 i32 i32 i32 i32 i32: (i32.const 3) PATH (i32.const 8) (i32.const 8) (i32.const 16)",
		"path_remove_directory":   "i32 i32 i32: (i32.const 3) PATH",
		"path_rename":             "i32 i32 i32 i32 i32 i32: (i32.const 3) (i32.const 64) (i32.const 1) (i32.const 3) PATH",
		"path_symlink":            "i32 i32 i32 i32 i32: (i32.const 64) (i32.const 1) (i32.const 3) PATH",
		"path_unlink_file":        "i32 i32 i32: (i32.const 3) PATH",
	} {
		types, args, _ := strings.Cut(params, ":")
		code := assemble(t, `
		(import "wasi_snapshot_preview1" "`+call+`" (func $call (param `+types+`) (result i32)))
		(import "extism:host/env" "input_length" (func (result i64)))
		(memory 40)
		(func (export "f") (result i32) (local $n i32)
		  (loop $more
		    (i32.store16 offset=64 (local.get $n) (i32.const 0x2f61))
		    (br_if $more (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 2))) (i32.const 2000000))))
		  (call $call `+strings.Replace(args, "PATH", "(i32.const 64) (i32.const 2000000)", 1)+`))`)
		out, err := h.Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: code}, "f", nil, wasm.CallOptions{Mounts: []wasm.Mount{{Host: t.TempDir(), Guest: "/d"}}})
		if err != nil || out.ExitCode != 21 {
			t.Errorf("%s answers %d (%v), want EFAULT", call, out.ExitCode, err)
		}
	}
}

// TestTimesOfDescriptors checks what a guest gets that sets the times of a descriptor, also
// of a standard stream, which has no file.
func TestTimesOfDescriptors(t *testing.T) {
	h := newHost(t, wasm.Options{})
	const (
		success = 0
		badf    = 8
		inval   = 28
	)
	for _, tt := range []struct {
		name, fd, flags string
		want            int32
	}{
		{"stdin", "0", "0", badf},
		{"stdout", "1", "0", badf},
		{"stderr", "2", "0", badf},
		{"stdin that was moved", "9", "0", badf},
		{"stdin, now", "0", "10", badf},
		{"stdin, two times at once", "0", "3", badf},
		{"a folder", "3", "5", success},
		{"a folder, two times at once", "3", "3", inval},
		{"a descriptor that is not open", "77", "0", badf},
		{"a negative descriptor", "-1", "0", badf},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code := assemble(t, `
			(import "wasi_snapshot_preview1" "fd_filestat_set_times" (func $call (param i32 i64 i64 i32) (result i32)))
			(import "wasi_snapshot_preview1" "fd_renumber" (func $move (param i32 i32) (result i32)))
			(import "extism:host/env" "input_length" (func (result i64)))
			(memory 1)
			(func (export "f") (result i32)
			  (drop (call $move (i32.const 0) (i32.const 9)))
			  (call $call (i32.const `+tt.fd+`) (i64.const 0) (i64.const 0) (i32.const `+tt.flags+`)))`)
			out, err := h.Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: code}, "f", nil, wasm.CallOptions{Mounts: []wasm.Mount{{Host: t.TempDir(), Guest: "/d"}}})
			if err != nil || out.ExitCode != tt.want {
				t.Errorf("answer %d (%v), want %d", out.ExitCode, err, tt.want)
			}
		})
	}
}
