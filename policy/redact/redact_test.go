package redact_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/policy/redact"
)

func TestOwnSecrets(t *testing.T) {
	const secret = `p"ä/s +w%r&d<1>`
	r := redact.New([]string{secret})
	tests := []struct{ name, text string }{
		{"plain", "key is " + secret + "."},
		{"base64", base64.StdEncoding.EncodeToString([]byte(secret))},
		{"base64 url", base64.URLEncoding.EncodeToString([]byte(secret))},
		{"base64 of user and secret", base64.StdEncoding.EncodeToString([]byte("me:" + secret + "\n"))},
		{"base64 in the middle", base64.StdEncoding.EncodeToString([]byte("abcd" + secret + "xyz"))},
		{"hex", hex.EncodeToString([]byte(secret))},
		{"upper-case hex", strings.ToUpper(hex.EncodeToString([]byte(secret)))},
		{"query", "https://x.example/?q=" + url.QueryEscape(secret)},
		{"path", url.PathEscape(secret)},
		{"query with lower-case escapes", strings.NewReplacer("%C3%A4", "%c3%a4", "%2F", "%2f", "%2B", "%2b", "%3C", "%3c", "%3E", "%3e").Replace(url.QueryEscape(secret))},
		{"query twice", url.QueryEscape(url.QueryEscape(secret))},
		{"JSON", string(must.JSON(t, map[string]string{"x": secret}))},
		{"JSON in JSON", string(must.JSON(t, string(must.JSON(t, secret))))},
		{"Go", strconv.Quote(secret)},
		{"Go ASCII", strconv.QuoteToASCII(secret)},
		{"cut by an escape", "p\"ä/s\x1b[0m +w%r&d<1>"},
		{"string of a shell", `"p\"ä/s +w%r&d<1>"`},
		{"words of a shell", `p\"ä/s\ +w%r\&d\<1\>`},
		{"string in a string", `"{\"x\":\"p\\\"ä/s +w%r&d<1>\"}"`},
		{"cut by a line continuation", "p\"ä/s +w\\\n%r&d<1>"},
		{"cut by a line continuation and indentation", "p\"ä/s +w\\\r\n\t  %r&d<1>"},
		{"cut by a line continuation in JSON", `{"x":"p\"ä/s +w\\\n%r&d<1>"}`},
		{"cut by a soft line break", "the key is p\"ä/s +w=\n%r&d<1>"},
		{"quoted-printable", "p\"=C3=A4/s +w%r=\r\n&d<1>=3D"},
		{"cut by a zero-width space", "p\"ä/s\u200b +w%r&d<1>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := r.Text(tt.text)
			if !strings.Contains(got, "[redacted:own:") {
				t.Errorf("Text(%q) = %q", tt.text, got)
			}
			if leaked(got, secret) {
				t.Errorf("Text(%q) = %q still has the secret", tt.text, got)
			}
		})
	}
}

