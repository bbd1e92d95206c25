package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"errand/planner/message"
)

var (
	timeType    = reflect.TypeFor[time.Time]()
	pluginsType = reflect.TypeFor[Plugins]()
)

// names lists the keys of a table, in the order of its struct.
func names(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		if tag := t.Field(i).Tag.Get("toml"); tag != "" && tag != "-" {
			out = append(out, strings.Split(tag, ",")[0])
		}
	}
	return out
}

func field(t reflect.Type, name string) (reflect.StructField, bool) {
	for field := range t.Fields() {
		if tag := field.Tag.Get("toml"); tag != "-" && strings.Split(tag, ",")[0] == name && name != "" {
			return field, true
		}
	}
	return reflect.StructField{}, false
}

// unknownKeys compares a decoded document with the types of [Config]. It reports each
// unknown key and suggests the nearest known one.
func unknownKeys(tree any, t reflect.Type, path string, report func(key string, m message.Message)) {
	switch {
	case t == pluginsType:
		table, _ := tree.(map[string]any)
		for _, id := range slices.Sorted(maps.Keys(table)) {
			if !slices.Contains(names(t), id) {
				unknownKeys(table[id], reflect.TypeFor[Plugin](), join(path, id), report)
			}
		}
	case t.Kind() == reflect.Struct && t != timeType:
		table, _ := tree.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(table)) {
			f, ok := field(t, key)
			if !ok {
				report(join(path, key), unknownKey(key, names(t)))
				continue
			}
			unknownKeys(table[key], f.Type, join(path, key), report)
		}
	case t.Kind() == reflect.Map && t.Elem().Kind() == reflect.Struct:
		table, _ := tree.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(table)) {
			unknownKeys(table[name], t.Elem(), join(path, name), report)
		}
	case t.Kind() == reflect.Slice:
		list, _ := tree.([]any)
		for i, element := range list {
			unknownKeys(element, t.Elem(), fmt.Sprintf("%s[%d]", path, i), report)
		}
	}
}

// leafKeys lists every key that holds a value, such as "policy.subresources". A list of
// tables counts as one value.
func leafKeys(t reflect.Type, path string) []string {
	var out []string
	for _, name := range names(t) {
		f, _ := field(t, name)
		if f.Type.Kind() == reflect.Struct && f.Type != timeType {
			out = append(out, leafKeys(f.Type, join(path, name))...)
			continue
		}
		out = append(out, join(path, name))
	}
	return out
}

func typeOf(key string) reflect.Type {
	t := reflect.TypeFor[Config]()
	for part := range strings.SplitSeq(key, ".") {
		f, ok := field(t, part)
		if !ok {
			return nil
		}
		t = f.Type
	}
	return t
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func unknownKey(key string, known []string) message.Message {
	if near := message.Nearest(key, known); near != "" {
		return message.New("config.unknown_key_near", "near", near)
	}
	return message.New("config.unknown_key", "known", known)
}
