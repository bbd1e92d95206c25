package urlpath

import (
	"slices"
	"strings"
)

// isAlias reports whether s equals want, or some server takes it for want. Both are folded.
//
//   - Spring, Rails and content negotiation of Apache answer "admin.json" as "admin", and
//     many servers look for "admin.php" and "admin.html" if "admin" is asked for.
//   - Windows gives long names a short one, such as "ADMINI~1" for "administration".
func isAlias(want, s string) bool {
	return want == s || isStem(want, s) || isStem(s, want) || isShortName(want, s)
}

// isStem reports whether stem is name without some of its extensions. An extension
// begins with a letter: "v1.2" is not a form of "v1".
func isStem(stem, name string) bool {
	rest, ok := strings.CutPrefix(name, stem+".")
	return ok && stem != "" && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z'
}

// shortStem is the number of characters of a name that its short name contains.
const shortStem = 6

// isShortName reports whether a name is the short one that Windows gives a long one:
// its first letters, "~", a number, and three letters of its extension.
func isShortName(want, s string) bool {
	stem, number, ok := strings.Cut(s, "~")
	number, extension, _ := strings.Cut(number, ".")
	if !ok || number == "" || strings.Trim(number, "0123456789") != "" {
		return false
	}
	base, wantExtension := want, ""
	if i := strings.LastIndexByte(want, '.'); i > 0 {
		base, wantExtension = want[:i], want[i+1:]
	}
	letters := strings.NewReplacer(" ", "", ".", "").Replace(base)
	if len(letters) == len(base) && len(base) <= 8 && len(wantExtension) <= 3 {
		return false // it is short enough
	}
	return stem == letters[:min(len(letters), shortStem)] && extension == wantExtension[:min(len(wantExtension), 3)]
}

// isIndexOf reports whether a path is the folder whose index page a prefix names:
// "/admin/" for "/admin/index.html".
func isIndexOf(prefix, segments []string) bool {
	last := len(prefix) - 1
	name, _, _ := strings.Cut(fold(prefix[last]), ".")
	if name != "INDEX" && name != "DEFAULT" {
		return false
	}
	folder := slices.DeleteFunc(slices.Clone(segments), func(s string) bool { return trimName(s) == "" })
	return len(folder) == last && hasPrefix(prefix[:last], folder, isSameFolded)
}

// isFrontController reports whether a path begins with a script that takes the rest as
// its path: "/index.php/admin/".
func isFrontController(segments []string) bool {
	return len(segments) > 1 && fold(trimName(segments[0])) == "INDEX.PHP"
}
