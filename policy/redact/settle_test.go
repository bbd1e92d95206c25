package redact_test

import (
	"strings"
	"testing"

	"errand/policy/redact"
)

// TestSettled lets texts with secrets grow byte by byte. What is shown of them never has a part of a
// secret, and in the end all but the last line was shown.
func TestSettled(t *testing.T) {
	const own = "correct horse. battery staple"
	pem := "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n", 6) + "-----END PRIVATE KEY-----"
	r := redact.New([]string{own, "hunter2Xq9"})
	for name, tt := range map[string]struct{ text, secret string }{
		"a key in a sentence":        {"I found it. The key is sk-proj-abcdEFGH1234567890abcdEFGH1234567890abcdEFGH. Use it well.\nDone.\n\n", "sk-proj-abcdEFGH1234567890abcdEFGH1234567890abcdEFGH"},
		"a password beside its name": {"Here you are. password: Zt7Gq2mWx9\nThat is all.\n\n", "Zt7Gq2mWx9"},
		"one on the next line":       {"The password is\nZt7Gq2mWx9\nand no more.\n\n", ""},
		"one in a sentence":          {"The password is Zt7Gq2mWx9. Keep it.\n\n", ""},
		"a given one":                {"It says hunter2Xq9 there. And so on.\n\n", "hunter2Xq9"},
		"a given one with sentences": {"It says correct horse. battery staple there. And so on.\n\n", own},
		"a private key":              {"Here it is.\n" + pem + "\nNo more.\n\n", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"},
		"a token of two lines":       {"The token is ghp_abcdEFGH1234567890\nabcdEFGH1234567890ab.\nDone.\n\n", ""},
		"JSON":                       {"See {\"api_key\": \"Zt7Gq2mWx9Zt7Gq2mWx9\"} in it. Done.\n\n", "Zt7Gq2mWx9Zt7Gq2mWx9"},
	} {
		t.Run(name, func(t *testing.T) {
			whole := r.Text(tt.text)
			last := 0
			for end := range len(tt.text) + 1 {
				n := redact.Settled(tt.text[:end])
				if n > end || n < 0 {
					t.Fatalf("%d of %d bytes are settled", n, end)
				}
				last = n
				shown := r.Text(tt.text[:n])
				for at := 0; at+6 <= len(tt.secret); at++ {
					if part := tt.secret[at : at+6]; strings.Contains(shown, part) {
						t.Fatalf("after %d bytes, %q is shown: %q", end, part, shown)
					}
				}
				if tt.secret == "" && !strings.HasPrefix(whole, strings.TrimRight(shown, "\n")) {
					t.Fatalf("after %d bytes, %q is shown of %q", end, shown, whole)
				}
			}
			if last < len(tt.text)-2 {
				t.Errorf("%d of %d bytes were shown", last, len(tt.text))
			}
		})
	}
}

// TestSettledSoon checks that plain text is shown sentence by sentence.
func TestSettledSoon(t *testing.T) {
	for text, want := range map[string]string{
		"I look for it":                   "",
		"I look for it. Then I":           "I look for it.",
		"Ищу. Нашёл! Теперь":              "Ищу. Нашёл!",
		"It costs 3.50. It":               "It costs 3.50.",
		"# Title\nThe first. The sec":     "# Title\nThe first.",
		"The password is x. And":          "",
		"first line\nkey = value. And so": "first line\n",
		"a list:\n- one\n- two\n- thr":    "a list:\n- one\n- two\n",
	} {
		if got := text[:redact.Settled(text)]; got != want {
			t.Errorf("%q: %q is settled, want %q", text, got, want)
		}
	}
}
