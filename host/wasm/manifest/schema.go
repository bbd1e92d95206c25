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

// descriptions are the descriptions of keys for editors, those in tables by "table.key".
var descriptions = map[string]string{
	"schema":      "the version of this format: 1",
	"id":          "the plugin's name and the prefix of its tools: lower-case letters, digits and hyphens, a letter first, at most 32",
	"version":     "the plugin's own version",
	"description": "the purpose of the plugin, for users",
	"module":      "the WebAssembly file, in the same folder",
	"sha256":      "SHA-256 of the module in hex; errand plugin build writes it",
	"abi":         "the interface of the module: wasi is a program with JSON on standard input and output, the others are libraries of functions",
	"state":       "state between calls: fresh starts a new instance for each call, sticky keeps one instance",
	"warmup":      "an exported function without arguments that runs once; every call starts from the state that it leaves",
	"hosts":       "patterns of the hosts that it may contact, such as api.example.com; the user's allowlist applies too",
	"paths":       "folders that it may use",
	"limits":      "limits of one call",
	"config":      "values that the user can set",
	"tool":        "the tools of the plugin",

	"paths.root":     "a key of the user's configuration (files.roots), or a name for a folder that is granted at installation",
	"paths.mode":     "ro or rw; for a tool of class read it is always read-only",
	"paths.quota":    "how many bytes a call may write there, in all files together",
	"paths.max_file": "the largest file that it may write there, in bytes",

	"limits.memory":        "linear memory",
	"limits.timeout_ms":    "time of a call in milliseconds, without compilation",
	"limits.output":        "output of a call",
	"limits.fuel":          "work of a call, about one unit per instruction; 0: limited only by time",
	"limits.http_body":     "the longest HTTP response body",
	"limits.http_requests": "requests of a call",
	"limits.vars":          "all variables together",
	"limits.log_lines":     "lines that a call may log",
	"limits.instances":     "calls at a time; others wait",
	"limits.open_files":    "open files at a time",

	"config.type":    "string, int, bool, or secret: a text that the plugin can send but not read",
	"config.default": "the value if the user sets none; not for a secret",
	"config.hosts":   "for a secret: the hosts that it may be sent to",

	"tool.name":              "the plugin's id, or the id, a dot and more",
	"tool.function":          "the exported function; a wasi program gets the tool's name in its input instead",
	"tool.description":       "the purpose of the tool, for users and agents",
	"tool.side_effect_class": "read: changes nothing, which Errand enforces; write: changes something; auth: uses accounts",
	"tool.effect":            "the kind of effect; a read tool reads or navigates",
	"tool.timeout_ms":        "time of a call of this tool in milliseconds; 0: the one in limits",
	"tool.retry_profile":     "transient: a read is retried once if its error allows that",
	"tool.can_achieve":       "goals that it achieves, such as create_folder",
	"tool.requires":          "facts that must be true before the call; ! marks facts that must be false",
	"tool.effects":           "facts that are true after the call; ! marks facts that are false",
	"tool.reversible":        "its results say how to undo the call",
	"tool.preview":           "the plugin's read tool that lists what a call would use; shown before approval",
	"tool.reconcile":         "the entry that finds out whether a call with an unknown outcome had its effect",
	"tool.untrusted":         "its results can contain text of others and are treated as untrusted",
	"tool.args_schema":       "the arguments: JSON Schema 2020-12 of an object, as text",
	"tool.writes":            "the arguments with the paths that a call changes; [\"*\"]: it may change anything in its folders",
	"tool.argv":              "the arguments of a WASI command that was not written for Errand; {{name}} is an argument of the call, {{config.name}} a setting; {{?name}} at the beginning leaves the element out if there is no such argument",
	"tool.stdin":             "with argv: its standard input, with the same placeholders",
	"tool.stdout":            "with argv: the format of its standard output; default text",
	"tool.exit_codes":        "with argv: exit codes that are a success, besides 0",
	"tool.case":              "an example that errand plugin test runs",

	"tool.case.name":    "for users",
	"tool.case.args":    "arguments of the call; {{root}} is the folder of files",
	"tool.case.payload": "the whole expected payload",
	"tool.case.error":   "the code of the expected error",
	"tool.case.config":  "settings for the call",
	"tool.case.now":     "the time of the clocks, such as 2026-03-01T12:00:00Z; a sleep moves them forward without waiting",
	"tool.case.binary":  "binary files in the first folder before the call: base64 by relative path",
	"tool.case.files":   "text files in the first folder before the call: content by relative path",
	"tool.case.http":    "all requests that it makes, and their responses",

	"tool.case.http.method":  "in capitals; default GET",
	"tool.case.http.url":     "the whole URL",
	"tool.case.http.status":  "status of the response; default 200",
	"tool.case.http.headers": "headers of the response",
	"tool.case.http.body":    "body of the response, as text",
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
