package message

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
)

// rfc3339 is the layout of times, as time.RFC3339.
const rfc3339 = "2006-01-02T15:04:05Z07:00"

// maxExact bounds the whole numbers that JSON keeps exactly.
const maxExact = 1 << 53

// toJSONValue makes a parameter of a value. Texts become valid UTF-8, because JSON has
// no others.
func toJSONValue(v any) any {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return strings.ToValidUTF8(v, "\uFFFD")
	case bool:
		return v
	case int:
		return wholeNumber(int64(v))
	case Message:
		if text, ok := v.Text(); ok || v.IsZero() {
			return text // JSON has no other form of it
		}
		return v
	case json.Number:
		if n, err := v.Int64(); err == nil && -maxExact <= n && n <= maxExact {
			return n
		}
		f, err := v.Float64()
		if err != nil {
			return toJSONValue(v.String())
		}
		return number(f)
	case interface{ Seconds() float64 }: // time.Duration; this package knows no clock
		return number(v.Seconds())
	case interface{ Format(string) string }: // time.Time
		return v.Format(rfc3339)
	}
	if isNil(v) {
		return ""
	}
	switch v := v.(type) {
	case error:
		return toJSONValue(FromError(v))
	case fmt.Stringer:
		return toJSONValue(v.String())
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Pointer:
		return toJSONValue(r.Elem().Interface())
	case reflect.String:
		return toJSONValue(r.String())
	case reflect.Bool:
		return r.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return wholeNumber(r.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if n := r.Uint(); n <= maxExact {
			return int64(n)
		}
	case reflect.Float32, reflect.Float64:
		return number(r.Float())
	case reflect.Slice, reflect.Array:
		if r.Type().Elem().Kind() == reflect.Uint8 && r.Kind() == reflect.Slice {
			return toJSONValue(string(r.Bytes()))
		}
		list := make([]any, r.Len())
		for i := range list {
			list[i] = toJSONValue(r.Index(i).Interface())
		}
		return list
	}
	return toJSONValue(fmt.Sprint(v))
}

// wholeNumber is a whole number, or a string where JSON would round it.
func wholeNumber(n int64) any {
	if -maxExact <= n && n <= maxExact {
		return n
	}
	return fmt.Sprint(n)
}

// number is a whole number where it is one, so that it is the same after JSON.
func number(f float64) any {
	switch {
	case f == math.Trunc(f) && math.Abs(f) <= maxExact:
		return int64(f)
	case math.IsNaN(f) || math.IsInf(f, 0):
		return fmt.Sprint(f)
	}
	return f
}

// isNil reports whether a value is nil or a nil pointer, whose methods may panic.
func isNil(v any) bool {
	if v == nil {
		return true
	}
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.Pointer && r.IsNil()
}

// equal compares two parameters.
func equal(a, b any) bool {
	switch a := a.(type) {
	case Message:
		b, ok := b.(Message)
		return ok && a.Equal(b)
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}
