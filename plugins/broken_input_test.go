package plugins_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// ownCodes are those with which archives are refused; any other would be the host's,
// for a plugin that died.
var ownCodes = []string{
	"", "bomb", "broken_archive", "encrypted", "file_in_the_way", "not_permitted", "too_deep", "too_large",
	"too_many_entries", "twice", "unknown_format", "unsafe_name", "unsupported_method", "failed",
}

// TestArchiveBroken: an archive with any of its bytes changed or missing is
// extracted or refused, and what is refused leaves nothing behind.
func TestArchiveBroken(t *testing.T) {
	root, call := desk(t)
	r := rand.New(rand.NewPCG(1, 2))
	small := []member{{name: "d/"}, {name: "d/a.txt", content: "alpha"}, {name: "b", content: "beta beta beta beta"}}
	whole := map[string][]byte{"zip": zipOf(t, small...), "tar": tarOf(t, small...), "tar.gz": gzipped(t, tarOf(t, small...))}
	for format, content := range whole {
		refused := 0
		for i := range 300 {
			b := slices.Clone(content)
			for range 1 + r.IntN(4) {
				b[r.IntN(len(b))] = byte(r.IntN(256))
			}
			if i%5 == 0 {
				b = b[:r.IntN(len(b))]
			}
			name, into := filepath.Join(root, fmt.Sprint(format, i)), filepath.Join(root, fmt.Sprint("out-", format, i))
			write(t, name, string(b))
			got := call("archive.extract", "path", name, "into", into)
			if !slices.Contains(ownCodes, codeOf(got)) {
				t.Fatalf("%s, try %d: %+v", format, i, got.Error)
			}
			if !got.OK {
				refused++
				if left, err := os.ReadDir(into); err == nil {
					t.Errorf("%s, try %d: %v, and there is %v", format, i, got.Error, left)
				}
			}
		}
		if refused == 0 {
			t.Errorf("%s: nothing was refused", format)
		}
	}
}

// TestFetchBroken: any bytes are a page, if a poor one.
func TestFetchBroken(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pages := map[string]string{}
	bits := []string{
		"<table>", "<tr>", "<td>", "</table>", "<p>", "<b>", "<a href=x>", "</a>", "<li>", "<ul>", "<select>", "<option>", "<template>", "</template>",
		"<svg>", "<math>", "<foreignObject>", "<pre>", "\n", "text", "<!--", "-->", "<script>", "</script>", "</body>", "</html>", "<frameset>",
		"<body hidden>", "<head>", "<title>", "<form>", "</p>", "<![CDATA[", "&#x110000;", "\xff\xfe", "\x00", "<textarea>", "<h1>", "</li>", "<blockquote>",
	}
	for i := range 150 {
		body := ""
		for range 1 + r.IntN(120) {
			body += bits[r.IntN(len(bits))]
		}
		pages[fmt.Sprint("/", i)] = "text/html\n\n" + body
	}
	fetch := web(t, pages)
	for path, page := range pages {
		got := fetch(path, "format", []string{"text", "markdown"}[len(page)%2], "links", true)
		if !got.OK && codeOf(got) != "not_text" {
			t.Errorf("%q: %+v", page, got.Error)
		}
	}
}
