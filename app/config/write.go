package config

import (
	_ "embed"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"errand/planner/message"
)

//go:embed template.toml
var template []byte

// Template returns an errand.toml with comments and the default values.
func Template() []byte { return template }

// Place returns the path of errand.toml, whether or not the file exists and is valid.
func Place(o Options) (string, error) {
	env := environment(o.Env)
	if o.File != "" {
		return o.File, nil
	}
	if env["ERRAND_CONFIG"] != "" {
		return env["ERRAND_CONFIG"], nil
	}
	paths, err := places(env)
	return paths.File, err
}

// Value is a value and its source.
type Value struct {
	Value  any    `json:"value"`
	Source string `json:"source"`
}

// Values returns all values by key, except the configuration of plugins, which may be
// secret.
func Values(l *Loaded) map[string]Value {
	values := map[string]Value{}
	for _, key := range Keys() {
		values[key] = Value{valueOf(l.Config, key), l.Source(key)}
	}
	return values
}

// Write prints all values as TOML, with their sources in comments. It leaves out the
// configuration of plugins, which may be secret.
func Write(w io.Writer, l *Loaded) error {
	var b strings.Builder
	keys := Keys()
	slices.SortStableFunc(keys, func(a, b string) int { // top-level keys come first
		return min(strings.Count(a, "."), 1) - min(strings.Count(b, "."), 1)
	})
	table := ""
	for _, key := range keys {
		name := key
		if i := strings.LastIndexByte(key, '.'); i >= 0 {
			name = key[i+1:]
			if key[:i] != table {
				table = key[:i]
				fmt.Fprintf(&b, "\n[%s]\n", table)
			}
		}
		value, err := literal(valueOf(l.Config, key))
		if err != nil {
			return message.Error("config.write_key", "key", key, "cause", err)
		}
		fmt.Fprintf(&b, "%s = %s # %s\n", name, value, l.Source(key))
	}
	for _, id := range slices.Sorted(maps.Keys(l.Plugins.ByID)) {
		plugin := l.Plugins.ByID[id]
		fmt.Fprintf(&b, "\n[plugins.%s]\nenabled = %t\n", id, plugin.Enabled)
		if plugin.Preferred {
			b.WriteString("preferred = true\n")
		}
		if plugin.CompileEffort > 0 {
			fmt.Fprintf(&b, "compile_effort = %d\n", plugin.CompileEffort)
		}
		if len(plugin.Config) > 0 {
			fmt.Fprintf(&b, "# config has %d values, not shown\n", len(plugin.Config))
		}
	}
	_, err := io.WriteString(w, strings.TrimPrefix(b.String(), "\n"))
	return err
}

func valueOf(c Config, key string) any {
	v := reflect.ValueOf(c)
	for part := range strings.SplitSeq(key, ".") {
		f, _ := field(v.Type(), part)
		v = v.FieldByIndex(f.Index)
	}
	return v.Interface()
}

// Text returns the value of a key as TOML.
func (l *Loaded) Text(key string) (string, error) { return literal(valueOf(l.Config, key)) }

// literal returns a value as TOML on one line.
func literal(v any) (string, error) {
	var b strings.Builder
	e := toml.NewEncoder(&b)
	e.SetTablesInline(true)
	if err := e.Encode(map[string]any{"v": v}); err != nil {
		return "", err
	}
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(b.String()), "v =")), nil
}
