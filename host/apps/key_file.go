package apps

import (
	"strings"
	"unicode/utf8"
)

// group is the part of a key file below one header: values by key, and by the locale in brackets
// after it ("" for none). Values are as written, with their escapes.
type group map[string]map[string]string

// mainGroup is the header of the group that describes the application.
const mainGroup = "[Desktop Entry]"

// readGroup reads the main group of a key file. Only comments may come before it. Lines that are
// not UTF-8 or have no key are left out. Of equal keys the last counts, as in GLib. wanted
// chooses the keys to keep.
func readGroup(text string, wanted func(key, locale string) bool) (group, bool) {
	var g group
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "" || line[0] == '#':
			continue
		case line[0] == '[':
			if g != nil || strings.TrimRight(line, " \t") != mainGroup {
				return g, g != nil // the groups of actions follow
			}
			g = group{}
			continue
		case g == nil:
			if strings.TrimSpace(line) == "" {
				continue
			}
			return nil, false
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || !utf8.ValidString(value) {
			continue
		}
		key, locale := splitLocale(strings.TrimRight(key, " \t"))
		if !isKey(key) || !wanted(key, locale) {
			continue
		}
		if g[key] == nil {
			g[key] = map[string]string{}
		}
		g[key][locale] = strings.TrimLeft(value, " \t")
	}
	return g, g != nil
}

// splitLocale splits "Name[ru]".
func splitLocale(key string) (name, locale string) {
	if name, rest, ok := strings.Cut(key, "["); ok && strings.HasSuffix(rest, "]") {
		return name, strings.TrimSuffix(rest, "]")
	}
	return key, ""
}

func isKey(key string) bool {
	return key != "" && strings.Trim(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// text is the value of a key without locale, with its escapes replaced.
func (g group) text(key string) string { return unescape(g[key][""]) }

func (g group) isTrue(key string) bool { return strings.TrimRight(g[key][""], " \t") == "true" }

// list is the value of a key without locale as a list.
func (g group) list(key string) []string { return splitList(g[key][""]) }

// texts are the values of a key in all locales.
func (g group) texts(key string) map[string]string {
	out := make(map[string]string, len(g[key]))
	for locale, value := range g[key] {
		if value = strings.TrimSpace(unescape(value)); value != "" {
			out[locale] = value
		}
	}
	return out
}

// lists are the lists of a key in all locales.
func (g group) lists(key string) map[string][]string {
	out := make(map[string][]string, len(g[key]))
	for locale, value := range g[key] {
		out[locale] = splitList(value)
	}
	return out
}

// unescape replaces \s, \n, \t, \r and \\. Other backslashes stay.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c, ok := escapeAt(s, i); ok {
			b.WriteByte(c)
			i++
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// escapeAt returns the character that the escape at i means.
func escapeAt(s string, i int) (byte, bool) {
	if s[i] != '\\' || i+1 == len(s) {
		return 0, false
	}
	switch s[i+1] {
	case 's':
		return ' ', true
	case 'n':
		return '\n', true
	case 't':
		return '\t', true
	case 'r':
		return '\r', true
	case '\\':
		return '\\', true
	}
	return 0, false
}

// splitList splits a list at its semicolons, which \; escapes. Empty items are left out.
func splitList(s string) []string {
	var out []string
	var b strings.Builder
	end := func() {
		if item := strings.TrimSpace(b.String()); item != "" {
			out = append(out, item)
		}
		b.Reset()
	}
	for i := 0; i < len(s); i++ {
		c, escaped := escapeAt(s, i)
		switch {
		case s[i] == ';':
			end()
		case escaped:
			b.WriteByte(c)
			i++
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == ';':
			b.WriteByte(';')
			i++
		default:
			b.WriteByte(s[i])
		}
	}
	end()
	return out
}
