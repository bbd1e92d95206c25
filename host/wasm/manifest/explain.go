package manifest

import (
	"errors"
	"reflect"

	"github.com/pelletier/go-toml/v2"

	"errand/planner/message"
)

// explain converts the decoder's syntax error into one line with its position.
func explain(err error) error {
	if decode, ok := errors.AsType[*toml.DecodeError](err); ok {
		row, col := decode.Position()
		return message.Error("manifest.syntax_at", "file", File, "line", row, "column", col, "fault", explainSyntax(decode))
	}
	return message.Error("manifest.in_file", "file", File, "fault", explainSyntax(err))
}

// unknownKey names the key that was probably meant, or lists the valid keys.
func unknownKey(at place) message.Message {
	known := keysAt(reflect.TypeFor[Manifest](), at.keys)
	if len(known) == 0 || len(at.keys) == 0 {
		return message.New("manifest.unknown_key", "key", at)
	}
	best := message.Nearest(at.keys[len(at.keys)-1], known)
	if best == "" {
		return message.New("manifest.unknown_key_of", "key", at, "known", known)
	}
	return message.New("manifest.unknown_key_near", "key", at, "meant", best)
}

// keysAt returns the keys of the table that contains key.
func keysAt(t reflect.Type, key []string) []string {
	for i, part := range key {
		for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() == reflect.Map {
			t = t.Elem()
			continue
		}
		if t.Kind() != reflect.Struct {
			return nil
		}
		var names []string
		var next reflect.Type
		for field := range t.Fields() {
			name := field.Tag.Get("toml")
			names = append(names, name)
			if name == part {
				next = field.Type
			}
		}
		if next == nil || i == len(key)-1 {
			return names
		}
		t = next
	}
	return nil
}
