package manifest

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// explain turns the decoder's error of a text that is no TOML into one line:
// where, and what.
func explain(err error) error {
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		row, col := decode.Position()
		return fmt.Errorf("%s:%d:%d: %s", File, row, col, plainly(strings.TrimPrefix(decode.Error(), "toml: ")))
	}
	return fmt.Errorf("%s: %s", File, plainly(strings.TrimPrefix(err.Error(), "toml: ")))
}

// suggest names the key that was probably meant, or says which there are.
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

// nearest is the key that was probably meant, "" for none.
func nearest(key string, known []string) string {
	best, distance := "", 3 // farther is no likely slip
	for _, k := range known {
		if d := edits(key, k); d < distance {
			best, distance = k, d
		}
	}
	return best
}

// keysAt lists the keys of the table in which the key stands.
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

// edits is the Levenshtein distance: how many letters to add, drop or change.
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
