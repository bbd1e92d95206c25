package plugins_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
)

// member is an entry of an archive that a test makes.
type member struct {
	name, content string
	typeflag      byte // of tar; 0: a file, or a folder where the name ends in a slash
	link          string
}

func tarOf(t *testing.T, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		h := &tar.Header{Name: m.name, Typeflag: m.typeflag, Linkname: m.link, Mode: 0o644, Size: int64(len(m.content))}
		if strings.HasSuffix(m.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		must.Succeed(t, w.WriteHeader(h))
		io.WriteString(w, m.content)
	}
	must.Succeed(t, w.Close())
	return b.Bytes()
}

func gzipped(t *testing.T, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	w.Write(content)
	must.Succeed(t, w.Close())
	return b.Bytes()
}

// withHoles is a tar with a sparse file as pax headers say it: its bytes are a map,
// and what is between the holes.
func withHoles(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	content := "1\n0\n5\n" + strings.Repeat("\x00", 506) + "hello"
	h := &tar.Header{Name: "GNUSparseFile.0/s", Size: int64(len(content)), Mode: 0o600, Format: tar.FormatPAX, PAXRecords: map[string]string{
		"XNU.sparse.major": "1", "XNU.sparse.minor": "0", "XNU.sparse.name": "s", "XNU.sparse.realsize": "9999",
	}}
	must.Succeed(t, w.WriteHeader(h))
	io.WriteString(w, content)
	must.Succeed(t, w.Close())
	return bytes.ReplaceAll(b.Bytes(), []byte("XNU.sparse"), []byte("GNU.sparse")) // which the writer knows better than to write
}

func zipOf(t *testing.T, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate}
		switch m.typeflag {
		case tar.TypeSymlink:
			h.SetMode(os.ModeSymlink | 0o777)
			m.content = m.link
		case tar.TypeChar:
			h.SetMode(os.ModeDevice | os.ModeCharDevice | 0o666)
		}
		f, err := w.CreateHeader(h)
		must.Succeed(t, err)
		io.WriteString(f, m.content)
	}
	must.Succeed(t, w.Close())
	return b.Bytes()
}

// desk is a granted folder with the plugins' tools.
func desk(t *testing.T) (root string, call func(name string, pairs ...any) tool.Result) {
	t.Helper()
	root = t.TempDir()
	all := tools(t, root)
	return root, func(name string, pairs ...any) tool.Result {
		t.Helper()
		r, err := all[name].Call(t.Context(), tool.Call{Tool: name, Args: args(pairs...)})
		must.Succeed(t, err)
		return r
	}
}

// tree is what a folder holds: names, and the texts of files.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	must.Succeed(t, filepath.WalkDir(dir, func(p string, e os.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, p)
		switch {
		case err != nil || rel == ".":
		case e.IsDir():
			found[rel+"/"] = ""
		case e.Type()&os.ModeSymlink != 0:
			found[rel] = "a link"
		default:
			found[rel] = read(t, p)
		}
		return err
	}))
	return found
}

var ordinary = []member{
	{name: "docs/"},
	{name: "docs/a.txt", content: "alpha"},
	{name: "docs/deep/er/b.txt", content: strings.Repeat("beta ", 50_000)},
	{name: "./Отчёт.txt", content: "итого"},
	{name: "empty", content: ""},
}

