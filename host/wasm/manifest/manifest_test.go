package manifest_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm/manifest"
)

const small = `schema = 1
id = "hash"
version = "1.0.0"
module = "hash.wasm"
abi = "extism"
[[tool]]
name = "hash.sha256"
function = "sha256"
description = "SHA-256 of a text"
side_effect_class = "read"
effect = "read"
`

// full has every key of the format.
const full = `schema  = 1
id      = "hash"
version = "1.0.0"
description = "Hashes of text"
module  = "hash.wasm"
sha256  = "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"
abi     = "extism"
state   = "fresh"
warmup  = "errand_warmup"
hosts   = ["api.example.com", "*.example.org"]
[[paths]]
root = "files.roots"
mode = "rw"
quota = "2GiB"
max_file = "1GiB"
[[paths]]
root = "hash.inputs"
[limits]
memory = "16MiB"
timeout_ms = 2000
output = "1MiB"
fuel = 5000000
http_body = "2MiB"
http_requests = 7
vars = "64KiB"
log_lines = 50
instances = 2
open_files = 16
[config.greeting]
type = "string"
default = "hello"
[config.token]
type = "secret"
hosts = ["api.example.com"]
[[tool]]
name = "hash.sha256"
function = "sha256"
description = "SHA-256 of a text"
side_effect_class = "read"
effect = "read"
retry_profile = "transient"
timeout_ms = 500
can_achieve = ["hash_known"]
requires = ["a"]
effects = ["b"]
args_schema = '''{"type":"object","properties":{"input":{"type":"string"}},"required":["input"],"additionalProperties":false}'''
[[tool.case]]
name = "abc"
args = { input = "abc" }
payload = { hash = "ba78", algorithm = "sha256" }
[[tool.case]]
args = { input = 1 }
error = "bad_args"
[[tool]]
name = "hash.store"
function = "store"
description = "Keeps a hash"
side_effect_class = "write"
effect = "file"
reconcile = "hash.sha256"
`

