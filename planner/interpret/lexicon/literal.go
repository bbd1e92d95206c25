package lexicon

import (
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// matchLiteral recognises texts that stay one token: URLs, domains, paths and file
// names.
func matchLiteral(s string) (Token, bool) {
	if scheme, rest, ok := strings.Cut(s, ":"); ok && isScheme(scheme) {
		switch low := strings.ToLower(scheme); {
		case (low == "http" || low == "https") && strings.HasPrefix(rest, "//"):
			return Token{Shape: LinkShape, Fold: "\x00", Value: s}, true
		case strings.HasPrefix(rest, "//"), rest != "" && bannedSchemes()[low]:
			return Token{Shape: BannedShape, Fold: "\x00", Value: s}, true
		}
	}
	switch {
	case IsPath(s):
		return Token{Shape: PathShape, Fold: Fold(s), Value: s}, true
	case strings.Contains(s, "@"):
		return Token{}, false
	}
	ext := FileExtension(s)
	domain := IsDomain(s)
	switch {
	case domain && (!IsFileExtension(ext) || strings.ContainsAny(s, "/:")):
		return Token{Shape: LinkShape, Fold: Fold(s), Value: s}, true
	case ext != "":
		return Token{Shape: FileShape, Fold: Fold(s), Value: s, MaybeLink: domain}, true
	}
	return Token{}, false
}

func isScheme(s string) bool {
	if len(s) < 2 { // one letter is a drive
		return false
	}
	for i := range len(s) {
		c := s[i] | 0x20
		if !('a' <= c && c <= 'z') && (i == 0 || !IsDigit(s[i]) && s[i] != '+' && s[i] != '-') {
			return false
		}
	}
	return true
}

// bannedSchemes are recognised without "//" after them. With "//" every scheme
// except http and https is refused.
var bannedSchemes = wordSet("javascript data file vbscript mailto tel sms about chrome edge blob ftp sftp ssh " +
	"view-source ms-settings shell intent magnet jar ws wss")

// IsPath reports whether s is an absolute, home or relative path.
func IsPath(s string) bool {
	switch {
	case strings.HasPrefix(s, "/"), strings.HasPrefix(s, "~/"), strings.HasPrefix(s, "./"), strings.HasPrefix(s, "../"):
		return true
	case s == "~" || s == "..":
		return true
	case len(s) >= 2 && s[1] == ':' && ('a' <= s[0]|0x20 && s[0]|0x20 <= 'z'):
		return len(s) == 2 || s[2] == '\\' || s[2] == '/'
	}
	return strings.Contains(s, `\`)
}

// FileExtension returns the lower-case extension of a plausible file name.
func FileExtension(s string) string {
	i := strings.LastIndexByte(s, '.')
	if i < 0 || i == len(s)-1 || strings.ContainsAny(s, "<>|\"*?${}=&%;`") {
		return ""
	}
	ext := strings.ToLower(s[i+1:])
	switch {
	case IsFileExtension(ext):
		return ext
	case i == 0 || s[i-1] == '/' || s[i-1] == '\\' || len(ext) > 5: // a dot file has none
		return ""
	}
	for j := range len(ext) {
		if !('a' <= ext[j] && ext[j] <= 'z') && !IsDigit(ext[j]) {
			return ""
		}
	}
	if strings.Trim(ext, "0123456789") == "" || strings.Contains(s[:i], ".") && len(ext) < 2 {
		return "" // 3.14, e.g
	}
	return ext
}

// IsFileExtension reports whether ext is a known extension. They win over a top-level
// domain of the same spelling.
func IsFileExtension(ext string) bool { return fileExtensions()[ext] }

var fileExtensions = wordSet("txt md markdown rst pdf doc docx odt rtf tex csv tsv xls xlsx ods ppt pptx odp json jsonl yaml yml " +
	"toml xml html htm css scss js jsx ts tsx mjs vue svelte py pyw ipynb go mod sum rs c h cc cpp hpp cs java kt swift rb php " +
	"pl pm lua r jl sh bash zsh bat cmd ps1 sql db sqlite log ini cfg conf env lock bak tmp old orig zip tar gz tgz bz2 xz " +
	"7z rar iso img dmg exe msi deb rpm apk jar so dll png jpg jpeg gif bmp svg webp ico tif tiff psd ai mp3 wav flac ogg m4a " +
	"mp4 mkv avi mov webm srt ttf otf woff epub mobi key pem crt gitignore dockerfile wasm proto")

// wordSet makes the set of the words in a text at its first use.
func wordSet(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		out := map[string]bool{}
		for w := range strings.FieldsSeq(words) {
			out[w] = true
		}
		return out
	})
}

// IsDomain reports whether s is a host with an optional port and path: a name
// under a known public suffix, an IP address or localhost.
func IsDomain(s string) bool {
	host := s
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host = host[:i]
	}
	if strings.HasPrefix(host, "[") {
		addr, _, _ := strings.Cut(host[1:], "]")
		_, err := netip.ParseAddr(addr)
		return err == nil
	}
	name, port, hasPort := strings.Cut(host, ":")
	if hasPort && (port == "" || strings.Trim(port, "0123456789") != "") {
		return false
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	if strings.Count(name, ".") == 0 || !utf8.ValidString(name) {
		return false
	}
	ascii, err := idna.Lookup.ToASCII(name)
	if err != nil {
		return false
	}
	suffix, icann := publicsuffix.PublicSuffix(ascii)
	return icann && suffix != ascii
}

// ParseAddress makes an absolute URL of a typed or spoken address. The host becomes
// lower case and punycode, an empty path "/". A missing scheme becomes https, or
// http for loopback and bare IP addresses. The reason is the key of a message.
func ParseAddress(typed string) (u *url.URL, reason string) {
	raw, bare := typed, !strings.Contains(typed, "://")
	if bare {
		raw = "https://" + typed
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Host == "" || u.Hostname() == "":
		return nil, "reason.not_an_address"
	case strings.HasPrefix(u.Hostname(), "."), strings.HasSuffix(u.Hostname(), "."), strings.Contains(u.Hostname(), ".."):
		return nil, "reason.bad_host"
	case len(u.Port()) > 5 || len(u.Port()) == 5 && u.Port() > "65535":
		return nil, "reason.not_an_address"
	case u.User != nil:
		return nil, "reason.user_name_in_address"
	}
	name := u.Hostname()
	addr, ipErr := netip.ParseAddr(name)
	switch {
	case ipErr == nil:
		name = addr.String()
		if addr.Is6() {
			name = "[" + name + "]"
		}
	case strings.EqualFold(name, "localhost"):
		name = "localhost"
	default:
		if name, err = idna.Lookup.ToASCII(name); err != nil {
			return nil, "reason.bad_host"
		}
	}
	if bare && (ipErr == nil || name == "localhost") {
		u.Scheme = "http"
	}
	if p := u.Port(); p != "" {
		name += ":" + p
	}
	u.Host = name
	if u.Path == "" {
		u.Path = "/"
	}
	return u, ""
}