// TestArchive: each kind is listed, extracted, told apart from what was not
// extracted, and taken back.
func TestArchive(t *testing.T) {
	plainTar := tarOf(t, ordinary...)
	tests := []struct {
		format  string
		content []byte
	}{
		{"zip", zipOf(t, ordinary...)},
		{"tar", plainTar},
		{"tar.gz", gzipped(t, plainTar)},
	}
	want := map[string]string{
		"docs/": "", "docs/a.txt": "alpha", "docs/deep/": "", "docs/deep/er/": "", "docs/deep/er/b.txt": ordinary[2].content,
		"Отчёт.txt": "итого", "empty": "",
	}
	for _, tt := range tests {
		t.Run(tt.format, func(t *testing.T) {
			root, call := desk(t)
			at := func(rel string) string { return filepath.Join(root, rel) }
			write(t, at("a"), string(tt.content))
			l := call("archive.list", "path", at("a"))
			if !l.OK {
				t.Fatal(l.Error)
			}
			listed := l.Payload.(map[string]any)
			if listed["format"] != tt.format || listed["count"] != float64(5) || listed["bytes"] != float64(250_015) {
				t.Errorf("listed %v", listed)
			}
			extract := []any{"path", at("a"), "into", at("new/out")}
			reconciler := tools(t, root)["archive.extract"].(tool.Reconciler)
			state := func() tool.EffectState {
				t.Helper()
				got, err := reconciler.Reconcile(t.Context(), tool.Call{Tool: "archive.extract", Args: args(extract...)})
				must.Succeed(t, err)
				return got.Effect
			}
			if got := state(); got != tool.Released {
				t.Errorf("before it was extracted the effect is %s", got)
			}
			r := call("archive.extract", extract...)
			if !r.OK {
				t.Fatal(r.Error)
			}
			if d := cmp.Diff(args("path", at("new/out"), "from", at("a"), "names", []any{"docs/", "empty", "Отчёт.txt"}, "more", 0.0, "files", 4.0, "bytes", 250_015.0, "replaced", 0.0, "skipped", 0.0), r.Payload); d != "" {
				t.Errorf("payload (-want +got):\n%s", d)
			}
			if d := cmp.Diff(facts("exists:", at("new/out")), r.Facts); d != "" {
				t.Errorf("facts (-want +got):\n%s", d)
			}
			if d := cmp.Diff(want, tree(t, at("new/out"))); d != "" {
				t.Errorf("extracted (-want +got):\n%s", d)
			}
			if got := state(); got != tool.Committed {
				t.Errorf("after it was extracted the effect is %s", got)
			}
			if again := call("archive.extract", extract...); codeOf(again) != "file_exists" {
				t.Errorf("again: %v", again.Error)
			}
			// What was changed since stays, and what holds it.
			write(t, at("new/out/docs/a.txt"), "alphA")
			write(t, at("new/out/mine"), "mine")
			if got := state(); got != tool.Unknown {
				t.Errorf("after a file was changed the effect is %s", got)
			}
			u := call(r.Undo.Tool, "path", r.Undo.Args["path"], "made", r.Undo.Args["made"])
			if d := cmp.Diff(args("path", at("new/out"), "deleted", 5.0, "kept", 3.0, "whole", false), u.Payload); d != "" {
				t.Errorf("undone (-want +got):\n%s", d)
			}
			if d := cmp.Diff(map[string]string{"docs/": "", "docs/a.txt": "alphA", "mine": "mine"}, tree(t, at("new/out"))); d != "" {
				t.Errorf("left (-want +got):\n%s", d)
			}
		})
	}
}

// TestArchiveForecast: what is in an archive is listed before it is extracted, and another
// archive in its place is another forecast.
func TestArchiveForecast(t *testing.T) {
	many := make([]member, 12)
	for i := range many {
		many[i] = member{name: fmt.Sprintf("f%02d", i), content: "x"}
	}
	root, _ := desk(t)
	path := filepath.Join(root, "a")
	seen := map[string]string{}
	for _, tt := range []struct{ name, content, want string }{
		{"a zip", string(zipOf(t, ordinary...)), "contains 5 items (244 KiB): "},
		{"a zip of more", string(zipOf(t, many...)), "contains 12 items (12 bytes): f00, f01, f02, f03, f04, f05, f06, f07, f08, f09, … and 2 more"},
		{"a name for a terminal", string(zipOf(t, member{name: "a\x1b[2Jb", content: "x"})), "a\\x1b[2Jb"},
		{"another content", string(zipOf(t, member{name: "a", content: "xy"})), "contains 1 item (2 bytes): a"},
		{"no archive", "hello", "can't be listed now"},
	} {
		write(t, path, tt.content)
		f, err := tools(t, root)["archive.extract"].(tool.Forecaster).Forecast(tool.WithPreviews(t.Context(), func(tool.Spec, tool.Call) *tool.Error { return nil }), tool.Call{Tool: "archive.extract", Args: args("path", path, "into", root)})
		must.Succeed(t, err)
		note := i18n.English().Text(f.Note)
		if !strings.Contains(note, tt.want) || !f.Reversible || seen[f.Identity] != "" || (f.Identity == "") != (tt.name == "no archive") {
			t.Errorf("%s: %q, identity %q as of %q, reversible %t", tt.name, note, f.Identity, seen[f.Identity], f.Reversible)
		}
		seen[f.Identity] = tt.name
	}
}

