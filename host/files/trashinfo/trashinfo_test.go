package trashinfo

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"errand/build/must"
)

func TestNote(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 30, 15, 0, time.Local)
	n := Note{Path: "/home/ann/Отчёт 100%\n.txt", Deleted: at, Key: "r1:a b"}
	want := "[Trash Info]\nPath=/home/ann/%D0%9E%D1%82%D1%87%D1%91%D1%82%20100%25%0A.txt\nDeletionDate=2026-03-01T12:30:15\nX-Errand-Key=r1%3Aa%20b\n"
	if got := string(n.Encode()); got != want {
		t.Errorf("encode = %q, want %q", got, want)
	}
	tests := []struct {
		name, text string
		want       Note
		ok         bool
	}{
		{"its own", want, n, true},
		{"of another program", "[Trash Info]\r\nDeletionDate=2026-03-01T12:30:15\r\nX-Other=1\r\nPath = a%2fb \r\n", Note{Path: "a/b", Deleted: at}, true},
		{"the first line of a key counts", "[Trash Info]\nPath=a\nPath=b\n", Note{Path: "a"}, true},
		{"a plus is a plus", "[Trash Info]\nPath=a+b\n", Note{Path: "a+b"}, true},
		{"no header", "Path=a\n", Note{}, false},
		{"a line before the header", "\n[Trash Info]\nPath=a\n", Note{}, false},
		{"no path", "[Trash Info]\nDeletionDate=2026-03-01T12:30:15\n", Note{}, false},
		{"an escape that is cut off", "[Trash Info]\nPath=a%2\n", Note{}, false},
		{"a zero byte", "[Trash Info]\nPath=a%00\n", Note{}, false},
		{"a date that is none", "[Trash Info]\nPath=a\nDeletionDate=yesterday\n", Note{}, false},
		{"nothing", "", Note{}, false},
	}
	for _, tt := range tests {
		got, err := Decode([]byte(tt.text))
		if (err == nil) != tt.ok || got != tt.want {
			t.Errorf("%s: %+v, %v; want %+v, %t", tt.name, got, err, tt.want, tt.ok)
		}
	}
}

// FuzzNote: what was written is read back, whatever the path; and whatever is
// read can be written again.
func FuzzNote(f *testing.F) {
	f.Add("/home/ann/x", "r1:a1", int64(1_700_000_000))
	f.Add("a\nDeletionDate=b", "\r\n[Trash Info]", int64(0))
	f.Add(" %20\xff ", "", int64(-1))
	f.Fuzz(func(t *testing.T, path, key string, at int64) {
		if path == "" || strings.ContainsRune(path, 0) || at < 0 || at > 4_000_000_000 {
			t.Skip()
		}
		want := Note{Path: path, Key: key, Deleted: time.Unix(at, 0).Local()}
		b := want.Encode()
		for _, c := range b {
			if c >= 0x7f || c < ' ' && c != '\n' {
				t.Fatalf("the note holds the byte %#x: %q", c, b)
			}
		}
		got, err := Decode(b)
		must.Succeed(t, err)
		if got.Path != want.Path || got.Key != want.Key {
			t.Errorf("%+v comes back as %+v", want, got)
		}
	})
}

// FuzzDecodeNote: no text breaks the reader, and what it accepts is stable.
func FuzzDecodeNote(f *testing.F) {
	f.Add("[Trash Info]\nPath=a%20b\nDeletionDate=2026-03-01T12:30:15\n")
	f.Add("[Trash Info]\n=\nPath=%")
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Decode([]byte(text))
		if err != nil {
			return
		}
		again, err := Decode(n.Encode())
		if err != nil || again.Path != n.Path || again.Key != n.Key {
			t.Errorf("%+v comes back as %+v, %v", n, again, err)
		}
	})
}

func TestNameInTrash(t *testing.T) {
	tests := []struct {
		name string
		n    int
		want string
	}{
		{"a.txt", 1, "a.txt"},
		{"a.txt", 2, "a.2.txt"},
		{"a", 12, "a.12"},
		{".hidden", 2, ".hidden.2"},
		{"a.tar.gz", 2, "a.tar.2.gz"},
		{"a\xffb", 1, "a_b"},
		{"version 1.a long tail with words", 2, "version 1.a long tail with words.2"},
		{strings.Repeat("x", 255), 1, strings.Repeat("x", 245)},
		{strings.Repeat("я", 127), 3, strings.Repeat("я", 121) + ".3"},
		{strings.Repeat("x", 250) + ".txt", 2, strings.Repeat("x", 239) + ".2.txt"},
	}
	for _, tt := range tests {
		got := NameIn(tt.name, tt.n, ".trashinfo")
		if got != tt.want || len(got)+len(".trashinfo") > maxName || !utf8.ValidString(got) {
			t.Errorf("NameIn(%.20q…, %d) = %q, want %q", tt.name, tt.n, got, tt.want)
		}
	}
}
