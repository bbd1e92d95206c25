package install_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm/install"
	"errand/planner/message"
	"errand/policy"
)

// module is a module that exports a function "go" of () -> i32. Modules of
// different names differ.
func module(name string) []byte {
	code := "\x00asm\x01\x00\x00\x00" +
		"\x01\x05\x01\x60\x00\x01\x7f" + // type
		"\x03\x02\x01\x00" + // function
		"\x07\x06\x01\x02go\x00\x00" + // export
		"\x0a\x06\x01\x04\x00\x41\x00\x0b" // code
	return []byte(code + "\x00" + string(rune(1+1+len(name))) + "\x01n" + name)
}

// manifestOf is a plugin.toml for the module, with more of it at the end.
func manifestOf(id, version string, more ...string) string {
	return fmt.Sprintf(`schema = 1
id = %q
version = %q
module = "%s.wasm"
abi = "extism"
`, id, version, id) + strings.Join(more, "\n") + fmt.Sprintf(`
[[tool]]
name = "%s.go"
function = "go"
description = "Goes"
side_effect_class = "read"
effect = "read"
`, id)
}

type entry struct {
	name, content string
	kind          byte   // of tar; 0: a file
	link          string // where it leads
	says          int64  // the size in its header, without content; 0: its real size
}

func tarGz(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	must.Succeed(t, err)
	w := tar.NewWriter(z)
	for _, e := range entries {
		if e.kind == 0 {
			e.kind = tar.TypeReg
		}
		h := &tar.Header{Name: e.name, Size: int64(len(e.content)), Typeflag: e.kind, Linkname: e.link, Mode: 0o644}
		if e.says > 0 {
			h.Size = e.says
		}
		must.Succeed(t, errors.Join(w.WriteHeader(h), second(w.Write([]byte(e.content)))))
		if e.says > 0 { // the writer would want the rest
			break
		}
	}
	_ = w.Close()
	must.Succeed(t, z.Close())
	return b.Bytes()
}

func zipped(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name}
		if len(e.content) > 100 { // ten thousand compressors would take most of the test's time
			h.Method = zip.Deflate
		}
		if e.kind == tar.TypeSymlink {
			h.SetMode(os.ModeSymlink | 0o777)
			e.content = e.link
		}
		create := w.CreateHeader
		if e.says > 0 {
			h.UncompressedSize64, create = uint64(e.says), w.CreateRaw
		}
		f, err := create(h)
		if err == nil {
			_, err = f.Write([]byte(e.content))
		}
		must.Succeed(t, err)
	}
	must.Succeed(t, w.Close())
	return b.Bytes()
}

func second(_ int, err error) error { return err }

func digest(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// write puts files into a new folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		must.Succeed(t, errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(content), 0o600)))
	}
	return dir
}

func code(err error) string {
	var e *tool.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return fmt.Sprint(err)
}

// TestSources checks that a plugin is the same whether it is read from a folder, its manifest,
// its module or an archive.
func TestSources(t *testing.T) {
	text, wasm := manifestOf("go", "1.0.0"), string(module("a"))
	dir := write(t, map[string]string{"plugin.toml": text, "go.wasm": wasm, "main.go": "package main"})
	plain := []entry{{name: "plugin.toml", content: text}, {name: "go.wasm", content: wasm}}
	nested := []entry{
		{name: "./", kind: tar.TypeDir},
		{name: "go-1.0.0/", kind: tar.TypeDir},
		{name: "go-1.0.0/go.wasm", content: wasm},
		{name: "go-1.0.0/src/main.go", content: "package main"},
		{name: "go-1.0.0/src/testdata/other.wasm", content: "not looked at"},
		{name: "./go-1.0.0/plugin.toml", content: text},
	}
	archives := write(t, map[string]string{
		"a.tar.gz": string(tarGz(t, plain...)), "b.tgz": string(tarGz(t, nested...)), "c.zip": string(zipped(t, plain...)), "d": string(zipped(t, nested[2:]...)),
	})
	for _, place := range []string{
		dir, filepath.Join(dir, "plugin.toml"), filepath.Join(dir, "go.wasm"),
		filepath.Join(archives, "a.tar.gz"), filepath.Join(archives, "b.tgz"), filepath.Join(archives, "c.zip"), filepath.Join(archives, "d"),
	} {
		b, err := install.Read(t.Context(), install.Origin{Place: place})
		if err != nil {
			t.Errorf("%s: %v", place, err)
			continue
		}
		if string(b.Text()) != text || string(b.Module()) != wasm || b.Manifest.ID != "go" || !filepath.IsAbs(b.Source) {
			t.Errorf("%s is %+v", place, b)
		}
	}
}