// TestOwnSecretsAsPagesShowThem checks that a secret is also removed if a page shortens, groups,
// joins or capitalizes it, and that similar text stays.
func TestOwnSecretsAsPagesShowThem(t *testing.T) {
	const horse, card, gap, deed = "CorrectHorse-77", "4111222233334444", "correct  horse77", "password-of-mine"
	tests := []struct{ name, secret, text, want string }{
		{"cut at the end", horse, "12345 CorrectHor", "12345 [own]"},
		{"cut with an ellipsis", horse, "12345 CorrectHor…", "12345 [own]…"},
		{"cut with dots", horse, "12345 CorrectHor... and on", "12345 [own]... and on"},
		{"cut to a few bytes with an ellipsis", horse, "(Corr…) x", "([own]…) x"},
		{"cut in quotes", horse, `got "CorrectHorse-7"` + "\n", `got "[own]"` + "\n"},
		{"cut with an invisible sign in it", horse, "Corr\u200bectHo", "[own]"},
		{"cut at a broken rune", "tea für schöne", "tea für sch\ufffd", "[own]\ufffd"},
		{"cut short one", "hunter2", "is hunt", "is [own]"},
		{"cut of a repeated beginning", "ababab-x", "xx ababab", "xx [own]"},
		{"cut to nearly nothing", horse, "12345 Corre", "12345 Corre"},
		{"cut to next to nothing with an ellipsis", horse, "12345 Cor…", "12345 Cor…"},
		{"beginning in the middle", horse, "CorrectHor is no word", "CorrectHor is no word"},
		{"end of it", horse, "rse-77", "rse-77"},
		{"a word that gives nothing away", deed, "Enter your password…", "Enter your password…"},
		{"more than the word", deed, "It was password-of", "It was [own]"},
		{"digits cut", card, "card 41112222", "card [own]"},
		{"digits inside a number", card, "card 941112222", "card 941112222"},

		{"groups", card, "card 4111 2222 3333 4444.", "card [own]."},
		{"groups with dashes", card, "4111-2222-3333-4444", "[own]"},
		{"groups with non-breaking spaces", card, "a\u00a04111\u00a02222\u00a03333\u00a04444\u00a0b", "a\u00a0[own]\u00a0b"},
		{"groups with thin spaces", card, "4111\u20092222\u202f3333\u20094444", "[own]"},
		{"groups of thousands", card, "4,111,222,233,334,444", "[own]"},
		{"groups in HTML", card, "<b>4111&nbsp;2222&nbsp;3333&nbsp;4444</b>", "<b>[own]</b>"},
		{"groups in a query", card, "?n=4111+2222+3333%204444&x", "?n=[own]&x"},
		{"groups and an escape", card, "4111 22\x1b[1m22 3333 4444!", "[own]!"},
		{"groups cut", card, "card 4111 2222 33…", "card [own]…"},
		{"given in groups", "4111 2222 3333 4444", "n=4111222233334444;", "n=[own];"},
		{"given in other groups", "4111-2222-3333-4444", "4111 2222 3333 4444", "[own]"},
		{"other digits", card, "4111 2222 3333 4445 x", "4111 2222 3333 4445 x"},
		{"two signs between digits", card, "4111, 2222, 3333, 4444 x", "4111, 2222, 3333, 4444 x"},
		{"too few digits for groups", "482913", "48 29 13 x", "48 29 13 x"},

		{"white space joined", gap, "a correct horse77 b", "a [own] b"},
		{"white space of other kinds", gap, "correct\u00a0\n\thorse77.", "[own]."},
		{"white space in HTML", gap, "correct&nbsp;horse77", "[own]"},
		{"one blank made more", "correct horse77", "correct   horse77", "[own]"},
		{"joined and encoded", gap, "?q=correct+horse77", "?q=[own]"},
		{"joined and cut", gap, "so correct\nhor", "so [own]"},
		{"white space around it lost", " horse77-x ", "(horse77-x)", "([own])"},
		{"white space in vain", gap, "correct  horses  here", "correct  horses  here"},

		{"capitals", horse, "Key CORRECTHORSE-77, x", "Key [own], x"},
		{"small letters", horse, "correcthorse-77", "[own]"},
		{"capitals and joined", gap, "CORRECT HORSE77", "[own]"},
		{"capitals in a longer word", "Summer", "MIDSUMMER SUMMERS", "MIDSUMMER SUMMERS"},
		{"a mark at the end", "key:1234-x", "[redacted:key:1234]", "[redacted:key:1234]"},
		{"a word of a mark with blanks", "  redact ", "redact password=fakePassw0rd", "redact password=[redacted:password:4b82]"},
		{"a word of a mark in capitals", "REDACTED", "password=fakePassw0rd", "password=[redacted:password:4b82]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := redact.New([]string{tt.secret})
			got := r.Text(tt.text)
			if shown := ownMark.ReplaceAllString(got, "[own]"); mask(shown) != mask(tt.want) {
				t.Errorf("Text(%q) = %q, want %q", tt.text, shown, tt.want)
			}
			if again := r.Text(got); again != got {
				t.Errorf("redacting twice differs: %q, %q", got, again)
			}
			if got := redact.New([]string{"another-own-secret"}).Text(tt.text); strings.Contains(got, "[redacted:own:") {
				t.Errorf("without the secret: %q", got)
			}
		})
	}
}

