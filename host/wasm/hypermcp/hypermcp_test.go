package hypermcp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/wasm/hypermcp"
	"errand/host/wasm/limit"
	"errand/planner/message"
)

func TestVersions(t *testing.T) {
	tests := []struct {
		name    string
		exports string
		want    hypermcp.Version
		list    string
		call    string
	}{
		{"version 1", "describe call", hypermcp.V1, "describe", "call"},
		{"version 2", "list_tools call_tool list_prompts", hypermcp.V2, "list_tools", "call_tool"},
		{"both", "describe call list_tools call_tool", hypermcp.V1, "describe", "call"},
		{"half of each", "describe call_tool", hypermcp.None, "", ""},
		{"neither", "", hypermcp.None, "", ""},
	}
	for _, tt := range tests {
		got := hypermcp.DetectVersion(func(name string) bool {
			for _, e := range strings.Fields(tt.exports) {
				if e == name {
					return true
				}
			}
			return false
		})
		if got != tt.want || got.List() != tt.list || got.Call() != tt.call {
			t.Errorf("%s: %d %q %q", tt.name, got, got.List(), got.Call())
		}
	}
}

func TestInputs(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		got        func() ([]byte, error)
	}{
		{"list, 1", ``, hypermcp.V1.ListInput},
		{"list, 2", `{"context":{"id":"list","_meta":{}}}`, hypermcp.V2.ListInput},
		{"call, 1", `{"params":{"name":"t","arguments":{}}}`, func() ([]byte, error) { return hypermcp.V1.CallInput("c", "t", nil) }},
		{
			"call, 2", `{"context":{"id":"c","_meta":{}},"request":{"name":"t","arguments":{"a":1}}}`,
			func() ([]byte, error) { return hypermcp.V2.CallInput("c", "t", map[string]any{"a": 1}) },
		},
	} {
		got, err := tt.got()
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %s (%v), want %s", tt.name, got, err, tt.want)
		}
	}
}

