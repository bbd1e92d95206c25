// Package urlpath interprets the paths of URLs as different servers do.
package urlpath

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// HasPrefix reports whether a URL's path is under a prefix of segments. An allowing
// prefix must match exactly. A path that servers read in different ways is under no
// allowing prefix and under every denying one. A denying prefix also matches the
// spellings that some servers accept for it: another letter case, parameters
// ("admin;x"), trailing dots and spaces, dot segments that were not removed, and the
// aliases of alias.go.
func HasPrefix(prefix []string, path string, denies bool) bool {
	segments, ok := Clean(path)
	switch {
	case !ok:
		return denies
	case !denies:
		return hasPrefix(prefix, segments, func(want, s string) bool { return want == s })
	case isBelow(prefix, segments):
		return true
	}
	raw, _ := decodePath(path)
	return isBelow(prefix, raw)
}

// isBelow reports whether some server takes a path for one under a prefix.
func isBelow(prefix, segments []string) bool {
	return hasPrefix(prefix, segments, isSameFolded) || isIndexOf(prefix, segments) || isFrontController(segments) && isBelow(prefix, segments[1:])
}

func hasPrefix(prefix, segments []string, isSame func(want, s string) bool) bool {
	return len(segments) >= len(prefix) && slices.EqualFunc(prefix, segments[:len(prefix)], isSame)
}

// Clean splits a path into decoded segments and removes dot segments as RFC 3986 §5.2.4
// does. It returns false if servers read the path in different ways, see [decodePath].
func Clean(path string) (segments []string, ok bool) {
	raw, ok := decodePath(path)
	if !ok {
		return nil, false
	}
	out := make([]string, 0, len(raw))
	for i, s := range raw {
		switch s {
		case ".":
		case "..":
			out = out[:max(len(out)-1, 0)]
		default:
			out = append(out, s)
			continue
		}
		if i == len(raw)-1 {
			out = append(out, "")
		}
	}
	return out, true
}

// decodePath splits a path into segments and decodes them. It returns false for a
// broken escape and for a segment that [isAmbiguous].
func decodePath(path string) (segments []string, ok bool) {
	raw := Split(path)
	out := make([]string, len(raw))
	for i, s := range raw {
		decoded, err := url.PathUnescape(s)
		if err != nil || isAmbiguous(s, decoded, i == len(raw)-1) {
			return nil, false
		}
		out[i] = decoded
	}
	return out, true
}

// isAmbiguous reports whether servers read a segment in different ways, so that it may
// lead elsewhere than its text says:
//
//   - empty segments, which some servers merge;
//   - separators: encoded or look-alike slashes and backslashes;
//   - escapes that a second decoding would find;
//   - control characters, and what is not UTF-8 (overlong forms of dots and slashes);
//   - dot segments in disguise: encoded, with a parameter ("..;x"), or with the spaces
//     and dots that Windows drops.
//
// last: it is the last segment, which may be empty.
func isAmbiguous(raw, decoded string, last bool) bool {
	if !utf8.ValidString(decoded) || strings.ContainsFunc(decoded, unicode.IsControl) || strings.ContainsAny(decoded, lookAlikes) {
		return true
	}
	plain := normalise(decoded)
	if strings.ContainsAny(plain, `/\`) || hasEscape(decoded) || hasEscape(plain) {
		return true
	}
	name := trimName(plain)
	if strings.Trim(name, ". ") != "" || name == "" && last {
		return false
	}
	return raw != "." && raw != ".."
}

// lookAlikes become a slash or backslash when text is converted to a code page, but not
// by normalisation.
const lookAlikes = "\u2044\u2215\u2216\u29f5\u29f8"

// hasEscape reports whether a decoded text contains a further escape.
func hasEscape(s string) bool {
	for {
		_, after, found := strings.Cut(s, "%")
		if !found {
			return false
		}
		if len(after) >= 2 && (isHex(after[0]) && isHex(after[1]) || after[0]|0x20 == 'u') {
			return true
		}
		s = after
	}
}

// isSameFolded reports whether some server takes a segment of a path for the segment of
// a pattern.
func isSameFolded(want, s string) bool {
	if want == s || fold(want) == fold(s) {
		return true
	}
	want = fold(want)
	name := trimName(s)
	file, _, _ := strings.Cut(name, ":") // the file of an NTFS stream
	return isAlias(want, fold(name)) || isAlias(want, fold(trimName(file)))
}

// trimName removes what some servers ignore in a segment: parameters, an encoded query
// or fragment, streams of NTFS, spaces, final dots.
func trimName(s string) string {
	if i := strings.IndexAny(s, ";?#"); i >= 0 {
		s = s[:i]
	}
	for _, stream := range []string{"::", ":$"} {
		s, _, _ = strings.Cut(s, stream)
	}
	if trimmed := strings.TrimSpace(s); trimmed != "" && strings.Trim(trimmed, ". ") == "" {
		return trimmed // dots alone
	}
	return strings.TrimRightFunc(strings.TrimSpace(s), func(r rune) bool { return r == '.' || unicode.IsSpace(r) })
}

// fold maps texts to one spelling that differ in letter case, in compatibility forms
// (full width, ligatures) or in invisible characters. A letter whose upper or lower
// case is an ASCII letter ("ı", "İ") becomes that letter, because some servers compare
// paths after changing their case.
func fold(s string) string {
	s = strings.Map(func(r rune) rune {
		least := min(unicode.ToUpper(r), unicode.ToUpper(unicode.ToLower(r)))
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return min(least, r)
	}, normalise(s))
	return caseForms.Replace(s)
}

// caseForms are the cases of one letter that consist of two letters, in the spelling of
// fold: "ß" has the upper case "SS", and "İ" the lower case "i̇".
var caseForms = strings.NewReplacer("\u00df", "SS", "\u1e9e", "SS", "I\u0307", "I")

// normalise replaces compatibility forms and removes invisible characters.
func normalise(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			return -1
		}
		return r
	}, norm.NFKC.String(s))
}

// Split splits "/a/b/" into "a", "b", "".
func Split(path string) []string {
	return strings.Split(strings.TrimPrefix(path, "/"), "/")
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
