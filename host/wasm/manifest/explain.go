package manifest

import (
	"errors"
	"reflect"

	"github.com/pelletier/go-toml/v2"

	"errand/planner/message"
)

// explain converts the decoder's syntax error into one line with its position.
func explain(err error) error {
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
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
	best := nearest(at.keys[len(at.keys)-1], known)
	if best == "" {
		return message.New("manifest.unknown_key_of", "key", at, "known", known)
	}
	return message.New("manifest.unknown_key_near", "key", at, "meant", best)
}

// nearest returns the key that was probably meant, or "".
func nearest(key string, known []string) string {
	best, distance := "", 3 // a farther word is not a likely typo
	for _, k := range known {
		if d := edits(key, k); d < distance {
			best, distance = k, d
		}
	}
	return best
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
		for f := range t.NumField() {
			name := t.Field(f).Tag.Get("toml")
			names = append(names, name)
			if name == part {
				next = t.Field(f).Type
			}
		}
		if next == nil || i == len(key)-1 {
			return names
		}
		t = next
	}
	return nil
}

// edits returns the Levenshtein distance: the number of letters to add, remove or
// replace.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
