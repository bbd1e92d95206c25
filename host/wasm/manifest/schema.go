package manifest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"errand/host/tool"
	"errand/host/wasm/limit"
	"errand/planner/phrase"
)

// descriptions reads the descriptions of keys for editors; those of tables by
// "table.key".
var descriptions = sync.OnceValue(func() (texts map[string]string) {
	if err := toml.Unmarshal(schemaFile, &texts); err != nil {
		panic(err) // the file is part of the program
	}
	return texts
})

//go:embed schema.toml
var schemaFile []byte

// constraints are the constraints of keys beyond their Go types.
var constraints = sync.OnceValue(func() map[string]map[string]any {
	return map[string]map[string]any{
		"schema":                 {"const": 1},
		"id":                     {"pattern": idPattern().String()},
		"version":                {"pattern": versionPattern().String(), "maxLength": maxVersion},
		"sha256":                 {"pattern": "^[0-9a-fA-F]{64}$"},
		"module":                 {"pattern": `^[^/\\\x00-\x1f]+$`},
		"abi":                    {"enum": []any{WASI, Extism, HyperMCP}},
		"state":                  {"enum": []any{Fresh, Sticky}},
		"tool":                   {"minItems": 1},
		"phrases":                {"maxItems": limit.Phrases.Most},
		"phrases.text":           {"minLength": 1, "maxLength": phrase.MaxBytes},
		"phrases.examples":       {"maxItems": limit.PhraseExamples.Most},
		"paths.mode":             {"enum": []any{"ro", "rw"}},
		"config":                 {"propertyNames": map[string]any{"pattern": keyPattern().String()}},
		"config.type":            {"enum": []any{"string", "int", "bool", "secret"}},
		"config.default":         {"type": []any{"string", "integer", "boolean"}},
		"tool.side_effect_class": {"enum": []any{tool.Read, tool.Write, tool.Auth}},
		"tool.effect":            {"enum": []any{tool.EffectRead, tool.EffectNavigate, tool.EffectInput, tool.EffectCommit, tool.EffectFile}},
		"tool.retry_profile":     {"enum": []any{tool.RetryNone, tool.RetryTransient, tool.RetryRateLimited}},
		"tool.stdout":            {"enum": []any{StdoutText, StdoutJSON}},
		"tool.case.now":          {"format": "date-time"},
		"tool.case.http.status":  {"minimum": 100, "maximum": 599},
		"tool.case.http.method":  {"pattern": "^[A-Z]+$"},
	}
})

// requiredKeys are the required keys of each table.
var requiredKeys = map[string][]string{
	"":               {"schema", "id", "version", "module", "abi", "tool"},
	"paths":          {"root"},
	"config":         {"type"},
	"tool":           {"name", "description", "side_effect_class", "effect"},
	"tool.case.http": {"url"},
	"phrases":        {"text", "tool"},
}

// Schema returns the JSON Schema (2020-12) of a manifest, for editors that
// complete and check TOML. [Parse] checks more.
func Schema() []byte {
	s := table("", reflect.TypeFor[Manifest]())
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "plugin.toml"
	s["description"] = descriptions()[""]
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // can't happen: it consists of constants
	}
	return append(b, '\n')
}

func table(at string, t reflect.Type) map[string]any {
	properties := map[string]any{}
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("toml"), ",")
		if name == "" || name == "-" {
			continue
		}
		key := strings.TrimPrefix(at+"."+name, ".")
		value := valueOf(key, field.Type)
		if text := descriptions()[key]; text != "" {
			value["description"] = text
		}
		maps.Copy(value, constraints()[key])
		properties[name] = value
	}
	out := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if names := requiredKeys[at]; len(names) > 0 {
		out["required"] = slices.Sorted(slices.Values(names))
	}
	return out
}

var sizeType = reflect.TypeFor[Size]()

func valueOf(key string, t reflect.Type) map[string]any {
	switch {
	case t == sizeType:
		return map[string]any{"type": "string", "pattern": `^[0-9]+ ?(B|KiB|MiB|GiB)$`, "examples": []any{"16MiB"}}
	case t.Kind() == reflect.Pointer:
		return valueOf(key, t.Elem())
	case t.Kind() == reflect.String:
		return map[string]any{"type": "string"}
	case t.Kind() == reflect.Bool:
		return map[string]any{"type": "boolean"}
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64:
		return map[string]any{"type": "integer", "minimum": 0}
	case t.Kind() == reflect.Slice:
		return map[string]any{"type": "array", "items": valueOf(key, t.Elem())}
	case t.Kind() == reflect.Struct:
		return table(key, t)
	case t.Kind() == reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": valueOf(key, t.Elem())}
	case t.Kind() == reflect.Interface:
		return map[string]any{}
	}
	panic(fmt.Sprintf("a manifest can't have a %v (%s)", t, key))
}
