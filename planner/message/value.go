package message

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"
)

// maxExact bounds the whole numbers that JSON keeps exactly.
const maxExact = 1 << 53

// plain makes a parameter of a value. Texts become valid UTF-8, because JSON has
// no others.
func plain(v any) any {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return strings.ToValidUTF8(v, "\uFFFD")
	case bool:
		return v
	case Message:
		if text, ok := v.Text(); ok || v.IsZero() {
			return text // the same as after JSON
		}
		return v
	case time.Duration:
		return number(v.Seconds())
	case time.Time:
		return v.Format(time.RFC3339)
	case error:
		return plain(Of(v))
	case fmt.Stringer:
		return plain(v.String())
	case []byte:
		return plain(string(v))
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.String:
		return plain(r.String())
	case reflect.Bool:
		return r.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if n := r.Int(); -maxExact <= n && n <= maxExact {
			return n
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if n := r.Uint(); n <= maxExact {
			return int64(n)
		}
	case reflect.Float32, reflect.Float64:
		return number(r.Float())
	case reflect.Slice, reflect.Array:
		list := make([]any, r.Len())
		for i := range list {
			list[i] = plain(r.Index(i).Interface())
		}
		return list
	}
	return plain(fmt.Sprint(v))
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

// equal compares two parameters.
func equal(a, b any) bool {
	m, ok := a.(Message)
	if !ok {
		return reflect.DeepEqual(a, b)
	}
	n, ok := b.(Message)
	return ok && m.Equal(n)
}
