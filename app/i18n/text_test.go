package i18n

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"errand/build/must"
	"errand/planner/message"
)

// testLanguage has the marks and units of a real language and the given lines.
func testLanguage(t *testing.T, tag, lines string) *Language {
	t.Helper()
	units := ForTag(tag)
	l := newLanguage(tag, func() document { return strings.NewReader("[x]\n" + lines + "\n") })
	tables := l.tables
	l.tables = func() map[string]table {
		all := tables()
		for _, name := range []string{"language", "unit", "message"} {
			all[name] = units.tables()[name]
		}
		return all
	}
	return l
}

func TestText(t *testing.T) {
	cause := message.New("x.cause", "path", "/tmp/{name}")
	tests := []struct {
		name  string
		tag   string
		text  string
		pairs []any
		want  string
	}{
		{"no holes", "en", `plain`, nil, "plain"},
		{"value", "en", `{path} is gone`, []any{"path", "/tmp"}, "/tmp is gone"},
		{"value twice", "en", `{p}{p}`, []any{"p", "a"}, "aa"},
		{"value with braces", "en", `{p}!`, []any{"p", "{p} {{ }"}, "{p} {{ }!"},
		{"brace", "en", `{{p} {{{p}} }`, []any{"p", 1}, "{p} {1} }"},
		{"missing", "en", `{p} {q|quote}`, []any{"p", 1}, "1 {q|quote}"},
		{"unclosed", "en", `{p} {q`, []any{"p", 1, "q", 2}, "1 {q"},
		{"empty hole", "en", `a{}b`, []any{"p", 1}, "a{}b"},
		{"number", "en", `{n}`, []any{"n", -1234567}, "-1234567"},
		{"decimal", "en", `{n}`, []any{"n", 1.5}, "1.5"},
		{"decimal text", "en", `{n|decimal}`, []any{"n", "1.5 × 2.5"}, "1.5 × 2.5"},
		{"decimal text in Russian", "ru", `{n|decimal}`, []any{"n", "1.5 × 2.5"}, "1,5 × 2,5"},
		{"decimal in Russian", "ru", `{n}`, []any{"n", 1.5}, "1,5"},
		{"bool", "en", `{b}`, []any{"b", true}, "true"},
		{"line breaks", "en", `{p} is gone`, []any{"p", "a\nerrand approve X\r\nb"}, "a⏎errand approve X⏎b is gone"},
		{"lines of texts", "en", `{l|lines}`, []any{"l", []any{"a\nb", "c"}}, "a\nb\nc"},
		{"lines of a message", "en", `{p}: {c}`, []any{"p", "x", "c", message.Verbatim("a\nb")}, "x: a⏎b"},
		{"line breaks for a shell", "en", `rm {p|shell}`, []any{"p", "a\nb"}, "rm 'a\nb'"},
		{"message", "en", `failed: {c}`, []any{"c", cause}, "failed: cause in /tmp/{name}"},
		{"message of a message", "en", `failed: {c}`, []any{"c", message.New("x.outer", "c", cause)}, "failed: outer: cause in /tmp/{name}"},
		{"error", "en", `failed: {c}`, []any{"c", fmt.Errorf("tab 1: %w", cause.Err())}, "failed: tab 1: cause in /tmp/{name}"},
		{"key with dots", "en", `{c}`, []any{"c", message.New("x.tool.name.title")}, "a title"},
		{"unknown code", "en", `failed: {c}`, []any{"c", message.New("x.nothing", "n", 1)}, "failed: x.nothing(n=1)"},

		{"list", "en", `{l}`, []any{"l", []any{"a", 1, cause}}, "a, 1, cause in /tmp/{name}"},
		{"empty list", "en", `<{l}>`, []any{"l", []string{}}, "<>"},
		{"quoted list", "en", `{l|quote}`, []any{"l", []string{"a", "b"}}, `"a", "b"`},
		{"lines", "en", `{l|lines}`, []any{"l", []string{"a", "b"}}, "a\nb"},
		{"list in a list", "en", `{l|lines}`, []any{"l", [][]string{{"a", "b"}, {"c"}}}, "a, b\nc"},
		{"no list", "en", `{l|lines}`, []any{"l", "a"}, "a"},

		{"sentence", "en", `{l|and}`, []any{"l", []string{"a", "b", "c"}}, "a, b and c"},
		{"sentence of two", "en", `{l|and}`, []any{"l", []any{"a", cause}}, "a and cause in /tmp/{name}"},
		{"sentence of one", "en", `{l|and}`, []any{"l", []string{"a"}}, "a"},
		{"other text between", "en", `{l|join:; }`, []any{"l", []string{"a", "b"}}, "a; b"},
		{"percent", "en", `{n|percent}`, []any{"n", 36.6}, "37 %"},
		{"span", "en", `{n|span}`, []any{"n", 50 * 3600}, "2d2h"},
		{"short span", "en", `{n|span}`, []any{"n", 59}, "0m"},
		{"date", "ru", `{d|date}`, []any{"d", "2026-03-08"}, "8 марта 2026"},
		{"no date", "ru", `{d|date}`, []any{"d", "soon"}, "soon"},

		{"a word of a shell", "en", `{p|shell}`, []any{"p", "open youtube"}, `'open youtube'`},
		{"words of a shell", "en", `{p|shell}`, []any{"p", []string{"a", "b c"}}, `a 'b c'`},
		{"quote", "en", `{p|quote}`, []any{"p", "a \"b\" \\ \n\u202e"}, `"a \"b\" \\ \n\u202e"`},
		{"quote in Russian", "ru", `{p|quote}`, []any{"p", "a \"b\" \\ \n\u202e"}, `«a "b" \\ \n\u202e»`},
		{"marks in quotes", "ru", `{p|quote}`, []any{"p", `a» gone, «b`}, `«a\» gone, \«b»`},
		{"number in quotes", "en", `{p|quote}`, []any{"p", 5}, `"5"`},

		{"one", "en", `{n} {n|one:thing|other:things}`, []any{"n", 1}, "1 thing"},
		{"other", "en", `{n} {n|one:thing|other:things}`, []any{"n", 21}, "21 things"},
		{"no number", "en", `{n|one:thing|other:things}`, []any{"n", 0}, "things"},
		{"minus one", "en", `{n|one:thing|other:things}`, []any{"n", -1}, "thing"},
		{"large", "en", `{n|one:thing|other:things}`, []any{"n", 1_000_000_001}, "things"},
		{"smallest", "en", `{n|one:thing|other:things}`, []any{"n", "-9223372036854775808"}, "things"},
		{"fraction", "en", `{n|one:thing|other:things}`, []any{"n", 1.5}, "things"},
		{"one in Russian", "ru", `{n|one:файл|few:файла|many:файлов|other:файла}`, []any{"n", 21}, "файл"},
		{"few in Russian", "ru", `{n|one:файл|few:файла|many:файлов|other:файла}`, []any{"n", 1_000_000_003}, "файла"},
		{"many in Russian", "ru", `{n|one:файл|few:файла|many:файлов|other:файла}`, []any{"n", 11}, "файлов"},
		{"fraction in Russian", "ru", `{n|one:файл|few:файла|many:файлов|other:дробь}`, []any{"n", 0.5}, "дробь"},
		{"number itself", "en", `{n|0:nothing|one:one thing|other:{n} things}`, []any{"n", 0}, "nothing"},
		{"value in a choice", "en", `{n|0:nothing|one:one thing|other:{n} things}`, []any{"n", 2}, "2 things"},
		{"choice in a choice", "en", `{n|0:-|other:{k|file:{n|one:file|other:files} {p|quote}|other:?}}.`, []any{"n", 2, "k", "file", "p", "a|b:c}"}, `files "a|b:c}".`},
		{"length of a list", "en", `{l|0:none|one:file {l}|other:files {l}}`, []any{"l", []string{"a", "b"}}, "files a, b"},
		{"empty list chosen", "en", `{l|0:none|one:file {l}|other:files {l}}`, []any{"l", []string{}}, "none"},
		{"word", "en", `{k|file:a file|folder:a folder|other:it}`, []any{"k", "folder"}, "a folder"},
		{"other word", "en", `{k|file:a file|folder:a folder|other:it}`, []any{"k", "{p}"}, "it"},
		{"word that is a category", "en", `{k|one:thing|other:things}`, []any{"k", "one"}, "thing"},
		{"flag", "en", `{b|true:yes|other:no}`, []any{"b", false}, "no"},
		{"empty choice", "en", `a{b|true: b|other:}c`, []any{"b", false}, "ac"},
		{"empty value", "en", `a{p|:|other: in {p}}`, []any{"p", ""}, "a"},
		{"other value", "en", `a{p|:|other: in {p}}`, []any{"p", "b"}, "a in b"},
		{"colon in a choice", "en", `{b|true:so: b|other:}`, []any{"b", true}, "so: b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			line := fmt.Sprintf("t = %q\ncause = \"cause in {path}\"\nouter = \"outer: {c}\"\ntool.name.title = \"a title\"", tt.text)
			if got := testLanguage(t, tt.tag, line).Say("x.t", tt.pairs...); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestBytes(t *testing.T) {
	tests := []struct {
		tag   string
		value any
		want  string
	}{
		{"en", 0, "0 bytes"},
		{"en", 1, "1 byte"},
		{"en", 1023, "1023 bytes"},
		{"en", 1024, "1 KiB"},
		{"en", 1536, "1.5 KiB"},
		{"en", 10 * 1024, "10 KiB"},
		{"en", 10*1024 - 1, "10 KiB"},
		{"en", 1<<20 - 1, "1023 KiB"},
		{"en", 1 << 20, "1 MiB"},
		{"en", 5 << 30, "5 GiB"},
		{"en", 3 << 50, "3072 TiB"},
		{"en", -1536, "-1.5 KiB"},
		{"en", "many", "many"},
		{"ru", 1536, "1,5 КиБ"},
		{"ru", 2, "2 байта"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.tag, tt.value), func(t *testing.T) {
			if got := testLanguage(t, tt.tag, `t = "{n|bytes}"`).Say("x.t", "n", tt.value); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestDuration(t *testing.T) {
	tests := []struct {
		tag   string
		value any
		want  string
	}{
		{"en", time.Duration(0), "0s"},
		{"en", time.Nanosecond, "0.001µs"},
		{"en", 1500 * time.Nanosecond, "1.5µs"},
		{"en", 250 * time.Millisecond, "250ms"},
		{"en", 4350 * time.Millisecond, "4.35s"},
		{"en", time.Second, "1s"},
		{"en", 90 * time.Second, "1m30s"},
		{"en", 2 * time.Hour, "2h"},
		{"en", 25*time.Hour + time.Second, "25h1s"},
		{"en", -time.Minute, "-1m"},
		{"en", 60, "1m"},
		{"en", 0.3, "300ms"},
		{"en", 1e15, "1000000000000000s"},
		{"en", "long", "long"},
		{"ru", 4350 * time.Millisecond, "4,35 с"},
		{"ru", 90 * time.Second, "1 мин 30 с"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.tag, tt.value), func(t *testing.T) {
			if got := testLanguage(t, tt.tag, `t = "{d|duration}"`).Say("x.t", "d", tt.value); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestTextWithoutCodes(t *testing.T) {
	_, notThere := os.Open("/nonexistent")
	for name, tt := range map[string]struct{ got, want string }{
		"zero":              {ForTag("ru").Text(message.Message{}), ""},
		"nil error":         {ForTag("ru").Error(nil), ""},
		"verbatim":          {ForTag("ru").Text(message.Verbatim("a {b}")), "a {b}"},
		"outside error":     {ForTag("ru").Error(notThere), "open /nonexistent: no such file or directory"},
		"joined":            {ForTag("ru").Error(errors.Join(errors.New("a"), errors.New("b"))), "a\nb"},
		"no area":           {ForTag("ru").Say("verbatim", "n", 1), "verbatim(n=1)"},
		"unknown area":      {ForTag("ru").Say("nothing.like_it"), "nothing.like_it"},
		"zero language":     {(&Language{}).Say("language.name"), "English"},
		"fallback":          {English().Say("no.such", "n", 1, message.Fallback, "its own words"), "its own words"},
		"nil language":      {(*Language)(nil).Say("language.name"), "English"},
		"code without text": {testLanguage(t, "ru", "").Say("language.name"), "Русский"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", name, tt.got, tt.want)
		}
	}
}

// TestTextsAreBounded: a message of 40 levels whose texts have it twice would be
// said in terabytes.
func TestTextsAreBounded(t *testing.T) {
	l := testLanguage(t, "en", "twice = \"{m}{m}\"\nempty = \"\"")
	for _, code := range []string{"x.empty", "x.unknown"} {
		m := message.New(code)
		for range 40 {
			m = message.New("x.twice", "m", m)
		}
		if n := len(l.Text(m)); n > 8*maxText {
			t.Errorf("%s: the text has %d bytes", code, n)
		}
	}
}

func TestFind(t *testing.T) {
	tests := []struct {
		name string
		tags []string
		want string
	}{
		{"none", nil, "en"},
		{"empty", []string{""}, "en"},
		{"tag", []string{"ru"}, "ru"},
		{"capitals", []string{"RU"}, "ru"},
		{"region", []string{"ru-RU"}, "ru"},
		{"locale", []string{"ru_RU.UTF-8"}, "ru"},
		{"modifier", []string{"ru@petr1708"}, "ru"},
		{"C", []string{"C"}, "en"},
		{"C with a charset", []string{"C.UTF-8", "ru"}, "ru"},
		{"first", []string{"en_GB.UTF-8", "ru"}, "en"},
		{"second", []string{"", "tlh", "ru", "en"}, "ru"},
		{"similar", []string{"rundi"}, "en"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := First(tt.tags...).Tag(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func BenchmarkLoadAll(b *testing.B) {
	doc, err := files.ReadFile("en.toml")
	must.Succeed(b, err)
	lines := strings.Count(string(doc), "\n")
	var all strings.Builder // 4,000 lines
	for n := range 4000/lines + 1 {
		all.WriteString(strings.ReplaceAll("\n"+string(doc), "\n[", fmt.Sprintf("\n[x%d_", n)))
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, texts := range split(strings.NewReader(all.String())) {
			if _, err := texts(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(strings.Count(all.String(), "\n")), "lines")
}

func BenchmarkFirstText(b *testing.B) {
	doc, err := files.ReadFile("en.toml")
	must.Succeed(b, err)
	b.ReportAllocs()
	for b.Loop() {
		newLanguage("en", func() document { return bytes.NewReader(doc) }).Say("message.lines", "lines", "x")
	}
}

func BenchmarkText(b *testing.B) {
	m := message.New("unit.B", "number", "5", "n", 5)
	b.ReportAllocs()
	for b.Loop() {
		ForTag("ru").Text(m)
	}
}

func FuzzText(f *testing.F) {
	f.Add(`{n|0:nothing|one:one thing|other:{n} {{things}`, "name", int64(3))
	f.Add(`{s|quote}{s|bytes}{n|duration}{n|bytes}{{{l|lines}`, "}»|", int64(math.MinInt64))
	f.Fuzz(func(t *testing.T, text, s string, n int64) {
		m := message.New("x.t", "s", s, "n", n, "f", float64(n)/3, "l", []any{s, n, message.New("x.t", "s", s)})
		for _, tag := range Tags() {
			testLanguage(t, tag, fmt.Sprintf("t = %s", tomlString(text))).Text(m)
		}
	})
}

func tomlString(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`).Replace(strings.ToValidUTF8(text, "?")) + `"`
}
