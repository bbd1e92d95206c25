// Built by: GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared
package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

var (
	data [1 << 20]byte
	n    = uint32(24)
)

//go:wasmexport bytes
func countBytes() uint32 {
	found := uint32(0)
	for i := range data {
		data[i] += 17
		switch data[i] | 0x20 {
		case 'a', 'e', 'i', 'o', 'u':
			found++
		}
	}
	return found
}

//go:wasmexport mix
func mix() uint32 {
	h := uint32(2166136261)
	for i := range uint32(1 << 20) {
		h = (h ^ i&255) * 16777619
	}
	return h
}

//go:wasmexport grid
func grid() uint32 {
	var m [90][90]uint32
	for i := range m {
		for j := range m[i] {
			m[i][j] = uint32(i * j)
		}
	}
	sum := uint32(0)
	for i := range m {
		for j := range m {
			for k := range m {
				sum += m[i][k] * m[k][j]
			}
		}
	}
	return sum
}

func fib(n uint32) uint32 {
	if n < 2 {
		return 1
	}
	return fib(n-1) + fib(n-2)
}

//go:wasmexport calls
func calls() uint32 { return fib(n) }

//go:wasmexport order
func order() uint32 {
	x := uint32(1)
	v := make([]uint32, 1<<15)
	for i := range v {
		x = x*1664525 + 1013904223
		v[i] = x
	}
	slices.Sort(v)
	return v[12345]
}

//go:wasmexport words
func words() uint32 {
	var text strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&text, "w%d ", i*7%501)
	}
	count := map[string]int{}
	for w := range strings.FieldsSeq(text.String()) {
		count[w]++
	}
	return uint32(len(count))
}

//go:wasmexport document
func document() uint32 {
	in := []byte(`[` + strings.Repeat(`{"name":"x","list":[1,2,3.5,true,null],"text":"a\tb"},`, 60) + `{}]`)
	var v any
	if err := json.Unmarshal(in, &v); err != nil {
		return 0
	}
	out, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return uint32(len(out))
}

// deep nests as deep as encoding/json allows.
//
//go:wasmexport deep
func deep() uint32 {
	var v any
	if err := json.Unmarshal([]byte(strings.Repeat("[", 9_990)+strings.Repeat("]", 9_990)), &v); err != nil {
		return 0
	}
	out, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return uint32(len(out))
}

func main() {}
