package main

// The functions of every Extism host. Texts are passed in a memory of their
// own; a handle is the offset of a text, and 0 means no text.
// github.com/extism/go-pdk wraps them all, HTTP included.

//go:wasmimport extism:host/env alloc
func hostAlloc(length uint64) uint64

//go:wasmimport extism:host/env length
func hostLength(at uint64) uint64

//go:wasmimport extism:host/env load_u8
func hostLoad(at uint64) uint32

//go:wasmimport extism:host/env store_u8
func hostStore(at uint64, b uint32)

//go:wasmimport extism:host/env input_length
func hostInputLength() uint64

//go:wasmimport extism:host/env input_load_u8
func hostInputLoad(index uint64) uint32

//go:wasmimport extism:host/env output_set
func hostOutput(at, length uint64)

//go:wasmimport extism:host/env error_set
func hostError(at uint64)

//go:wasmimport extism:host/env config_get
func hostConfig(key uint64) uint64

// input is the call's arguments as JSON.
func input() []byte {
	b := make([]byte, hostInputLength())
	for i := range b {
		b[i] = byte(hostInputLoad(uint64(i)))
	}
	return b
}

// output sets the payload and returns the exit code of a success.
func output(b []byte) int32 {
	hostOutput(put(b), uint64(len(b)))
	return 0
}

// fail sets the error and returns the exit code of a failure.
func fail(message string) int32 {
	hostError(put([]byte(message)))
	return 1
}

// config returns the user's setting of a key, or its default in plugin.toml.
func config(key string) string { return string(get(hostConfig(put([]byte(key))))) }

func put(b []byte) uint64 {
	at := hostAlloc(uint64(len(b)))
	for i, c := range b {
		hostStore(at+uint64(i), uint32(c))
	}
	return at
}

func get(at uint64) []byte {
	b := make([]byte, hostLength(at))
	for i := range b {
		b[i] = byte(hostLoad(at + uint64(i)))
	}
	return b
}
