package opa

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// maxFormatted is the most bytes of a formatted text, so that a width can't take the memory.
const maxFormatted = 64 << 10

// sprintf formats as OPA does: whole numbers and texts as Go has them, other values as Rego writes
// them.
func sprintf(args []any) (any, error) {
	format, ok := args[0].(string)
	values, ok2 := args[1].([]any)
	if !ok || !ok2 || tooWide(format) {
		return nil, errArgument
	}
	formatted := make([]any, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case json.Number:
			formatted[i] = number(v)
		case string:
			formatted[i] = v
		default:
			var b strings.Builder
			writeValue(&b, v)
			formatted[i] = b.String()
		}
	}
	text := fmt.Sprintf(format, formatted...)
	if len(text) > maxFormatted {
		return nil, errArgument
	}
	return text, nil
}

// number is an int, a *big.Int or a float64, or else the text of a number.
func number(n json.Number) any {
	if i, err := strconv.Atoi(n.String()); err == nil {
		return i
	}
	if i, ok := new(big.Int).SetString(n.String(), 10); ok {
		return i
	}
	if f, err := n.Float64(); err == nil {
		return f
	}
	return n.String()
}

// tooWide reports whether a format asks for a width or precision of five digits or more.
func tooWide(format string) bool {
	digits := 0
	for _, c := range format {
		if c < '0' || c > '9' {
			digits = 0
			continue
		}
		if digits++; digits > 4 {
			return true
		}
	}
	return false
}
