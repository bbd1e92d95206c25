package manifest

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"errand/planner/message"
)

// typeChecker checks a document's keys and types. It reports and removes invalid
// values, so that the rest can be decoded and checked too.
type typeChecker struct {
	problems   problems
	misspelled problems // keys that were probably meant by others, and so aren't missing
}

// place is the position of a value: in the format of [keyline.Lines], and as keys
// only.
type place struct {
	at   string
	keys []string
}

func (p place) key(name string) place {
	return place{strings.TrimPrefix(p.at+"."+name, "."), append(slices.Clone(p.keys), name)}
}

func (p place) index(i int) place { return place{fmt.Sprintf("%s[%d]", p.at, i), p.keys} }

func (p place) String() string { return strings.Join(p.keys, ".") }

// table checks a table against a struct.
func (t *typeChecker) table(p place, want reflect.Type, table map[string]any) {
	fields := map[string]reflect.Type{}
	for field := range want.Fields() {
		fields[field.Tag.Get("toml")] = field.Type
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		at := p.key(name)
		field, known := fields[name]
		if !known {
			t.problems.require(false, at.at, unknownKey(at))
			if key := message.Nearest(name, slices.Sorted(maps.Keys(fields))); key != "" && table[key] == nil {
				t.misspelled = append(t.misspelled, problem{key: p.key(key).at})
			}
		}
		if !known || !t.hasType(at, field, table[name]) {
			delete(table, name)
		}
	}
}

// hasType reports whether a value has a type. It removes invalid values inside it.
func (t *typeChecker) hasType(p place, want reflect.Type, v any) bool {
	bad := func(m message.Message) bool {
		t.problems.require(false, p.at, m)
		return false
	}
	mismatch := func() bool {
		return bad(message.New("manifest.wrong_kind", "key", p, "want", kindOfType(want), "have", kindOfValue(v)))
	}
	switch {
	case want == reflect.TypeFor[Size]():
		switch v := v.(type) {
		case string:
			if _, err := ParseSize(v); err != nil {
				return bad(message.New("manifest.bad_size", "key", p, "size", v))
			}
			return true
		case int64:
			switch {
			case v < 0:
				return bad(message.New("manifest.negative_size", "key", p))
			case v > 0:
				return bad(message.New("manifest.size_without_unit", "key", p, "number", v))
			}
			return true
		}
		return mismatch()
	case want.Kind() == reflect.Interface:
		return true
	case want.Kind() == reflect.Struct:
		switch v := v.(type) {
		case map[string]any:
			t.table(p, want, v)
			return true
		case []any:
			return bad(message.New("manifest.one_table", "key", p))
		}
		return mismatch()
	case want.Kind() == reflect.Map:
		table, ok := v.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(table)) {
			if !t.hasType(p.key(name), want.Elem(), table[name]) {
				delete(table, name)
			}
		}
		return ok || mismatch()
	case want.Kind() == reflect.Slice:
		return t.list(p, want, v) || mismatch()
	}
	var ok bool
	switch want.Kind() {
	case reflect.String:
		_, ok = v.(string)
	case reflect.Bool:
		_, ok = v.(bool)
	case reflect.Int:
		var n int64
		if n, ok = v.(int64); ok && (n > math.MaxInt || n < math.MinInt) {
			return bad(message.New("manifest.integer_too_large", "key", p))
		}
	}
	return ok || mismatch()
}

// list checks the elements of a list. An invalid element becomes empty, so that
// the others keep their indexes.
func (t *typeChecker) list(p place, want reflect.Type, v any) bool {
	list, ok := v.([]any)
	if table, one := v.(map[string]any); one && want.Elem().Kind() == reflect.Struct {
		t.table(p, want.Elem(), table) // the decoder accepts a table as a list of one
		return true
	}
	for i := range list {
		if !t.hasType(p.index(i), want.Elem(), list[i]) {
			if list[i] = any(""); want.Elem().Kind() == reflect.Struct {
				list[i] = map[string]any{}
			}
		}
	}
	return ok
}

// omitRemoved drops errors about values that were removed because they are invalid;
// they only seem to be missing.
func (f problems) omitRemoved(taken problems) problems {
	return slices.DeleteFunc(f, func(one problem) bool {
		return slices.ContainsFunc(taken, func(t problem) bool {
			rest, below := strings.CutPrefix(one.key, t.key)
			return below && (rest == "" || rest[0] == '.' || rest[0] == '[')
		})
	})
}
