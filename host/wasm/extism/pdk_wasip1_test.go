//go:build wasip1

package extism_test

// The test guests are not packages of this module. This import keeps the dependency of one of
// them in go.mod.
import _ "github.com/extism/go-pdk"
