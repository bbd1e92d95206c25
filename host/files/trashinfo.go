package files

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"
)

// note is a .trashinfo file: where something in the trash came from. Source:
// freedesktop.org, The FreeDesktop.org Trash specification, version 1.0.
type note struct {
	path    string    // absolute, or relative to the folder that the trash is in
	deleted time.Time // to the second, in local time
	key     string    // of the call that deleted it, a line that others ignore
}

const (
	noteHeader = "[Trash Info]"
	noteDate   = "2006-01-02T15:04:05"
	keyLine    = "X-Errand-Key"
	maxNote    = 64 << 10 // bytes; a path of 4096 bytes takes three times as many
)

func (n note) encode() []byte {
	s := noteHeader + "\nPath=" + escape(n.path) + "\nDeletionDate=" + n.deleted.Local().Format(noteDate) + "\n"
	if n.key != "" {
		s += keyLine + "=" + escape(n.key) + "\n"
	}
	return []byte(s)
}

// decodeNote reads a note as the specification says: the header first, of each
// key the first line, and whatever else there is ignored.
func decodeNote(b []byte) (note, error) {
	var n note
	lines := strings.Split(string(b), "\n")
	if strings.TrimRight(lines[0], "\r \t") != noteHeader {
		return n, errors.New("it does not begin with " + noteHeader)
	}
	seen := map[string]bool{}
	for _, line := range lines[1:] {
		key, value, ok := strings.Cut(strings.TrimRight(line, "\r"), "=")
		key = strings.TrimSpace(key)
		if !ok || seen[key] {
			continue
		}
		seen[key] = true
		var err error
		switch value = strings.TrimSpace(value); key {
		case "Path":
			n.path, err = url.PathUnescape(value)
		case keyLine:
			n.key, err = url.PathUnescape(value)
		case "DeletionDate":
			n.deleted, err = time.ParseInLocation(noteDate, value, time.Local)
		}
		if err != nil {
			return note{}, fmt.Errorf("%s: %w", key, err)
		}
	}
	if n.path == "" || strings.ContainsRune(n.path, 0) {
		return note{}, errors.New("it names no path")
	}
	return n, nil
}

// escape writes the bytes of s as RFC 2396 wants them, unreserved ones and
// slashes as they are.
func escape(s string) string {
	const hexDigits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("/-_.!~*'()", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', hexDigits[c>>4], hexDigits[c&15]})
	}
	return b.String()
}

// maxName is the longest name of a file, in bytes, on the file systems in use.
const maxName = 255

// nameInTrash is the n-th name to try for something: "a.txt", "a.2.txt", …
// Names that can't go through JSON unharmed are mended, since the name is what
// restoring asks for.
func nameInTrash(name string, n int, suffix string) string {
	name = strings.ToValidUTF8(name, "_")
	number := ""
	if n > 1 {
		number = fmt.Sprintf(".%d", n)
	}
	stem, ext := name, ""
	if i := strings.LastIndexByte(name, '.'); i > 0 && len(name)-i <= 16 && n > 1 {
		stem, ext = name[:i], name[i:]
	}
	room := maxName - len(number) - len(ext) - len(suffix)
	for len(stem) > room {
		_, size := utf8.DecodeLastRuneInString(stem)
		stem = stem[:len(stem)-size]
	}
	return stem + number + ext
}
