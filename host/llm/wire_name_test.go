package llm_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"errand/host/llm"
	"errand/host/tool"
)

var wireForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func specs(names ...string) []tool.Spec {
	out := make([]tool.Spec, len(names))
	for i, n := range names {
		out[i].Name = n
	}
	return out
}

func TestWireNames(t *testing.T) {
	long := strings.Repeat("a", 70)
	for name, tt := range map[string]struct{ tools, want []string }{
		"dots":                         {[]string{"browser.open", "hash"}, []string{"browser_open", "hash"}},
		"two alike":                    {[]string{"a_b", "a.b"}, []string{"a_b_2", "a_b"}},
		"three alike":                  {[]string{"a.b", "a-b", "a_b", "a b"}, []string{"a_b_2", "a-b", "a_b_3", "a_b"}},
		"one is named like a number":   {[]string{"a.b", "a_b", "a_b_2"}, []string{"a_b", "a_b_2", "a_b_2_2"}},
		"the same tool twice":          {[]string{"a.b", "a.b"}, []string{"a_b", "a_b"}},
		"not Latin":                    {[]string{"файл", "фикс"}, []string{"____", "_____2"}},
		"as long as may be":            {[]string{long[:64]}, []string{long[:64]}},
		"too long":                     {[]string{long}, []string{long[:55] + "_6bd5e503"}},
		"too long and alike":           {[]string{long + ".b", long + "_b"}, []string{long[:55] + "_88701e7e", long[:55] + "_c3a2657a"}},
		"alike at the greatest length": {[]string{"." + long[:63], "_" + long[:63]}, []string{"_" + long[:63], "_" + long[:61] + "_2"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := llm.NewWireNames(specs(tt.tools...))
			for i, n := range tt.tools {
				wire := w.Wire(n)
				if !wireForm.MatchString(wire) || w.Tool(wire) != n {
					t.Errorf("%q is %q and back %q", n, wire, w.Tool(wire))
				}
				if wire != tt.want[i] {
					t.Errorf("%q is %q, want %q", n, wire, tt.want[i])
				}
			}
		})
	}
	w := llm.NewWireNames(specs("a.b"))
	if got := w.Tool("rm -rf"); got != "rm -rf" {
		t.Errorf("an unknown name is %q", got)
	}
	if got := w.Wire("of.an.earlier.turn"); got != "of_an_earlier_turn" {
		t.Errorf("a name of an earlier turn is %q", got)
	}
}

func FuzzWireNames(f *testing.F) {
	f.Add("a.b", "a_b", "a_b_2")
	f.Add("", "_", "__2")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		w := llm.NewWireNames(specs(a, b, c))
		for _, n := range []string{a, b, c} {
			if wire := w.Wire(n); !wireForm.MatchString(wire) || w.Tool(wire) != n {
				t.Errorf("%q is %q and back %q", n, wire, w.Tool(wire))
			}
		}
	})
}

