package jsonstrict_test

import (
	"encoding/json"
	"strings"
	"testing"

	"errand/build/must"
	"errand/host/tool/jsonstrict"
)

func TestFindDuplicate(t *testing.T) {
	many := `{"k0":0`
	for _, c := range "abcdefghijklmnopqrstuvwxyz" {
		many += `,"` + string(c) + `":0`
	}
	tests := []struct{ text, want string }{
		{`{}`, ""},
		{`{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}`, ""},
		{`["a","a"]`, ""},
		{`{"a":"a","b":"a\"","c":"{\"a\":1,\"a\":2}"}`, ""},
		{`"a" "a" {"a":1} {"a":2}`, ""},
		{`{"A":1,"a":2}`, ""},
		{`{"a":1,"a":2}`, "a"},
		{`{"a":1,"\u0061":2}`, "a"},
		{`{"x":{"y":[0,{"a":1},{"b":[],"a":{},"b":null}]}}`, "x.y[2].b"},
		{` { "" : 1 , "" : 2 } `, `[""]`},
		{`{"a.b":{"c d":1,"c d":2}}`, `["a.b"]["c d"]`},
		{many + `}`, ""},
		{many + `,"q":1}`, "q"},
	}
	for _, tt := range tests {
		if at, found := jsonstrict.FindDuplicate([]byte(tt.text)); at != tt.want || found != (tt.want != "") {
			t.Errorf("%s: %q, %v, want %q", tt.text, at, found, tt.want)
		}
	}
}

// FuzzFindDuplicate: any text is read without a panic, and what encoding/json has written
// has no key twice.
func FuzzFindDuplicate(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"\\\""}],"a":2}`))
	f.Add([]byte(`{"`))
	f.Fuzz(func(t *testing.T, text []byte) {
		jsonstrict.FindDuplicate(text)
		var v any
		if json.Unmarshal(text, &v) != nil {
			return
		}
		written, err := json.Marshal(v)
		if err != nil {
			return
		}
		if at, found := jsonstrict.FindDuplicate(written); found {
			t.Errorf("%s has %s twice", written, at)
		}
		if strings.HasPrefix(strings.TrimSpace(string(text)), "{") && len(written) > 2 {
			twice := string(written[:len(written)-1]) + "," + string(written[1:])
			if _, found := jsonstrict.FindDuplicate([]byte(twice)); !found {
				t.Errorf("%s has no key twice", twice)
			}
		}
	})
}

func TestFindCaseVariant(t *testing.T) {
	for object, want := range map[string]string{
		`{"ok":1,"other":2}`: " ", `{}`: " ", `{"OK":1}`: "OK ok", `{"ok":1,"oK":2}`: "oK ok", `{"\u017ftate":1}`: "ſtate state",
	} {
		var o map[string]int
		must.Succeed(t, json.Unmarshal([]byte(object), &o))
		wrong, own, found := jsonstrict.FindCaseVariant(o, "ok", "state")
		if wrong+" "+own != want || found != (want != " ") {
			t.Errorf("%s: %q, %q, %v, want %q", object, wrong, own, found, want)
		}
	}
}
