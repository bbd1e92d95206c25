package run_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/run"
	"errand/host/tool"
)

func schema(s string) func(*tool.Spec) {
	return func(spec *tool.Spec) { spec.ArgsSchema = json.RawMessage(s) }
}

func TestSchemaFaults(t *testing.T) {
	nested := `{"type":"object","properties":{"list":{"type":"array","maxItems":2,"items":{"type":"object",
		"properties":{"a/b":{"enum":["x","y"]},"n":{"type":"integer","minimum":1}},"required":["n"]}}}}`
	either := `{"type":"object","properties":{"a":{},"b":{"type":"number"}},"oneOf":[{"required":["a"]},{"required":["b"]}],"additionalProperties":false}`
	tests := []struct {
		name   string
		schema string
		args   string
		want   string // "" is valid
	}{
		{"one of two", either, `{"b":1}`, ""},
		{"none of two", either, `{}`, `arguments of t: it needs one of "a", "b"`},
		{"two of two", either, `{"a":1,"b":1}`, `arguments of t: it has several arguments that exclude one another`},
		{"none of two, and a slip", either, `{"c":1}`, `arguments of t: it needs one of "a", "b"; unknown argument "c"`},
		{"valid", textSchema, `{"text":"x"}`, ""},
		{"missing", textSchema, `{}`, `arguments of t: missing argument "text"`},
		{"S1-H06 wrong type", textSchema, `{"text":1}`, `arguments of t: at "/text": got number, want string`},
		{"S1-H05 unknown", textSchema, `{"text":"x","txt":"y","more":1}`, `arguments of t: unknown argument "more", "txt"`},
		{"a pointer with escapes", nested, `{"list":[{"n":1,"a/b":"z"}]}`, `arguments of t: at "/list/0/a~1b": value must be one of 'x', 'y'`},
		{"several faults", nested, `{"list":[{"n":0},{"n":"1"}]}`, `arguments of t: at "/list/0/n": minimum: got 0, want 1; at "/list/1/n": got string, want integer`},
		{"a number that is whole", nested, `{"list":[{"n":1.0}]}`, ""},
		{"more faults than are told", nested, `{"list":[{"n":0,"a/b":0},{"n":0,"a/b":0},{}]}`, `arguments of t: at "/list": maxItems: got 3, want 2; at "/list/0/a~1b": value must be one of 'x', 'y'; at "/list/0/n": minimum: got 0, want 1; and 3 more`},
		{"unknown, and the schema is silent", `{"properties":{"text":{}}}`, `{"txt":1}`, `arguments of t: unknown argument "txt"`},
		{"unknown, and the schema is composed", `{"properties":{"text":{}},"allOf":[{"properties":{"n":{}}}]}`, `{"n":1,"txt":1}`, `arguments of t: at "/txt": unknown argument`},
		{"unknown, and the schema allows it", `{"properties":{"text":{}},"additionalProperties":true}`, `{"txt":1}`, ""},
		{"a schema that lists nothing", `{"type":"object"}`, `{"txt":1}`, ""},
		{"a reference within", `{"properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"number"}}}`, `{"n":"1"}`, `arguments of t: at "/n": got string, want number`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, _ := door(t, run.DispatcherOptions{}, newTool(echo, schema(tt.schema)))
			var args map[string]any
			must.Succeed(t, json.Unmarshal([]byte(tt.args), &args))
			result, _ := d.Dispatch(t.Context(), call(args))
			got := ""
			if result.Error != nil {
				got = i18n.English().Text(result.Error.Message)
			}
			if got != tt.want {
				t.Errorf("fault:\n got %s\nwant %s", got, tt.want)
			}
			if got != "" && result.Error.Hint.IsZero() {
				t.Error("no hint")
			}
		})
	}
}

// TestSchemaLoadsNothing: a plugin's schema must not make the program open
// files or sockets.
func TestSchemaLoadsNothing(t *testing.T) {
	asked := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked = true
		_, _ = w.Write([]byte(`{}`))
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "s.json")
	must.Succeed(t, os.WriteFile(file, []byte(`{}`), 0o600))
	for name, source := range map[string]string{
		"http":       `{"$ref":"` + server.URL + `/s.json"}`,
		"file":       `{"$ref":"file://` + file + `"}`,
		"relative":   `{"$ref":"other.json"}`,
		"metaschema": `{"$schema":"` + server.URL + `/s.json"}`,
	} {
		t.Run(name, func(t *testing.T) {
			d, _ := door(t, run.DispatcherOptions{}, newTool(echo, schema(source)))
			result, _ := d.Dispatch(t.Context(), call(hi))
			if result.OK || result.Error.Class != tool.ToolUnavailable || result.Error.Code != "bad_schema" {
				t.Errorf("result = %+v, want bad_schema", result)
			}
			if asked {
				t.Error("the schema's reference was fetched")
			}
		})
	}
}

// FuzzArgs holds the door to its law: whatever the arguments, it answers with a
// typed result, and a tool gets exactly what was hashed.
func FuzzArgs(f *testing.F) {
	for _, seed := range []string{`{"text":"hi"}`, `{}`, `null`, `{"text":"\ud800"}`, `{"a":{"b":[1e308,null,true]}}`, `{"text":"` + strings.Repeat("x", 1000) + `"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var args map[string]any
		if json.Unmarshal(raw, &args) != nil {
			return // no arguments at all
		}
		var got map[string]any
		d, log := door(t, run.DispatcherOptions{}, newTool(func(_ context.Context, c tool.Call) (tool.Result, error) {
			got = c.Args
			return tool.OK(nil), nil
		}, schema(`{"type":"object"}`)))
		result, step := d.Dispatch(t.Context(), call(args))
		if !result.OK {
			t.Fatalf("%s: %v", raw, result.Error)
		}
		if tool.HashArgs(got) != step.ArgsHash || tool.HashArgs(recorded(t, log).Args) != step.ArgsHash {
			t.Errorf("%s: called with %v, recorded %v, hash %s", raw, got, step.Args, step.ArgsHash)
		}
	})
}
