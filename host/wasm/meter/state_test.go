package meter_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tetratelabs/wazero/api"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/wasm/meter"
)

// TestVirtualMemory checks that after the host has reset the size, memory.grow returns existing
// pages and the real memory does not grow.
func TestVirtualMemory(t *testing.T) {
	m := metered(t, wat(t, `(module (memory (export "memory") 1 5)
		(func (export "size") (result i32) (memory.size))
		(func (export "grow") (param i32) (result i32) (memory.grow (local.get 0))))`), meter.Options{})
	ctx := context.Background()
	module, err := runtime(t, &grants{slice: 100_000}, compiler()).Instantiate(ctx, m.Code)
	must.Succeed(t, err)
	call := func(name string, args ...uint64) int32 {
		out, err := module.ExportedFunction(name).Call(ctx, args...)
		must.Succeed(t, err)
		return int32(out[0])
	}
	pages := module.ExportedGlobal(m.Pages).(api.MutableGlobal)
	for round := range 3 {
		for _, step := range []struct {
			name string
			arg  []uint64
			want int32
		}{
			{"size", nil, 1},
			{"grow", []uint64{0}, 1},
			{"grow", []uint64{2}, 1},
			{"size", nil, 3},
			{"grow", []uint64{3}, -1},
			{"grow", []uint64{math.MaxUint32}, -1},
			{"size", nil, 3},
			{"grow", []uint64{2}, 3},
			{"grow", []uint64{1}, -1},
			{"size", nil, 5},
		} {
			if got := call(step.name, step.arg...); got != step.want {
				t.Errorf("round %d: %s%v answers %d, want %d", round, step.name, step.arg, got, step.want)
			}
		}
		if real := module.Memory().Size(); real != 5<<16 {
			t.Errorf("round %d: the memory has %d bytes", round, real)
		}
		pages.Set(1)
	}
	if diff := cmp.Diff([]meter.Global{{Name: m.Pages, Type: meter.I32}}, m.Globals); diff != "" {
		t.Errorf("globals (-want +got):\n%s", diff)
	}
}

func TestNewInstanceReasons(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"nothing", `(memory 1) (global (mut i32) (i32.const 0)) (table 1 funcref) (data "x") (func (drop (table.get 0 (i32.const 0))) (memory.init 0 (i32.const 0) (i32.const 0) (i32.const 0)))`, nil},
		{"table.set", `(table 1 funcref) (func (table.set 0 (i32.const 0) (ref.null func)))`, []string{"it writes to a table"}},
		{"table.grow", `(table 1 funcref) (func (drop (table.grow 0 (ref.null func) (i32.const 1))))`, []string{"it writes to a table"}},
		{"elem.drop", `(table 1 funcref) (elem func) (func (elem.drop 0))`, []string{"it drops an element segment"}},
		{"data.drop", `(memory 1) (data "x") (func (data.drop 0))`, []string{"it drops a data segment"}},
		{"imports", `(import "m" "m" (memory 1)) (import "m" "t" (table 1 funcref)) (import "m" "g" (global (mut i32)))`, []string{"it imports its memory", "it imports a table", "it imports a mutable global"}},
		{"vector global", `(global (mut v128) (v128.const i64x2 0 0))`, []string{"it has a mutable global of a type that a host can't read and write"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := metered(t, wat(t, "(module "+tt.text+")"), meter.Options{})
			var held []string
			for _, reason := range m.NewInstanceReasons {
				held = append(held, i18n.English().Text(reason))
			}
			if diff := cmp.Diff(tt.want, held); diff != "" {
				t.Errorf("held (-want +got):\n%s", diff)
			}
			if m.Resettable() != (tt.want == nil) {
				t.Errorf("resettable: %t", m.Resettable())
			}
		})
	}
}

// TestTables checks that no table can grow beyond its limit.
func TestTables(t *testing.T) {
	m := metered(t, wat(t, `(module (table $a 1 funcref) (table $b 1 3 externref)
		(func (export "a") (param i32) (result i32) (table.grow $a (ref.null func) (local.get 0)))
		(func (export "b") (param i32) (result i32) (table.grow $b (ref.null extern) (local.get 0))))`), meter.Options{Table: 100})
	ctx := context.Background()
	module, err := runtime(t, &grants{slice: 1000}, compiler()).Instantiate(ctx, m.Code)
	must.Succeed(t, err)
	for _, tt := range []struct {
		name string
		by   uint64
		want int32
	}{{"a", 100, -1}, {"a", 99, 1}, {"a", 1, -1}, {"b", 3, -1}, {"b", 2, 1}, {"a", math.MaxUint32, -1}} {
		out, err := module.ExportedFunction(tt.name).Call(ctx, tt.by)
		if err != nil || int32(out[0]) != tt.want {
			t.Errorf("%s grows by %d: %d (%v), want %d", tt.name, tt.by, int32(out[0]), err, tt.want)
		}
	}
}