// TestArchiveForecastReplaces: the files that an extraction would replace are listed, and
// without a whole list of the archive every file in the folder is.
func TestArchiveForecastReplaces(t *testing.T) {
	root, _ := desk(t)
	at := func(rel string) string { return filepath.Join(root, rel) }
	must.Succeed(t, os.MkdirAll(at("out/docs"), 0o700))
	write(t, at("out/docs/a.txt"), "mine")
	write(t, at("out/mine.txt"), "mine")
	many := make([]member, 2001)
	for i := range many {
		many[i] = member{name: fmt.Sprint(i), content: "x"}
	}
	write(t, at("a.zip"), string(zipOf(t, member{name: "docs/a.txt", content: "a"}, member{name: "b.txt", content: "b"})))
	write(t, at("many.zip"), string(zipOf(t, many...)))
	write(t, at("broken.zip"), "hello")
	for _, tt := range []struct {
		name       string
		args       []any
		want       []string
		reversible bool
		note       string
	}{
		{"no overwrite", []any{"path", at("a.zip"), "into", at("out")}, nil, true, "contains 2 items (2 bytes): docs/a.txt, b.txt"},
		{"not true", []any{"path", at("a.zip"), "into", at("out"), "overwrite", false}, nil, true, ""},
		{"overwrite", []any{"path", at("a.zip"), "into", at("out"), "overwrite", true}, []string{"out/docs/a.txt"}, false, "contains 2 items (2 bytes): docs/a.txt, b.txt; replaces 1 existing file"},
		{"a part", []any{"path", at("a.zip"), "into", at("out"), "overwrite", true, "only", []any{"b.txt"}}, nil, true, "contains 1 item (1 byte): b.txt"},
		{"another folder", []any{"path", at("a.zip"), "into", at("new"), "overwrite", true}, nil, true, ""},
		{"a long list", []any{"path", at("many.zip"), "into", at("out"), "overwrite", true, "max_entries", 3000.0}, []string{"out/docs/a.txt", "out/mine.txt"}, false, "may replace 2 existing files"},
		{"no archive yet", []any{"path", at("broken.zip"), "into", at("out"), "overwrite", true}, []string{"out/docs/a.txt", "out/mine.txt"}, false, "can't be listed now"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := tools(t, root)["archive.extract"].(tool.Forecaster).Forecast(tool.WithPreviews(t.Context(), func(tool.Spec, tool.Call) *tool.Error { return nil }), tool.Call{Tool: "archive.extract", Args: args(tt.args...)})
			must.Succeed(t, err)
			var want []string
			for _, name := range tt.want {
				want = append(want, at(name))
			}
			if note := i18n.English().Text(f.Note); !slices.Equal(f.Destroys, want) || f.Count != len(want) || f.Reversible != tt.reversible || !strings.Contains(note, tt.note) {
				t.Errorf("%q destroys %v (%d), reversible %t; want %v", note, f.Destroys, f.Count, f.Reversible, want)
			}
		})
	}
}

func TestArchiveOnlyAndOver(t *testing.T) {
	root, call := desk(t)
	at := func(rel string) string { return filepath.Join(root, rel) }
	write(t, at("a.zip"), string(zipOf(t, ordinary...)))
	if r := call("archive.extract", "path", at("a.zip"), "into", root, "only", []any{"docs/deep", "empty"}); !r.OK {
		t.Fatal(r.Error)
	}
	if got := list(t, root); !slices.Equal(got, []string{"a.zip", "docs", "empty"}) {
		t.Errorf("the root holds %v", got)
	}
	if r := call("archive.extract", "path", at("a.zip"), "into", root, "only", []any{"doc"}); codeOf(r) != "not_found" {
		t.Errorf("what is not in it: %v", r.Error)
	}
	// A link is replaced, and what it leads to is not written to.
	write(t, at("other"), "other")
	must.Succeed(t, os.Symlink("other", at("docs/a.txt")))
	write(t, at("empty"), "no more")
	r := call("archive.extract", "path", at("a.zip"), "into", root, "overwrite", true)
	if !r.OK || r.Undo != nil || r.Payload.(map[string]any)["replaced"] != float64(3) {
		t.Errorf("%v, %v, undo %v", r.Payload, r.Error, r.Undo)
	}
	if read(t, at("other")) != "other" || read(t, at("docs/a.txt")) != "alpha" || read(t, at("empty")) != "" {
		t.Errorf("%v", tree(t, root))
	}
}

