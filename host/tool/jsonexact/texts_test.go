package jsonexact_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"errand/host/tool/jsonexact"
)

// TestTexts: what would become another text without a word is refused, and nothing
// else is.
func TestTexts(t *testing.T) {
	for text, want := range map[string]string{
		`""`: "", `"a\u0041é😀"`: "", `"\ud83d\ude00"`: "", `"\uD83D\uDE00\ud83d\ude00"`: "", `"\\ud800"`: "", `"\\\\ud800"`: "", `"\ufffd"`: "",
		`"\ud800"`: `\ud800 in it is half`, `{"\uDFFF":1}`: `\uDFFF in it`, `"\ud800\u0041"`: `\ud800`, `"\ud800\ud83d\ude00"`: `\ud800`,
		`"\\\ud800"`: `\ud800`, `["a","\ud83d x"]`: `\ud83d`, "\"\xff\"": "no UTF-8",
	} {
		if err := jsonexact.Texts([]byte(text)); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// FuzzTexts: where it finds nothing, encoding/json puts no U+FFFD in a text that has
// none.
func FuzzTexts(f *testing.F) {
	f.Add(`"\ud800\\ud800"`)
	f.Add("\"\xff")
	f.Fuzz(func(t *testing.T, text string) {
		var v string
		err := jsonexact.Texts([]byte(text))
		if json.Unmarshal([]byte(text), &v) != nil || strings.ContainsRune(text, utf8.RuneError) || strings.Contains(strings.ToLower(text), `\ufffd`) {
			return
		}
		if put := strings.ContainsRune(v, utf8.RuneError); put != (err != nil) {
			t.Errorf("%q is read as %q, and it says %v", text, v, err)
		}
	})
}
