package transfer

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxFileName is the maximum length of a name in bytes. File systems allow 255; the rest
// is reserved for " (2)" and for suffixes of other programs.
const maxFileName = 200

// maxExtension is the longest extension that is kept when a name is shortened.
const maxExtension = 20

// devices are names that Windows reserves for devices, with any extension.
var devices = map[string]bool{"CON": true, "PRN": true, "AUX": true, "NUL": true, "CONIN$": true, "CONOUT$": true, "CLOCK$": true}

// IsDevice reports whether Windows would open a device with this name.
func IsDevice(name string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(name), ".")
	stem = strings.TrimRight(stem, " ")
	if devices[stem] {
		return true
	}
	for _, port := range []string{"COM", "LPT"} {
		if n, ok := strings.CutPrefix(stem, port); ok && utf8.RuneCountInString(n) == 1 && strings.ContainsAny(n, "0123456789¹²³") {
			return true
		}
	}
	return false
}

// SafeName turns an untrusted name into the name of one visible file on every system: no
// path, no invisible or direction-changing characters, no device, not hidden. It keeps all
// extensions. SafeName is idempotent.
func SafeName(name string) string {
	name = strings.ToValidUTF8(name, "_")
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.Is(unicode.Variation_Selector, r):
			return -1
		case strings.ContainsRune(`/\<>:"|?*`, r):
			return '_'
		}
		return r
	}, name)
	name = strings.Join(strings.Fields(name), " ") // many spaces would hide the extension
	name = strings.Trim(name, ". ")
	if name == "" {
		return "download"
	}
	if IsDevice(name) {
		name = "_" + name
	}
	return shorten(name, maxFileName)
}

// shorten shortens the stem of a name to at most limit bytes, at a character boundary.
func shorten(name string, limit int) string {
	if len(name) <= limit {
		return name
	}
	stem, ext := SplitExt(name)
	return strings.TrimRight(strings.ToValidUTF8(stem[:limit-len(ext)], ""), ". ") + ext
}

// SplitExt splits a name into stem and extension. Double extensions such as ".tar.gz"
// count as one.
func SplitExt(name string) (stem, ext string) {
	ext = path.Ext(name)
	stem = strings.TrimSuffix(name, ext)
	if inner := path.Ext(stem); inner == ".tar" {
		stem, ext = strings.TrimSuffix(stem, inner), inner+ext
	}
	if stem == "" || len(ext) > maxExtension || ext == "." {
		return name, ""
	}
	return stem, ext
}
