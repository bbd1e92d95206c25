package wasm_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/planner/message"
)

const rogueManifest = `
schema = 1
id = "rogue"
version = "1.2.3"
description = "A plugin that does harm"
module = "rogue.wasm"
abi = "wasi"
[[paths]]
root = "files.roots"
mode = "ro"
[limits]
memory = "32MiB"
timeout_ms = 60000
output = "64KiB"
[config.greeting]
type = "string"
default = "hello"
[config.times]
type = "int"
`

// rogueTools loads the rogue with a tool for each of its tricks.
func rogueTools(t *testing.T, o wasm.Options) func(name string, args map[string]any) tool.Result {
	t.Helper()
	manifest := rogueManifest
	for _, name := range []string{
		"echo", "loop", "sleep", "bomb", "flood", "chatter", "exit", "panic", "silence", "garbage",
		"twice", "no", "no_reason", "no_and_exit", "facts", "world", "read", "fds", "dir", "say",
	} {
		manifest += fmt.Sprintf("[[tool]]\nname = \"rogue.%s\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\nargs_schema = '{\"type\":\"object\"}'\n", name)
	}
	manifest += "[[tool]]\nname = \"rogue.back\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"file\"\nargs_schema = '{\"type\":\"object\",\"additionalProperties\":true}'\n"
	h := newHost(t, o)
	load := func(manifest string) []tool.Tool {
		t.Helper()
		p, err := h.Load(fstest.MapFS{"plugin.toml": {Data: []byte(manifest)}, "rogue.wasm": {Data: rogue(t)}})
		must.Succeed(t, err)
		must.Succeed(t, p.Prepare(t.Context()))
		return p.Tools()
	}
	// What doesn't end has little time, everything else as much as a busy machine needs.
	tools, hasty := load(manifest), load(strings.Replace(manifest, "timeout_ms = 60000", "timeout_ms = 1500", 1))
	return func(name string, args map[string]any) tool.Result {
		t.Helper()
		tools := tools
		if name == "rogue.loop" || name == "rogue.sleep" {
			tools = hasty
		}
		for _, tl := range tools {
			if tl.Spec().Name == name {
				r, err := tl.Call(t.Context(), tool.Call{Tool: name, ActionID: "a1", Args: args})
				must.Succeed(t, err)
				return r
			}
		}
		t.Fatalf("no tool %s", name)
		return tool.Result{}
	}
}

