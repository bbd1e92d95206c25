package manifest

import (
	"reflect"
	"regexp"
	"strings"
	"sync"
)

var badStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`unexpected character \S+ ('.') at start of value`) })

// plainly converts the decoder's message about a syntax error for people.
func plainly(message string) string {
	if m := badStart().FindStringSubmatch(message); m != nil {
		return "a value can't begin with " + m[1] + "; a text needs quotes"
	}
	switch {
	case strings.Contains(message, "too large to fit"), strings.Contains(message, "value out of range"):
		return "the number is too large"
	case strings.Contains(message, "U+000A at start of value"):
		return "the value is missing"
	case strings.Contains(message, "strconv."), strings.Contains(message, "reflect."), strings.Contains(message, "interface"):
		return "the value can't be read"
	}
	return message
}

// wanted names the kind of value for a Go type.
func wanted(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[Size]():
		return `a size such as "16MiB"`
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String:
		return "a list of texts"
	case t.Kind() == reflect.Slice:
		return "a list of tables"
	case t.Kind() == reflect.Int:
		return "a whole number"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.Map, t.Kind() == reflect.Struct:
		return "a table"
	}
	return "a text in quotes" // string and the types made of it
}

// written names the kind of a value in the manifest.
func written(v any) string {
	switch v.(type) {
	case string:
		return "a text"
	case int64:
		return "a whole number"
	case float64:
		return "a number with a fraction"
	case bool:
		return "true or false"
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date or time"
}