func TestFull(t *testing.T) {
	got, err := manifest.Parse([]byte(full))
	must.Succeed(t, err)
	want := manifest.Manifest{
		Schema: 1, ID: "hash", Version: "1.0.0", Description: "Hashes of text", Module: "hash.wasm", ABI: "extism", State: "fresh", Warmup: "errand_warmup",
		SHA256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		Hosts:  []string{"api.example.com", "*.example.org"},
		Paths:  []manifest.Path{{Root: "files.roots", Mode: "rw", Quota: 2 << 30, MaxFile: 1 << 30}, {Root: "hash.inputs", Mode: "ro"}},
		Limits: manifest.Limits{
			Memory: 16 << 20, TimeoutMS: 2000, Output: 1 << 20, Fuel: 5_000_000,
			HTTPBody: 2 << 20, HTTPRequests: 7, Vars: 64 << 10, LogLines: 50, Instances: 2, OpenFiles: 16,
		},
		Config: map[string]manifest.Config{"greeting": {Type: "string", Default: "hello"}, "token": {Type: "secret", Hosts: []string{"api.example.com"}}},
		Tools: []manifest.Tool{{
			Name: "hash.sha256", Function: "sha256", Description: "SHA-256 of a text", SideEffectClass: "read", Effect: "read", RetryProfile: "transient", TimeoutMS: 500,
			CanAchieve: []string{"hash_known"}, Requires: []string{"a"}, Effects: []string{"b"},
			ArgsSchema: `{"type":"object","properties":{"input":{"type":"string"}},"required":["input"],"additionalProperties":false}`,
			Cases: []manifest.Case{
				{Name: "abc", Args: map[string]any{"input": "abc"}, Payload: map[string]any{"hash": "ba78", "algorithm": "sha256"}},
				{Args: map[string]any{"input": int64(1)}, Error: "bad_args"},
			},
		}, {
			Name: "hash.store", Function: "store", Description: "Keeps a hash", SideEffectClass: "write", Effect: "file", RetryProfile: "none",
			ArgsSchema: `{"type":"object","properties":{},"additionalProperties":false}`, Reconcile: "hash.sha256",
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("manifest (-want +got):\n%s", diff)
	}
	for i, ms := range []int{500, 2000} { // the tool's own, and the limit
		spec := got.Spec(got.Tools[i])
		if err := spec.Validate(); err != nil || spec.TimeoutMS != ms || spec.Source != "plugin:hash" {
			t.Errorf("spec is %+v (%v)", spec, err)
		}
	}
}

func TestDefaults(t *testing.T) {
	m, err := manifest.Parse([]byte(small + "[[paths]]\nroot = \"a\"\nmode = \"rw\"\n[[paths]]\nroot = \"b\"\n[[paths]]\nroot = \"c\"\nmode = \"rw\"\nquota = \"1MiB\"\n"))
	must.Succeed(t, err)
	paths := []manifest.Path{
		{Root: "a", Mode: "rw", Quota: 1 << 30, MaxFile: 256 << 20},
		{Root: "b", Mode: "ro"},
		{Root: "c", Mode: "rw", Quota: 1 << 20, MaxFile: 1 << 20},
	}
	if diff := cmp.Diff(paths, m.Paths); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
	want := manifest.Limits{
		Memory: 64 << 20, TimeoutMS: tool.DefaultTimeoutMS, Output: 1 << 20,
		HTTPBody: 50 << 20, HTTPRequests: 100, Vars: 1 << 20, LogLines: 1000, Instances: 4, OpenFiles: 256,
	}
	if diff := cmp.Diff(want, m.Limits); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
	if m.State != manifest.Fresh || m.Tools[0].RetryProfile != tool.RetryNone || !json.Valid([]byte(m.Tools[0].ArgsSchema)) {
		t.Errorf("defaults are missing: %+v", m)
	}
}

// TestFaults edits the small manifest and wants what is said of it.
func TestFaults(t *testing.T) {
	tests := []struct {
		name     string
		old, new string
		want     string
	}{
		{"no TOML", "schema = 1", "schema 1", "plugin.toml:1:8:"},
		{"wrong type", "schema = 1", `schema = "one"`, "plugin.toml:1: schema must be a whole number, not a text"},
		{"number for a text", `id = "hash"`, "id = 5", "id must be a text in quotes, not a whole number"},
		{"text for a list", "abi =", "hosts = \"a.example\"\nabi =", "hosts must be a list of texts, not a text"},
		{"table for a text", `id = "hash"`, "id.x = 1", "must be a text in quotes, not a table"},
		{"number for a table", "abi =", "limits = 3\nabi =", "limits must be a table, not a whole number"},
		{"negative size", "[[tool]]", "[limits]\nmemory = -1\n[[tool]]", "limits.memory must not be negative"},
		{"one table written as many", "[[tool]]", "[[limits]]\n[[tool]]", "limits is one table, written with single brackets"},
		{"number that is too large", "schema = 1", "schema = 99999999999999999999", "the number is too large"},
		{"text without quotes", `id = "hash"`, "id = hash", "a value can't begin with 'h'; a text needs quotes"},
		{"no value", "schema = 1", "schema =", "the value is missing"},
		{"slip in a key", "version =", "verison =", `plugin.toml:3: unknown key "verison"; did you mean "version"?`},
		{"slip in a tool's key", "function =", "functoin =", `plugin.toml:8: unknown key "tool.functoin"; did you mean "function"?`},
		{"unknown key", "version =", "frobnicate = 1\nversion =", `plugin.toml:3: unknown key "frobnicate"; known here: schema, id, version,`},
		{"slip in limits", "[[tool]]", "[limits]\nmemroy = \"1MiB\"\n[[tool]]", `unknown key "limits.memroy"; did you mean "memory"?`},
		{"slip in config", "[[tool]]", "[config.a]\ntyp = \"int\"\n[[tool]]", `unknown key "config.a.typ"; did you mean "type"?`},
		{"slip in a case", "effect = \"read\"\n", "effect = \"read\"\n[[tool.case]]\narg = {}\n", `unknown key "tool.case.arg"; did you mean "args"?`},
		{"size without a unit", "[[tool]]", "[limits]\nmemory = 64\n[[tool]]", `limits.memory must be a size with its unit, not 64: write "64MiB", or "64B" for bytes`},
		{"size as a text without a unit", "[[tool]]", "[limits]\nmemory = \"64\"\n[[tool]]", `not "64"`},
		{"NUL in the module's name", `"hash.wasm"`, `"hash\u0000.wasm"`, `module "hash\x00.wasm" must be the name of a file`},
		{"schema", "schema = 1", "schema = 2", "schema must be 1, not 2"},
		{"no schema", "schema = 1\n", "", "schema is missing; write schema = 1"},
		{"id", `id = "hash"`, `id = "Hash!"`, `id "Hash!" must be of lower-case letters`},
		{"no version", "version = \"1.0.0\"\n", "", "version is missing"},
		{"module in a folder", `"hash.wasm"`, `"../hash.wasm"`, `module "../hash.wasm" must be the name of a file`},
		{"module by a Windows path", `"hash.wasm"`, `'a\hash.wasm'`, "must be the name of a file"},
		{"no module", "module = \"hash.wasm\"\n", "", "module is missing: it names the .wasm file"},
		{"digest", "abi =", "sha256 = \"abc\"\nabi =", "sha256 \"abc\" is not 64 hex digits"},
		{"abi", `"extism"`, `"component"`, `abi "component" is not wasi, extism or hyper-mcp`},
		{"no abi", "abi = \"extism\"\n", "", "abi is missing: wasi for a command"},
		{"state", "abi =", "state = \"warm\"\nabi =", `state "warm" is not fresh or sticky`},
		{"sticky command", `abi = "extism"`, "abi = \"wasi\"\nstate = \"sticky\"", "state sticky needs abi extism"},
		{"hosts of a command", `abi = "extism"`, "abi = \"wasi\"\nhosts = [\"a.example\"]", "hosts need abi extism"},
		{"host pattern", "abi =", "hosts = [\"*.com\"]\nabi =", `hosts: pattern "*.com"`},
		{"path without root", "[[tool]]", "[[paths]]\nmode = \"ro\"\n[[tool]]", "[[paths]]: root is missing"},
		{"path mode", "[[tool]]", "[[paths]]\nroot = \"a\"\nmode = \"wr\"\n[[tool]]", `[[paths]]: mode "wr" is not ro or rw`},
		{"memory unit", "[[tool]]", "[limits]\nmemory = \"16MB\"\n[[tool]]", "16MB"},
		{"memory too much", "[[tool]]", "[limits]\nmemory = \"5GiB\"\n[[tool]]", "limits.memory 5GiB is more than 4GiB"},
		{"memory too little", "[[tool]]", "[limits]\nmemory = \"1KiB\"\n[[tool]]", "limits.memory 1KiB is less than one page"},
		{"timeout", "[[tool]]", "[limits]\ntimeout_ms = -1\n[[tool]]", "limits.timeout_ms -1"},
		{"fuel", "[[tool]]", "[limits]\nfuel = -1\n[[tool]]", "plugin.toml:7: limits.fuel -1 is not between 0 and"},
		{"body", "[[tool]]", "[limits]\nhttp_body = \"2GiB\"\n[[tool]]", "plugin.toml:7: limits.http_body 2GiB is more than 1GiB"},
		{"requests", "[[tool]]", "[limits]\nhttp_requests = -1\n[[tool]]", "plugin.toml:7: limits.http_requests -1 is not between 1 and 100000"},
		{"vars", "[[tool]]", "[limits]\nvars = \"2GiB\"\n[[tool]]", "limits.vars 2GiB is more than 1GiB"},
		{"log lines", "[[tool]]", "[limits]\nlog_lines = 9000000\n[[tool]]", "limits.log_lines 9000000 is not between 1 and 1000000"},
		{"instances", "[[tool]]", "[limits]\ninstances = 65\n[[tool]]", "limits.instances 65 is not between 1 and 64"},
		{"open files", "[[tool]]", "[limits]\nopen_files = 70000\n[[tool]]", "limits.open_files 70000 is not between 1 and 65536"},
		{"a limit of 0", "[[tool]]", "[limits]\n\nhttp_requests = 0\n[[tool]]", "plugin.toml:8: limits.http_requests can't be 0"},
		{"a size of 0, in braces", "abi =", "limits = { memory = 0 }\nabi =", "plugin.toml:5: limits.memory can't be 0"},
		{"quota of 0", "[[tool]]", "[[paths]]\nroot = \"a\"\nmode = \"rw\"\nquota = 0\n[[tool]]", "plugin.toml:9: [[paths]]: quota can't be 0"},
		{"quota of a root that can't be written", "[[tool]]", "[[paths]]\nroot = \"a\"\nquota = \"1MiB\"\n[[tool]]", "plugin.toml:8: [[paths]]: quota is for mode rw"},
		{"largest file likewise", "[[tool]]", "[[paths]]\nroot = \"a\"\nmax_file = \"1MiB\"\n[[tool]]", "[[paths]]: max_file is for mode rw"},
		{"quota beyond any disk", "[[tool]]", "[[paths]]\nroot = \"a\"\nmode = \"rw\"\nquota = \"1048577GiB\"\n[[tool]]", "[[paths]]: quota 1048577GiB is more than"},
		{"a file larger than the quota", "[[tool]]", "[[paths]]\nroot = \"a\"\nmode = \"rw\"\nquota = \"1MiB\"\nmax_file = \"2MiB\"\n[[tool]]", "[[paths]]: max_file 2MiB is more than the quota 1MiB"},
		{"warm-up of a command", `abi = "extism"`, "abi = \"wasi\"\nwarmup = \"w\"", "plugin.toml:6: warmup needs abi extism"},
		{"warm-up of what stays warm", "abi =", "state = \"sticky\"\nwarmup = \"w\"\nabi =", "warmup needs state fresh"},
		{"warm-up that is a tool", "abi =", "warmup = \"sha256\"\nabi =", `function "sha256" is the warmup`},
		{"a tool's timeout", "effect =", "timeout_ms = -1\neffect =", "plugin.toml:11: tool hash.sha256: timeout_ms -1 is not between"},
		{"config type", "[[tool]]", "[config.a]\ntype = \"float\"\n[[tool]]", `config.a: type "float"`},
		{"config default", "[[tool]]", "[config.a]\ntype = \"int\"\ndefault = \"1\"\n[[tool]]", "config.a: default 1 is not of type int"},
		{"secret with a default", "[[tool]]", "[config.a]\ntype = \"secret\"\ndefault = \"1\"\n[[tool]]", "a secret can't have a default"},
		{"hosts of no secret", "[[tool]]", "[config.a]\ntype = \"int\"\nhosts = [\"a.example\"]\n[[tool]]", "hosts are for secrets"},
		{"secret's hosts", "[[tool]]", "[config.a]\ntype = \"secret\"\nhosts = [\"a b\"]\n[[tool]]", `config.a: hosts: pattern "a b"`},
		{"config key", "[[tool]]", "[config.\"a b\"]\ntype = \"int\"\n[[tool]]", `config key "a b" must be of letters`},
		{"no tool", small[strings.Index(small, "[[tool]]"):], "", "there is no [[tool]]"},
		{"tool name", `"hash.sha256"`, `"hash sha256"`, `plugin.toml:7: tool hash sha256: name "hash sha256" must be of letters`},
		{"another's tool", `"hash.sha256"`, `"files.sha256"`, `tool files.sha256: a plugin's tools are named after it: call it "hash.sha256"`},
		{"a tool of nobody", `"hash.sha256"`, `"sha256"`, `call it "hash.sha256"`},
		{"a name that only begins like the plugin's", `"hash.sha256"`, `"hashes.sha256"`, `call it "hash.sha256"`},
		{"no more than the dot", `"hash.sha256"`, `"hash."`, `call it "hash.`},
		{"no class", "side_effect_class = \"read\"\n", "", `side_effect_class "" is not`},
		{"class and effect", `effect = "read"`, `effect = "file"`, `effect "file" is not a read`},
		{"retried write", `side_effect_class = "read"`, "side_effect_class = \"write\"\nretry_profile = \"transient\"", "only a read tool may be retried"},
		{"no function", "function = \"sha256\"\n", "", "function is missing"},
		{"function of a command", `abi = "extism"`, `abi = "wasi"`, "function is for abi extism"},
		{"no description", "description = \"SHA-256 of a text\"\n", "", "description is missing"},
		{"schema is no JSON", "effect =", "args_schema = \"{\"\neffect =", "plugin.toml:11: tool hash.sha256: args_schema: it is not JSON: it ends too early"},
		{"schema of no object", "effect =", "args_schema = '{\"type\":\"string\"}'\neffect =", "must be the JSON Schema of an object"},
		{"schema with a comma too many", "effect =", "args_schema = '''\n{\n\"type\": \"object\",\n}\n'''\neffect =", "plugin.toml:14: tool hash.sha256: args_schema: it is not JSON: invalid character '}'"},
		{"schema with a type that is none", "effect =", "args_schema = '''{\"type\": \"object\",\n\"properties\": {\"a\": {\n\"type\": \"strin\"}}}'''\neffect =", `plugin.toml:13: tool hash.sha256: args_schema: /properties/a/type: value must be one of`},
		{"schema with a pattern that is none", "effect =", "args_schema = '{\"type\": \"object\", \"properties\": {\"a\": {\"pattern\": \"(\"}}}'\neffect =", `plugin.toml:11: tool hash.sha256: args_schema: /properties/a/pattern: the pattern "(" can't be used: missing closing ): (`},
		{"schema with another language's pattern", "effect =", "args_schema = '{\"type\": \"object\", \"properties\": {\"a\": {\"pattern\": \"(?=a)\"}}}'\neffect =", `can't be used: (?= is not in RE2's syntax, which has no lookaround and no back-references`},
		{"schema that refers to what isn't there", "effect =", "args_schema = '{\"type\": \"object\", \"properties\": {\"a\": {\"$ref\": \"#/$defs/a\"}}}'\neffect =", `plugin.toml:11: tool hash.sha256: args_schema: `},
		{"schema that refers elsewhere", "effect =", "args_schema = '{\"type\": \"object\", \"properties\": {\"a\": {\"$ref\": \"https://example.com/a\"}}}'\neffect =", "only references within the schema are followed"},
		{"version that leads out of a folder", `"1.0.0"`, `"../../x"`, `plugin.toml:3: version "../../x" is not a version such as 1.2.0`},
		{"version in words", `"1.0.0"`, `"newest"`, `version "newest" is not a version`},
		{"version without an end", `"1.0.0"`, `"1.` + strings.Repeat("0", 80) + `"`, "at most 64 characters"},
		{"another encoding", "schema", "\xff\xfes\x00", "plugin.toml:1: it is written in UTF-16; save it as UTF-8"},
		{"a case of no time", "effect =", "case = [{ now = \"noon\", error = \"x\" }]\neffect =", `case 1: now "noon" is not a time such as 2026-03-01T12:00:00Z`},
		{"a case's file that is no base64", "[[tool]]", "[[paths]]\nroot = \"a\"\n[[tool]]\ncase = [{ binary = { a = \"?\" }, error = \"x\" }]", "case 1: binary: a: illegal base64 data"},
		{"case with a number that no call has", "effect =", "case = [{ args = { a = [9007199254740993] }, error = \"x\" }]\neffect =", "tool hash.sha256: case 1: args: a[0]: 9007199254740993 is too large to be stored exactly; give it as text"},
		{"preview of a read", "effect =", "preview = \"hash.sha256\"\neffect =", "plugin.toml:11: tool hash.sha256: preview is for tools that change something"},
		{"preview by a tool that there is not", "effect =", "preview = \"hash.md5\"\neffect =", `preview names "hash.md5", which is not a tool`},
		{"writes of a read", "effect =", "writes = [\"path\"]\neffect =", "plugin.toml:11: tool hash.sha256: writes is for tools that change something"},
		{"writes without a folder to change", "effect =", "writes = [\"*\"]\neffect =", "writes needs [[paths]] with mode"},
		{"writes of an argument that there is not", "effect =", "writes = [\"into\"]\neffect =", `writes names "into", which is not a path`},
		{"writes of an argument with a path in anyOf only", "[[tool]]", "[[paths]]\nroot = \"a\"\nmode = \"rw\"\n[[tool]]\nname = \"hash.put\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"file\"\nwrites = [\"a\"]\nargs_schema = '{\"type\": \"object\", \"properties\": {\"a\": {\"anyOf\": [{\"type\": \"string\", \"format\": \"path\"}]}}, \"$defs\": {\"a\": {\"format\": \"path\"}}}'\n[[tool]]", `writes names "a", which is not a path`},
		{"writes of an argument with a path in additionalProperties only", "[[tool]]", "[[paths]]\nroot = \"a\"\nmode = \"rw\"\n[[tool]]\nname = \"hash.put\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"file\"\nwrites = [\"a\"]\nargs_schema = '{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"object\", \"additionalProperties\": {\"format\": \"path\"}}}, \"$defs\": {\"a\": {\"format\": \"path\"}}}'\n[[tool]]", `writes names "a", which is not a path`},
		{"writes of an argument with a path behind $ref only", "[[tool]]", "[[paths]]\nroot = \"a\"\nmode = \"rw\"\n[[tool]]\nname = \"hash.put\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"file\"\nwrites = [\"a\"]\nargs_schema = '{\"type\": \"object\", \"properties\": {\"a\": {\"$ref\": \"#/$defs/a\"}}, \"$defs\": {\"a\": {\"format\": \"path\"}}}'\n[[tool]]", `writes names "a", which is not a path`},
		{"writes of an argument with a path as default only", "[[tool]]", "[[paths]]\nroot = \"a\"\nmode = \"rw\"\n[[tool]]\nname = \"hash.put\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"file\"\nwrites = [\"a\"]\nargs_schema = '{\"type\": \"object\", \"properties\": {\"a\": {\"default\": {\"format\": \"path\"}}}, \"$defs\": {\"a\": {\"format\": \"path\"}}}'\n[[tool]]", `writes names "a", which is not a path`},
		{"writes of all and one", "effect =", "writes = [\"*\", \"into\"]\neffect =", `writes names "*", which is not a path`},
		{"reads_itself of no argument", "effect =", "reads_itself = [\"into\"]\neffect =", `reads_itself names "into", which is not a path that the tool only reads`},
		{"reads_itself of a text", "effect =", "reads_itself = [\"text\"]\nargs_schema = '{\"type\": \"object\", \"properties\": {\"text\": {\"type\": \"string\"}}}'\neffect =", `reads_itself names "text", which is not a path that the tool only reads`},
		{"reads_itself of what is written", "[[tool]]", "[[paths]]\nroot = \"a\"\nmode = \"rw\"\n[[tool]]\nname = \"hash.put\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"file\"\nreads_itself = [\"a\"]\nargs_schema = '{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"string\", \"format\": \"path\"}}}'\n[[tool]]", `reads_itself names "a", which is not a path that the tool only reads`},
		{"writes_itself of a read", "effect =", "writes_itself = [\"path\"]\neffect =", `writes_itself names "path", which is not an argument of writes`},
		{"replaces of a read", "effect =", "replaces = \"over\"\neffect =", "plugin.toml:11: tool hash.sha256: replaces is for tools that change something"},
		{"replaces of a tool that names no path", "side_effect_class = \"read\"\neffect = \"read\"", "side_effect_class = \"write\"\neffect = \"file\"\nreplaces = \"over\"\nargs_schema = '{\"type\": \"object\", \"properties\": {\"over\": {\"type\": \"boolean\"}}}'", "replaces needs writes with the arguments"},
		{"replaces of an argument that there is not", "side_effect_class = \"read\"\neffect = \"read\"", "side_effect_class = \"write\"\neffect = \"file\"\nreplaces = \"over\"", `replaces names "over", which is not a boolean property`},
		{"replaces of a text", "side_effect_class = \"read\"\neffect = \"read\"", "side_effect_class = \"write\"\neffect = \"file\"\nreplaces = \"over\"\nargs_schema = '{\"type\": \"object\", \"properties\": {\"over\": {\"type\": \"string\"}}}'", `replaces names "over", which is not a boolean property`},
		{"case without outcome", "effect =", "case = [{ args = {} }]\neffect =", "tool hash.sha256: case 1: it needs a payload or an error"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(small, tt.old) {
				t.Fatalf("the small manifest has no %q", tt.old)
			}
			_, err := manifest.Parse([]byte(strings.Replace(small, tt.old, tt.new, 1)))
			if err == nil || !strings.Contains(i18n.English().Error(err), tt.want) {
				t.Fatalf("error is\n%v\nwant in it\n%s", err, tt.want)
			}
			for _, goSpeak := range []string{"manifest.", "struct", "strconv", "TOML ", "U+", "interface"} {
				if strings.Contains(i18n.English().Error(err), goSpeak) {
					t.Errorf("error speaks of %q:\n%v", goSpeak, err)
				}
			}
		})
	}
	twice := small + small[strings.Index(small, "[[tool]]"):]
	if _, err := manifest.Parse([]byte(twice)); err == nil || !strings.Contains(i18n.English().Error(err), "tool hash.sha256: its name is used twice") {
		t.Errorf("a tool twice: %v", err)
	}
	if _, err := manifest.Parse(make([]byte, manifest.MaxSize+1)); err == nil {
		t.Error("a manifest beyond the limit was read")
	}
}

// TestAllFaultsAtOnce: a person shouldn't have to run it once for each, and is
// not told that what stands there is missing.
func TestAllFaultsAtOnce(t *testing.T) {
	_, err := manifest.Parse([]byte("schema = 2\nid = \"\"\n"))
	for _, want := range []string{"schema", "id", "version", "module", "abi", "[[tool]]"} {
		if err == nil || !strings.Contains(i18n.English().Error(err), want) {
			t.Errorf("%v does not mention %s", err, want)
		}
	}
	if _, err := manifest.Parse([]byte(strings.Replace(small, "version", "verison", 1))); strings.Contains(i18n.English().Error(err), "missing") {
		t.Errorf("a key that is misspelt is said to be missing: %v", err)
	}
	_, err = manifest.Parse([]byte(`schema = "1"
id = "hash"
version = 1.0
module = "hash.wasm"
abi = "wasi"
colour = "red"
hosts = ["a.example", 5]
[limits]
memory = "64MB"
fuel = -1
[[paths]]
mode = "all"
[[tool]]
name = "hash.a"
description = ["a"]
side_effect_class = "red"
effect = "reed"
args_schema = { type = "object" }
[[tool.case]]
args = []
[[tool]]
name = 7
payload = 1
`))
	want := `plugin.toml:1: schema must be a whole number, not a text
plugin.toml:3: version must be a text in quotes, not a number with a fraction
plugin.toml:6: unknown key "colour"; known here: schema, id, version, description, module, sha256, abi, state, warmup, hosts, paths, limits, config, tool, phrases
plugin.toml:7: hosts must be a text in quotes, not a whole number
plugin.toml:9: limits.memory must be a size such as "16MiB": a whole number with KiB, MiB or GiB, not "64MB"
plugin.toml:10: limits.fuel -1 is not between 0 and 9007199254740992
plugin.toml:11: [[paths]]: root is missing
plugin.toml:12: [[paths]]: mode "all" is not ro or rw
plugin.toml:15: tool.description must be a text in quotes, not a list
plugin.toml:16: tool hash.a: side_effect_class "red" is not read, write or auth
plugin.toml:17: tool hash.a: effect "reed" is not read, navigate, input, commit or file
plugin.toml:18: tool.args_schema must be a text in quotes, not a table
plugin.toml:19: tool hash.a: case 1: it needs a payload or an error, but not both
plugin.toml:20: tool.case.args must be a table, not a list
plugin.toml:21: [[tool]] 2: side_effect_class "" is not read, write or auth
plugin.toml:21: [[tool]] 2: effect "" is not read, navigate, input, commit or file
plugin.toml:21: [[tool]] 2: description is missing
plugin.toml:22: tool.name must be a text in quotes, not a whole number
plugin.toml:23: unknown key "tool.payload"; known here: name, function, description, side_effect_class, effect, retry_profile, timeout_ms, can_achieve, requires, effects, reversible, reconcile, preview, untrusted, args_schema, writes, writes_itself, reads_itself, replaces, argv, stdin, stdout, exit_codes, case`
	got := strings.ReplaceAll(i18n.English().Error(err), `plugin.toml:7: hosts need abi extism: a wasi command has no network`+"\n", "")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

// TestByteOrderMark: some editors write one, and it moves no line. Where
// something is written into such a manifest it stays.
func TestByteOrderMark(t *testing.T) {
	const mark = "\ufeff"
	if m, err := manifest.Parse([]byte(mark + small)); err != nil || m.ID != "hash" {
		t.Errorf("read as %q (%v)", m.ID, err)
	}
	if _, err := manifest.Parse([]byte(mark + strings.Replace(small, `"1.0.0"`, "1", 1))); err == nil || !strings.Contains(i18n.English().Error(err), "plugin.toml:3: version") {
		t.Errorf("its fault is %v", err)
	}
	pinned, err := manifest.Pin([]byte(mark+small), strings.Repeat("a", 64))
	if err != nil || !strings.HasPrefix(string(pinned), mark+"schema = 1\n") || !strings.Contains(string(pinned), "sha256 = \"aaa") {
		t.Errorf("pinned it is\n%s(%v)", pinned, err)
	}
}

func TestSize(t *testing.T) {
	tests := []struct {
		in   string
		want manifest.Size
		text string // "" for an error
	}{
		{"16MiB", 16 << 20, "16MiB"},
		{"16 MiB", 16 << 20, "16MiB"},
		{"1024KiB", 1 << 20, "1MiB"},
		{"100B", 100, "100B"},
		{"0B", 0, "0B"},
		{"100", 0, ""},
		{"0", 0, ""},
		{"4GiB", 4 << 30, "4GiB"},
		{"", 0, ""},
		{"MiB", 0, ""},
		{"-1MiB", 0, ""},
		{"1.5MiB", 0, ""},
		{"16MB", 0, ""},
		{"99999999999GiB", 0, ""},
	}
	for _, tt := range tests {
		got, err := manifest.ParseSize(tt.in)
		if (err != nil) != (tt.text == "") || got != tt.want || err == nil && got.String() != tt.text {
			t.Errorf("ParseSize(%q) = %v, %v, want %v", tt.in, got, err, tt.text)
		}
	}
}

// FuzzParse: any text is read without a panic, an error is never empty, and
// what is accepted has nothing but valid specs and is accepted again with its
// defaults written out.
func FuzzParse(f *testing.F) {
	f.Add(small)
	f.Add(full)
	f.Add("[[tool]]\n[[tool]]\nname=1")
	f.Add("[config]\na={}")
	f.Add("limits = {memory = 1}")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := manifest.Parse([]byte(text))
		if err != nil {
			if i18n.English().Error(err) == "" {
				t.Error("an empty error")
			}
			return
		}
		for _, tl := range m.Tools {
			if tl.Name != m.ID && !strings.HasPrefix(tl.Name, m.ID+".") {
				t.Errorf("plugin %s may have a tool %s", m.ID, tl.Name)
			}
			if err := m.Spec(tl).Validate(); err != nil {
				t.Errorf("accepted, and %v", err)
			}
		}
		l := m.Limits
		if l.Fuel < 0 {
			t.Errorf("a fuel of %d", l.Fuel)
		}
		if l.Fuel = 1; reflect.ValueOf(l).NumField() != nonZero(l) {
			t.Errorf("accepted without limits: %+v", m.Limits)
		}
	})
}

