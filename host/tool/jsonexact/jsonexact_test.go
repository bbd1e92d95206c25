package jsonexact_test

import (
	"encoding/json"
	"strings"
	"testing"

	"errand/host/tool/jsonexact"
)

func TestDecode(t *testing.T) {
	tests := []struct{ text, want, strict string }{
		{`[0,-0,1,1.0,1e2,0.1,-9007199254740992,9007199254740992]`, `[0,-0,1,1,100,0.1,-9007199254740992,9007199254740992]`, ""},
		{`9007199254740993`, `"9007199254740993"`, ": 9007199254740993 is too large"},
		{`{"a":[1,{"id":-1199254740993123456}]}`, `{"a":[1,{"id":"-1199254740993123456"}]}`, "a[1].id: -1199254740993123456 is too large"},
		{`100000000000000000000`, `100000000000000000000`, ""},
		{`123456789012345678901234567890`, `"123456789012345678901234567890"`, "is too large"},
		{`0.12345678901234567890`, `0.12345678901234568`, ""},
		{`{"a":"9007199254740993","b":null,"c":true}`, `{"a":"9007199254740993","b":null,"c":true}`, ""},
		{`1e999`, "1e999 is no number that can be kept", "1e999 is too large"},
		{`1 2`, "more than one", ""},
		{`{`, "unexpected EOF", ""},
		{``, "EOF", ""},
	}
	for _, tt := range tests {
		v, err := jsonexact.Decode([]byte(tt.text))
		got := ""
		if err != nil {
			got = err.Error()
		} else if b, err := json.Marshal(v); err != nil {
			t.Fatal(err)
		} else {
			got = string(b)
		}
		if got != tt.want && (err == nil || !strings.Contains(got, tt.want)) {
			t.Errorf("%s: %s, want %s", tt.text, got, tt.want)
		}
		d := json.NewDecoder(strings.NewReader(tt.text))
		d.UseNumber()
		var given any
		if d.Decode(&given) != nil {
			continue
		}
		if _, err := jsonexact.Strict(given); (err == nil) != (tt.strict == "") || err != nil && !strings.Contains(err.Error(), tt.strict) {
			t.Errorf("%s: %v, want an error that says %q", tt.text, err, tt.strict)
		}
	}
}
