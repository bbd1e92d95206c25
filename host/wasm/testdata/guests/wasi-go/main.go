// A WASI command in Go. All the guests that do without Extism do the same, each
// in its language: see guests_test.go.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

func main() {
	in, err := io.ReadAll(os.Stdin)
	if err != nil {
		os.Exit(1)
	}
	fmt.Fprintln(os.Stderr, "ran")
	if bytes.Contains(in, []byte(`"fail"`)) {
		fmt.Print(`{"ok":false,"error":{"code":"refused","message":"it failed"}}`)
		return
	}
	fmt.Printf(`{"ok":true,"payload":{"length":%d}}`, len(in))
}
