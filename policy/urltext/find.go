// Package urltext finds the URLs in the arguments of calls.
package urltext

import (
	"slices"
	"strings"
)

// Find returns the texts in arguments that a program would take for a URL, at any
// depth, in a stable order. With embedded it also returns "javascript:x" and "//host",
// and finds URLs inside longer texts.
func Find(value any, embedded bool) []string {
	return appendURLs(nil, "", value, embedded)
}

func appendURLs(out []string, key string, value any, embedded bool) []string {
	switch v := value.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if embedded && isSearchKey(k) {
				continue
			}
			out = appendURLs(out, k, v[k], embedded)
		}
	case []any:
		for _, item := range v {
			out = appendURLs(out, key, item, embedded)
		}
	case []string:
		for _, item := range v {
			out = appendURLs(out, key, item, embedded)
		}
	case string:
		switch {
		case v == "":
		case isURLKey(key) || embedded && looksLikeURL(v):
			out = append(out, v)
		case embedded || !strings.ContainsAny(v, " \t\n"):
			out = append(out, findEmbeddedURLs(v)...)
		}
	}
	return out
}

// isURLKey reports whether the name of an argument means a URL. Its value is then
// checked even without a scheme.
func isURLKey(key string) bool {
	key = strings.ToLower(key)
	return strings.HasSuffix(key, "url") || strings.HasSuffix(key, "uri") || key == "href"
}

// isSearchKey reports whether an argument is what a navigating tool searches in a page
// or with a search engine. "li:first-child" and "site:example.com" look like URLs and
// are not. Policy decides the pages that they lead to later.
func isSearchKey(key string) bool { return key == "locator" || key == "query" }

// looksLikeURL reports whether a browser would take this text for a URL: "scheme:…"
// without a space, or "//host". It trims spaces and drops tabs and newlines first, as
// browsers do.
func looksLikeURL(s string) bool {
	s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(strings.TrimSpace(s))
	if strings.HasPrefix(s, "//") || strings.HasPrefix(s, `\\`) || strings.HasPrefix(s, `/\`) {
		return true
	}
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || len(scheme) < 2 || rest == "" || !IsScheme(scheme) {
		return false
	}
	return !strings.ContainsAny(rest, " ") || strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, `\`)
}

// IsScheme reports whether a text has the form of a scheme.
func IsScheme(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		letter := 'a' <= c && c <= 'z'
		if !letter && (i == 0 || !('0' <= s[i] && s[i] <= '9' || strings.IndexByte("+-.", s[i]) >= 0)) {
			return false
		}
	}
	return s != ""
}

// findEmbeddedURLs finds "scheme://…" inside of a longer text, up to the next
// space or quote.
func findEmbeddedURLs(s string) (out []string) {
	for {
		i := strings.Index(s, "://")
		if i < 0 {
			return out
		}
		start := i
		for start > 0 && IsScheme("a"+s[start-1:start]) {
			start--
		}
		end := strings.IndexAny(s[i:], " \t\n\r\"'<>`")
		if end < 0 {
			end = len(s) - i
		}
		out = append(out, s[start:i+end])
		s = s[i+end:]
	}
}
