package inspect_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/inspect"
	"errand/planner/message"
)

// importing is a module with those imports and an exported function f. Each
// import has a type of its own, followed by that of f.
func importing(imports []inspect.Import) []byte {
	codes := map[string]byte{"i32": 0x7f, "i64": 0x7e}
	text := func(b []byte, s string) []byte { return append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	types, body := []byte{}, []byte{}
	list := func(b []byte, s string) []byte {
		names := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("(), ", r) })
		b = append(b, byte(len(names)))
		for _, n := range names {
			b = append(b, codes[n])
		}
		return b
	}
	for n, i := range imports {
		params, results, _ := strings.Cut(i.Type, "->")
		types = list(list(append(types, 0x60), params), results)
		body = binary.AppendUvarint(append(text(text(body, i.Module), i.Name), 0), uint64(n))
	}
	count := binary.AppendUvarint(nil, uint64(len(imports)))
	out := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, body []byte) {
		out = append(binary.AppendUvarint(append(out, id), uint64(len(body))), body...)
	}
	section(1, append(binary.AppendUvarint(nil, uint64(len(imports)+1)), append(types, 0x60, 0, 0)...))
	section(2, append(count, body...))
	section(3, append([]byte{1}, count...))
	section(7, append([]byte{1, 1, 'f', 0}, count...))
	section(10, []byte{1, 2, 0, 0x0b})
	return out
}

// TestOffered: what is offered links, and with a type that is another it is told
// before a call as by one.
func TestOffered(t *testing.T) {
	h := wasm.New(wasm.Options{})
	t.Cleanup(func() { _ = h.Close(t.Context()) })
	offers := inspect.Offers()
	if len(offers) < 80 {
		t.Fatalf("%d functions are offered", len(offers))
	}
	all := importing(offers)
	if _, err := h.Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: all}, "f", nil, wasm.CallOptions{}); err != nil {
		t.Errorf("a module that imports all that is offered: %v", err)
	}
	for _, i := range offers {
		other := i
		if other.Type = "(i32) -> (i64)"; other.Type == i.Type {
			t.Fatalf("%s is what no function is", i)
		}
		read, err := inspect.Read(importing([]inspect.Import{other}))
		if err != nil || len(read.Imports) != 1 || !read.Imports[0].Fault.Equal(message.New("module.import_of_other_type", "type", i.Type)) {
			t.Errorf("%s: %+v, %v", other, read.Imports, err)
		}
	}
	m := wasm.Module{Name: "m.wasm", Bytes: importing([]inspect.Import{
		{Module: inspect.ExtismModule, Name: "length", Type: "(i32) -> (i32)"}, {Module: inspect.WASIModule, Name: "fd_close", Type: "(i64) -> (i32)"},
	})}
	_, called := h.Call(t.Context(), m, "f", nil, wasm.CallOptions{})
	_, foreseen := wasm.Foresee(t.Context(), m, 1)
	const want = `m.wasm: it imports func "extism:host/env" "length" (i32) -> (i32), which is (i64) -> (i64) here,` +
		` func "wasi_snapshot_preview1" "fd_close" (i64) -> (i32), which is (i32) -> (i32) here`
	for _, err := range []error{called, foreseen} {
		if e := tool.AsError(err); e == nil || e.Code != "wrong_imports" || i18n.English().Text(e.Message) != want || e.Retriable ||
			!strings.Contains(i18n.English().Text(e.Hint), "declare it as (i64) -> (i64)") {
			t.Errorf("%+v", e)
		}
	}
}
