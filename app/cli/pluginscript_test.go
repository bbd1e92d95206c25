package cli

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"
	"github.com/rogpeppe/go-internal/testscript"

	"errand/build/must"
)

// Commands of the scripts that install plugins:
//
//	module FILE TEXT         writes an Extism module with a function "go"; TEXT makes it another one
//	pack ARCHIVE NAME=FILE…  packs files, by the archive's ending; NAME->TARGET packs a link
//	sum NAME FILE            the SHA-256 of a file becomes the variable NAME
//	sign KEY FILE            writes FILE.minisig and KEY.pub; the key is made at its first use
//	decode FILE BASE64       writes the bytes that a file has as text
//	edit FILE OLD NEW        replaces what must be there
var pluginCommands = map[string]func(*testscript.TestScript, bool, []string){
	"module": moduleCommand, "pack": packCommand, "sum": sumCommand, "sign": signCommand, "edit": editCommand, "decode": decodeCommand,
}

func moduleCommand(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: module FILE TEXT")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(goModule(args[1])), 0o600))
}

// goModule is an Extism module with a function "go". Another text makes another module.
func goModule(text string) string {
	return "\x00asm\x01\x00\x00\x00" +
		"\x01\x05\x01\x60\x00\x01\x7f" + // type () -> i32
		"\x03\x02\x01\x00" + // function
		"\x07\x06\x01\x02go\x00\x00" + // export
		"\x0a\x06\x01\x04\x00\x41\x00\x0b" + // code
		"\x00" + string(rune(2+len(text))) + "\x01n" + text // a section without meaning
}

func packCommand(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: pack ARCHIVE NAME=FILE…")
	}
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	if strings.HasSuffix(args[0], ".zip") {
		w := zip.NewWriter(f)
		for _, arg := range args[1:] {
			name, file, _ := strings.Cut(arg, "=")
			e, err := w.Create(name)
			ts.Check(err)
			_, err = io.WriteString(e, ts.ReadFile(file))
			ts.Check(err)
		}
		ts.Check(w.Close())
		return
	}
	z := gzip.NewWriter(f)
	w := tar.NewWriter(z)
	for _, arg := range args[1:] {
		if name, target, link := strings.Cut(arg, "->"); link {
			ts.Check(w.WriteHeader(&tar.Header{Name: name, Linkname: target, Typeflag: tar.TypeSymlink}))
			continue
		}
		name, file, _ := strings.Cut(arg, "=")
		content := ts.ReadFile(file)
		ts.Check(w.WriteHeader(&tar.Header{Name: name, Size: int64(len(content)), Mode: 0o644}))
		_, err := io.WriteString(w, content)
		ts.Check(err)
	}
	ts.Check(errors.Join(w.Close(), z.Close()))
}

func sumCommand(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: sum NAME FILE")
	}
	digest := sha256.Sum256([]byte(ts.ReadFile(args[1])))
	ts.Setenv(args[0], hex.EncodeToString(digest[:]))
}

func signCommand(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: sign KEY FILE")
	}
	const password = "script"
	secret, public := ts.MkAbs(args[0]+".key"), ts.MkAbs(args[0]+".pub")
	var private minisign.PrivateKey
	if _, err := os.Stat(secret); err != nil {
		pub, made, err := minisign.GenerateKey(nil)
		ts.Check(err)
		encrypted, err := minisign.EncryptKey(password, made)
		ts.Check(err)
		text, err := pub.MarshalText()
		ts.Check(err)
		ts.Check(errors.Join(os.WriteFile(secret, encrypted, 0o600), os.WriteFile(public, text, 0o600)))
		private = made
	} else {
		private, err = minisign.PrivateKeyFromFile(password, secret)
		ts.Check(err)
	}
	signature := minisign.SignWithComments(private, []byte(ts.ReadFile(args[1])), "for the script", "by the script")
	ts.Check(os.WriteFile(ts.MkAbs(args[1]+".minisig"), signature, 0o600))
}

func decodeCommand(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: decode FILE BASE64")
	}
	content, err := base64.StdEncoding.DecodeString(ts.ReadFile(args[1]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), content, 0o600))
}

func editCommand(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: edit FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	old, replacement := strings.ReplaceAll(args[1], `\n`, "\n"), strings.ReplaceAll(args[2], `\n`, "\n")
	if !strings.Contains(text, old) {
		ts.Fatalf("%s has no %q", args[0], old)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, old, replacement, 1)), 0o600))
}

// serveScripts serves the files of each script over https, with a certificate that the scripts'
// programs trust: $SERVER/SCRIPT/FILE.
func serveScripts(t *testing.T) (url, host, trusted string, add func(name, dir string)) {
	t.Helper()
	mux := http.NewServeMux()
	server := httptest.NewTLSServer(mux)
	t.Cleanup(server.Close)
	trusted = filepath.Join(t.TempDir(), "trusted.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	must.Succeed(t, os.WriteFile(trusted, block, 0o600))
	return server.URL, strings.TrimPrefix(server.URL, "https://"), trusted, func(name, dir string) {
		mux.Handle("/"+name+"/", http.StripPrefix("/"+name+"/", http.FileServer(http.Dir(dir))))
	}
}
