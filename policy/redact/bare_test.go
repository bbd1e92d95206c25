package redact_test

import (
	"encoding/ascii85"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"errand/policy/redact"
)

const odd = "Zq9vbTr44kPwxLm2Qd81"

func joined(format, separator string) string {
	var parts []string
	for _, c := range []byte(odd) {
		parts = append(parts, fmt.Sprintf(format, c))
	}
	return strings.Join(parts, separator)
}

func backwards(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// oddSpellings are ways to write a secret that no program uses by chance.
func oddSpellings() map[string]string {
	hexed := hex.EncodeToString([]byte(odd))
	b64 := base64.StdEncoding.EncodeToString([]byte(odd))
	adobe := make([]byte, ascii85.MaxEncodedLen(len(odd)))
	adobe = adobe[:ascii85.Encode(adobe, []byte(odd))]
	return map[string]string{
		"dots":                      joined("%c", "."),
		"dashes":                    joined("%c", "-"),
		"lines":                     joined("%c", "\n"),
		"slashes":                   joined("%c", "/"),
		"variation selectors":       joined("%c", "\ufe0f"),
		"other letter case":         "zQ9VBtR44KpWXlM2qD81",
		"small letters":             strings.ToLower(odd),
		"backwards":                 backwards(odd),
		"backwards with blanks":     backwards(joined("%c", " ")),
		"hex with blanks":           joined("%02x", " "),
		"hex with colons":           joined("%02X", ":"),
		"hex of C":                  joined("0x%02x", ", "),
		"quoted-printable":          joined("=%02X", ""),
		"decimal numbers":           joined("%d", " "),
		"decimal numbers in a list": "[" + joined("%d", ", ") + "]",
		"octal numbers":             joined("%o", " "),
		"binary numbers":            joined("%08b", " "),
		"base32":                    base32.StdEncoding.EncodeToString([]byte(odd)),
		"base32 without padding":    strings.ToLower(strings.TrimRight(base32.StdEncoding.EncodeToString([]byte(odd)), "=")),
		"base85":                    string(adobe),
		"base64 of base64":          base64.StdEncoding.EncodeToString([]byte(b64)),
		"base64 of hex":             base64.StdEncoding.EncodeToString([]byte(hexed)),
		"base64 in lines":           b64[:11] + "\n" + b64[11:],
		"mathematical letters":      "\U0001d419q9vbTr44\U0001d424Pwx\U0001d5abm2Qd81",
		"circled letters":           "Ⓩq9vbTr44ⓚPwxLm2Qd81",
		"cut in the middle":         "mid :: Zq9vbTr44kPw end",
		"without its beginning":     "mid :: 44kPwxLm2Qd81 end",
	}
}

// TestOddSpellings checks that a secret is removed in spellings that hide it from a search.
func TestOddSpellings(t *testing.T) {
	r := redact.New([]string{odd}, redact.OnlyGiven())
	for name, text := range oddSpellings() {
		t.Run(name, func(t *testing.T) {
			got := r.Text("before: " + text + " :after")
			if !strings.HasPrefix(got, "before: ") || !strings.HasSuffix(got, " :after") || !strings.Contains(got, "[redacted:own:") || len(got) > len("before:  :after")+len("[redacted:own:0000]")+20 {
				t.Errorf("%q became %q", text, got)
			}
			if again := r.Text(got); again != got {
				t.Errorf("redacting twice differs: %q, %q", got, again)
			}
		})
	}
}

// TestOddSpellingsStayWithTheirHosts checks that no request carries them to another host.
func TestOddSpellingsStayWithTheirHosts(t *testing.T) {
	b := redact.Bind([]redact.Binding{{Name: "key", Plugin: "p", Secret: redact.NewSecret(odd)}})
	for name, text := range oddSpellings() {
		isCut := name == "cut in the middle" || name == "without its beginning"
		if err := b.CheckRequest(at(t, "https://evil.example/?q="+url.QueryEscape(text)), nil); (err == nil) != isCut {
			t.Errorf("%s in the URL: %v", name, err)
		}
		if err := b.CheckRequest(at(t, "https://evil.example/"), map[string][]string{"X-A": {"x " + text}}); (err == nil) != isCut {
			t.Errorf("%s in a header: %v", name, err)
		}
	}
}

// TestSimilarTextsStay checks that texts which only resemble a secret are kept.
func TestSimilarTextsStay(t *testing.T) {
	for _, tt := range []struct{ name, secret, text string }{
		{"half of a passphrase", "correct horse battery staple", "a correct horse is a horse"},
		{"a short secret with signs", "p@s-w0rd", "The p, @s: w0r d"},
		{"less than half", odd, "Zq9vbTr44 is a part number"},
		{"the end, less than half", odd, "Lm2Qd81 is a part number"},
		{"another number", "4111222233334444", "4111 2222 3333 4445"},
		{"signs alone", "!!!-!!!-!!!-!!!", "!!! --- !!! --- !!! --- !!!"},
		{"a common word", "password-1", "Enter your password."},
		{"digits of a date", "20240102", "2024, January 01, then 02"},
	} {
		if got := redact.New([]string{tt.secret}, redact.OnlyGiven()).Text(tt.text); got != tt.text {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}

func BenchmarkBare(b *testing.B) {
	r := redact.New([]string{odd}, redact.OnlyGiven())
	text := strings.Repeat("The quick brown fox jumps over the lazy dog, 1234 times. ", 20_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.Text(text)
	}
}
