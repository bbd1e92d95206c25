package plugins_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
)

const shop = `{"items": [
	{"name": "pen", "price": 2, "tags": ["ink"]},
	{"name": "desk", "price": 120.5, "tags": []},
	{"name": "стол", "price": 99, "of": {"wood": "oak"}}
], "a/b": {"m~n": 1}, "": 0}`

func TestJSONQuery(t *testing.T) {
	_, call := desk(t)
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	tests := []struct {
		name   string
		input  any
		query  string
		values []any // or
		code   string
		says   string // a part of the error's message
	}{
		{"a path", shop, "$.items[1].name", []any{"desk"}, "", ""},
		{"a filter", shop, `$.items[?@.price > 50 && @.of.wood == "oak"].name`, []any{"стол"}, "", ""},
		{"the last", shop, "$.items[-1:].name", []any{"стол"}, "", ""},
		{"backwards", shop, "$.items[::-1].price", []any{99.0, 120.5, 2.0}, "", ""},
		{"anywhere", shop, "$..wood", []any{"oak"}, "", ""},
		{"a function", shop, "$.items[?length(@.tags) == 0].name", []any{"desk"}, "", ""},
		{"a regular expression", shop, "$.items[?match(@.name, '[p-s].*|\\\\p{Lu}.*')].name", []any{"pen"}, "", ""},
		{"one that is slow elsewhere", `["` + strings.Repeat("a", 5000) + `"]`, "$[?search(@, '(a+)+b')]", nil, "", ""},
		{"one that is none", shop, "$.items[?match(@.name, '(')].name", nil, "", ""},
		{"a pointer", shop, "/a~1b/m~0n", []any{1.0}, "", ""},
		{"a pointer to the whole", "[1]", "", []any{[]any{1.0}}, "", ""},
		{"a pointer to no name", shop, "/", []any{0.0}, "", ""},
		{"a value", map[string]any{"a": []any{1}}, "$.a[0]", []any{1.0}, "", ""},
		{"a pointer too far", shop, "/items/7", nil, "not_found", `"7" at /items; the length of the array is 3`},
		{"a pointer into a number", "[1]", "/0/x", nil, "not_found", "at /0"},
		{"a leading zero", "[1]", "/00", nil, "not_found", ""},
		{"a pointer that is broken", "{}", "/a~2", nil, "bad_query", "~"},
		{"neither", "{}", "a.b", nil, "bad_query", "neither"},
		{"where a path is wrong", "{}", "$.items[?@.a = 1]", nil, "bad_query", `character 14, before "= 1]"`},
		{"counted in characters", "{}", "$.стол[", nil, "bad_query", "character 8, before the end"},
		{"no such function", "{}", "$[?size(@)]", nil, "bad_query", "use length, count"},
		{"several have no one value", "{}", "$[?@.* == 1]", nil, "bad_query", "value()"},
		{"nested without end", "{}", "$[?" + strings.Repeat("(", 5000), nil, "bad_query", "nested deeper"},
		{"filters nested without end", "{}", strings.Repeat("$[?", 3000), nil, "bad_query", "nested deeper"},
		{"where JSON is wrong", "{\"a\":\n 1,}", "$", nil, "bad_json", "line 2 column 4"},
		{"two values", "{} {}", "$", nil, "bad_json", "trailing"},
		{"nothing", "", "$", nil, "bad_json", "line 1 column 0"},
		{
			"whole numbers of any length", `[123456789012345678901234567890,-9223372036854775809,18446744073709551615,"\"123456789012345678901234567890",0.1234567890123456789012,1e3]`, "$[*]",
			[]any{"123456789012345678901234567890", "-9223372036854775809", "18446744073709551615", `"123456789012345678901234567890`, 0.12345678901234568, 1000.0},
			"", "",
		},
		{"a number that goes on", "[12345678901234567890123x]", "$", nil, "bad_json", ""},
		{"a string without an end", `["12345678901234567890123\`, "$", nil, "bad_json", ""},
		{"deep JSON", deep(100_000), "$", nil, "bad_json", "recursion limit"},
		{"as deep as can be", deep(127), "$..[?@ == 1]", nil, "", ""},
		{"more nodes than there is room for", deep(20), "$" + strings.Repeat("[*,*,*]", 12), nil, "too_many_nodes", "100000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := call("json.query", "input", tt.input, "query", tt.query)
			if codeOf(r) != tt.code {
				t.Fatalf("code %q, want %q: %+v", codeOf(r), tt.code, r.Error)
			}
			if tt.code != "" {
				if !strings.Contains(i18n.English().Text(r.Error.Message), tt.says) {
					t.Errorf("%q does not say %q", i18n.English().Text(r.Error.Message), tt.says)
				}
				return
			}
			if d := cmp.Diff(append([]any{}, tt.values...), r.Payload.(map[string]any)["values"]); d != "" {
				t.Errorf("values (-want +got):\n%s", d)
			}
		})
	}
	t.Run("left out", func(t *testing.T) {
		got := call("json.query", "input", "[1,2,3]", "query", "$[*]", "limit", 2).Payload
		want := args("count", 3.0, "values", []any{1.0, 2.0}, "paths", []any{"$[0]", "$[1]"}, "left_out", 1.0)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	})
	t.Run("arguments that are too deep to be read", func(t *testing.T) {
		var v any = 1
		for range 200 {
			v = []any{v}
		}
		if r := call("json.query", "input", v, "query", "$"); codeOf(r) != "bad_args" || !strings.Contains(i18n.English().Text(r.Error.Message), "recursion limit") {
			t.Errorf("%+v", r.Error)
		}
	})
}

func TestJSONReshape(t *testing.T) {
	_, call := desk(t)
	row := func(pairs ...any) any { return args(pairs...) }
	tests := []struct {
		name string
		args []any
		rows []any
		code string
	}{
		{"where and pick", []any{"input", shop, "rows", "/items", "where", "@.price < 100", "pick", args("n", "/name", "wood", "$.of.wood")}, []any{row("n", "pen", "wood", nil), row("n", "стол", "wood", "oak")}, ""},
		{"rows of a path", []any{"input", shop, "rows", "$.items[*].price"}, []any{2.0, 120.5, 99.0}, ""},
		{
			"sorted by two, what has none last",
			[]any{"input", `[{"a":2},{"a":1,"b":1},{"b":9},{"a":1,"b":2}]`, "sort", []any{args("by", "/a"), args("by", "/b", "descending", true)}},
			[]any{row("a", 1.0, "b", 2.0), row("a", 1.0, "b", 1.0), row("a", 2.0), row("b", 9.0)},
			"",
		},
		{"descending, and still what has none last", []any{"input", `[{"a":1},{},{"a":2}]`, "sort", []any{args("by", "/a", "descending", true)}}, []any{row("a", 2.0), row("a", 1.0), row()}, ""},
		{"kinds in order", []any{"input", `["a", 1, null, true, [0], {}]`, "sort", []any{args("by", "")}}, []any{nil, true, 1.0, "a", []any{0.0}, row()}, ""},
		{"renamed both ways", []any{"input", `[{"a":1,"b":2}]`, "rename", args("a", "b", "b", "a")}, []any{row("a", 2.0, "b", 1.0)}, ""},
		{"several picked are a list", []any{"input", `[{"a":[1,2]}]`, "pick", args("all", "$.a[*]")}, []any{row("all", []any{1.0, 2.0})}, ""},
		{"each once, whatever the order", []any{"input", `[{"a":1,"b":2},{"b":2,"a":1.0},{"a":[1]},{"a":[1]},1,"1"]`, "unique", true}, []any{row("a", 1.0, "b", 2.0), row("a", []any{1.0}), 1.0, "1"}, ""},
		{"a page of them", []any{"input", "[1,2,3,4]", "offset", 1, "limit", 2}, []any{2.0, 3.0}, ""},
		{"one value", []any{"input", `{"a":1}`}, []any{row("a", 1.0)}, ""},
		{"no condition", []any{"input", "[]", "where", "@.a <"}, nil, "bad_query"},
		{"a wrong place", []any{"input", "[]", "pick", args("a", "b")}, nil, "bad_query"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := call("json.reshape", tt.args...)
			if codeOf(r) != tt.code {
				t.Fatalf("code %q, want %q: %+v", codeOf(r), tt.code, r.Error)
			}
			if tt.code != "" {
				return
			}
			if d := cmp.Diff(tt.rows, r.Payload.(map[string]any)["rows"]); d != "" {
				t.Errorf("rows (-want +got):\n%s", d)
			}
		})
	}
}