func TestInvalidToolLists(t *testing.T) {
	many := strings.Repeat(`{"name":"x"},`, limit.Tools.Most) + `{"name":"x"}`
	for _, tt := range []struct{ name, list, want string }{
		{"no JSON", `tools`, "can't be read"},
		{"another shape", `{"tools":{"a":1}}`, "can't be read"},
		{"none", `{"tools":[]}`, "no tools"},
		{"too many", `{"tools":[` + many + `]}`, "the limit is 128"},
		{"no name", `{"tools":[{"name":" "}]}`, "tool 0 of its list has no name"},
		{"one name twice", `{"tools":[{"name":"a"},{"name":"a"}]}`, `lists "a" twice`},
		{"arguments that are no object", `{"tools":[{"name":"a","inputSchema":{"type":"string"}}]}`, `tool "a": its inputSchema is of type "string"`},
		{"a key in other letters", `{"tools":[{"name":"a","annotations":{"readonlyhint":true}}]}`, `"readonlyhint" must be written "readOnlyHint"`},
		{"a schema beside it", `{"tools":[{"name":"a","inputSchema":{},"inputschema":{"type":"object"}}]}`, `"inputschema" must be written "inputSchema"`},
		{"its list in other letters", `{"Tools":[{"name":"a"}]}`, `"Tools" must be written "tools"`},
		{"a name twice", `{"tools":[{"name":"a","name":"b"}]}`, "it has tools[0].name twice"},
		{"a schema that is none", `{"tools":[{"name":"a","inputSchema":[]}]}`, `tool "a": its inputSchema is not an object`},
	} {
		if _, err := hypermcp.Tools([]byte(tt.list)); err == nil || !strings.Contains(i18n.English().Error(err), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// TestAnnotations checks the hints of a tool about whether it changes something, and the digest
// of its definition, which does not depend on the order of keys.
func TestAnnotations(t *testing.T) {
	list := func(rest string) hypermcp.Tool {
		t.Helper()
		tools, err := hypermcp.Tools([]byte(`{"tools":[{"name":"a",` + rest + `}]}`))
		must.Succeed(t, err)
		return tools[0]
	}
	for _, tt := range []struct {
		annotations        string
		declared, readOnly bool
	}{
		{`null`, false, false},
		{`{}`, false, false},
		{`{"title":"A"}`, false, false},
		{`{"readOnlyHint":null}`, false, false},
		{`{"destructiveHint":false}`, false, false},
		{`{"readOnlyHint":true}`, true, true},
		{`{"readOnlyHint":false}`, true, false},
		{`{"destructiveHint":true}`, true, false},
		{`{"readOnlyHint":true,"destructiveHint":true}`, true, false},
		{`{"readOnlyHint":true,"destructiveHint":false}`, true, true},
		{`{"readOnlyHint":false,"destructiveHint":false}`, true, false},
	} {
		if got := list(`"annotations":` + tt.annotations); got.Declared != tt.declared || got.ReadOnly != tt.readOnly {
			t.Errorf("%s is read as %+v", tt.annotations, got)
		}
	}
	const base = `"description":"d","inputSchema":{"type":"object","properties":{"n":{"maximum":9007199254740993}}}`
	first := list(base).Definition
	if len(first) != 64 {
		t.Errorf("the definition's digest is %q", first)
	}
	for _, same := range []string{
		`"inputSchema":{"properties":{"n":{"maximum":9007199254740993}},"type":"object"},"description":"d"`,
		strings.ReplaceAll(base, ":", " : "),
	} {
		if list(same).Definition != first {
			t.Errorf("%s is another definition", same)
		}
	}
	for _, other := range []string{
		strings.Replace(base, `"d"`, `"e"`, 1), strings.Replace(base, "40993", "40992", 1), strings.Replace(base, "9007199254740993", `"9007199254740993"`, 1),
		base + `,"title":"T"`, base + `,"outputSchema":{}`, base + `,"annotations":{"title":"T"}`, base + `,"_meta":{"a":1}`,
	} {
		if list(other).Definition == first {
			t.Errorf("%s is the same definition", other)
		}
	}
}

func TestSchemas(t *testing.T) {
	for schema, want := range map[string]string{
		`null`:                       `{"type":"object"}`,
		`{"type":"object","x":1}`:    `{"type":"object","x":1}`,
		`{"type":["object","null"]}`: `{"type":"object"}`,
		`{"properties":{}}`:          `{"properties":{},"type":"object"}`,
	} {
		tools, err := hypermcp.Tools([]byte(`{"tools":[{"name":"a","inputSchema":` + schema + `}]}`))
		if err != nil || string(tools[0].Schema) != want {
			t.Errorf("%s becomes %+v (%v), want %s", schema, tools, err, want)
		}
	}
}

func TestRead(t *testing.T) {
	for _, tt := range []struct{ name, answer, payload, message string }{
		{"a text", `{"content":[{"type":"text","text":"yes"}]}`, `"yes"`, "yes"},
		{"a text that is a number", `{"content":[{"type":"text","text":"42"}]}`, `"42"`, "42"},
		{"a text that is an object", `{"content":[{"type":"text","text":" {\"a\": 1}\n"}]}`, `{"a":1}`, `{"a": 1}`},
		{"a text that looks like one", `{"content":[{"type":"text","text":"{a}"}]}`, `"{a}"`, "{a}"},
		{"two texts", `{"content":[{"text":"a"},{"text":"b"}]}`, `{"content":[{"text":"a","type":"text"},{"text":"b","type":"text"}]}`, "a\nb"},
		{"structured", `{"content":[{"type":"text","text":"{}"}],"structuredContent":{"a":[1]}}`, `{"a":[1]}`, "{}"},
		{"structured alone", `{"structuredContent":{"a":1}}`, `{"a":1}`, ""},
		{"a long id in a text", `{"content":[{"type":"text","text":"{\"id\":9007199254740993}"}]}`, `{"id":"9007199254740993"}`, `{"id":9007199254740993}`},
		{"a long id, structured", `{"structuredContent":{"id":9007199254740993}}`, `{"id":"9007199254740993"}`, ""},
		{"nothing to say", `{"content":[]}`, `{"content":[]}`, ""},
		{"a resource of version 1", `{"content":[{"type":"resource","data":"aGk=","uri":"x:1"}]}`, `{"content":[{"blob":"aGk=","type":"resource","uri":"x:1"}]}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := hypermcp.Read([]byte(tt.answer))
			must.Succeed(t, err)
			got := must.JSON(t, r.Payload)
			if diff := cmp.Diff(tt.payload, string(got)); diff != "" || r.Failed || r.Message != tt.message {
				t.Errorf("payload (-want +got):\n%s%+v", diff, r)
			}
		})
	}
	for _, tt := range []struct{ name, answer, want string }{
		{"no JSON", ``, "can't be read"},
		{"no content", `{}`, "no content"},
		{"another word for content", `{"Content":[{"type":"text","text":"a"}]}`, `"Content" must be written "content"`},
		{"a failure in other letters", `{"content":[{"type":"text","text":"a"}],"iserror":true}`, `"iserror" must be written "isError"`},
		{"a failure that is taken back", `{"content":[],"isError":true,"ISERROR":false}`, `"ISERROR" must be written "isError"`},
		{"a block's key", `{"content":[{"type":"text","text":"a"},{"type":"text","text":"a","Text":"b"}]}`, `"Text" must be written "text"`},
		{"a resource's key", `{"content":[{"type":"resource","resource":{"text":"a","Blob":"b"}}]}`, `"Blob" must be written "blob"`},
		{"a key twice", `{"content":[],"content":[]}`, "it has content twice"},
		{"an unknown type", `{"content":[{"type":"smell"}]}`, `type "smell" is not`},
		{"no type and nothing to tell it by", `{"content":[{}]}`, `type "" is not`},
		{"a text without one", `{"content":[{"type":"text"}]}`, "block 0"},
		{"a picture without one", `{"content":[{"type":"text","text":""},{"type":"image"}]}`, "block 1"},
		{"an empty resource", `{"content":[{"type":"resource"}]}`, "without content"},
		{"a link to nowhere", `{"content":[{"type":"resource_link"}]}`, "without a uri"},
	} {
		if _, err := hypermcp.Read([]byte(tt.answer)); err == nil || !strings.Contains(i18n.English().Error(err), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestHostFunctions(t *testing.T) {
	if got := string(hypermcp.Roots([]string{"/root/0", "/root/1"})); got != `{"roots":[{"uri":"file:///root/0"},{"uri":"file:///root/1"}]}` {
		t.Errorf("roots are %s", got)
	}
	if got := string(hypermcp.Roots(nil)); got != `{"roots":[]}` {
		t.Errorf("no roots are %s", got)
	}
	for input, want := range map[string]string{
		`{"level":"emergency","data":"x"}`:       "error x",
		`{"level":"warning","data":{"a":1}}`:     "warn {\"a\":1}",
		`{"level":"info","logger":"l","data":0}`: "info l: 0",
		`what`:                                   "info what",
	} {
		if level, line := hypermcp.Message([]byte(input)); level+" "+line != want {
			t.Errorf("%s is %s %s, want %s", input, level, line, want)
		}
	}
	for input, want := range map[string]message.Message{
		`{"progress":3,"total":10,"message":"half"}`: message.New("plugin.log_progress_of", "done", 3.0, "total", 10.0, "text", "half"),
		`{"progress":0.5}`:                           message.New("plugin.log_progress", "done", 0.5, "text", ""),
		`what`:                                       message.New("plugin.log_progress_unknown", "text", ""),
	} {
		if got := hypermcp.Progress([]byte(input)); !got.Equal(want) {
			t.Errorf("%s is %s, want %s", input, got, want)
		}
	}
}

// FuzzRead checks that no output of a plugin breaks the decoder, and that a decoded result can be
// encoded again.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"content":[{"type":"text","text":"{}"},{"data":"aGk=","mimeType":"audio/x"}],"structuredContent":null,"isError":true}`))
	f.Add([]byte(`{"tools":[{"name":"a","inputSchema":{"properties":{}},"annotations":{"readOnlyHint":true}}]}`))
	f.Add([]byte(`{"level":"info","data":null}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, err := hypermcp.Read(b); err == nil {
			if _, err := json.Marshal(r.Payload); err != nil {
				t.Fatal(err)
			}
		}
		if tools, err := hypermcp.Tools(b); err == nil {
			for _, tool := range tools {
				var schema struct{ Type string }
				if tool.Name == "" || tool.Description == "" || json.Unmarshal(tool.Schema, &schema) != nil || schema.Type != "object" {
					t.Fatalf("%+v", tool)
				}
			}
		}
		hypermcp.Message(b)
		hypermcp.Progress(b)
		hypermcp.Question(b)
	})
}
