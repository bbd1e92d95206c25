package urlpath

import (
	"net/url"
	"strings"
	"testing"
	"unicode"
)

// TestEveryLetterOfAnASCIICase checks that a denied path is also denied if one of its
// letters is replaced by any character that is the same letter in another case.
func TestEveryLetterOfAnASCIICase(t *testing.T) {
	found := 0
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		for _, cased := range []rune{unicode.ToUpper(r), unicode.ToLower(r), unicode.ToTitle(r)} {
			if cased >= 0x80 || !unicode.IsLetter(cased) {
				continue
			}
			found++
			path := "/x" + url.PathEscape(string(r)) + "y/"
			if !HasPrefix([]string{"x" + string(cased) + "y"}, path, true) {
				t.Errorf("%U as %q passes a rule that denies it", r, cased)
			}
			if HasPrefix([]string{"x" + string(cased) + "y"}, path, false) {
				t.Errorf("%U as %q is allowed by a rule for another path", r, cased)
			}
		}
	}
	if found < 4 { // ı, İ, ſ, K
		t.Errorf("only %d such characters", found)
	}
}

func TestDeniedInAnotherCase(t *testing.T) {
	for _, tt := range []struct {
		denied, path string
		want         bool
	}{
		{"admin", "/adm%C4%B1n/", true},                    // ı
		{"ADMIN", "/adm%C4%B1n/", true},                    //
		{"admin", "/ADM%C4%B0N/", true},                    // İ
		{"admin", "/admi%CC%87n/", true},                   // i̇
		{"keys", "/%E2%84%AAeys/", true},                   // K, the Kelvin sign
		{"users", "/u%C5%BFers/", true},                    // ſ
		{"pass", "/pa%C3%9F/", true},                       // ß
		{"pass", "/PA%E1%BA%9E/", true},                    // ẞ
		{"straße", "/STRASSE/", true},                      //
		{"admin", "/adm%C3%ADn/", false},                   // í
		{"admin", "/%D0%B0dmin/", false},                   // the Cyrillic а
		{"pass", "/pas/", false},                           //
		{"admin", "/adm%C4%B1nistration/", false},          //
		{"файлы", "/%D0%A4%D0%90%D0%99%D0%9B%D0%AB", true}, //
	} {
		if got := HasPrefix([]string{tt.denied}, tt.path, true); got != tt.want {
			t.Errorf("%s denied, %s: %t, want %t", tt.denied, tt.path, got, tt.want)
		}
		if strings.Contains(tt.path, "%") && HasPrefix([]string{tt.denied}, tt.path, false) {
			t.Errorf("%s allows %s", tt.denied, tt.path)
		}
	}
}