// A name is not cut, and a number is a secret however that was written.
func TestValueOfRespelledSecrets(t *testing.T) {
	r := redact.New([]string{"titleist-99", "4111 2222 3333 4444"})
	got := r.Value(map[string]any{"titleist": "my titleist", "n": json.Number("4111222233334444")})
	want := map[string]any{"titleist": "my [redacted:own:0000]", "n": "[redacted:own:0000]"}
	if diff := cmp.Diff(mask(want), mask(got)); diff != "" {
		t.Errorf("Value (-want +got):\n%s", diff)
	}
}

// leaked looks for a secret by undoing encodings, where the package looks by
// doing them.
func leaked(text, secret string) bool {
	undone := []string{text}
	if u, err := url.QueryUnescape(text); err == nil {
		undone = append(undone, u)
	}
	if u, err := url.PathUnescape(text); err == nil {
		undone = append(undone, u)
	}
	if b, err := hex.DecodeString(text); err == nil {
		undone = append(undone, string(b))
	}
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if b, err := enc.DecodeString(text); err == nil {
			undone = append(undone, string(b))
		}
	}
	var s string
	if json.Unmarshal([]byte(text), &s) == nil {
		undone = append(undone, s)
	}
	for _, u := range undone {
		if strings.Contains(u, secret) {
			return true
		}
	}
	return false
}

func TestTags(t *testing.T) {
	var plain *redact.Redactor
	a, again, b := plain.Text("password=one1"), plain.Text("db_password: one1"), plain.Text("password=two2")
	if tag(a) != tag(again) || tag(a) == tag(b) {
		t.Errorf("tags of %q, %q, %q: want the first two equal, the third different", a, again, b)
	}
	keyed := redact.New(nil, redact.WithKey([]byte("key")))
	if got := keyed.Text("password=one1"); tag(got) == tag(a) {
		t.Errorf("the tag of %q does not depend on the key", got)
	}
}

func tag(s string) string { return s[strings.LastIndex(s, ":"):] }

func TestOwnSecretsThatWouldDestroyText(t *testing.T) {
	r := redact.New([]string{"", "ab", "redact", "[redacted:"})
	const text = "ab redact [redacted:x"
	if got := r.Text(text); got != text {
		t.Errorf("Text(%q) = %q", text, got)
	}
}

