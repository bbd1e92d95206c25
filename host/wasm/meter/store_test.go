package meter_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/wasm/meter"
)

// TestStore checks that a stored module is the same when it is read again, and that a truncated
// one is an error.
func TestStore(t *testing.T) {
	code := wat(t, `(module (memory 1 2) (global $g (mut i32) (i32.const 1))
		(func $f (export "run") (param i32) (result i32) (if (result i32) (local.get 0) (then (call $f (i32.const 0))) (else (global.get $g)))))`)
	want, err := meter.Rewrite(code, meter.Options{})
	must.Succeed(t, err)
	b, err := want.MarshalBinary()
	must.Succeed(t, err)
	var got meter.Module
	must.Succeed(t, got.UnmarshalBinary(b))
	if diff := cmp.Diff(want, &got, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
		t.Errorf("module (-want +got):\n%s", diff)
	}
	for _, cut := range []int{0, 1, 20} {
		if err := got.UnmarshalBinary(b[:cut]); err == nil {
			t.Errorf("the first %d bytes are read as a module", cut)
		}
	}
}
