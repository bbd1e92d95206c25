package redact_test

import (
	"fmt"
	"strings"
	"testing"

	"errand/policy/redact"
)

// beginnings are what secrets begin with, alone and with what may follow: texts
// of nothing else are the ones that redaction has to look at most closely.
func beginnings() []string {
	words := append(redact.Triggers(), "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "eyJ", "sk-", "SG.", "MTA",
		"LS0tLS1CRUdJTi", "Private-Lines: 9\\n", "[redacted:", "[redacted:own:abcd]", "curl -u ", "mysql -p", "machine login password ", `\`, "\x1b]")
	var out []string
	for _, w := range words {
		for _, follow := range []string{"", `="`, "://u:", "=a,"} {
			out = append(out, w+follow)
		}
	}
	return out
}

// Nobody may make redaction slow by beginning secrets and ending none. What is
// read is counted and not timed, so that a busy machine can't fail the test.
func TestReadingGrowsWithTheText(t *testing.T) {
	for _, w := range beginnings() {
		const n = redact.BlockSize
		twice := redact.Effort(strings.Repeat(w, 2*n/len(w)))
		if most := redact.PerByte * 2 * n; twice > most {
			t.Errorf("%q repeated in %d bytes: %d bytes are read, want at most %d", w, 2*n, twice, most)
		}
		if twice < 8*n {
			continue // however it grows, it is next to nothing
		}
		if once := redact.Effort(strings.Repeat(w, n/len(w))); float64(twice) > 2.6*float64(once) {
			t.Errorf("%q repeated in %d bytes: %d bytes are read, and %d in twice the text", w, n, once, twice)
		}
	}
}

func TestMarksDoNotSlowRedactionDown(t *testing.T) {
	time := func(n int) float64 {
		text := strings.Repeat("password=[redacted:password:abcd] ", n)
		return float64(testing.Benchmark(func(b *testing.B) {
			for b.Loop() {
				(*redact.Redactor)(nil).Text(text)
			}
		}).NsPerOp())
	}
	// Sixteen times the text: in proportion it is 16, with the square it was 256.
	if few, many := time(500), time(8000); many > 80*few {
		t.Errorf("16 times the marks took %.0f times as long", many/few)
	}
}

// Looking for what pages make of own secrets takes time in proportion to the
// text, be it made of nothing but their beginnings.
func TestBeginningsOfOwnSecretsDoNotSlowRedactionDown(t *testing.T) {
	r := redact.New([]string{"1111 1111 1111 1112", "aaaa  aaaa  aaaa", "......................x", "ababababababababababab"})
	time := func(n int) float64 {
		text := strings.Repeat("1 1-11.1111\u00a01111 ", n) + strings.Repeat("aaaa  ", n) + strings.Repeat("…", n) + strings.Repeat(".", n) + strings.Repeat("abab…", n)
		return float64(testing.Benchmark(func(b *testing.B) {
			for b.Loop() {
				r.Text(text)
			}
		}).NsPerOp())
	}
	// Sixteen times the text: in proportion it is 16, with the square it was 256.
	if few, many := time(300), time(4800); many > 80*few {
		t.Errorf("16 times the beginnings took %.0f times as long", many/few)
	} else {
		t.Logf("16 times the beginnings took %.0f times as long", many/few)
	}
}

// What nobody had the time to read is hidden, and no secret with it is left.
func TestTextThatCannotBeReadInTimeIsHidden(t *testing.T) {
	noise := strings.Repeat("sk-", 100_000)
	got := (*redact.Redactor)(nil).Text(noise + "password=hunter2-is-mine\nThe garden is open.\n")
	if !strings.Contains(got, "[redacted:unread:") {
		t.Error("nothing was hidden: the text is no longer one that takes long")
	}
	if strings.Contains(got, "hunter2") {
		t.Error("the secret behind the noise is left")
	}
	if again := (*redact.Redactor)(nil).Text(got); again != got {
		t.Error("redacting twice differs")
	}
}

// Honest text is read to its end, however long it is and however much of it is
// secret.
func TestHonestTextIsReadToItsEnd(t *testing.T) {
	for _, file := range []string{"secrets.jsonl", "more.jsonl", "later.jsonl", "judged.jsonl"} {
		var all strings.Builder
		for all.Len() < 4*redact.BlockSize {
			for _, l := range readCorpus(t, file) {
				fmt.Fprintln(&all, l.Text)
			}
		}
		effort := redact.Effort(all.String())
		t.Logf("%s: %.1f bytes are read for each", file, float64(effort)/float64(all.Len()))
		if got := (*redact.Redactor)(nil).Text(all.String()); strings.Contains(got, "[redacted:unread:") {
			t.Errorf("%s: a part was hidden unread", file)
		}
	}
}
