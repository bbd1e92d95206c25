package plugins_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/tool"
)

// library is a granted folder with some files.
func library(t *testing.T) (root string, call func(name string, pairs ...any) tool.Result) {
	t.Helper()
	root, call = desk(t)
	for name, content := range map[string]string{
		"Отчёт за май.txt": "итого", "b.TXT": "beta", "a.txt": "alpha", "docs/report.pdf": "%PDF\x00", "docs/Report 2.pdf": "%PDF\x00",
		"docs/deep/notes.md": "Отчёт: Alpha", ".hidden/a.txt": "alpha", ".config": "x", "docs/archive.tar.gz": "",
	} {
		p := filepath.Join(root, name)
		must.Succeed(t, os.MkdirAll(filepath.Dir(p), 0o700))
		write(t, p, content)
	}
	old := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	must.Succeed(t, os.Chtimes(filepath.Join(root, "a.txt"), old, old))
	for link, target := range map[string]string{"inside": "docs", "out": "/etc", "loop": "."} {
		must.Succeed(t, os.Symlink(target, filepath.Join(root, link)))
	}
	return root, call
}

func TestFilesList(t *testing.T) {
	root, call := library(t)
	r := call("files.list", "path", root)
	if !r.OK || r.Payload.(map[string]any)["count"] != 9.0 {
		t.Fatal(r.Payload, r.Error)
	}
	var got []string
	for _, e := range r.Payload.(map[string]any)["entries"].([]any) {
		m := e.(map[string]any)
		got = append(got, fmt.Sprint(m["kind"], " ", m["name"], " ", m["size"]))
	}
	want := []string{
		"folder .hidden 0", "folder docs 0", "file .config 1", "file a.txt 5", "file b.TXT 4", "link inside 0", "link loop 0",
		"link out 0", "file Отчёт за май.txt 10",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	some := call("files.list", "path", root, "limit", 4.0).Payload.(map[string]any)
	last := some["entries"].([]any)[3].(map[string]any)
	if some["more"] != true || some["count"] != 9.0 || last["modified"] != "2020-01-02T03:04:05Z" {
		t.Errorf("%v", some)
	}
	if r := call("files.list", "path", filepath.Join(root, "inside")); !r.OK {
		t.Errorf("by a link inside: %v", r.Error)
	}
}

func TestFilesFind(t *testing.T) {
	root, call := library(t)
	tests := []struct {
		name string
		args []any
		want []string
	}{
		{"a word", []any{"name", "report"}, []string{"docs/Report 2.pdf", "docs/report.pdf"}},
		{"two words in any order", []any{"name", "pdf REPORT 2"}, []string{"docs/Report 2.pdf"}},
		{"Russian, another case, no dots", []any{"name", "ОТЧЕТ"}, []string{"Отчёт за май.txt"}},
		{"a pattern", []any{"name", "*.txt"}, []string{"a.txt", "b.TXT", "Отчёт за май.txt"}},
		{"a pattern for the whole name", []any{"name", "?.txt"}, []string{"a.txt", "b.TXT"}},
		{"an extension", []any{"extensions", []any{"PDF", ".md"}}, []string{"docs/Report 2.pdf", "docs/report.pdf", "docs/deep/notes.md"}},
		{"folders", []any{"kind", "folder"}, []string{".hidden", "docs", "docs/deep"}},
		{"a text", []any{"text", "alpha"}, []string{"a.txt", "docs/deep/notes.md"}},
		{"a text in Russian", []any{"text", "отчет"}, []string{"docs/deep/notes.md"}},
		{"a text that is only in a binary file", []any{"text", "%PDF"}, nil},
		{"newer", []any{"newer_than", "2021-01-01T00:00:00+03:00", "name", "?.txt"}, []string{"b.TXT"}},
		{"older", []any{"older_than", "2021-01-01"}, []string{"a.txt"}},
		{"both ends", []any{"newer_than", "2020-01-02T03:04:05Z", "older_than", "2020-01-02T06:04:06+03:00"}, []string{"a.txt"}},
		{"larger", []any{"min_size", 6.0, "name", "?.txt"}, nil},
		{"smaller", []any{"max_size", 0.0, "kind", "folder"}, nil},
		{"the newest first", []any{"sort", "newest", "name", "?.txt"}, []string{"b.TXT", "a.txt"}},
		{"the oldest alone", []any{"sort", "oldest", "name", "?.txt", "limit", 1.0}, []string{"a.txt"}},
		{"nothing", []any{"name", "none"}, nil},
		{"a star alone finds all", []any{"name", "*", "kind", "file"}, []string{".config", "a.txt", "b.TXT", "Отчёт за май.txt", "docs/Report 2.pdf", "docs/archive.tar.gz", "docs/report.pdf", "docs/deep/notes.md"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := call("files.find", append([]any{"path", root}, tt.args...)...)
			if !r.OK {
				t.Fatal(r.Error)
			}
			if got := foundIn(t, root, r); !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	some := call("files.find", "path", root, "kind", "file", "limit", 2.0).Payload.(map[string]any)
	if some["more"] != true || some["count"] != 8.0 || len(some["found"].([]any)) != 2 {
		t.Errorf("%v", some)
	}
}

func foundIn(t *testing.T, root string, r tool.Result) []string {
	t.Helper()
	var got []string
	for _, e := range r.Payload.(map[string]any)["found"].([]any) {
		rel, err := filepath.Rel(root, e.(map[string]any)["path"].(string))
		must.Succeed(t, err)
		got = append(got, rel)
	}
	return got
}

// TestFilesFindIsAFilter: in a random tree, what is found by a pattern is what of everything
// fits it.
func TestFilesFindIsAFilter(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	root, call := desk(t)
	for range 60 {
		p := filepath.Join(root, word(random), word(random))
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err == nil {
			_ = os.WriteFile(p, nil, 0o600)
		}
	}
	all := foundIn(t, root, call("files.find", "path", root, "limit", 1000.0))
	for range 60 {
		pattern := word(random)
		for i := range pattern {
			if random.IntN(3) == 0 {
				pattern = pattern[:i] + string("*?"[random.IntN(2)]) + pattern[i+1:]
			}
		}
		if !strings.ContainsAny(pattern, "*?") {
			pattern += "*"
		}
		var want []string
		for _, p := range all {
			if ok, err := filepath.Match(pattern, filepath.Base(p)); err != nil {
				t.Fatal(err)
			} else if ok {
				want = append(want, p)
			}
		}
		if got := foundIn(t, root, call("files.find", "path", root, "name", pattern, "limit", 1000.0)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", pattern, got, want)
		}
	}
}

func word(random *rand.Rand) string {
	b := make([]byte, 1+random.IntN(4))
	for i := range b {
		b[i] = "abc"[random.IntN(3)]
	}
	return string(b)
}

// TestFilesOutside: no reading tool leaves the granted folder.
func TestFilesOutside(t *testing.T) {
	root, call := library(t)
	for _, name := range []string{"files.list", "files.find", "files.read", "files.size", "files.hash"} {
		for p, want := range map[string]string{
			"/etc": "path_outside_roots", root + "/../x": "path_outside_roots", root + "/out/passwd": "not_permitted", root + "/out": "not_permitted",
			root + "/none": "not_found", "docs": "bad_path",
		} {
			if r := call(name, "path", p); codeOf(r) != want {
				t.Errorf("%s %s: %v, want %s", name, p, r.Error, want)
			}
		}
	}
	if r := call("files.append", "path", root+"/out/passwd", "text", "x"); codeOf(r) != "not_permitted" {
		t.Errorf("append: %v", r.Error)
	}
	if r := call("files.size", "path", root); r.Payload.(map[string]any)["files"] != 12.0 { // 9 files and 3 links
		t.Errorf("%v, %v", r.Payload, r.Error)
	}
}

// TestAppend: lines are added as the file has them, and taken back.
func TestAppend(t *testing.T) {
	utf16 := func(s string) string {
		out := "\xff\xfe"
		for _, r := range s {
			out += string([]byte{byte(r), byte(r >> 8)})
		}
		return out
	}
	tests := []struct{ name, before, text, want, code string }{
		{"after a line", "one\n", "two", "one\ntwo\n", ""},
		{"after a line without its end", "one", "two", "one\ntwo\n", ""},
		{"to an empty file", "", "one", "one\n", ""},
		{"a text with its line end", "one\n", "two\n", "one\ntwo\n", ""},
		{"several lines", "one\n", "two\n\nthree", "one\ntwo\n\nthree\n", ""},
		{"an empty line", "one\n", "\n", "one\n\n", ""},
		{"line ends of Windows", "one\r\ntwo", "three\nfour", "one\r\ntwo\r\nthree\r\nfour\r\n", ""},
		{"Russian", "раз", "два", "раз\nдва\n", ""},
		{"UTF-16", utf16("раз"), "два", utf16("раз\nдва\n"), ""},
		{"a byte order mark", "\xef\xbb\xbfone", "two", "\xef\xbb\xbfone\ntwo\n", ""},
		{"no text", "\x89PNG\r\n\x1a\n\x00", "two", "", "not_text"},
		{"bytes of another encoding", "caf\xe9\n", "two", "", "not_text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root, call := desk(t)
			p := filepath.Join(root, "f")
			write(t, p, tt.before)
			old := time.Date(2020, 1, 2, 3, 4, 5, 678, time.UTC)
			must.Succeed(t, os.Chtimes(p, old, old))
			r := call("files.append", "path", p, "text", tt.text)
			if codeOf(r) != tt.code {
				t.Fatalf("%v, want %q", r.Error, tt.code)
			}
			if tt.code != "" {
				if read(t, p) != tt.before {
					t.Errorf("it was changed to %q", read(t, p))
				}
				return
			}
			if got := read(t, p); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			if d := cmp.Diff(args("path", p, "bytes", float64(len(tt.want)-len(tt.before)), "size", float64(len(tt.want))), r.Payload); d != "" {
				t.Errorf("payload (-want +got):\n%s", d)
			}
			pairs := []any{}
			for name, v := range r.Undo.Args {
				pairs = append(pairs, name, v)
			}
			if u := call(r.Undo.Tool, pairs...); !u.OK || read(t, p) != tt.before {
				t.Errorf("undone it is %q, %v", read(t, p), u.Error)
			}
			if info, err := os.Stat(p); err != nil || !info.ModTime().Equal(old) {
				t.Errorf("undone it is of %v, %v", info.ModTime(), err)
			}
			write(t, p, tt.want+"more")
			if u := call(r.Undo.Tool, pairs...); codeOf(u) != "changed" || read(t, p) != tt.want+"more" {
				t.Errorf("of a file that changed: %v", u.Error)
			}
		})
	}
}

func TestAppendReconcile(t *testing.T) {
	root := t.TempDir()
	p := filepath.Join(root, "f")
	reconciler := tools(t, root)["files.append"].(tool.Reconciler)
	for content, want := range map[string]tool.EffectState{
		"one\n": tool.Released, "one\ntwo\nthree\n": tool.Committed, "one\ntwo\n": tool.Unknown, "one\ntwo\nthr": tool.Unknown, "": tool.Released,
	} {
		write(t, p, content)
		got, err := reconciler.Reconcile(t.Context(), tool.Call{Tool: "files.append", Args: args("path", p, "text", "two\nthree")})
		if err != nil || got.Effect != want {
			t.Errorf("%q: %s, %v, want %s", content, got.Effect, err, want)
		}
	}
}
