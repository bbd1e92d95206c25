package config

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"errand/planner/message"
)

// environment makes a map of "NAME=value" lines.
func environment(lines []string) map[string]string {
	env := make(map[string]string, len(lines))
	for _, line := range lines {
		if name, value, ok := strings.Cut(line, "="); ok {
			env[name] = value
		}
	}
	return env
}

const envPrefix = "ERRAND_"

// EnvName returns the environment variable that sets a key.
func EnvName(key string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// overlay applies the environment. A variable that starts like a key but doesn't name one
// is an error: a typo must not loosen the configuration.
func (l *Loaded) overlay(env map[string]string) (faults Problems) {
	ours := slices.DeleteFunc(slices.Sorted(maps.Keys(env)), func(name string) bool { return !strings.HasPrefix(name, envPrefix) })
	if len(ours) == 0 {
		return nil
	}
	byName := map[string]string{}
	for _, key := range Keys() {
		byName[EnvName(key)] = key
	}
	sections := names(reflect.TypeFor[Config]())
	for _, name := range ours {
		key, ok := byName[name]
		if env[name] == "" && (!ok || typeOf(key) != reflect.TypeFor[[]string]()) {
			continue // an empty variable counts as unset; for a list it means an empty list
		}
		if !ok {
			if id, isPlugin := pluginSwitch(name); isPlugin {
				faults = append(faults, l.switchPlugin(name, id, env[name])...)
			} else if inSection(name, sections) {
				faults = append(faults, Problem{name, 0, "", unknownKey(name, slices.Sorted(maps.Keys(byName)))})
			}
			continue
		}
		if err := l.set(key, env[name]); err != nil {
			faults = append(faults, Problem{name, 0, key, message.FromError(err)})
			continue
		}
		l.sources[key] = name
	}
	return faults
}

func inSection(name string, sections []string) bool {
	return slices.ContainsFunc(sections, func(s string) bool {
		return strings.HasPrefix(name, EnvName(s)+"_")
	})
}

// set assigns a variable's value to a key. Text is taken as it is. Lists are separated by
// commas or written as a TOML array. Everything else is TOML.
func (l *Loaded) set(key, value string) error {
	t := typeOf(key)
	literal := value
	switch {
	case t.Kind() == reflect.String:
		literal = quote(value)
	case t == reflect.TypeFor[[]string]() && !strings.HasPrefix(strings.TrimSpace(value), "["):
		var parts []string
		for part := range strings.SplitSeq(value, ",") {
			if part = strings.TrimSpace(part); part != "" {
				parts = append(parts, quote(part))
			}
		}
		literal = "[" + strings.Join(parts, ", ") + "]"
	}
	d := toml.NewDecoder(strings.NewReader(key + " = " + literal)).DisallowUnknownFields()
	if err := d.Decode(&l.Config); err != nil {
		return message.Error("config.wrong_variable", "value", value, "type", typeName(t))
	}
	return nil
}

// quote returns s as a TOML basic string.
func quote(s string) string {
	b, err := toml.Marshal(map[string]string{"v": s})
	if err != nil {
		return `""`
	}
	return strings.TrimSpace(strings.TrimPrefix(string(b), "v = "))
}

// typeName returns what the text config.wrong_variable knows of a type.
func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "flag"
	case reflect.Int:
		return "number"
	case reflect.Slice:
		return "list"
	}
	return "text"
}

// pluginSwitch recognises ERRAND_PLUGINS_<ID>_ENABLED.
func pluginSwitch(name string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(name, "ERRAND_PLUGINS_")
	if !ok {
		return "", false
	}
	id, ok = strings.CutSuffix(rest, "_ENABLED")
	return strings.ToLower(id), ok && id != ""
}

func (l *Loaded) switchPlugin(name, id, value string) Problems {
	if value != "true" && value != "false" {
		return Problems{{name, 0, "plugins." + id + ".enabled", message.New("config.wrong_variable", "value", value, "type", "flag")}}
	}
	p := l.Plugins.ByID[id]
	p.Enabled = value == "true"
	l.Plugins.ByID[id] = p
	l.sources["plugins."+id+".enabled"] = name
	return nil
}