// TestExact checks that only the given secrets are removed, and no text that looks like a secret.
func TestExact(t *testing.T) {
	r := redact.New([]string{"9f3", "482913", "tea & cake"}, redact.OnlyGiven())
	for in, want := range map[string]any{
		"code 9f3, not 19f3 nor 9f35 or é9f3": "code [own], not 19f3 nor 9f35 or é9f3",
		"password=hunter2 and 482913":         "password=hunter2 and [own]",
		"/find?q=tea+%26+cake&pin=x482913x":   "/find?q=[own]&pin=x[own]x",
		"9f3":                                 "[own]",
	} {
		if got := ownMark.ReplaceAllString(r.Text(in), "[own]"); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
	for _, number := range []any{482913, 482913.0, json.Number("482913")} {
		if got, _ := r.Value(map[string]any{"n": number}).(map[string]any)["n"].(string); !redact.HasMark(got) {
			t.Errorf("the number %v (%T) stays %q", number, number, got)
		}
	}
	if got := r.Value(map[string]any{"password": "hunter2", "pin": 1234.0}); !reflect.DeepEqual(got, map[string]any{"password": "hunter2", "pin": 1234.0}) {
		t.Errorf("what it was not given is %v", got)
	}
}

var ownMark = regexp.MustCompile(`\[redacted:own:[0-9a-f]{4}\]`)

func TestValue(t *testing.T) {
	r := redact.New([]string{"my-own-secret"})
	type login struct {
		User     string `json:"user"`
		Password string `json:"password"`
	}
	tests := []struct {
		name string
		in   any
		want any
	}{
		{"nil", nil, nil},
		{"text", "see my-own-secret", "see [redacted:own:5d2e]"},
		{"under a name", map[string]any{"password": "y", "user": "ann"}, map[string]any{"password": "[redacted:password:36c1]", "user": "ann"}},
		{"harmless under a name", map[string]any{"password": nil, "token": "string", "max_tokens": 5.0}, map[string]any{"password": nil, "token": "string", "max_tokens": 5.0}},
		{"number under a name", map[string]any{"password": 123456.0}, map[string]any{"password": "[redacted:password:80c6]"}},
		{"header", map[string]any{"Authorization": []any{"Bearer abcdefgh12345"}}, map[string]any{"Authorization": []any{"Bearer [redacted:authorization:a5d1]"}}},
		{"cookie", map[string]any{"Cookie": "sid=abcdefgh12345; theme=dark"}, map[string]any{"Cookie": "sid=[redacted:cookie:a5d1]; theme=dark"}},
		{"nested", []any{map[string]any{"a": []any{"my-own-secret"}}}, []any{map[string]any{"a": []any{"[redacted:own:5d2e]"}}}},
		{"struct", login{"ann", "hunter2"}, map[string]any{"user": "ann", "password": "[redacted:password:5aab]"}},
		{"error", fmt.Errorf("dial: %s", "my-own-secret"), "dial: [redacted:own:5d2e]"},
		{"secret", redact.NewSecret("abc"), "[redacted:secret:0000]"},
		{"name", map[string]any{"my-own-secret": 1}, map[string]any{"[redacted:own:5d2e]": 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := fmt.Sprintf("%#v", tt.in)
			got := r.Value(tt.in)
			if diff := cmp.Diff(mask(tt.want), mask(got)); diff != "" {
				t.Errorf("Value (-want +got):\n%s", diff)
			}
			if after := fmt.Sprintf("%#v", tt.in); after != before {
				t.Errorf("Value changed its argument to %s", after)
			}
		})
	}
}

// mask takes the tags off: what they are is not the contract.
func mask(v any) any {
	switch v := v.(type) {
	case string:
		var b strings.Builder
		for {
			i := strings.Index(v, "[redacted:")
			if i < 0 {
				return b.String() + v
			}
			end := i + strings.IndexByte(v[i:], ']')
			b.WriteString(v[:end-4])
			v = v[end:]
		}
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			out[mask(k).(string)] = mask(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = mask(e)
		}
		return out
	}
	return v
}

func TestHandler(t *testing.T) {
	var out bytes.Buffer
	h := redact.New([]string{"my-own-secret"}).Handler(slog.NewJSONHandler(&out, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
	slog.New(h).With("token", "fakeValue0123456789").WithGroup("g").Info("got my-own-secret",
		"password", "x1", "n", 3, slog.Group("http", "authorization", "Bearer fakeValue0123456789"),
		"cfg", map[string]any{"secret": "abcdefgh"}, "s", redact.NewSecret("hidden-one"), "err", fmt.Errorf("no my-own-secret"))
	for _, secret := range []string{"my-own-secret", "fakeValue0123456789", "x1", "abcdefgh", "hidden-one"} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("%q was logged: %s", secret, out.String())
		}
	}
	var rec struct {
		G struct {
			N    int
			HTTP map[string]string
		}
	}
	if err := json.Unmarshal(out.Bytes(), &rec); err != nil || rec.G.N != 3 || !strings.HasPrefix(rec.G.HTTP["authorization"], "Bearer [redacted:") {
		t.Errorf("record = %+v, %v: %s", rec, err, out.String())
	}
}

func TestSecretDoesNotPrintItself(t *testing.T) {
	s := redact.NewSecret("hunter2")
	held := struct {
		S redact.Secret
		P *redact.Secret
	}{s, &s}
	var printed []string
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T", "%p"} {
		printed = append(printed, fmt.Sprintf(verb, s), fmt.Sprintf(verb, held), fmt.Sprintf(verb, &s))
	}
	printed = append(printed, string(must.JSON(t, held)), string(must.JSON(t, map[redact.Secret]int{s: 1})), fmt.Sprint(slog.AnyValue(s).Resolve()))
	for _, p := range printed {
		if strings.Contains(p, "hunter2") || strings.Contains(p, hex.EncodeToString([]byte("hunter2"))) {
			t.Errorf("printed %q", p)
		}
	}
	if s.Reveal() != "hunter2" || s.IsZero() || !(redact.Secret{}).IsZero() {
		t.Error("Reveal or IsZero is wrong")
	}
	var read redact.Secret
	if err := json.Unmarshal([]byte(`"abc"`), &read); err != nil || read.Reveal() != "abc" {
		t.Errorf("Unmarshal: %q, %v", read.Reveal(), err)
	}
}