func TestRogue(t *testing.T) {
	root := t.TempDir()
	must.Succeed(t, os.WriteFile(filepath.Join(root, "a.txt"), []byte("content"), 0o600))
	var mu sync.Mutex
	var lines []string
	call := rogueTools(t, wasm.Options{
		Roots:  map[string][]string{"files.roots": {root}},
		Config: func(string) map[string]any { return map[string]any{"times": 3} },
		Log: func(_ context.Context, _, level string, line message.Message) {
			mu.Lock()
			defer mu.Unlock()
			lines = append(lines, level+": "+i18n.English().Text(line))
		},
	})
	tests := []struct {
		name  string
		args  map[string]any
		class tool.Class
		code  string
		say   string // what the message names
	}{
		{"loop", nil, tool.ToolTimeout, "deadline_exceeded", "1.5s"},
		{"sleep", nil, tool.ToolTimeout, "deadline_exceeded", "1.5s"},
		{"bomb", nil, tool.ExecutionError, "memory_limit", "32MiB"},
		{"S3-H20 flood", nil, tool.ExecutionError, "output_limit", "64KiB"},
		{"chatter", nil, tool.ExecutionError, "log_lines_limit", "limit of 1000 lines"},
		{"fds", map[string]any{"path": filepath.Join(root, "a.txt")}, tool.ExecutionError, "open_files_limit", "limit of 256 files"},
		{"exit", nil, tool.ExecutionError, "plugin_exited", "exit code 3"},
		{"S3-H20 panic", nil, tool.ExecutionError, "plugin_exited", "exit code 2"},
		{"silence", nil, tool.ExecutionError, "bad_output", "it is empty"},
		{"S3-H20 garbage", nil, tool.ExecutionError, "bad_output", "not JSON"},
		{"twice", nil, tool.ExecutionError, "bad_output", "more than one"},
		{"say", map[string]any{"answer": `{"ok":true,"payload":[{"a":1,"a":2}]}`}, tool.ExecutionError, "bad_output", "it has payload[0].a twice"},
		{"say", map[string]any{"answer": `{"ok":false,"OK":true,"payload":1}`}, tool.ExecutionError, "bad_output", `"OK" must be written "ok"`},
		{"say", map[string]any{"answer": `{"ok":false,"error":{"Code":"c","message":"m"}}`}, tool.ExecutionError, "bad_output", `"Code" must be written "code"`},
		{"say", map[string]any{"answer": `{"ok":true,"undo":{"Tool":"rogue.a"}}`}, tool.ExecutionError, "bad_output", `"Tool" must be written "tool"`},
		{"say", map[string]any{"answer": `{"payload":1}`}, tool.ExecutionError, "bad_output", `neither "ok" nor "error"`},
		{"say", map[string]any{"answer": `null`}, tool.ExecutionError, "bad_output", `neither "ok" nor "error"`},
		{"no", nil, tool.ExecutionError, "plugin.busy", "in " + filepath.Join(root, "printer") + " is busy"},
		{"no_reason", nil, tool.ExecutionError, "plugin_error", "no reason"},
		{"no_and_exit", nil, tool.ValidationError, "plugin.late", "too late"},
		{"S3-H19 read", map[string]any{"path": "/etc/passwd"}, tool.PolicyDenied, "path_outside_roots", root},
		{"read", map[string]any{"path": filepath.Join(root, "../x")}, tool.PolicyDenied, "path_outside_roots", "files.roots"},
		{"echo", map[string]any{"deep": []any{map[string]any{"path": "/etc/passwd"}}}, tool.PolicyDenied, "path_outside_roots", "/etc/passwd"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := call("rogue."+tt.name[strings.LastIndex(tt.name, " ")+1:], tt.args)
			if r.OK || r.Error == nil {
				t.Fatalf("result is %+v", r)
			}
			wantError(t, r.Error, tt.class, tt.code)
			if !strings.Contains(i18n.English().Text(r.Error.Message), tt.say) {
				t.Errorf("message %q does not say %q", i18n.English().Text(r.Error.Message), tt.say)
			}
		})
	}
	for code, key := range map[string]string{
		"loop": "limits.timeout_ms", "bomb": "limits.memory", "flood": "limits.output", "chatter": "limits.log_lines", "fds": "limits.open_files",
	} {
		if hint := call("rogue."+code, map[string]any{"path": filepath.Join(root, "a.txt")}).Error.Hint; !strings.Contains(i18n.English().Text(hint), key) {
			t.Errorf("%s: hint %q does not name %s", code, hint, key)
		}
	}
	if !slices.Contains(lines, "info: giving up") {
		t.Errorf("standard error is not in the log: %q", lines)
	}
}

