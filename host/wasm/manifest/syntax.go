package manifest

import (
	"reflect"
	"regexp"
	"strings"
	"sync"

	"errand/planner/message"
)

var badStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`unexpected character \S+ ('.') at start of value`) })

// explainSyntax says for people what the decoder says of a syntax error.
func explainSyntax(err error) message.Message {
	text := strings.TrimPrefix(err.Error(), "toml: ")
	if m := badStart().FindStringSubmatch(text); m != nil {
		return message.New("manifest.bad_start_of_value", "character", m[1])
	}
	switch {
	case strings.Contains(text, "too large to fit"), strings.Contains(text, "value out of range"):
		return message.New("manifest.number_too_large")
	case strings.Contains(text, "U+000A at start of value"):
		return message.New("manifest.value_missing")
	case strings.Contains(text, "strconv."), strings.Contains(text, "reflect."), strings.Contains(text, "interface"):
		return message.New("manifest.unreadable_value")
	}
	return message.Verbatim(text)
}

// kindOfType names the kind of value for a Go type, as manifest.wrong_kind has them.
func kindOfType(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[Size]():
		return "size"
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String:
		return "texts"
	case t.Kind() == reflect.Slice:
		return "tables"
	case t.Kind() == reflect.Int:
		return "integer"
	case t.Kind() == reflect.Bool:
		return "boolean"
	case t.Kind() == reflect.Map, t.Kind() == reflect.Struct:
		return "table"
	}
	return "text" // string and the types made of it
}

// kindOfValue names the kind of a value in the manifest, as manifest.wrong_kind has them.
func kindOfValue(v any) string {
	switch v.(type) {
	case string:
		return "text"
	case int64:
		return "integer"
	case float64:
		return "decimal"
	case bool:
		return "boolean"
	case []any:
		return "list"
	case map[string]any:
		return "table"
	}
	return "time"
}
