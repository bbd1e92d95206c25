package manifest

import (
	"errand/planner/message"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// explain converts the decoder's syntax error into one line with its position.
func explain(err error) error {
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		row, col := decode.Position()
		return message.Error("manifest.text_2", "file", File, "row", row, "col", col, "value", plainly(strings.TrimPrefix(decode.Error(), "toml: ")))
	}
	return message.Error("manifest.text_3", "file", File, "value", plainly(strings.TrimPrefix(err.Error(), "toml: ")))
}

// suggest names the key that was probably meant, or lists the valid keys.
func suggest(key []string) string {
	known := keysAt(reflect.TypeFor[Manifest](), key)
	if len(known) == 0 || len(key) == 0 {
		return ""
	}
	best := nearest(key[len(key)-1], known)
	if best == "" {
		return "; known here: " + strings.Join(known, ", ")
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// nearest returns the key that was probably meant, or "".
func nearest(key string, known []string) string {
	best, distance := "", 3 // farther is no likely slip
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