func TestRogueAnswers(t *testing.T) {
	root, second := t.TempDir(), t.TempDir()
	must.Succeed(t, os.WriteFile(filepath.Join(second, "a.txt"), []byte("content"), 0o600))
	call := rogueTools(t, wasm.Options{
		Roots:  map[string][]string{"files.roots": {root, filepath.Join(root, "missing"), second}},
		Config: func(string) map[string]any { return map[string]any{"times": 3} },
	})
	payload := func(name string, args map[string]any) any {
		t.Helper()
		r := call("rogue."+name, args)
		if !r.OK {
			t.Fatalf("%s: %+v", name, r.Error)
		}
		return r.Payload
	}

	want := map[string]any{
		"Tool": "rogue.echo", "CallID": "a1", "Config": map[string]any{"greeting": "hello", "times": 3.0},
		"Args": map[string]any{"path": filepath.Join(second, "b"), "text": "plain", "n": 1.0},
	}
	got := payload("echo", map[string]any{"path": filepath.Join(second, "x/../b"), "text": "plain", "n": 1})
	if diff := cmp.Diff(lower(want), got); diff != "" {
		t.Errorf("what the plugin was told, and back (-want +got):\n%s", diff)
	}

	read := payload("read", map[string]any{"path": filepath.Join(second, "a.txt")})
	if diff := cmp.Diff(map[string]any{"content": "content", "error": "<nil>"}, read); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	names := payload("dir", map[string]any{"path": second}).(map[string]any)["names"]
	if diff := cmp.Diff([]any{"a.txt"}, names); diff != "" {
		t.Errorf("dir (-want +got):\n%s", diff)
	}

	world := payload("world", nil).(map[string]any)
	if now := time.Now().Unix(); world["time"].(float64) < float64(now-60) || world["time"].(float64) > float64(now+60) {
		t.Errorf("the plugin's clock says %v, it is %v", world["time"], now)
	}
	if again := payload("world", nil).(map[string]any); again["random"] == world["random"] {
		t.Errorf("two calls drew the same random bytes: %v", again["random"])
	}
	if env, _ := world["env"].([]any); len(env) > 0 {
		t.Errorf("the plugin sees the environment: %v", env)
	}

	facts := call("rogue.facts", nil).Facts
	if diff := cmp.Diff([]string{"exists:" + filepath.Join(root, "a"), "!exists:" + filepath.Join(root, "etc")}, facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	missing := call("rogue.read", map[string]any{"path": filepath.Join(root, "elsewhere")})
	if !missing.OK {
		t.Errorf("a file that does not exist in a root that does: %+v", missing.Error)
	}
}

// lower is the rogue's echo of a struct, whose tags are lower case.
func lower(m map[string]any) map[string]any {
	return map[string]any{"tool": m["Tool"], "call_id": m["CallID"], "config": m["Config"], "args": m["Args"]}
}

func TestBadConfig(t *testing.T) {
	for _, set := range []map[string]any{{"times": "three"}, {"greting": "hi"}} {
		call := rogueTools(t, wasm.Options{Config: func(string) map[string]any { return set }})
		wantError(t, call("rogue.echo", nil).Error, tool.ValidationError, "plugin_config")
	}
}

// TestLoad: what a folder may lack or hold in place of a plugin.
func TestLoad(t *testing.T) {
	hello := fixture(t, "hello.wasm").Bytes
	good := func(edit ...string) string {
		m := "schema = 1\nid = \"hi\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\n" +
			"[[tool]]\nname = \"hi.hello\"\nfunction = \"run_test\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n"
		return strings.NewReplacer(edit...).Replace(m)
	}
	sum := sha256.Sum256(hello)
	h := newHost(t, wasm.Options{})
	tests := []struct {
		name string
		fs   fstest.MapFS
		want string // code of the error; "" for none
		say  string
	}{
		{"good", folder(good(), hello), "", ""},
		{"good with digest", folder(good("abi =", `sha256 = "`+hex.EncodeToString(sum[:])+"\"\nabi ="), hello), "", ""},
		{"no manifest", fstest.MapFS{}, "no_manifest", "plugin.toml"},
		{"no module", fstest.MapFS{"plugin.toml": {Data: []byte(good())}}, "no_module", "m.wasm"},
		{"unknown key", folder(good("schema", "shema"), hello), "bad_manifest", `did you mean "schema"?`},
		{"other digest", folder(good("abi =", `sha256 = "`+strings.Repeat("0", 64)+"\"\nabi ="), hello), "digest_mismatch", hex.EncodeToString(sum[:])},
		{"truncated", folder(good(), hello[:len(hello)/2]), "bad_module", "truncated"},
		{"no WebAssembly", folder(good(), []byte("MZ\x90\x00")), "bad_module", "not WebAssembly"},
		{"component", folder(good(), []byte("\x00asm\x0d\x00\x01\x00")), "unsupported_module", "component"},
		{"old PDK", folder(good(), mod{imports: []imported{{"env", "extism_alloc", i64toI64}}}.bytes()), "unsupported_module", "1.0"},
		{"function that is not there", folder(good("run_test", "run"), hello), "no_such_function", `"run"`},
		{"a command it is not", folder(good(`abi = "extism"`, `abi = "wasi"`, "function = \"run_test\"\n", ""), hello), "wrong_abi", "_start"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := h.Load(tt.fs)
			if tt.want == "" {
				must.Succeed(t, err)
				return
			}
			wantError(t, err, tool.ToolUnavailable, tt.want)
			if !strings.Contains(i18n.English().Error(err), tt.say) {
				t.Errorf("%q does not say %q", err, tt.say)
			}
			if tool.AsError(err).Hint.IsZero() {
				t.Errorf("%q comes without a hint", err)
			}
		})
	}
}

func folder(manifest string, module []byte) fstest.MapFS {
	return fstest.MapFS{"plugin.toml": {Data: []byte(manifest)}, "m.wasm": {Data: module}}
}

// TestModuleChangedAfterLoad: what runs is what was looked at.
func TestModuleChangedAfterLoad(t *testing.T) {
	h := newHost(t, wasm.Options{})
	fsys := folder("schema = 1\nid = \"hi\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\n"+
		"[[tool]]\nname = \"hi.hello\"\nfunction = \"run_test\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n", fixture(t, "hello.wasm").Bytes)
	p, err := h.Load(fsys)
	must.Succeed(t, err)
	fsys["m.wasm"].Data = fixture(t, "fail.wasm").Bytes
	r, err := p.Tools()[0].Call(t.Context(), tool.Call{Tool: "hi.hello"})
	must.Succeed(t, err)
	wantError(t, r.Error, tool.ToolUnavailable, "digest_mismatch")
}