// The laws: no own secret is left in any encoding, redacting twice is
// redacting once, and nothing panics.
func FuzzText(f *testing.F) {
	for _, l := range readCorpus(f, "secrets.jsonl") {
		f.Add(l.Text, "fakePassw0rd")
	}
	for _, l := range readCorpus(f, "more.jsonl") {
		f.Add(l.Text, "x-own-Secret/1")
	}
	f.Fuzz(func(t *testing.T, text, secret string) {
		r := redact.New([]string{secret})
		got := r.Text(text)
		if again := r.Text(got); again != got {
			t.Errorf("twice differs:\n text  %q\n once  %q\n twice %q", text, got, again)
		}
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("Text(%q) = %q is no UTF-8", text, got)
		}
		if len(secret) < 8 || strings.Contains("[redacted:own:", secret) || strings.ContainsAny(secret, "[]") {
			return
		}
		for _, spelled := range []string{
			secret, url.QueryEscape(secret), url.PathEscape(secret), hex.EncodeToString([]byte(secret)), strconv.Quote(secret),
			base64.StdEncoding.EncodeToString([]byte(secret)), base64.RawURLEncoding.EncodeToString([]byte(secret)),
			base64.StdEncoding.EncodeToString([]byte("u:" + secret + text)),
		} {
			if got := r.Text(spelled); leaked(got, secret) {
				t.Errorf("Text(%q) = %q has the secret %q", spelled, got, secret)
			}
			if got := r.Text(text + spelled + text); strings.Contains(got, secret) {
				t.Errorf("Text around %q = %q has the secret %q", spelled, got, secret)
			}
		}
	})
}

var clean = strings.Repeat(`2026-01-02T03:04:05.678Z INFO request done method=GET path=/api/v1/items status=200 bytes=1532 duration=12.3ms user=jane
time=2026-01-02T03:04:05Z level=INFO msg="page loaded" url=https://www.example.com/results?search_query=cats title="Cats - Example" run=01JFAKE
`, 40)

func BenchmarkCleanLines(b *testing.B) {
	for _, bm := range []struct {
		name string
		r    *redact.Redactor
	}{{"shapes", nil}, {"own", redact.New([]string{"fakeSecret/fakeSecret+fakeSecret/fake123", "another-own-secret-value"})}} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(int64(len(clean)))
			for b.Loop() {
				if bm.r.Text(clean) != clean {
					b.Fatal("clean text changed")
				}
			}
		})
	}
}

// BenchmarkBeginningsOnly must show about the same speed for both sizes of a text with many
// beginnings of secrets and no ends.
func BenchmarkBeginningsOnly(b *testing.B) {
	for _, word := range []string{"password=", "token=", "eyJ.", "://u:", "-----BEGIN ", "cookie:", "\"secret\":\""} {
		for _, n := range []int{1_000, 10_000} {
			b.Run(fmt.Sprintf("%s/%d", word, n), func(b *testing.B) {
				text := strings.Repeat(word, n)
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					(*redact.Redactor)(nil).Text(text)
				}
			})
		}
	}
}

func BenchmarkDirtyLine(b *testing.B) {
	line := clean[:len(clean)/40] + "Authorization: Bearer fakeValue0123456789 password=fakePassw0rd\n"
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		(*redact.Redactor)(nil).Text(line)
	}
}

// TestNamesSecret checks names of fields for secrets, and similar names of other fields.
func TestNamesSecret(t *testing.T) {
	for name, want := range map[string]bool{
		"Password": true, "Enter your password": true, "Password (again)": true, "Пароль": true, "Ваш пароль": true,
		"input[type=password]": true, "#password": true, "PIN": true, "One-time code": true, "Security code": true, "CVC": true,
		"Card number": true, "API key": true, "[autocomplete=cc-number]": true,
		"": false, "Search": false, "Username": false, "Passport number": false, "Pinned": false, "Opinion": false, "Zip code": false,
	} {
		if got := redact.NamesSecret(name); got != want {
			t.Errorf("NamesSecret(%q) = %v", name, got)
		}
	}
}
