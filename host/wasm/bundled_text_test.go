package wasm_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"testing"

	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/planner/message"
)

// TestBundledTexts: the texts of a plugin that is part of the program have codes.
// Those of any other are its own words, whatever its name and answer.
func TestBundledTexts(t *testing.T) {
	module := rogue(t)
	sum := sha256.Sum256(module)
	fsys := folder("schema = 1\nid = \"rogue\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"wasi\"\nsha256 = \""+hex.EncodeToString(sum[:])+"\"\n"+
		"[[tool]]\nname = \"rogue.say\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\nargs_schema = '{\"type\":\"object\"}'\n", module)
	own, ownHint := message.Verbatim("no"), message.Verbatim("try x")
	code := func(name string, pairs ...any) message.Message {
		return message.New("bundled."+name, append(pairs, message.Fallback, "no")...)
	}
	tests := []struct {
		name  string
		texts string // JSON
		want  message.Message
		hint  message.Message
	}{
		{"a code", `{"message":{"code":"path_is_folder","params":{"path":"/a"}}}`, code("path_is_folder", "path", "/a"), ownHint},
		{
			"a hint", `{"message":{"code":"a"},"hint":{"code":"files_choose_name","params":{}}}`,
			code("a"), message.New("bundled.files_choose_name", message.Fallback, "try x"),
		},
		{"numbers", `{"message":{"code":"a","params":{"n":3,"x":0.5}}}`, code("a", "n", 3, "x", 0.5), ownHint},
		{
			"a text within", `{"message":{"code":"a","params":{"why":{"code":"b","params":{"n":1}}}}}`,
			code("a", "why", message.New("bundled.b", "n", 1)), ownHint,
		},
		{"no texts", `null`, own, ownHint},
		{"no object", `[1]`, own, ownHint},
		{"another table", `{"message":{"code":"a.b"}}`, own, ownHint},
		{"a code with capitals", `{"message":{"code":"A"}}`, own, ownHint},
		{"a name that is not an identifier", `{"message":{"code":"a","params":{"a b":1}}}`, own, ownHint},
		{"a list", `{"message":{"code":"a","params":{"x":[1]}}}`, own, ownHint},
		{"a flag", `{"message":{"code":"a","params":{"x":true}}}`, own, ownHint},
		{"null", `{"message":{"code":"a","params":{"x":null}}}`, own, ownHint},
		{"another object", `{"message":{"code":"a","params":{"x":{"msg":"plan.open"}}}}`, own, ownHint},
		{"too deep", `{"message":{"code":"a","params":{"x":{"code":"a","params":{"x":{"code":"a","params":{"x":{"code":"a"}}}}}}}}`, own, ownHint},
	}
	h := newHost(t, wasm.Options{})
	say := func(load func(fs.FS) (*wasm.Plugin, error), code string) func(texts string) *tool.Error {
		p, err := load(fsys)
		must.Succeed(t, err)
		return func(texts string) *tool.Error {
			r, err := p.Tools()[0].Call(t.Context(), tool.Call{Tool: "rogue.say", Args: map[string]any{
				"answer": `{"ok":false,"error":{"code":"c","message":"no","hint":"try x","texts":` + texts + `}}`,
			}})
			if err != nil || r.Error == nil || r.Error.Code != code {
				t.Fatalf("%+v, %v", r, err)
			}
			return r.Error
		}
	}
	bundled, foreign := say(h.LoadBundled, "c"), say(h.Load, "plugin.c")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if e := bundled(tt.texts); !e.Message.Equal(tt.want) || !e.Hint.Equal(tt.hint) {
				t.Errorf("bundled: got %v and %v, want %v and %v", e.Message, e.Hint, tt.want, tt.hint)
			}
			if e := foreign(tt.texts); !e.Message.Equal(message.New("plugin.says", "plugin", "rogue", "text", own)) || !e.Hint.Equal(message.New("plugin.suggests", "plugin", "rogue", "text", "try x")) {
				t.Errorf("another: got %v and %v", e.Message, e.Hint)
			}
		})
	}
}
