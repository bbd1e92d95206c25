package manifest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"errand/host/tool"
)

// descriptions are the descriptions of keys for editors; those of tables by
// "table.key".
var descriptions = map[string]string{
	"schema":      "the version of this format: 1",
	"id":          "the plugin's name: small letters, digits and hyphens, a letter first, at most 32. Its tools are named after it.",
	"version":     "the plugin's own version",
	"description": "what the plugin is for, for people",
	"module":      "the WebAssembly file beside this one",
	"sha256":      "SHA-256 of the module in hex; errand plugin build writes it",
	"abi":         "how the module talks with its host: wasi is a program with JSON on standard input and output, the others are libraries of functions",
	"state":       "what is kept between two calls: fresh begins each anew, sticky keeps one instance",
	"warmup":      "an exported function without arguments that is run once; each call begins with what it did",
	"hosts":       "patterns of the hosts that it may reach, such as api.example.com; the person's own list holds as well",
	"paths":       "folders that it may touch",
	"limits":      "what one call may use",
	"config":      "values that the person may set",
	"tool":        "what the plugin offers",

	"paths.root":     "a key of the person's configuration (files.roots), or a name for a folder that is granted at installation",
	"paths.mode":     "ro or rw; a tool of class read gets it read-only",
	"paths.quota":    "the bytes that a call may write there, all files together",
	"paths.max_file": "the bytes of the biggest file that it may write there",

	"limits.memory":        "linear memory",
	"limits.timeout_ms":    "time of a call in milliseconds, compiling not counted",
	"limits.output":        "output of a call",
	"limits.fuel":          "work of a call, about in instructions; 0: nothing but the time bounds it",
	"limits.http_body":     "the longest answer over HTTP",
	"limits.http_requests": "requests of a call",
	"limits.vars":          "all variables together",
	"limits.log_lines":     "lines that a call may log",
	"limits.instances":     "calls at a time; others wait",
	"limits.open_files":    "files that are open at a time",

	"config.type":    "string, int, bool, or secret: a text that the plugin can send and never sees",
	"config.default": "the value where the person sets none; a secret has none",
	"config.hosts":   "of a secret: where it may be sent",

	"tool.name":              "the plugin's id, or the id, a dot and more",
	"tool.function":          "the exported function; a wasi program is told the tool's name instead",
	"tool.description":       "what the tool does, for people and agents",
	"tool.side_effect_class": "read changes nothing and is held to that; write changes something; auth has to do with accounts",
	"tool.effect":            "what kind of thing it does; a read tool reads or navigates",
	"tool.timeout_ms":        "time of a call of this tool in milliseconds; 0: that of limits",
	"tool.retry_profile":     "transient: a read whose error says so is tried once more",
	"tool.can_achieve":       "goals that it reaches, such as create_folder",
	"tool.requires":          "facts that must hold before it; ! before one that must not",
	"tool.effects":           "facts that hold after it; ! before one that ends",
	"tool.reversible":        "its answers say how to take the call back",
	"tool.reconcile":         "the entry that finds out whether a call whose end nobody saw had its effect",
	"tool.untrusted":         "what it answers may be the words of others, and is handled so",
	"tool.args_schema":       "JSON Schema 2020-12 of an object, as text: the arguments",
	"tool.writes":            "the arguments with the paths that a call changes; [\"*\"]: it may change anything in its folders",
	"tool.argv":              "the arguments of a WASI command that knows nothing of Errand; {{name}} is an argument of the call, {{config.name}} a setting, {{?name}} at the beginning leaves the element out unless there is one",
	"tool.stdin":             "with argv: its standard input, with the same placeholders",
	"tool.stdout":            "with argv: what its standard output is; text where nothing is said",
	"tool.exit_codes":        "with argv: exit codes that are a success, beside 0",
	"tool.case":              "an example that is a test: errand plugin test",

	"tool.case.name":    "for people",
	"tool.case.args":    "of the call; {{root}} is the folder of files",
	"tool.case.payload": "the whole payload that it answers",
	"tool.case.error":   "the code of the error that it answers",
	"tool.case.config":  "settings for the call",
	"tool.case.now":     "the time that the clocks say, such as 2026-03-01T12:00:00Z; a sleep moves them on and takes none",
	"tool.case.binary":  "as files, of what is no text: base64 by relative path",
	"tool.case.files":   "what is in the first folder before the call: content by relative path",
	"tool.case.http":    "the requests that it makes, all of them, and their answers",

	"tool.case.http.method":  "in capitals; GET where nothing is said",
	"tool.case.http.url":     "the whole URL",
	"tool.case.http.status":  "200 where nothing is said",
	"tool.case.http.headers": "of the answer",
	"tool.case.http.body":    "of the answer, as text",
}

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

// required are the required keys of each table.
var required = map[string][]string{
	"":               {"schema", "id", "version", "module", "abi", "tool"},
	"paths":          {"root"},
	"config":         {"type"},
	"tool":           {"name", "description", "side_effect_class", "effect"},
	"tool.case.http": {"url"},
}

// Schema returns the JSON Schema (2020-12) of a manifest, for editors that
// complete and check TOML. [Parse] checks more.
func Schema() []byte {
	s := table("", reflect.TypeFor[Manifest]())
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "plugin.toml"
	s["description"] = "What an Errand plugin is, what it offers and what it may touch"
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // can't happen: it consists of constants
	}
	return append(b, '\n')
}

func table(at string, t reflect.Type) map[string]any {
	properties := map[string]any{}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("toml"), ",")
		if name == "" || name == "-" {
			continue
		}
		key := strings.TrimPrefix(at+"."+name, ".")
		value := valueOf(key, t.Field(i).Type)
		if text := descriptions[key]; text != "" {
			value["description"] = text
		}
		for k, v := range constraints()[key] {
			value[k] = v
		}
		properties[name] = value
	}
	out := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if names := required[at]; len(names) > 0 {
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
