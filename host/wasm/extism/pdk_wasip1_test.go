//go:build wasip1

package extism_test

// The guests that the tests build are no packages of this module; what one of
// them imports is pinned here.
import _ "github.com/extism/go-pdk"
