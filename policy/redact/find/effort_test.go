package find_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"errand/build/must"
	"errand/build/tier"
	"errand/policy/redact"
	"errand/policy/redact/find"
)

// beginnings are what secrets begin with, alone and with what may follow: texts
// of nothing else are the ones that redaction has to look at most closely. One
// trigger in eight is tried, with ERRAND_TEST=long all of them.
func beginnings() []string {
	var words []string
	for i, w := range find.Triggers() {
		if i%8 == 0 || isLong() {
			words = append(words, w)
		}
	}
	words = append(words, "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "eyJ", "sk-", "SG.", "MTA",
		"LS0tLS1CRUdJTi", "Private-Lines: 9\\n", "[redacted:", "[redacted:own:abcd]", "curl -u ", "mysql -p", "machine login password ", `\`,
		`password="a"'b'`, `password='a'\''`, `password="a"b`, `password=a\ `, `password=a\'b`, "password=a\\\n", "password a=\n", "\x1b]")
	var out []string
	for _, w := range words {
		for _, follow := range []string{"", `="`, "://u:", "=a,"} {
			out = append(out, w+follow)
		}
	}
	return out
}

// Texts that begin secrets and end none don't make redaction slow. What is read
// is counted and not timed, so that a busy machine can't fail the test.
func TestReadingGrowsWithTheText(t *testing.T) {
	const n = find.BlockSize
	for i, w := range beginnings() {
		if i%tier.Size(4, 1) != 0 {
			continue
		}
		twice := find.Effort(strings.Repeat(w, 2*n/len(w)))
		if most := find.PerByte * 2 * n; twice > most {
			t.Errorf("%q repeated in %d bytes: %d bytes are read, want at most %d", w, 2*n, twice, most)
		}
		if twice < 8*n {
			continue // however it grows, it is next to nothing
		}
		if once := find.Effort(strings.Repeat(w, n/len(w))); float64(twice) > 2.6*float64(once) {
			t.Errorf("%q repeated in %d bytes: %d bytes are read, and %d in twice the text", w, n, once, twice)
		}
	}
}

// isLong reports whether tests take their time and measure it.
func isLong() bool { return os.Getenv("ERRAND_TEST") == "long" }

func marks(n int) string { return strings.Repeat("password=[redacted:password:abcd] ", n) }

func TestEffortGrowsWithMarks(t *testing.T) {
	if few, many := find.Effort(marks(500)), find.Effort(marks(8000)); many > 17*few {
		t.Errorf("%d bytes are read of 500 marks, and %d of 16 times as many", few, many)
	}
}

// BenchmarkMarks must show about the same speed for both sizes.
func BenchmarkMarks(b *testing.B) { benchmarkSizes(b, nil, marks, 500, 8000) }

var respelledSecrets = []string{"1111 1111 1111 1112", "aaaa  aaaa  aaaa", "......................x", "ababababababababababab"}

func ownBeginnings(n int) string {
	return strings.Repeat("1 1-11.1111\u00a01111 ", n) + strings.Repeat("aaaa  ", n) + strings.Repeat("…", n) + strings.Repeat(".", n) + strings.Repeat("abab…", n)
}

// BenchmarkOwnBeginnings must show about the same speed for both sizes: texts that contain only
// beginnings of own secrets as pages show them.
func BenchmarkOwnBeginnings(b *testing.B) {
	benchmarkSizes(b, redact.New(respelledSecrets), ownBeginnings, 300, 4800)
}

func benchmarkSizes(b *testing.B, r *redact.Redactor, text func(int) string, sizes ...int) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := text(n)
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				r.Text(s)
			}
		})
	}
}

// Sixteen times the text takes about 16 times as long; with the square it would
// be 256 times.
func TestTimeGrowsWithText(t *testing.T) {
	if !isLong() {
		t.Skip("measures time: set ERRAND_TEST=long")
	}
	for _, c := range []struct {
		name      string
		r         *redact.Redactor
		text      func(int) string
		few, many int
	}{
		{"marks", nil, marks, 500, 8000},
		{"beginnings of own secrets", redact.New(respelledSecrets), ownBeginnings, 300, 4800},
	} {
		t.Run(c.name, func(t *testing.T) {
			measure := func(n int) float64 {
				text := c.text(n)
				return float64(testing.Benchmark(func(b *testing.B) {
					for b.Loop() {
						c.r.Text(text)
					}
				}).NsPerOp())
			}
			if few, many := measure(c.few), measure(c.many); many > 80*few {
				t.Errorf("16 times the text took %.0f times as long", many/few)
			}
		})
	}
}

// What takes too long to read is hidden, and no secret in it is left.
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
	for _, file := range []string{"secrets.jsonl", "more.jsonl", "later.jsonl", "judged.jsonl", "words.jsonl"}[:tier.Size(2, 5)] {
		var all strings.Builder
		for all.Len() < 4*find.BlockSize {
			for _, text := range readTexts(t, file) {
				fmt.Fprintln(&all, text)
			}
		}
		effort := find.Effort(all.String())
		t.Logf("%s: %.1f bytes are read for each", file, float64(effort)/float64(all.Len()))
		if got := (*redact.Redactor)(nil).Text(all.String()); strings.Contains(got, "[redacted:unread:") {
			t.Errorf("%s: a part was hidden unread", file)
		}
	}
}

// readTexts reads the texts of a corpus in policy/redact/testdata.
func readTexts(t *testing.T, file string) []string {
	t.Helper()
	var texts []string
	for _, l := range must.ReadJSONL[struct{ Text string }](t, "../testdata/"+file) {
		texts = append(texts, l.Text)
	}
	return texts
}
