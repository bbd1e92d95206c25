package meter_test

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"errand/build/must"
	"errand/host/wasm/meter"
)

// hostile are guests that never end. Each exports "run".
var hostile = []struct{ name, text string }{
	{"loop", `(func (export "run") (loop $l (br $l)))`},
	{"division", `(func (export "run") (local i64) (loop $l (local.set 0 (i64.div_u (i64.const 9223372036854775807) (i64.or (local.get 0) (i64.const 3)))) (br $l)))`},
	{"calls without a loop", tree(4, 20)},
	{"recursive calls", `(func $f (param i32) (if (local.get 0) (then (call $f (i32.sub (local.get 0) (i32.const 1))) (call $f (i32.sub (local.get 0) (i32.const 1)))))) (func (export "run") (call $f (i32.const 40)))`},
	{"tail calls", `(func $f (export "run") (return_call $f))`},
	{"recursion", `(func $f (export "run") (call $f) (call $f))`},
	{"recursion with variables", `(func $f (param i64) (result i64) ` + strings.Repeat(`(local i64)`, 100) + many(100) + `) (func (export "run") (drop (call $f (i64.const 1))))`},
	{"recursion by a table", `(table 1 funcref) (elem (i32.const 0) func $f) (type $t (func)) (func $f (export "run") (call_indirect (type $t) (i32.const 0)) (call_indirect (type $t) (i32.const 0)))`},
	{"cache misses", `(memory 512) (func (export "run") (local i32) (loop $l (i32.store (i32.and (local.tee 0 (i32.add (local.get 0) (i32.const 1052676))) (i32.const 0x1fffffc)) (i32.const 1)) (br $l)))`},
	{"memory.fill", `(memory 512) (func (export "run") (loop $l (memory.fill (i32.const 0) (i32.const 1) (i32.const 0x2000000)) (br $l)))`},
	{"memory.copy", `(memory 512) (func (export "run") (loop $l (memory.copy (i32.const 0) (i32.const 1) (i32.const 0x1ffffff)) (br $l)))`},
	{"memory.grow", `(memory 1 1024) (func (export "run") (loop $l (drop (memory.grow (i32.const 1))) (br $l)))`},
	{"memory.init", `(memory 16) (data "` + strings.Repeat("x", 1<<20) + `") (func (export "run") (loop $l (memory.init 0 (i32.const 0) (i32.const 0) (i32.const 1048576)) (br $l)))`},
	{"table.fill", `(table 1000000 funcref) (func (export "run") (loop $l (table.fill 0 (i32.const 0) (ref.null func) (i32.const 1000000)) (br $l)))`},
	{"table.copy", `(table 1000000 funcref) (func (export "run") (loop $l (table.copy (i32.const 0) (i32.const 1) (i32.const 999999)) (br $l)))`},
	{"table.grow", `(table 0 funcref) (func (export "run") (loop $l (drop (table.grow 0 (ref.null func) (i32.const 1))) (br $l)))`},
}

// tree makes functions that each call the next one several times.
func tree(times, levels int) string {
	var b strings.Builder
	for i := range levels {
		fmt.Fprintf(&b, `(func $f%d %s)`, i, strings.Repeat(fmt.Sprintf("(call $f%d)", i+1), times))
	}
	fmt.Fprintf(&b, `(func $f%d) (func (export "run") (call $f0))`, levels)
	return b.String()
}

// many keeps n variables alive across a call.
func many(n int) string {
	var set, add strings.Builder
	for i := range n {
		fmt.Fprintf(&set, `(local.set %d (i64.mul (local.get 0) (i64.const %d)))`, i+1, i+3)
		fmt.Fprintf(&add, `(local.get %d) i64.add `, i+1)
	}
	return set.String() + `(call $f (local.get 0)) ` + add.String()
}

// BenchmarkStop cancels an endless guest. "stop" is the time from the cancellation to the return
// of the call, or from the start of the call if it nested too deep by itself. "gc" is the time
// that runtime.GC takes meanwhile.
func BenchmarkStop(b *testing.B) {
	for _, h := range hostile {
		b.Run(h.name, func(b *testing.B) {
			code := metered(b, wat(b, "(module "+h.text+")"), meter.Options{}).Code
			var stops, collections []time.Duration
			for b.Loop() {
				stop, collected := stopOnce(b, code)
				stops, collections = append(stops, stop), append(collections, collected...)
			}
			slices.Sort(stops)
			slices.Sort(collections)
			ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
			b.ReportMetric(ms(stops[len(stops)-1]), "stop-max-ms")
			b.ReportMetric(ms(stops[len(stops)/2]), "stop-median-ms")
			b.ReportMetric(ms(collections[len(collections)/2]), "gc-median-ms")
			b.ReportMetric(ms(collections[len(collections)-1]), "gc-max-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

var errCancelled = errors.New("cancelled")

func stopOnce(b *testing.B, code []byte) (stop time.Duration, collections []time.Duration) {
	ctx := experimental.WithMemoryAllocator(context.Background(), experimental.MemoryAllocatorFunc(func(_, most uint64) experimental.LinearMemory {
		return reserved(make([]byte, 0, min(most, 64<<20)))
	}))
	r := wazero.NewRuntimeWithConfig(ctx, compiler())
	defer r.Close(ctx)
	var cancelled atomic.Bool
	i64 := []api.ValueType{api.ValueTypeI64}
	_, err := r.NewHostModuleBuilder(meter.YieldModule).NewFunctionBuilder().WithGoFunction(api.GoFunc(func(_ context.Context, stack []uint64) {
		if cancelled.Load() || int64(stack[0]) == meter.TooDeep {
			panic(errCancelled)
		}
		stack[0] += 1_000_000
	}), i64, i64).Export(meter.YieldName).Instantiate(ctx)
	must.Succeed(b, err)
	m, err := r.Instantiate(ctx, code)
	must.Succeed(b, err)
	done := make(chan time.Time, 1)
	began := time.Now()
	go func() {
		if _, err := m.ExportedFunction("run").Call(ctx); !errors.Is(err, errCancelled) {
			b.Errorf("it ended with %v", err)
		}
		done <- time.Now()
	}()
	for range 10 {
		start := time.Now()
		goruntime.GC()
		collections = append(collections, time.Since(start))
	}
	start := time.Now()
	cancelled.Store(true)
	ended := <-done
	if ended.Before(start) { // nested too deep before the cancellation
		return ended.Sub(began), collections
	}
	return ended.Sub(start), collections
}

// reserved is a memory that grows without moving.
type reserved []byte

func (m reserved) Reallocate(size uint64) []byte {
	if size > uint64(cap(m)) {
		return nil
	}
	return m[:size]
}

func (m reserved) Free() {}