// TestLoadBundled: the module is looked at when it is called, and not before.
func TestLoadBundled(t *testing.T) {
	h := newHost(t, wasm.Options{})
	hello := fixture(t, "hello.wasm").Bytes
	sum := sha256.Sum256(hello)
	manifest := func(digest string) string {
		return "schema = 1\nid = \"hi\"\nversion = \"1\"\nmodule = \"m.wasm\"\n" + digest + "abi = \"extism\"\n" +
			"[[tool]]\nname = \"hi.hello\"\nfunction = \"run_test\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n"
	}
	_, err := h.LoadBundled(folder(manifest(""), hello))
	wantError(t, err, tool.ToolUnavailable, "bad_manifest")
	for code, module := range map[string][]byte{"": hello, "digest_mismatch": []byte("something else")} {
		own := newHost(t, wasm.Options{}) // which hasn't compiled the digest yet
		p, err := own.LoadBundled(folder(manifest("sha256 = \""+hex.EncodeToString(sum[:])+"\"\n"), module))
		must.Succeed(t, err)
		r, err := p.Tools()[0].Call(t.Context(), tool.Call{Tool: "hi.hello"})
		must.Succeed(t, err)
		if code == "" && (!r.OK || r.Payload != "Hello, world!") {
			t.Errorf("result is %+v", r)
		}
		if code != "" {
			wantError(t, r.Error, tool.ToolUnavailable, code)
		}
	}
}

// TestReadsItself checks that only a bundled plugin can declare that a call reads nothing
// in a folder. A rule about what is in the folder would not apply to the call.
func TestReadsItself(t *testing.T) {
	hello := fixture(t, "hello.wasm").Bytes
	sum := sha256.Sum256(hello)
	fsys := folder("schema = 1\nid = \"hi\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\nsha256 = \""+hex.EncodeToString(sum[:])+"\"\n"+
		"[[paths]]\nroot = \"files.roots\"\nmode = \"ro\"\n"+
		"[[tool]]\nname = \"hi.list\"\nfunction = \"run_test\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\nreads_itself = [\"path\"]\n"+
		"args_schema = '{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\",\"format\":\"path\"}}}'\n", hello)
	root := t.TempDir()
	h := newHost(t, wasm.Options{Roots: map[string][]string{"files.roots": {root}}})
	for name, tt := range map[string]struct {
		load   func() (*wasm.Plugin, error)
		covers int
	}{
		"bundled":   {func() (*wasm.Plugin, error) { return h.LoadBundled(fsys) }, 0},
		"installed": {func() (*wasm.Plugin, error) { return h.Load(fsys) }, 1},
	} {
		p, err := tt.load()
		must.Succeed(t, err)
		if covers := p.Tools()[0].Spec().Covers(map[string]any{"path": root}); len(covers) != tt.covers {
			t.Errorf("%s: covers %v, want %d", name, covers, tt.covers)
		}
	}
}

// TestState: a fresh plugin counts from the start each time, a sticky one goes
// on, one call after the other.
func TestState(t *testing.T) {
	for state, want := range map[string]float64{"fresh": 3, "sticky": 30} {
		t.Run(state, func(t *testing.T) {
			h := newHost(t, wasm.Options{})
			p, err := h.Load(folder("schema = 1\nid = \"vowels\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\nstate = \""+state+"\"\n"+
				"[[tool]]\nname = \"vowels.count\"\nfunction = \"count_vowels\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n",
				fixture(t, "count_vowels.wasm").Bytes))
			must.Succeed(t, err)
			var most float64
			var mu sync.Mutex
			var wg sync.WaitGroup
			for range 10 {
				wg.Go(func() {
					r, err := p.Tools()[0].Call(t.Context(), tool.Call{Tool: "vowels.count", Args: map[string]any{"a": "ee"}})
					if err != nil || !r.OK {
						t.Errorf("%+v, %v", r.Error, err)
						return
					}
					mu.Lock()
					defer mu.Unlock()
					most = max(most, r.Payload.(map[string]any)["total"].(float64))
				})
			}
			wg.Wait()
			if most != want {
				t.Errorf("the highest total of ten calls with 3 vowels is %v, want %v", most, want)
			}
		})
	}
}

