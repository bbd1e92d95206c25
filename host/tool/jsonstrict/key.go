package jsonstrict

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// FindDuplicate finds an object that has a key twice and says where: "items[2].name".
// encoding/json silently takes the last value and other readers the first, so that
// two programs can read one text differently. The text may be several valid JSON
// values in a row.
func FindDuplicate(text []byte) (at string, found bool) {
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowInvalidUTF8(true))
	for {
		_, err := d.ReadToken()
		var syntax *jsontext.SyntacticError
		switch {
		case err == nil:
		case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &syntax):
			return formatPath(d, syntax.JSONPointer), true
		default:
			return "", false
		}
	}
}

// FindCaseVariant finds a key of an object that differs from one of keys by letter case
// only, and that key. encoding/json takes OK for ok, and the last of both.
func FindCaseVariant[V any](object map[string]V, keys ...string) (variant, key string, found bool) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		for _, key := range keys {
			if name != key && strings.EqualFold(name, key) {
				return name, key, true
			}
		}
	}
	return "", "", false
}

// formatPath writes a pointer to a name that the decoder has just read as a path.
func formatPath(d *jsontext.Decoder, pointer jsontext.Pointer) string {
	var b strings.Builder
	depth := 0
	for token := range pointer.Tokens() {
		depth++
		switch kind, _ := d.StackIndex(depth); {
		case kind == '[':
			fmt.Fprintf(&b, "[%s]", token)
		case strings.ContainsAny(token, ".[] \"") || token == "":
			fmt.Fprintf(&b, "[%q]", token)
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(token)
		}
	}
	return b.String()
}