// TestFaultsHaveTheirLines: however a value is written, its fault says where.
func TestFaultsHaveTheirLines(t *testing.T) {
	_, err := manifest.Parse([]byte(`schema = 1
id = "hash"
version = "1"
module = "hash.wasm"
abi = "extism"
hosts = [
  "a.example",
  "*.com",
]
limits = { memory = "16MiB", timeout_ms = -5 }
config.a.type = "float"

[[tool]]
name = "hash.a"
function = "a"
description = "A"
side_effect_class = "read"
effect = "read"
args_schema = """
{"type": "array"}
"""
[[tool.case]]
args = {}
payload = 1
[[tool.case]]
args = {}

[[tool]]
name = "other.b"
function = "b"
description = "B"
side_effect_class = "read"
effect = "read"
reversible = true
`))
	want := `plugin.toml:8: hosts: pattern "*.com": …
plugin.toml:10: limits.timeout_ms -5 is not between 1 and 86400000
plugin.toml:11: config.a: type "float" is not string, int, bool or secret
plugin.toml:20: tool hash.a: args_schema: it must be the JSON Schema of an object ("type": "object")
plugin.toml:25: tool hash.a: case 2: it needs a payload or an error, but not both
plugin.toml:29: tool other.b: a plugin's tools are named after it: call it "hash.b"
plugin.toml:34: tool other.b: reversible is for tools that change something; side_effect_class is read`
	got := regexp.MustCompile(`("\*.com"): .*`).ReplaceAllString(i18n.English().Error(err), "$1: …")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

func nonZero(limits manifest.Limits) (n int) {
	v := reflect.ValueOf(limits)
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			n++
		}
	}
	return n
}
