// The benchmark's plugin in Go.
package main

import (
	"encoding/json"
	"strings"
	"unsafe"

	pdk "github.com/extism/go-pdk"
)

//go:wasmexport empty
func empty() int32 { return 0 }

//go:wasmexport echo
func echo() int32 {
	pdk.Output(pdk.Input())
	return 0
}

//go:wasmexport vowels
func vowels() int32 { return count(pdk.Input()) & 0 }

func count(b []byte) int32 {
	n := int32(0)
	for _, c := range b {
		if strings.IndexByte("aeiouAEIOU", c) >= 0 {
			n++
		}
	}
	return n
}

//go:wasmexport reshape
func reshape() int32 {
	var v any
	if err := json.Unmarshal(pdk.Input(), &v); err != nil {
		pdk.SetError(err)
		return 1
	}
	b, _ := json.Marshal(v)
	pdk.Output(b)
	return 0
}

//go:wasmexport warm
func warm() {
	for range 20 {
		var v any
		_ = json.Unmarshal([]byte(`{"name":"ann","n":[1,2,3]}`), &v)
		_, _ = json.Marshal(v)
	}
}

var scanned [1 << 20]byte

//go:wasmexport scan
func scan(n int32) int32 { return count(unsafe.Slice(&scanned[0], n)) }

func main() {}
