package i18n

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"errand/build/must"
	"errand/planner/message"
)

// pack puts a message of two areas into JSON.
func pack(t *testing.T, v any) string {
	t.Helper()
	return string(must.JSON(t, v))
}

func TestJSON(t *testing.T) {
	m := message.New("unit.B", "number", "5", "n", 5) // 5 bytes, 5 байт
	faces := Faces{Goal: ForTag("ru"), Other: English()}
	unit := pack(t, m)
	tests := []struct {
		name string
		doc  string
		want string
	}{
		{"empty", ``, ``},
		{"no messages", `{ "a": [1, null, "x"] }`, `{ "a": [1, null, "x"] }`},
		{"message", unit, `"5 bytes"`},
		{"newline", unit + "\n", `"5 bytes"` + "\n"},
		{"two documents", unit + "\n" + unit, `"5 bytes"` + "\n" + `"5 bytes"`},
		{"member", `{"reason":` + unit + `,"n":1}`, `{"reason":"5 bytes","reason_code":"unit.B","reason_params":{"n":5,"number":"5"},"n":1}`},
		{"message of an error", `{"message":` + unit + `}`, `{"message":"5 bytes","message_code":"unit.B","params":{"n":5,"number":"5"}}`},
		{"no parameters", `{"a":{"msg":"language.name"}}`, `{"a":"English","a_code":"language.name"}`},
		{"zero and verbatim", pack(t, map[string]any{"a": message.Message{}, "b": message.Verbatim("x"), "c": m}), `{"a":"","b":"x","c":"5 bytes","c_code":"unit.B","c_params":{"n":5,"number":"5"}}`},
		{"list", `{"a":[` + unit + `,1,[` + unit + `]]}`, `{"a":["5 bytes",1,["5 bytes"]]}`},
		{"deep", `[{"a":{"b":[{"c":` + unit + `}]}}]`, `[{"a":{"b":[{"c":"5 bytes","c_code":"unit.B","c_params":{"n":5,"number":"5"}}]}}]`},
		{"goal's language", `{"a":` + pack(t, message.New("plan.none_such", "m", m)) + `}`, `{"a":"plan.none_such(m=unit.B(n=5, number=5))","a_code":"plan.none_such","a_params":{"m":{"code":"unit.B","params":{"n":5,"number":"5"}}}}`},
		{
			"nested", `{"a":` + pack(t, message.New("message.lines", "lines", []any{m, "x", true, 1.5, message.New("language.name")})) + `}`,
			`{"a":"5 bytes\nx\ntrue\n1.5\nEnglish","a_code":"message.lines","a_params":{"lines":[{"code":"unit.B","params":{"n":5,"number":"5"}},"x",true,1.5,{"code":"language.name"}]}}`,
		},
		{"parameter called msg", `{"a":` + pack(t, message.New("language.name", "msg", "x")) + `}`, `{"a":"English","a_code":"language.name","a_params":{"msg":"x"}}`},
		{"indented", "{\n  \"a\" : {\n    \"msg\" : \"language.name\"\n  },\n  \"b\": 1\n}", "{\n  \"a\" : \"English\",\"a_code\":\"language.name\",\n  \"b\": 1\n}"},
		{"quoted in a text", `{"a":"{\"msg\":\"language.name\"}","b":"\"msg\""}`, `{"a":"{\"msg\":\"language.name\"}","b":"\"msg\""}`},
		{"duplicate names", `{"a":{"msg":"language.name"},"a":{"x":1,"x":2}}`, `{"a":"English","a_code":"language.name","a":{"x":1,"x":2}}`},
		{"escaped name", `{"\u0061\n":{"msg":"language.name"}}`, `{"\u0061\n":"English","a\n_code":"language.name"}`},

		{"other members", `{"a":{"msg":"language.name","also":{"msg":"language.name"}}}`, `{"a":{"msg":"language.name","also":{"msg":"language.name"}}}`},
		{"msg is not first", `{"a":{"also":1,"msg":"language.name"}}`, `{"a":{"also":1,"msg":"language.name"}}`},
		{"msg is no text", `{"a":{"msg":{"msg":"language.name"}}}`, `{"a":{"msg":{"msg":"language.name"}}}`},
		{
			"result of a plugin", `{"payload":{"reason":` + unit + `,"l":[` + unit + `]},"reason":{"msg":"language.name"}}`,
			`{"payload":{"reason":` + unit + `,"l":[` + unit + `]},"reason":"English","reason_code":"language.name"}`,
		},
		{
			"result of a step", `{"tool_name":"own","args":{"text":` + unit + `},"payload":{"also":` + unit + `,"text":` + unit + `,"z":[` + unit + `]},"reason":` + unit + `}`,
			`{"tool_name":"own","args":{"text":` + unit + `},"payload":{"also":` + unit + `,"text":"5 байт","text_code":"unit.B","text_params":{"n":5,"number":"5"},"z":[` + unit + `]},"reason":"5 bytes","reason_code":"unit.B","reason_params":{"n":5,"number":"5"}}`,
		},
		{"result of a plugin's step", `{"tool_name":"other","payload":{"text":` + unit + `}}`, `{"tool_name":"other","payload":{"text":` + unit + `}}`},
		{
			"result after a plugin's step", `[{"tool_name":"own","payload":null},{"tool_name":"other","payload":{"text":` + unit + `}},{"payload":{"text":` + unit + `}}]`,
			`[{"tool_name":"own","payload":null},{"tool_name":"other","payload":{"text":` + unit + `}},{"payload":{"text":` + unit + `}}]`,
		},
		{"steps in a plugin's result", `{"tool_name":"other","payload":{"tool_name":"own","payload":{"text":` + unit + `}}}`, `{"tool_name":"other","payload":{"tool_name":"own","payload":{"text":` + unit + `}}}`},
		{
			"steps in a step's result", `{"tool_name":"own","payload":{"a":{"tool_name":"own","payload":{"text":` + unit + `}},"text":{"tool_name":"own","payload":{"text":` + unit + `}}}}`,
			`{"tool_name":"own","payload":{"a":{"tool_name":"own","payload":{"text":` + unit + `}},"text":{"tool_name":"own","payload":{"text":` + unit + `}}}}`,
		},
		{"steps in arguments", `{"tool_name":"other","args":{"tool_name":"own"},"payload":{"text":` + unit + `}}`, `{"tool_name":"other","args":{"tool_name":"own"},"payload":{"text":` + unit + `}}`},
		{
			"result with other members", `{"tool_name":"own","payload":{"text":{"msg":"language.name","also":` + unit + `},"irreversible":"x"}}`,
			`{"tool_name":"own","payload":{"text":{"msg":"language.name","also":` + unit + `},"irreversible":"x"}}`,
		},
		{"result that is a list", `{"tool_name":"own","payload":[` + unit + `]}`, `{"tool_name":"own","payload":[` + unit + `]}`},
		{"name of a tool that is no text", `{"tool_name":["own"],"payload":{"text":` + unit + `}}`, `{"tool_name":["own"],"payload":{"text":` + unit + `}}`},
		{"result that is a message", `{"payload":` + unit + `}`, `{"payload":` + unit + `}`},
		{"arguments", `[{"args":{"x":` + unit + `}}]`, `[{"args":{"x":` + unit + `}}]`},
		{"escaped name of a foreign member", `{"\u0061rgs":` + unit + `}`, `{"\u0061rgs":` + unit + `}`},
		{"spaces and numbers are kept", `{"payload": {"n":1.0e2,"s":"\u00e9"}, "a":{"msg":"language.name"} }`, `{"payload": {"n":1.0e2,"s":"\u00e9"}, "a":"English","a_code":"language.name" }`},
	}
	faces.Payload = func(tool string) []string {
		if tool == "own" {
			return []string{"text", "irreversible"}
		}
		return nil
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := faces.JSON([]byte(tt.doc))
			if err != nil || string(got) != tt.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, tt.want)
			}
		})
	}
}

