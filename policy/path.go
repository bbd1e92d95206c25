package policy

import (
	"net/url"
	"strings"
)

// coversPath says whether a URL's path lies under a prefix of segments. A path
// that servers read in different ways (encoded slashes, "..;") lies under no
// allowing prefix and under every denying one.
func coversPath(prefix []string, path string, denies bool) bool {
	segments, ok := cleanPath(path)
	if !ok {
		return denies
	}
	if len(segments) < len(prefix) {
		return false
	}
	for i, want := range prefix {
		if segments[i] != want {
			return false
		}
	}
	return true
}

// cleanPath splits a path into its segments, decoded, after dot segments were
// removed as RFC 3986 §5.2.4 does, escaped dots included. It fails on encoded
// slashes and backslashes, on what decodes to a further escape of a dot or
// slash, on broken escapes, and on dot segments with a parameter ("..;x"),
// which some servers take for dot segments.
func cleanPath(path string) (segments []string, ok bool) {
	raw := splitPath(path)
	out := make([]string, 0, len(raw))
	for i, s := range raw {
		if strings.IndexByte(s, '%') >= 0 {
			decoded, err := url.PathUnescape(s)
			if err != nil || strings.ContainsAny(decoded, `/\`) || hasEncodedSeparator(decoded) {
				return nil, false
			}
			s = decoded
		}
		last := i == len(raw)-1
		switch {
		case s == ".":
			if last {
				out = append(out, "")
			}
		case s == "..":
			out = out[:max(len(out)-1, 0)]
			if last {
				out = append(out, "")
			}
		case strings.HasPrefix(s, ".;") || strings.HasPrefix(s, "..;"):
			return nil, false
		default:
			out = append(out, s)
		}
	}
	return out, true
}

// hasEncodedSeparator finds what a second decoding would turn into a dot or slash.
func hasEncodedSeparator(s string) bool {
	s = strings.ToLower(s)
	return strings.Contains(s, "%2e") || strings.Contains(s, "%2f") || strings.Contains(s, "%5c")
}

// splitPath splits "/a/b/" into "a", "b", "".
func splitPath(path string) []string {
	return strings.Split(strings.TrimPrefix(path, "/"), "/")
}
