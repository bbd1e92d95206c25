package plugins_test

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf8"

	"errand/build/must"
	"errand/host/tool"
)

// reader calls extract.text with bytes.
func reader(t testing.TB) func(t testing.TB, kind string, content []byte, more ...any) tool.Result {
	t.Helper()
	extract := tools(t)["extract.text"]
	return func(t testing.TB, kind string, content []byte, more ...any) tool.Result {
		t.Helper()
		values := args(append([]any{"kind", kind, "content_base64", base64.StdEncoding.EncodeToString(content)}, more...)...)
		r, err := extract.Call(t.Context(), tool.Call{Tool: "extract.text", Args: values})
		must.Succeed(t, err)
		return r
	}
}

var extractKinds = map[string]string{"md": "text", "txt": "text", "json": "structured", "csv": "tabular", "docx": "document"}

// checkExtracted checks what holds for every file: the text is valid and no longer than asked
// for, no character was replaced, and a refusal has a code of the plugin's own.
func checkExtracted(t *testing.T, kind string, content []byte, most int, r tool.Result) {
	t.Helper()
	if !r.OK {
		if !slices.Contains([]string{"parse_failed", "unsupported_file_type", "file_too_large"}, codeOf(r)) {
			t.Fatalf("%s, %q: %+v", kind, content, r.Error)
		}
		return
	}
	text := r.Payload.(map[string]any)["text"].(string)
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > most {
		t.Errorf("%s, %q: %d characters, want at most %d", kind, content, utf8.RuneCountInString(text), most)
	}
	if kind != "document" && bytes.Contains([]byte(text), []byte("\ufffd")) && !bytes.Contains(content, []byte("\ufffd")) && !bytes.ContainsAny(content[:2], "\xff\xfe") {
		t.Errorf("%s, %q: a character was replaced", kind, content)
	}
}

// TestExtractBroken: a document with any of its bytes changed or missing is read or refused.
func TestExtractBroken(t *testing.T) {
	call := reader(t)
	r := rand.New(rand.NewPCG(5, 6))
	for extension, kind := range extractKinds {
		files, err := filepath.Glob(filepath.Join("testdata", "extract", extension, "*."+extension))
		must.Succeed(t, err)
		refused := 0
		for i := range 200 {
			b := must.ReadFile(t, files[i%len(files)])
			for range 1 + r.IntN(4) {
				b[r.IntN(len(b))] = byte(r.IntN(256))
			}
			if i%5 == 0 {
				b = b[:2+r.IntN(len(b)-2)]
			}
			got := call(t, kind, b, "max_chars", 300)
			checkExtracted(t, kind, b, 300, got)
			if !got.OK {
				refused++
			}
		}
		if refused == 0 {
			t.Errorf("%s: nothing was refused", extension)
		}
	}
}

func FuzzExtract(f *testing.F) {
	for extension, kind := range extractKinds {
		files, err := filepath.Glob(filepath.Join("testdata", "extract", extension, "*."+extension))
		must.Succeed(f, err)
		for _, file := range files {
			f.Add(kind, must.ReadFile(f, file))
		}
	}
	call := reader(f)
	f.Fuzz(func(t *testing.T, kind string, content []byte) {
		if kinds := []string{"text", "structured", "tabular", "document"}; slices.Contains(kinds, kind) && len(content) > 2 {
			checkExtracted(t, kind, content, 1000, call(t, kind, content, "max_chars", 1000))
		}
	})
}
