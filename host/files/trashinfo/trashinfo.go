// Package trashinfo reads and writes the notes of a trash in the freedesktop.org format.
package trashinfo

import (
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"errand/planner/message"
)

// Note is a .trashinfo file: the origin of a file in the trash. See the
// FreeDesktop.org Trash specification, version 1.0.
type Note struct {
	Path    string    // absolute, or relative to the folder that contains the trash
	Deleted time.Time // local time, in seconds
	Key     string    // key of the call that deleted it; other programs ignore this line
}

const (
	noteHeader = "[Trash Info]"
	noteDate   = "2006-01-02T15:04:05"
	keyLine    = "X-Errand-Key"
	Max        = 64 << 10 // bytes; an escaped path of 4096 bytes takes three times as many
)

// Encode returns the content of the file.
func (n Note) Encode() []byte {
	s := noteHeader + "\nPath=" + escape(n.Path) + "\nDeletionDate=" + n.Deleted.Local().Format(noteDate) + "\n"
	if n.Key != "" {
		s += keyLine + "=" + escape(n.Key) + "\n"
	}
	return []byte(s)
}

// Decode parses a note as specified: the header comes first, the first line of
// each key counts, and other lines are ignored.
func Decode(b []byte) (Note, error) {
	var n Note
	lines := strings.Split(string(b), "\n")
	if strings.TrimRight(lines[0], "\r \t") != noteHeader {
		return n, message.Error("files.trash_note_header")
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
			n.Path, err = url.PathUnescape(value)
		case keyLine:
			n.Key, err = url.PathUnescape(value)
		case "DeletionDate":
			n.Deleted, err = time.ParseInLocation(noteDate, value, time.Local)
		}
		if err != nil {
			return Note{}, message.Error("files.trash_note_key", "key", key, "cause", err)
		}
	}
	if n.Path == "" || strings.ContainsRune(n.Path, 0) {
		return Note{}, message.Error("files.trash_note_without_path")
	}
	return n, nil
}

// escape escapes s according to RFC 2396, except for unreserved characters and
// slashes.
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

// maxName is the longest file name in bytes on common file systems.
const maxName = 255

// NameIn returns the n-th name to try: "a.txt", "a.2.txt", … It replaces
// characters that JSON can't represent, because restoring uses the name.
func NameIn(name string, n int, suffix string) string {
	name = strings.ToValidUTF8(name, "_")
	number := ""
	if n > 1 {
		number = fmt.Sprintf(".%d", n)
	}
	stem, ext := name, ""
	if i := strings.LastIndexByte(name, '.'); i > 0 && len(name)-i <= 16 && n > 1 {
		stem, ext = name[:i], name[i:]
	}
	available := maxName - len(number) - len(ext) - len(suffix)
	for len(stem) > available {
		_, size := utf8.DecodeLastRuneInString(stem)
		stem = stem[:len(stem)-size]
	}
	return stem + number + ext
}