// TestArchiveHostile: nothing is written where an archive is not to be trusted.
func TestArchiveHostile(t *testing.T) {
	zeros := strings.Repeat("\x00", 40<<20)
	link := func(name, to string) member { return member{name: name, typeflag: tar.TypeSymlink, link: to} }
	file := func(name string) member { return member{name: name, content: "x"} }
	many := make([]member, 2001)
	for i := range many {
		many[i] = file(fmt.Sprint(i))
	}
	names := map[string]string{
		"up": "../out", "up inside": "a/../../out", "absolute": "/etc/x", "backslash": `..\out`, "drive": "C:/x",
		"control": "a\x1bb", "long": strings.Repeat("a", 256),
	}
	type archive struct {
		name    string
		content []byte
		code    string
	}
	tests := []archive{
		{"too deep", tarOf(t, file(strings.Repeat("d/", 33)+"f")), "too_deep"},
		{"bomb, tar.gz", gzipped(t, tarOf(t, member{name: "z", content: zeros})), "bomb"},
		{"bomb, zip", zipOf(t, member{name: "z", content: zeros}), "bomb"},
		{"bomb of names", gzipped(t, longName(1<<30)), "bomb"},
		{"bomb that lies about its size", lying(t, zeros), "broken_archive"},
		{"bomb of shared bytes", shared(t, 1000), "bomb"},
		{"many entries, tar", tarOf(t, many...), "too_many_entries"},
		{"many entries, zip", zipOf(t, many...), "too_many_entries"},
		{"one name twice", zipOf(t, file("a"), file("./a")), "twice"},
		{"a file and a folder", zipOf(t, file("a"), member{name: "a/"}), "twice"},
		{"a file that is a folder, too", tarOf(t, file("a"), file("a/b")), "file_in_the_way"},
		{"changed content", bytes.Replace(stored(t, "hello there"), []byte("hello"), []byte("jello"), 1), "broken_archive"},
		{"cut off, zip", zipOf(t, ordinary...)[:500], "broken_archive"},
		{"cut off, tar", tarOf(t, ordinary...)[:3000], "broken_archive"},
		{"cut off, tar.gz", gzipped(t, tarOf(t, ordinary...))[:300], "broken_archive"},
		{"encrypted", encrypted(t), "encrypted"},
		{"with holes", withHoles(t), "unsupported_entry"},
		{"another kind", []byte("7z\xbc\xaf\x27\x1c\x00\x04"), "unknown_format"},
		{"no archive", []byte("hello"), "unknown_format"},
		{"empty file", nil, "unknown_format"},
	}
	for what, name := range names {
		tests = append(tests, archive{what + ", zip", zipOf(t, file("fine"), file(name)), "unsafe_name"})
		if what != "long" { // which ends in a header of its own
			tests = append(tests, archive{what + ", tar", tarOf(t, file("fine"), file(name)), "unsafe_name"})
		}
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root, call := desk(t)
			write(t, filepath.Join(root, "a"), string(tt.content))
			r := call("archive.extract", "path", filepath.Join(root, "a"), "into", filepath.Join(root, "out"))
			if codeOf(r) != tt.code {
				t.Errorf("code %q, want %q: %v", codeOf(r), tt.code, r.Error)
			}
			if got := tree(t, root); len(got) != 1 {
				t.Errorf("there is something: %v", got)
			}
		})
	}
	t.Run("links and devices are left out", func(t *testing.T) {
		for _, content := range [][]byte{
			tarOf(t, link("l", "../../etc"), file("l2/x"), member{name: "dev", typeflag: tar.TypeChar}, member{name: "h", typeflag: tar.TypeLink, link: "../a"}, member{name: "p", typeflag: tar.TypeFifo}),
			zipOf(t, link("l", "../../etc"), file("l2/x"), member{name: "dev", typeflag: tar.TypeChar}),
		} {
			root, call := desk(t)
			write(t, filepath.Join(root, "a"), string(content))
			r := call("archive.extract", "path", filepath.Join(root, "a"), "into", filepath.Join(root, "out"))
			if !r.OK {
				t.Fatal(r.Error)
			}
			if d := cmp.Diff(map[string]string{"l2/": "", "l2/x": "x"}, tree(t, filepath.Join(root, "out"))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		}
	})
	t.Run("not through a link that is there", func(t *testing.T) {
		root, call := desk(t)
		for _, dir := range []string{"out", "elsewhere"} {
			must.Succeed(t, os.Mkdir(filepath.Join(root, dir), 0o700))
		}
		must.Succeed(t, os.Symlink("../elsewhere", filepath.Join(root, "out/l")))
		write(t, filepath.Join(root, "a"), string(zipOf(t, file("first"), file("l/x"))))
		r := call("archive.extract", "path", filepath.Join(root, "a"), "into", filepath.Join(root, "out"))
		if codeOf(r) != "file_in_the_way" {
			t.Errorf("%v", r.Error)
		}
		if d := cmp.Diff(map[string]string{"l": "a link"}, tree(t, filepath.Join(root, "out"))); d != "" || len(list(t, filepath.Join(root, "elsewhere"))) > 0 {
			t.Errorf("what was extracted before is not cleared away (-want +got):\n%s", d)
		}
	})
}

