package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	other "github.com/santhosh-tekuri/jsonschema/v6"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
)

// documents are schemas of arguments with values that they accept and refuse.
var documents = []struct {
	name   string
	schema string
	values []string
}{
	{"types", `{"type":"object","properties":{"s":{"type":"string"},"n":{"type":["number","null"]},"i":{"type":"integer"},"b":{"type":"boolean"},"l":{"type":"array"},"o":{"type":"object"}}}`, []string{
		`{"s":"x","n":1.5,"i":2,"b":true,"l":[],"o":{}}`, `{"s":1}`, `{"n":"1"}`, `{"n":null}`, `{"i":1.5}`, `{"i":1.0}`, `{"b":"true"}`, `{"l":{}}`, `{"o":[]}`, `{"x":1}`,
	}},
	{"listed values", `{"properties":{"e":{"enum":["x",1,null]},"c":{"const":"x"}}}`, []string{`{"e":"x"}`, `{"e":1.0}`, `{"e":null}`, `{"e":"y"}`, `{"c":"x"}`, `{"c":1}`}},
	{"numbers", `{"properties":{"n":{"minimum":1,"exclusiveMaximum":5,"multipleOf":0.5}}}`, []string{`{"n":1}`, `{"n":0}`, `{"n":5}`, `{"n":1.3}`, `{"n":"5"}`}},
	{"texts", `{"properties":{"s":{"minLength":2,"maxLength":3,"pattern":"^a"}}}`, []string{`{"s":"ab"}`, `{"s":"a"}`, `{"s":"abcd"}`, `{"s":"ba"}`, `{"s":"жжж"}`}},
	{"lists", `{"properties":{"l":{"minItems":1,"maxItems":3,"uniqueItems":true,"prefixItems":[{"type":"string"}],"items":{"type":"number"}}}}`, []string{
		`{"l":["a",1]}`, `{"l":[]}`, `{"l":["a",1,2,3]}`, `{"l":["a",1,1]}`, `{"l":[1]}`, `{"l":["a","b"]}`,
	}},
	{"objects", `{"properties":{"a":{},"b":{}},"required":["a"],"dependentRequired":{"b":["a"]},"patternProperties":{"^x":{"type":"number"}},"maxProperties":2}`, []string{
		`{"a":1}`, `{}`, `{"b":1}`, `{"a":1,"x1":2}`, `{"a":1,"x1":"2"}`, `{"a":1,"y":2}`, `{"a":1,"b":1,"x":1}`,
	}},
	{"values of any name", `{"type":"object","additionalProperties":{"type":"string"}}`, []string{`{"a":"b"}`, `{"a":1}`}},
	{"forms that exclude one another", `{"properties":{"a":{},"b":{}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`, []string{`{"a":1}`, `{}`, `{"a":1,"b":1}`}},
	{"any form", `{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"number","minimum":3}]}}}`, []string{`{"a":"x"}`, `{"a":3}`, `{"a":2}`, `{"a":null}`}},
	{"all forms", `{"properties":{"a":{}},"allOf":[{"properties":{"n":{"type":"number"}}},{"required":["a"]}]}`, []string{`{"a":1,"n":1}`, `{"n":1}`, `{"a":1,"n":"1"}`, `{"a":1,"z":1}`}},
	{"a condition", `{"properties":{"k":{},"v":{}},"if":{"properties":{"k":{"const":"n"}}},"then":{"properties":{"v":{"type":"number"}}},"else":{"required":["v"]}}`, []string{
		`{"k":"n","v":1}`, `{"k":"n","v":"1"}`, `{"k":"s"}`, `{"k":"s","v":"1"}`,
	}},
	{"references", `{"properties":{"n":{"$ref":"#/$defs/n"},"tree":{"$ref":"#/$defs/tree"}},"$defs":{"n":{"type":"number"},"tree":{"type":"object","properties":{"next":{"$ref":"#/$defs/tree"}},"required":["v"]}}}`, []string{
		`{"n":1}`, `{"n":"1"}`, `{"tree":{"v":1,"next":{"v":2}}}`, `{"tree":{"v":1,"next":{}}}`,
	}},
	{"draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#/definitions/a"}},"definitions":{"a":{"type":"integer","exclusiveMinimum":0}}}`, []string{`{"a":1}`, `{"a":0}`, `{"a":"1"}`}},
}

// TestAgreesWithAnotherValidator compares each verdict with that of an
// independent library, and holds the explainer to finding words for each fault.
func TestAgreesWithAnotherValidator(t *testing.T) {
	for _, d := range documents {
		t.Run(d.name, func(t *testing.T) {
			s, err := compile([]byte(d.schema))
			must.Succeed(t, err)
			reference := reference(t, s.doc)
			for _, text := range d.values {
				var value any
				must.Succeed(t, json.Unmarshal([]byte(text), &value))
				found := s.check(value)
				if want := reference.Validate(value); (want == nil) != (found == nil) {
					t.Errorf("%s: found %q, the other library says %v", text, found, want)
				}
				if words := newExplainer(s.doc).explain(s.doc, value); (words == nil) != (found == nil) {
					t.Errorf("%s: explained as %v, found %q", text, words, found)
				}
			}
		})
	}
}

func reference(t *testing.T, doc any) *other.Schema {
	t.Helper()
	c := other.NewCompiler()
	c.DefaultDraft(other.Draft2020)
	must.Succeed(t, c.AddResource("x.json", doc))
	s, err := c.Compile("x.json")
	must.Succeed(t, err)
	return s
}

// TestNumbers: arguments keep whole numbers of any length as json.Number.
func TestNumbers(t *testing.T) {
	spec := tool.Spec{Name: "t", ArgsSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","maximum":9}}}`)}
	var c Checker
	for text, fine := range map[string]bool{`{"n":5}`: true, `{"n":12}`: false, `{"n":1.5}`: false, `{"n":123456789012345678901234567890}`: false, `{"n":1e400}`: false} {
		d := json.NewDecoder(bytes.NewReader([]byte(text)))
		d.UseNumber()
		var args map[string]any
		must.Succeed(t, d.Decode(&args))
		if err := c.Check(spec, args); (err == nil) != fine {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestVet: a schema that can't be used is found when the tool is read.
func TestVet(t *testing.T) {
	for _, tt := range []struct{ name, schema, want string }{
		{"good", `{"type":"object","properties":{"pattern":{"type":"string","pattern":"^a"}}}`, ""},
		{"an unknown type", `{"type":"object","properties":{"a":{"type":"strin"}}}`, `/properties/a/type: value must be one of 'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'`},
		{"a bound that is a text", `{"type":"object","properties":{"a":{"minimum":"1"}}}`, `/properties/a/minimum: got string, want number`},
		{"required twice", `{"type":"object","required":["a","a"]}`, `/required: items at 0 and 1 are equal`},
		{"properties in a list", `{"type":"object","properties":[]}`, `/properties: got array, want object`},
		{"nested below items", `{"type":"object","properties":{"a":{"items":{"maxLength":-1}}}}`, `/properties/a/items/maxLength: minimum: got -1, want 0`},
		{"a pattern of names", `{"type":"object","patternProperties":{"(":{}}}`, `/patternProperties: the pattern "(" can't be used: missing closing ): (`},
		{"an unknown draft", `{"type":"object","$schema":"http://example.com/s"}`, `it refers to http://example.com/s; only references within the schema are followed`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if flaw := Vet([]byte(tt.schema)); flaw != nil {
				got = i18n.English().Text(flaw.Message)
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestReferencesEnd: a schema whose references lead back to themselves, or double
// at each turn, is refused before a value is checked; the stack would overflow.
func TestReferencesEnd(t *testing.T) {
	doubled := `{"$ref":"#/$defs/0","$defs":{`
	for i := range 40 {
		doubled += fmt.Sprintf(`"%d":{"allOf":[{"$ref":"#/$defs/%d"},{"$ref":"#/$defs/%[2]d"}]},`, i, i+1)
	}
	doubled += `"40":{}}}`
	for _, tt := range []struct{ name, schema, want string }{
		{"itself", `{"$ref":"#"}`, "its reference to # leads back to itself"},
		{"in a circle", `{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#/$defs/a"}}}}`, "leads back to itself"},
		{"in a circle of anchors", `{"$ref":"#a","$defs":{"x":{"$anchor":"a","if":{"$ref":"#a"}}}}`, "its reference to #a leads back to itself"},
		{"in a circle below a property", `{"properties":{"p":{"allOf":[{"$ref":"#/properties/p"}]}}}`, "leads back to itself"},
		{"doubled at each turn", doubled, "too many schemas"},
		{"what isn't there", `{"$ref":"#/$defs/a"}`, "which it does not have"},
		{"a tree, which ends with its value", `{"properties":{"next":{"$ref":"#"}}}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := compile([]byte(tt.schema))
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(i18n.English().Error(err), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// TestSeveralFaults: faults are listed by their places, three at most, and with what the
// tool takes.
func TestSeveralFaults(t *testing.T) {
	spec := tool.Spec{Name: "t.x", ArgsSchema: json.RawMessage(`{"type":"object","required":["n","m"],"properties":{"n":{"type":"integer","maximum":9},"m":{"enum":["a","b"]},"o":{"type":["string","null"]}}}`)}
	var c Checker
	for text, want := range map[string]string{
		`{"n":12,"m":"a"}`:             `arguments of t.x: at "/n": maximum: got 12, want 9`,
		`{"n":12,"m":"c","o":1}`:       `arguments of t.x: at "/m": value must be one of 'a', 'b'; at "/n": maximum: got 12, want 9; at "/o": got number, want one of string, null`,
		`{"n":12,"o":1,"q":2,"p":"x"}`: `arguments of t.x: at "/n": maximum: got 12, want 9; at "/o": got number, want one of string, null; missing argument "m"; and 1 more`,
		`{}`:                           `arguments of t.x: missing argument "m", "n"`,
	} {
		var args map[string]any
		must.Succeed(t, json.Unmarshal([]byte(text), &args))
		e := c.Check(spec, args)
		if e == nil || i18n.English().Text(e.Message) != want || i18n.English().Text(e.Hint) != "t.x takes m, n, o; errand tools shows its schema" {
			t.Errorf("%s:\ngot  %s (%s)\nwant %s", text, i18n.English().Error(e), i18n.English().Text(e.Hint), want)
		}
	}
}