// answering is a module whose function f answers a text of at most 16 bytes, by
// what Extism's host gives a plugin for that.
func answering(t *testing.T, text string) []byte {
	t.Helper()
	var words [16]byte
	if copy(words[:], text) < len(text) {
		t.Fatalf("%q is too long", text)
	}
	return assemble(t, fmt.Sprintf(`
		(import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
		(import "extism:host/env" "store_u64" (func $store (param i64 i64)))
		(import "extism:host/env" "output_set" (func $output (param i64 i64)))
		(func (export "f") (local $at i64)
			(local.set $at (call $alloc (i64.const 16)))
			(call $store (local.get $at) (i64.const %#x))
			(call $store (i64.add (local.get $at) (i64.const 8)) (i64.const %#x))
			(call $output (local.get $at) (i64.const %d)))`,
		binary.LittleEndian.Uint64(words[:8]), binary.LittleEndian.Uint64(words[8:]), len(text)))
}

// TestAnswersOfOneMeaning: what an Extism function answers is refused where a key
// stands in it twice, since readers differ on which they take.
func TestAnswersOfOneMeaning(t *testing.T) {
	r, err := greedyPlugin(t, newHost(t, wasm.Options{}), answering(t, `{"a":1,"a":2}`), "", "f").Call(t.Context(), tool.Call{Tool: "greedy", ActionID: "a1"})
	must.Succeed(t, err)
	if r.Error == nil || r.Error.Code != "bad_output" || !strings.Contains(i18n.English().Text(r.Error.Message), "it has a twice") {
		t.Errorf("it answered %v, %+v", r.Payload, r.Error)
	}
}

// TestHalfCharacters: a text that was cut in the middle of a character is read with
// a sign in its place; an undo is not, which would name another file.
func TestHalfCharacters(t *testing.T) {
	r, err := greedyPlugin(t, newHost(t, wasm.Options{}), answering(t, `{"a":"\ud83d"}`), "", "f").Call(t.Context(), tool.Call{Tool: "greedy", ActionID: "a1"})
	if diff := cmp.Diff(map[string]any{"a": "\uFFFD"}, r.Payload); err != nil || r.Error != nil || diff != "" {
		t.Errorf("a function's: %+v (%v), payload (-want +got):\n%s", r.Error, err, diff)
	}
	call := rogueTools(t, wasm.Options{})
	r = call("rogue.say", map[string]any{"answer": `{"ok":true,"undo":{"tool":"rogue.back","args":{"path":"/root/0/\udc00"}}}`})
	if r.Error == nil || r.Error.Code != "bad_output" || !strings.Contains(i18n.English().Text(r.Error.Message), "half of a surrogate pair") {
		t.Errorf("a command's undo: %+v, %+v", r.Undo, r.Error)
	}
}

// TestLongNumbers: of a whole number that a payload can't hold to the digit, the
// digits are what stays, in answers of both ABIs and in their undo.
func TestLongNumbers(t *testing.T) {
	call := rogueTools(t, wasm.Options{})
	r := call("rogue.say", map[string]any{"answer": `{"ok":true,"payload":{"id":[9007199254740993,7]}}`})
	want := map[string]any{"id": []any{"9007199254740993", 7.0}}
	if diff := cmp.Diff(want, r.Payload); diff != "" {
		t.Errorf("a command's payload (-want +got):\n%s", diff)
	}
	r = call("rogue.say", map[string]any{"answer": `{"ok":true,"undo":{"tool":"rogue.back","args":{"id":9007199254740993,"n":7}}}`})
	if r.Undo == nil || r.Undo.Args["id"] != "9007199254740993" || r.Undo.Args["n"] != 7.0 {
		t.Errorf("an undo's arguments are %+v", r.Undo)
	}
	r, err := greedyPlugin(t, newHost(t, wasm.Options{}), answering(t, "9007199254740993"), "", "f").Call(t.Context(), tool.Call{Tool: "greedy", ActionID: "a1"})
	must.Succeed(t, err)
	if r.Payload != "9007199254740993" {
		t.Errorf("a function's payload is %v", r.Payload)
	}
}

// TestRetryAfter: a plugin may say when to come back, and never that it was before.
func TestRetryAfter(t *testing.T) {
	call := rogueTools(t, wasm.Options{})
	for said, want := range map[string]int64{"700": 700, "0": 0, "-5": 0} {
		r := call("rogue.say", map[string]any{"answer": `{"ok":false,"error":{"class":"tool_unavailable","code":"later","message":"m","retry_after_ms":` + said + `}}`})
		if r.Error == nil || r.Error.Class != tool.ToolUnavailable || r.Error.RetryAfterMS != want {
			t.Errorf("%s: %+v", said, r.Error)
		}
	}
}