// TestBulk checks that bulk operations have the same effect in pieces, and that an operation out
// of bounds traps before it writes.
func TestBulk(t *testing.T) {
	code := wat(t, `(module (memory (export "memory") 40)
		(func (export "fill") (param i32 i32 i32) (memory.fill (local.get 0) (local.get 1) (local.get 2)))
		(func (export "copy") (param i32 i32 i32) (memory.copy (local.get 0) (local.get 1) (local.get 2))))`)
	ctx := context.Background()
	load := func(code []byte) api.Module {
		m, err := runtime(t, &grants{slice: 1000}, compiler()).Instantiate(ctx, code)
		must.Succeed(t, err)
		b, _ := m.Memory().Read(0, m.Memory().Size())
		for i := range b {
			b[i] = byte(i*i>>7 + i>>13)
		}
		return m
	}
	plain, rewritten := load(code), load(metered(t, code, meter.Options{}).Code)
	const piece, size = 256 << 10, 40 << 16
	for _, args := range [][3]uint64{
		{0, 0, 0},
		{0, 9, 1},
		{5, 1000, piece},
		{5, 1000, piece + 1},
		{1000, 5, piece + 1},
		{3, 100_000, 2 * piece},
		{100_000, 3, 2 * piece},
		{1, 0, size - 1},
		{0, 1, size - 1},
		{0, 300_001, 1_000_003},
		{300_001, 0, 1_000_003},
		{77, 77, 3*piece + 5},
		{0, 0, size},
		{0, 0, size + 1},
		{1, 0, size},
		{0, 1, size},
		{size, 0, 0},
		{size, 0, 1},
		{size + 1, 0, 0},
		{math.MaxUint32, 0, math.MaxUint32},
		{0, math.MaxUint32, math.MaxUint32},
		{16, math.MaxUint32, piece},
		{0, 0, math.MaxUint32},
	} {
		for _, name := range []string{"copy", "fill"} {
			var failed [2]string
			var after [2][]byte
			for i, m := range []api.Module{plain, rewritten} {
				if _, err := m.ExportedFunction(name).Call(ctx, args[0], args[1], args[2]); err != nil {
					failed[i], _, _ = strings.Cut(i18n.English().Error(err), "\n")
				}
				after[i], _ = m.Memory().Read(0, m.Memory().Size())
			}
			if failed[0] != failed[1] {
				t.Errorf("%s%v ends with %q, metered with %q", name, args, failed[0], failed[1])
			}
			if !bytes.Equal(after[0], after[1]) {
				t.Errorf("%s%v leaves another memory", name, args)
			}
		}
	}
}

// TestReset checks that the memory and the listed globals are the whole state: a reset guest does
// the same work with the same fuel, however often it has run and however much memory it used.
func TestReset(t *testing.T) {
	for language, code := range buildGuests(t, "go", "rust") {
		m := metered(t, code, meter.Options{})
		if !m.Resettable() {
			t.Fatalf("%s: held for %v", language, m.NewInstanceReasons)
		}
		g := &grants{slice: 1_000_000}
		module := load(t, m.Code, g)
		snapshot, _ := module.Memory().Read(0, module.Memory().Size())
		snapshot = bytes.Clone(snapshot)
		globals := make([]uint64, len(m.Globals))
		for i, global := range m.Globals {
			globals[i] = module.ExportedGlobal(global.Name).Get()
		}
		for _, name := range []string{"words", "deep", "order"} {
			var answer, fuel, size uint64
			for round := range 5 {
				before := g.used(module)
				out, err := module.ExportedFunction(name).Call(context.Background())
				if err != nil {
					t.Fatalf("%s: %s: %v", language, name, err)
				}
				used := uint64(g.used(module) - before)
				if round > 0 && (out[0] != answer || used != fuel || uint64(module.Memory().Size()) != size) {
					t.Errorf("%s: %s, round %d: it answers %d for %d units in %d bytes, before %d for %d in %d",
						language, name, round, out[0], used, module.Memory().Size(), answer, fuel, size)
				}
				answer, fuel, size = out[0], used, uint64(module.Memory().Size())
				all, _ := module.Memory().Read(0, module.Memory().Size())
				clear(all[copy(all, snapshot):])
				for i, global := range m.Globals {
					module.ExportedGlobal(global.Name).(api.MutableGlobal).Set(globals[i])
				}
			}
		}
	}
}