func TestJSONRefuses(t *testing.T) {
	for _, doc := range []string{`{"msg":"language.name"`, `["msg"`, `{"a":{"msg":"x"},}`, `{"a":{"msg" 1}}`} {
		if got, err := (Faces{}).JSON([]byte(doc)); err == nil {
			t.Errorf("%s became %s", doc, got)
		}
	}
}

// TestJSONIsLinear: objects within objects are read once.
func TestJSONIsLinear(t *testing.T) {
	const depth = 5000
	for name, doc := range map[string]string{
		"objects":          strings.Repeat(`{"a":`, depth) + `{"msg":"language.name"}` + strings.Repeat("}", depth),
		"lists":            strings.Repeat(`[`, depth) + `{"msg":"language.name"}` + strings.Repeat("]", depth),
		"no messages":      strings.Repeat(`{"msg":"x","also":`, depth) + `1` + strings.Repeat("}", depth),
		"message within":   strings.Repeat(`{"msg":"x","params":{"m":`, depth/2) + `1` + strings.Repeat("}}", depth/2),
		"text of messages": strings.Repeat(`{"msg":"message.within","params":{"before":"","after":"","message":`, depth/2) + `"x"` + strings.Repeat("}}", depth/2),
	} {
		if got, err := (Faces{}).JSON([]byte(doc)); err != nil || len(got) > 4*len(doc) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
}

func FuzzJSON(f *testing.F) {
	f.Add(`{"a":{"msg":"unit.B","params":{"n":[1,{"msg":"x"}]}},"payload":{"msg":"y"}}`, "x")
	f.Add(`{"tool_name":"x","payload":{"x":{"msg":"unit.B"},"text":{"msg":1}}}`, "x")
	f.Add(`[{"msg":"a"} , {"msg" :1}]`, "\xff")
	f.Fuzz(func(t *testing.T, doc, text string) {
		if !json.Valid([]byte(doc)) {
			return
		}
		faces := Faces{Goal: ForTag("ru"), Other: English(), Payload: func(tool string) []string { return []string{tool, "text"} }}
		got, err := faces.JSON([]byte(doc))
		if err != nil || !json.Valid(got) {
			t.Fatalf("%s became %s, %v", doc, got, err)
		}
		around := fmt.Sprintf(`{"payload":%s,"args":[%s],"m":%s}`, doc, doc, pack(t, message.New("message.within", "message", text)))
		got, err = faces.JSON([]byte(around))
		if err != nil || !strings.HasPrefix(string(got), fmt.Sprintf(`{"payload":%s,"args":[%s],"m":`, doc, doc)) {
			t.Fatalf("%s became %s, %v", around, got, err)
		}
	})
}

func BenchmarkJSON(b *testing.B) {
	step := `{"step_id":"a1","tool":"x","reason":{"msg":"unit.B","params":{"n":5,"number":"5"}},"args":{"x":"` + strings.Repeat("long ", 100) + `"}}`
	doc := []byte(`{"steps":[` + step + strings.Repeat(","+step, 99) + `]}`)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (Faces{}).JSON(doc); err != nil {
			b.Fatal(err)
		}
	}
}