func TestInvalidSources(t *testing.T) {
	text, wasm := manifestOf("go", "1.0.0"), string(module("a"))
	tests := []struct {
		name  string
		files map[string]string
		place string
		sum   string
		want  string
		says  string
	}{
		{"nothing there", nil, "missing", "", "no_source", "does not exist"},
		{"an empty folder", nil, ".", "", "no_manifest", "has no plugin.toml"},
		{"a module alone", map[string]string{"go.wasm": wasm}, "go.wasm", "", "no_manifest", `abi = "extism" and a [[tool]] with function = for each of go`},
		{"a module of another manifest", map[string]string{"plugin.toml": text, "go.wasm": wasm, "b.wasm": wasm}, "b.wasm", "", "other_module", "names another module: go.wasm"},
		{"a manifest with a fault", map[string]string{"plugin.toml": "schema = 2\n" + text[strings.Index(text, "id"):], "go.wasm": wasm}, ".", "", "bad_manifest", "plugin.toml:1: schema must be 1"},
		{"no module", map[string]string{"plugin.toml": text}, ".", "", "no_module", "has no go.wasm"},
		{"no WebAssembly", map[string]string{"plugin.toml": text, "go.wasm": "text"}, ".", "", "bad_module", "go.wasm"},
		{"another module than the manifest pins", map[string]string{"plugin.toml": "sha256 = \"" + digest(module("b")) + "\"\n" + text, "go.wasm": wasm}, ".", "", "digest_mismatch", digest(module("b"))},
		{"a text", map[string]string{"a.txt": "hello"}, "a.txt", "", "no_archive", "is not a .tar.gz, a .zip or WebAssembly"},
		{"half an archive", map[string]string{"a.tgz": string(tarGz(t, entry{name: "plugin.toml", content: text})[:40])}, "a.tgz", "", "bad_archive", "it ends too early (it is incomplete: copy or fetch it again"},
		{"a tar alone", map[string]string{"a.tar": strings.Repeat("\x00", 257) + "ustar\x0000"}, "a.tar", "", "no_archive", "an uncompressed tar archive; use .tar.gz, .zip or a folder (compress it: gzip"},
		{"another packer's", map[string]string{"a.txz": "\xfd7zXZ\x00"}, "a.txz", "", "no_archive", "compressed with xz"},
		{"nothing at all", map[string]string{"a.zip": ""}, "a.zip", "", "no_archive", "is empty"},
		{"compressed, and no tar", map[string]string{"a.gz": string(gzipped(t, strings.Repeat("no tar ", 200)))}, "a.gz", "", "bad_archive", "the compressed data is not a tar archive"},
		{"another digest", map[string]string{"plugin.toml": text, "go.wasm": wasm}, "go.wasm", digest([]byte("b")), "digest_mismatch", "--sha256"},
		{"no digest", map[string]string{"go.wasm": wasm}, "go.wasm", "abc", "bad_digest", "64 hex digits"},
		{"digest of a folder", map[string]string{"plugin.toml": text, "go.wasm": wasm}, ".", digest(nil), "bad_digest", "a folder has no digest"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := write(t, tt.files)
			_, err := install.Read(t.Context(), install.Origin{Place: filepath.Join(dir, tt.place), SHA256: tt.sum})
			e := tool.AsError(err)
			if err == nil || e.Code != tt.want || e.Hint.IsZero() || !strings.Contains(i18n.English().Text(e.Message)+" ("+i18n.English().Text(e.Hint)+")", tt.says) {
				t.Errorf("error is %s: %v (%s)\nwant %s: %s", code(err), err, i18n.English().Text(e.Hint), tt.want, tt.says)
			}
		})
	}
}

