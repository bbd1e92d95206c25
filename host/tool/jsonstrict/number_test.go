package jsonstrict_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"errand/app/i18n"
	"errand/host/tool/jsonstrict"
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
		{`1e999`, "1e999 is not a number that can be stored", "1e999 is too large"},
		{`1 2`, "more than one", ""},
		{`{`, "unexpected EOF", ""},
		{``, "EOF", ""},
	}
	for _, tt := range tests {
		v, err := jsonstrict.Decode([]byte(tt.text))
		got := ""
		if err != nil {
			got = i18n.English().Error(err)
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
		if _, err := jsonstrict.RequireExactNumbers(given); (err == nil) != (tt.strict == "") || err != nil && !strings.Contains(i18n.English().Error(err), tt.strict) {
			t.Errorf("%s: %v, want an error that says %q", tt.text, err, tt.strict)
		}
	}
}

func TestCheckText(t *testing.T) {
	tests := []struct{ text, want string }{
		{`{"a":"plain é 😀 \u00e9 \ud83d\ude00 \\ud83d \" \n"}`, ""},
		{`"\ud800"`, `byte 2: \ud800 is half of a surrogate pair`},
		{`"\ude00\ud83d"`, `byte 2: \ude00 is half of a surrogate pair`},
		{`"\ud83d\ud83d"`, `byte 2: \ud83d is half of a surrogate pair`},
		{`"\uD83Dx"`, `byte 2: \uD83D is half of a surrogate pair`},
		{`"\\\ud83d\n"`, `byte 4: \ud83d is half of a surrogate pair`},
		{`{"\ud83d":1}`, `byte 3: \ud83d is half of a surrogate pair`},
		{`"\ufffd�"`, ""},
		{"\"a\xffb\"", "byte 3 is not UTF-8"},
		{``, ""},
	}
	for _, tt := range tests {
		err := jsonstrict.CheckText([]byte(tt.text))
		if (err == nil) != (tt.want == "") || err != nil && i18n.English().Error(err) != tt.want {
			t.Errorf("%s: %v, want %q", tt.text, err, tt.want)
		}
	}
}

// FuzzCheckText: of what is refused encoding/json changes a text, and of nothing else.
func FuzzCheckText(f *testing.F) {
	for _, s := range []string{`"\\ud83d\ude00"`, `"\ud83d\\ude00"`, `{"\u":1}`, "\\", `"\ud83d`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		err := jsonstrict.CheckText(text)
		var s string
		if json.Unmarshal(text, &s) != nil {
			return
		}
		itself := strings.Contains(strings.ToLower(string(text)), `\ufffd`) || bytes.Contains(text, []byte("\ufffd"))
		if !itself && (err != nil) != strings.ContainsRune(s, utf8.RuneError) {
			t.Errorf("%q: %v, and encoding/json makes it %q", text, err, s)
		}
	})
}