// stored is a zip whose one entry is not packed.
func stored(t *testing.T, content string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.CreateHeader(&zip.FileHeader{Name: "a", Method: zip.Store})
	must.Succeed(t, err)
	io.WriteString(f, content)
	w.Close()
	return b.Bytes()
}

// encrypted is a zip whose entry says that it has a password.
func encrypted(t *testing.T) []byte {
	b := stored(t, "secret")
	at := bytes.Index(b, []byte("PK\x01\x02"))
	b[at+8] |= 1
	return b
}

// lying is a zip whose entry unpacks to more than its list says.
func lying(t *testing.T, content string) []byte {
	t.Helper()
	var packed bytes.Buffer
	f, _ := flate.NewWriter(&packed, flate.BestCompression)
	io.WriteString(f, content)
	f.Close()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	raw, err := w.CreateRaw(&zip.FileHeader{Name: "z", Method: zip.Deflate, CompressedSize64: uint64(packed.Len()), UncompressedSize64: 10})
	must.Succeed(t, err)
	raw.Write(packed.Bytes())
	w.Close()
	return b.Bytes()
}

// shared is a zip in which n entries are the same bytes.
func shared(t *testing.T, n int) []byte {
	b := zipOf(t, member{name: "aaaa", content: strings.Repeat("x", 10_000)})
	list, end := bytes.Index(b, []byte("PK\x01\x02")), bytes.Index(b, []byte("PK\x05\x06"))
	entry, tail := slices.Clone(b[list:end]), slices.Clone(b[end:])
	out := slices.Clone(b[:list])
	for i := range n {
		copy(entry[46:], fmt.Sprintf("%04d", i))
		out = append(out, entry...)
	}
	binary.LittleEndian.PutUint16(tail[8:], uint16(n))
	binary.LittleEndian.PutUint16(tail[10:], uint16(n))
	binary.LittleEndian.PutUint32(tail[12:], uint32(n*len(entry)))
	return append(out, tail...)
}

// longName is a tar with a name of n bytes: GNU's kind, whose header says how long
// the name after it is.
func longName(n int64) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	w.WriteHeader(&tar.Header{Name: "././@LongLink", Size: 1, Mode: 0o644})
	h := b.Bytes()[:512]
	h[156] = 'L'
	copy(h[124:136], fmt.Sprintf("%011o\x00", n))
	copy(h[148:156], "        ")
	sum := 0
	for _, c := range h {
		sum += int(c)
	}
	copy(h[148:156], fmt.Sprintf("%06o\x00 ", sum))
	return append(h, make([]byte, 64<<20)...)
}