// TestLinksOutOfTheFolder checks that links out of the folder are not followed.
func TestLinksOutOfTheFolder(t *testing.T) {
	secret := write(t, map[string]string{"secret.wasm": string(module("s"))})
	dir := write(t, map[string]string{"plugin.toml": manifestOf("go", "1.0.0")})
	must.Succeed(t, os.Symlink(filepath.Join(secret, "secret.wasm"), filepath.Join(dir, "go.wasm")))
	if _, err := install.Read(t.Context(), install.Origin{Place: dir}); code(err) != "no_module" || !strings.Contains(i18n.English().Error(err), "go.wasm of "+dir+" is a link that leads out of the folder") {
		t.Errorf("a link out of the folder ended with %v", err)
	}
}

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	must.Succeed(t, errors.Join(err, w.Close()))
	return b.Bytes()
}

// TestHostileArchives checks that each archive is refused completely and quickly.
func TestHostileArchives(t *testing.T) {
	text, wasm := manifestOf("go", "1.0.0"), string(module("a"))
	good := []entry{{name: "plugin.toml", content: text}, {name: "go.wasm", content: wasm}}
	with := func(more ...entry) []entry { return append(append([]entry{}, good...), more...) }
	zeros := strings.Repeat("\x00", 1<<20)
	many := make([]entry, 10_001)
	for i := range many {
		many[i] = entry{name: fmt.Sprintf("f%d", i)}
	}
	tests := []struct {
		name    string
		entries []entry
		zip     bool // as well
		want    string
	}{
		{"a link", with(entry{name: "x", kind: tar.TypeSymlink, link: "/etc/passwd"}), true, `"x" is neither a file nor a folder`},
		{"a module that is a link", []entry{good[0], {name: "go.wasm", kind: tar.TypeSymlink, link: "/etc/passwd"}}, true, `"go.wasm" is neither`},
		{"a hard link", with(entry{name: "x", kind: tar.TypeLink, link: "plugin.toml"}), false, "neither a file nor a folder"},
		{"a device", with(entry{name: "x", kind: tar.TypeChar}), false, "neither a file nor a folder"},
		{"a pipe", with(entry{name: "x", kind: tar.TypeFifo}), false, "neither a file nor a folder"},
		{"up and out", with(entry{name: "../../x"}), true, `"../../x" is not one within a folder`},
		{"out in the middle", with(entry{name: "a/../../x"}), true, "not one within a folder"},
		{"absolute", with(entry{name: "/etc/cron.d/x"}), true, "not one within a folder"},
		{"a drive", with(entry{name: `C:\x`}), true, "not one within a folder"},
		{"a Windows path", with(entry{name: `..\x`}), true, "not one within a folder"},
		{"twice", with(entry{name: "go.wasm", content: string(module("b"))}), true, `"go.wasm" is in the archive twice`},
		{"twice for some disks", with(entry{name: "GO.wasm", content: string(module("b"))}), true, "is in the archive twice"},
		{"two plugins", with(entry{name: "b/plugin.toml", content: text}), true, "must have one plugin.toml, at the top or in a top-level folder, not 2"},
		{"none", []entry{good[1]}, true, "has no plugin.toml at the top"},
		{"too deep", []entry{{name: "a/b/plugin.toml", content: text}, {name: "a/b/go.wasm", content: wasm}}, true, "has no plugin.toml at the top"},
		{"a manifest that is no text", []entry{{name: "plugin.toml", content: strings.Repeat("\x00", 2<<20)}}, true, "plugin.toml is longer than"},
		{"a module beyond the bound", with(entry{name: "b.wasm", says: 65 << 20}), true, "b.wasm is longer than"},
		{"a bomb in what is not kept", with(entry{name: "zeros", says: 300 << 20}), true, "it unpacks to more than"},
		{"a bomb beyond any number", with(entry{name: "zeros", says: 1 << 62}), true, "it unpacks to more than"},
		{"a bomb in pieces", with(entry{name: "a", content: zeros}, entry{name: "b", says: 128 << 20}), true, "it unpacks to more than"},
		{"less than it says", with(entry{name: "b.wasm", says: 100}), true, ""},
		{"very many", many, true, "has more than 10000 entries"},
	}
	for _, tt := range tests {
		archives := map[string][]byte{"a.tgz": tarGz(t, tt.entries...)}
		if tt.zip {
			archives["a.zip"] = zipped(t, tt.entries...)
		}
		for name, content := range archives {
			t.Run(tt.name+" in "+name, func(t *testing.T) {
				dir := write(t, map[string]string{name: string(content)})
				_, err := install.Read(t.Context(), install.Origin{Place: filepath.Join(dir, name)})
				if code(err) != "bad_archive" || !strings.Contains(i18n.English().Error(err), tt.want) {
					t.Errorf("error is %s: %v\nwant bad_archive: %s", code(err), err, tt.want)
				}
				for why, cure := range map[string]string{
					"neither a file": "tar -h", "not one within": "relative paths", "twice": "each file once", "plugin.toml at": "one plugin",
					"longer than": "only what a plugin needs", "unpacks to more": "only what a plugin needs", "entries": "only what a plugin needs", "cut off": "not whole",
				} {
					if err != nil && strings.Contains(i18n.English().Error(err), why) && !strings.Contains(i18n.English().Text(tool.AsError(err).Hint), cure) {
						t.Errorf("the hint of %v is %q, want in it %q", err, i18n.English().Text(tool.AsError(err).Hint), cure)
					}
				}
			})
		}
	}
}

