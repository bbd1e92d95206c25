package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	sdk "github.com/extism/go-sdk"

	"errand/host/wasm/engine"
	"errand/host/wasm/extism"
	"errand/planner/message"
)

// many is the number of instances to measure.
const many = 50

// memory measures by how much the process grows for each instance that has done a call.
// Shared pages count once.
func memory(ctx context.Context, _ string, modules map[string][]byte) error {
	head(fmt.Sprintf("Memory per instance, of %d that have done a call", many), "plugin", "ours", "the SDK's")
	for _, plugin := range []string{"go", "rust", "c", "as"} {
		ours, err := ourMemory(ctx, modules[plugin])
		if err != nil {
			return err
		}
		theirs, err := sdkMemory(ctx, modules[plugin])
		if err != nil {
			return err
		}
		row(plugin, fmt.Sprintf("%d KB", ours/1000), fmt.Sprintf("%d KB", theirs/1000))
	}
	return nil
}

func ourMemory(ctx context.Context, code []byte) (int, error) {
	p, err := engine.Compile(ctx, code, engine.Options{Warn: func(message.Message) {}})
	if err != nil {
		return 0, err
	}
	defer p.Close()
	t := p.Template()
	s := engine.Setup{Name: message.Verbatim("m"), Extism: true, Closing: ctx, Limits: engine.Limits{
		Memory: 64 << 20, Output: 1 << 20, LogLines: 10, OpenFiles: 10, Raise: func(string) message.Message { return message.Message{} },
	}}
	c := &engine.Call{Function: "echo", Input: []byte("hello world"), Timeout: time.Minute, Extism: &extism.Call{}}
	one := func() (*engine.Instance, error) {
		i, err := t.Open(ctx, s, c)
		if err != nil {
			return nil, err
		}
		if _, err := i.Call(ctx, c); err != nil {
			return nil, err
		}
		if !i.Reset() {
			return nil, fmt.Errorf("an instance can't be used again: %v", t.NotResettable())
		}
		return i, nil
	}
	var all []*engine.Instance
	n, err := growth(func() error {
		i, err := one()
		all = append(all, i)
		return err
	})
	for _, i := range all {
		if i != nil {
			i.Close()
		}
	}
	t.Close()
	return n, err
}

func sdkMemory(ctx context.Context, code []byte) (int, error) {
	compiled, err := sdkPlugin(ctx, code, 30_000, "")
	if err != nil {
		return 0, err
	}
	defer compiled.Close(ctx)
	var all []*sdk.Plugin
	n, err := growth(func() error {
		p, err := sdkInstance(ctx, compiled)
		if err != nil {
			return err
		}
		all = append(all, p)
		_, _, err = p.Call("echo", []byte("hello world"))
		return err
	})
	for _, p := range all {
		p.Close(ctx)
	}
	return n, err
}

// growth returns by how much the process grows for each of many instances after the
// first.
func growth(one func() error) (int, error) {
	if err := one(); err != nil {
		return 0, err
	}
	before := resident()
	for range many {
		if err := one(); err != nil {
			return 0, err
		}
	}
	return max(0, resident()-before) / many, nil
}

// resident returns the memory of the process in bytes, without garbage. A page that is
// mapped several times counts once.
func resident() int {
	for range 2 {
		runtime.GC()
	}
	debug.FreeOSMemory()
	b, err := os.ReadFile("/proc/self/smaps_rollup")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
			kb, _ := strconv.Atoi(strings.Fields(rest)[0])
			return kb << 10
		}
	}
	return 0
}