// TestParameters checks that keywords of Errand are left out and that names like them stay.
func TestParameters(t *testing.T) {
	for name, tt := range map[string]struct{ in, description, want string }{
		"keywords": {`{"$schema":"s","type":"object","x-a":1,"properties":{"p":{"type":"string","writeOnly":true,"x-path":"read"}}}`, "d", `{"properties":{"p":{"type":"string"}},"type":"object"}`},
		"arguments with their names": {
			`{"type":"object","properties":{"x-a":{"type":"string"},"writeOnly":{"type":"boolean"},"$schema":{},"oneOf":{}},"required":["x-a"]}`, "d",
			`{"properties":{"$schema":{},"oneOf":{},"writeOnly":{"type":"boolean"},"x-a":{"type":"string"}},"required":["x-a"],"type":"object"}`,
		},
		"values with their names":  {`{"type":"object","properties":{"p":{"enum":[{"x-a":1}],"default":{"writeOnly":1},"const":{"$schema":2}}}}`, "d", `{"properties":{"p":{"const":{"$schema":2},"default":{"writeOnly":1},"enum":[{"x-a":1}]}},"type":"object"}`},
		"deep":                     {`{"type":"object","properties":{"p":{"type":"array","items":{"anyOf":[{"x-a":1,"type":"null"}]}}}}`, "d", `{"properties":{"p":{"items":{"anyOf":[{"type":"null"}]},"type":"array"}},"type":"object"}`},
		"alternatives":             {`{"type":"object","anyOf":[{"required":["a"]}],"allOf":[{}]}`, "d\nanyOf: [{\"required\":[\"a\"]}]\nallOf: [{}]", `{"properties":{},"type":"object"}`},
		"no schema":                {``, "d", `{"type":"object","properties":{}}`},
		"a schema of another type": {`true`, "d", `{"type":"object","properties":{}}`},
	} {
		t.Run(name, func(t *testing.T) {
			description, got := llm.Parameters(tool.Spec{Description: "d", ArgsSchema: json.RawMessage(tt.in)})
			if string(got) != tt.want || description != tt.description {
				t.Errorf("%q %s\nwant %q %s", description, got, tt.description, tt.want)
			}
		})
	}
}

func TestParseArgs(t *testing.T) {
	for in, want := range map[string]map[string]any{
		`{}`: {}, ``: {}, ` null `: {}, `""`: {}, `"{}"`: {}, `"{\"a\":1}"`: {"a": 1.0}, ` {"a": [1, "x"]} `: {"a": []any{1.0, "x"}},
		`{"n": 12345678901234567890}`: {"n": "12345678901234567890"},
		`[]`:                          nil, `7`: nil, `true`: nil, `"x"`: nil, `{"a":1`: nil, `{"a":1}{}`: nil, `{"a":1,"a":2}`: nil, `{"a":"\ud83d"}`: nil, "{\"a\":\"\xff\"}": nil, `{"a":1e999}`: nil, `"{\"a\":1"`: nil,
	} {
		got, malformed := llm.ParseArgs([]byte(in))
		if !reflect.DeepEqual(got, want) || (malformed != "") != (want == nil) {
			t.Errorf("%s: %v, malformed %q; want %v", in, got, malformed, want)
		}
	}
	if _, malformed := llm.ParseArgs([]byte("[" + strings.Repeat("я", 5000))); len(malformed) > 2<<10 || !strings.HasSuffix(malformed, "я") {
		t.Errorf("%d bytes of malformed arguments are kept", len(malformed))
	}
}

func TestPrepareMessages(t *testing.T) {
	call := func(id string) llm.Call { return llm.Call{ID: id, Name: "t", Args: map[string]any{}} }
	got := llm.PrepareMessages([]llm.Message{
		{Role: llm.Tool, Results: []llm.Result{{CallID: "a", Content: "before any call"}}},
		{Role: llm.User, Text: "u"},
		{Role: llm.User},
		{Role: llm.Assistant, Calls: []llm.Call{call("a"), call("a"), call("b c"), call(strings.Repeat("x", 99)), call("")}},
		{Role: llm.Tool, Results: []llm.Result{{CallID: "b c", Content: "b"}}},
		{Role: llm.Tool, Results: []llm.Result{{CallID: "a", Content: "1"}, {CallID: "a", Content: "2"}, {CallID: "a", Content: "3"}}},
		{Role: llm.Assistant, Text: "end"},
	})
	if len(got) != 4 || got[0].Text != "u" || got[3].Text != "end" {
		t.Fatalf("messages = %+v", got)
	}
	want := []string{"a 1", "a_2 2", "b_c b", strings.Repeat("x", 40) + ` {"ok":false,"error":{"code":"no_result"}}`, `call {"ok":false,"error":{"code":"no_result"}}`}
	for i, r := range got[2].Results {
		if s := r.CallID + " " + r.Content; s != want[i] || r.CallID != got[1].Calls[i].ID || r.IsError != (i > 2) {
			t.Errorf("result %d is %q, want %q", i, s, want[i])
		}
	}
}