// TestEncryptedArchive checks that the error for an archive with a password says so, and not that
// the archive is damaged.
func TestEncryptedArchive(t *testing.T) {
	content := zipped(t, entry{name: "plugin.toml", content: manifestOf("go", "1.0.0")}, entry{name: "go.wasm", content: string(module("a"))})
	for header, at := range map[string]int{"PK\x03\x04": 6, "PK\x01\x02": 8} { // where the flags of an entry are
		for i := 0; ; {
			n := bytes.Index(content[i:], []byte(header))
			if n < 0 {
				break
			}
			content[i+n+at] |= 1
			i += n + at
		}
	}
	dir := write(t, map[string]string{"a.zip": string(content)})
	_, err := install.Read(t.Context(), install.Origin{Place: filepath.Join(dir, "a.zip")})
	if code(err) != "bad_archive" || !strings.Contains(i18n.English().Error(err), `"plugin.toml" is encrypted`) || !strings.Contains(i18n.English().Text(tool.AsError(err).Hint), "without a password") {
		t.Errorf("it is refused by %s: %v", code(err), err)
	}
}

// TestURL checks that a download requires https and a digest.
func TestURL(t *testing.T) {
	archive := tarGz(t, entry{name: "plugin.toml", content: manifestOf("go", "1.0.0")}, entry{name: "go.wasm", content: string(module("a"))})
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/go.tgz":
			if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") { // as some servers do with packed files
				w.Header().Set("Content-Encoding", "gzip")
			}
			w.Write(archive)
		case "/go.wasm":
			w.Write(module("a"))
		case "/endless":
			io.Copy(w, endless{})
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	denying := &http.Client{Transport: refusing{policy.Decision{Rule: "host_denied", Reason: message.Verbatim("not on the list")}}}
	tests := []struct {
		name   string
		place  string
		sum    string
		client *http.Client
		want   string
	}{
		{"as it should be", server.URL + "/go.tgz", strings.ToUpper(digest(archive)), server.Client(), ""},
		{"another digest", server.URL + "/go.tgz", digest(nil), server.Client(), "digest_mismatch"},
		{"no digest", server.URL + "/go.tgz", "", server.Client(), "no_digest"},
		{"http", "http://plugins.example/go.tgz", digest(archive), server.Client(), "bad_url"},
		{"a file by URL", "file:///etc/passwd", digest(archive), server.Client(), "bad_url"},
		{"a password", "https://ann:secret@plugins.example/go.tgz", digest(archive), server.Client(), "bad_url"},
		{"a module alone", server.URL + "/go.wasm", digest(module("a")), server.Client(), "no_manifest"},
		{"not found", server.URL + "/other.tgz", digest(archive), server.Client(), "fetch_failed"},
		{"without an end", server.URL + "/endless", digest(archive), server.Client(), "fetch_failed"},
		{"a server that nobody vouches for", server.URL + "/go.tgz", digest(archive), &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{}}}, "fetch_failed"},
		{"policy says no", server.URL + "/go.tgz", digest(archive), denying, "host_denied"},
		{"no client", server.URL + "/go.tgz", digest(archive), nil, "no_network"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := install.Read(t.Context(), install.Origin{Place: tt.place, SHA256: tt.sum, Client: tt.client})
			if tt.want == "" {
				if err != nil || b.Source != tt.place || b.SourceSum != digest(archive) {
					t.Errorf("%+v, %v", b, err)
				}
				return
			}
			if code(err) != tt.want || tt.client != nil && tool.AsError(err).Hint.IsZero() {
				t.Errorf("error is %s: %v, want %s with a hint", code(err), err, tt.want)
			}
		})
	}
	for hint, d := range map[string]policy.Decision{ // names --allow if it helps
		"--allow":       {Rule: policy.RuleUnlisted, Reason: message.Verbatim("not on the list"), Hint: message.Verbatim("add it to allowed_domains")},
		"allow_private": {Rule: "floor.private_address", Reason: message.Verbatim("not public"), Hint: message.Verbatim("add it to allow_private")},
	} {
		client := &http.Client{Transport: refusing{d}}
		if _, err := install.Read(t.Context(), install.Origin{Place: server.URL + "/go.tgz", SHA256: digest(archive), Client: client}); !strings.Contains(i18n.English().Text(tool.AsError(err).Hint), hint) {
			t.Errorf("%s: the hint is %q", d.Rule, i18n.English().Text(tool.AsError(err).Hint))
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := install.Read(ended, install.Origin{Place: server.URL + "/go.tgz", SHA256: digest(archive), Client: server.Client()}); code(err) != "fetch_failed" {
		t.Errorf("a fetch that was called off: %v", err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

type refusing struct{ decision policy.Decision }

func (r refusing) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, refusal(r)
}

type refusal struct{ decision policy.Decision }

func (refusal) Error() string              { return "no" }
func (r refusal) Refusal() policy.Decision { return r.decision }

// FuzzArchive checks that reading any bytes returns a plugin or a typed error.
func FuzzArchive(f *testing.F) {
	t := &testing.T{} // for seeds that are known to be good
	plain := []entry{{name: "plugin.toml", content: manifestOf("go", "1.0.0")}, {name: "go.wasm", content: string(module("a"))}}
	f.Add(tarGz(t, plain...))
	f.Add(zipped(t, plain...))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, content []byte) {
		name := filepath.Join(t.TempDir(), "a")
		must.Succeed(t, os.WriteFile(name, content, 0o600))
		b, err := install.Read(t.Context(), install.Origin{Place: name})
		var typed *tool.Error
		if err != nil && !errors.As(err, &typed) {
			t.Errorf("an error without a code: %v", err)
		}
		if err == nil && (len(b.Module()) == 0 || b.Manifest.ID == "") {
			t.Errorf("a plugin without a module: %+v", b)
		}
	})
}
