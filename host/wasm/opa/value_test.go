package opa

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadValue reads values as policies write them, and writes them as Rego does.
func TestReadValue(t *testing.T) {
	for _, tt := range []struct {
		text string
		want any
		rego string
	}{
		{`null`, nil, "null"},
		{`true`, true, "true"},
		{`-1.5e3`, json.Number("-1.5e3"), "-1.5e3"},
		{`[.0,-.5]`, []any{json.Number("0.0"), json.Number("-0.5")}, "[0.0, -0.5]"},
		{`"a \"b\""`, `a "b"`, `"a \"b\""`},
		{`[]`, []any{}, "[]"},
		{`[1,[2]]`, []any{json.Number("1"), []any{json.Number("2")}}, "[1, [2]]"},
		{`set()`, set{}, "set()"},
		{`{1}`, set{json.Number("1")}, "{1}"},
		{`{1, "a"}`, set{json.Number("1"), "a"}, `{1, "a"}`},
		{`{}`, object{}, "{}"},
		{`{"a":1, [2]: {3}}`, object{{"a", json.Number("1")}, {[]any{json.Number("2")}, set{json.Number("3")}}}, `{"a": 1, [2]: {3}}`},
	} {
		got, err := readValue(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if d := cmp.Diff(tt.want, got, cmp.AllowUnexported(member{})); d != "" {
			t.Errorf("%s: %s", tt.text, d)
		}
		var b strings.Builder
		if writeValue(&b, got); b.String() != tt.rego {
			t.Errorf("%s is written as %s", tt.text, b.String())
		}
	}
	for _, text := range []string{"", "[", "[1", "[1 2]", "{", "{1", "{1:", "{1:2", "{1:2,", "{1:2,3}", "{1,2", "1 2", "nothing", "set("} {
		if v, err := readValue(text); err == nil {
			t.Errorf("%q was read as %v", text, v)
		}
	}
}

// FuzzReadValue tests that what was read is written so that it is read as the same.
func FuzzReadValue(f *testing.F) {
	for _, text := range []string{`{"a":[1,set()]}`, `{1,{2}}`, `[[[`, `"\u00e9"`, `{{}:{}}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := readValue(text)
		if err != nil {
			return
		}
		var b, again strings.Builder
		writeValue(&b, v)
		w, err := readValue(b.String())
		if err != nil {
			t.Fatalf("%q was written as %q: %v", text, b.String(), err)
		}
		if writeValue(&again, w); again.String() != b.String() {
			t.Errorf("%q, then %q", b.String(), again.String())
		}
	})
}
