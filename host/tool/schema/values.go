package schema

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

func hasType(value, want any) bool {
	got := typeOf(value)
	return slices.ContainsFunc(texts(want), func(name string) bool {
		n, isNumber := number(value)
		return name == got || name == "integer" && isNumber && n == math.Trunc(n)
	})
}

// typeOf names the JSON type of a value.
func typeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}

func number(value any) (float64, bool) {
	switch v := reflect.ValueOf(value); {
	case v.IsValid() && v.CanInt():
		return float64(v.Int()), true
	case v.IsValid() && v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}

func equal(a, b any) bool {
	if x, ok := number(a); ok {
		y, ok := number(b)
		return ok && x == y
	}
	return reflect.DeepEqual(a, b)
}

// printValue prints a value of a schema or of arguments.
func printValue(value any) string {
	if s, ok := value.(string); ok {
		return "'" + s + "'"
	}
	b, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(b)
}

func list(v any) []any {
	out, _ := v.([]any)
	return out
}

func object(v any) map[string]any {
	out, _ := v.(map[string]any)
	return out
}

// texts returns the strings of a list, or of a single string.
func texts(v any) (out []string) {
	if s, ok := v.(string); ok {
		return []string{s}
	}
	for _, e := range list(v) {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// missingNames returns the names that value has no key for.
func missingNames(value map[string]any, names []string) (out []string) {
	for _, name := range names {
		if _, ok := value[name]; !ok {
			out = append(out, name)
		}
	}
	return out
}

func extendPath(place []string, key string) []string { return append(slices.Clip(place), key) }

func sortNames(names []string) []string { return slices.Sorted(slices.Values(names)) }

var (
	escape   = strings.NewReplacer("~", "~0", "/", "~1")
	unescape = strings.NewReplacer("~1", "/", "~0", "~")
)

// pointer is the JSON pointer (RFC 6901) of a place in a value.
func pointer(place []string) string {
	var b strings.Builder
	for _, key := range place {
		b.WriteString("/" + escape.Replace(key))
	}
	return b.String()
}
