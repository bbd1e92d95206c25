package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"errand/planner/message"
)

// encodings lists the spellings of a secret to look for, without duplicates and without
// those shorter than [MinSecret].
func encodings(s string) []string {
	out := []string{s}
	out = append(out, base64Forms(s)...)
	hexed := hex.EncodeToString([]byte(s))
	out = append(out, hexed, strings.ToUpper(hexed))
	out = append(out, percentForms(s)...)
	out = append(out, quotedForms(s)...)
	out = append(out, base85Forms(s)...)
	out = slices.DeleteFunc(out, func(e string) bool { return len(e) < MinSecret })
	slices.Sort(out)
	return slices.Compact(out)
}

// base64Forms returns the base64 of the secret alone, and the characters that are certain
// at each of the three offsets that it may have in a longer value ("user:secret" of basic
// authentication).
func base64Forms(s string) []string {
	out := []string{base64.RawStdEncoding.EncodeToString([]byte(s))}
	const certain = 8 // fewer characters would match by chance
	for lead := range 3 {
		enc := base64.RawStdEncoding.EncodeToString(append(make([]byte, lead), s...))
		from := (8*lead + 5) / 6
		to := 8 * (lead + len(s)) / 6
		if to-from >= certain {
			out = append(out, enc[from:to])
		}
	}
	urlSafe := strings.NewReplacer("+", "-", "/", "_")
	for _, e := range slices.Clone(out) {
		out = append(out, urlSafe.Replace(e), url.QueryEscape(e))
	}
	return out
}

func percentForms(s string) []string {
	var all strings.Builder
	for _, b := range []byte(s) {
		fmt.Fprintf(&all, "%%%02X", b)
	}
	forms := []string{url.QueryEscape(s), url.PathEscape(s), strings.ReplaceAll(url.QueryEscape(s), "+", "%20"), url.UserPassword("", s).String()[1:], all.String()}
	for _, f := range slices.Clone(forms) {
		forms = append(forms, lowerEscapes(f), url.QueryEscape(f))
	}
	return forms
}

// lowerEscapes writes %2F as %2f.
func lowerEscapes(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:], bytes.ToLower(b[i+1:i+3]))
			i += 2
		}
	}
	return string(b)
}

// quotedForms returns the secret as in string literals of JSON (with and without HTML-safe
// escapes, once and twice), Go, HTML, YAML, SQL and shells.
func quotedForms(s string) []string {
	forms := []string{html.EscapeString(s), unquote(strconv.Quote(s)), unquote(strconv.QuoteToASCII(s)), escapeForShell(s)}
	for _, inQuotes := range []string{`'\''`, `'"'"'`, `''`} { // of shells, YAML and SQL
		forms = append(forms, strings.ReplaceAll(s, "'", inQuotes))
	}
	if utf8.ValidString(s) {
		once := jsonForms(s)
		for _, f := range once {
			forms = append(forms, f)
			forms = append(forms, jsonForms(f)...)
		}
	}
	return forms
}

func jsonForms(s string) []string {
	safe, err := json.Marshal(s)
	if err != nil {
		return nil
	}
	plain, err := message.EncodeJSON(s)
	if err != nil {
		return nil
	}
	short := unquote(string(plain))
	var ascii strings.Builder
	for _, r := range short {
		switch {
		case r < utf8.RuneSelf:
			ascii.WriteRune(r)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&ascii, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&ascii, `\u%04x`, r)
		}
	}
	return []string{unquote(string(safe)), short, ascii.String(), strings.ReplaceAll(short, "/", `\/`)}
}

func unquote(quoted string) string { return quoted[1 : len(quoted)-1] }

// escapeForShell writes a backslash before each character that is special in a shell.
func escapeForShell(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if strings.IndexByte(" \t\"'`$&|;<>()[]{}*?!#~\\", c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}
