package demo

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestFilesAreWhatTheirNamesSay: what is downloaded from the demo is a file of its
// kind, and never a page under another name.
func TestFilesAreWhatTheirNamesSay(t *testing.T) {
	c := client(t, start(t))
	holds := func(r io.Reader, err error) string {
		if err != nil {
			return err.Error()
		}
		b, err := io.ReadAll(r)
		if err != nil {
			return err.Error()
		}
		return string(b)
	}
	text := func(s string) string { return s }
	tests := map[string]struct {
		mediaType string
		read      func(string) string // what is in it
	}{
		"/a/b.txt": {"text/plain; charset=utf-8", text},
		"/READ.MD": {"text/markdown; charset=utf-8", text},
		"/x.pdf":   {"application/pdf", text},
		"/x.csv": {"text/csv; charset=utf-8", func(s string) string {
			r, err := csv.NewReader(strings.NewReader(s)).ReadAll()
			return holds(strings.NewReader(r[1][1]), err)
		}},
		"/x.json": {"application/json", func(s string) string {
			var v struct{ Text string }
			err := json.Unmarshal([]byte(s), &v)
			return holds(strings.NewReader(v.Text), err)
		}},
		"/x.zip": {"application/zip", func(s string) string {
			z, err := zip.NewReader(strings.NewReader(s), int64(len(s)))
			if err != nil {
				return err.Error()
			}
			return holds(z.Open("demo.txt"))
		}},
		"/x.tar.gz": {"application/gzip", func(s string) string {
			g, err := gzip.NewReader(strings.NewReader(s))
			if err != nil {
				return err.Error()
			}
			t := tar.NewReader(g)
			_, err = t.Next()
			return holds(t, err)
		}},
		"/x.png": {"image/png", func(s string) string {
			m, err := png.Decode(strings.NewReader(s))
			if err != nil || m.Bounds().Dx() != 64 {
				return "no picture"
			}
			return fileText
		}},
		"/img/a.tgz": {"application/gzip", func(s string) string { return holds(gzip.NewReader(strings.NewReader(s))) }},
	}
	for path, tt := range tests {
		res, body := get(t, c, "https://github.com"+path)
		if got := tt.read(body); res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != tt.mediaType || !strings.Contains(got, strings.TrimSpace(fileText)) {
			t.Errorf("%s: %d %s, and holds %.80q", path, res.StatusCode, res.Header.Get("Content-Type"), got)
		}
	}
	for _, path := range []string{"/setup.exe", "/a.mp4", "/talk.pptx"} {
		if res, body := get(t, c, "https://github.com"+path); res.StatusCode != http.StatusNotFound || !strings.Contains(body, "the demo has no") {
			t.Errorf("%s: %d %.80q", path, res.StatusCode, body)
		}
	}
	for _, path := range []string{"/", "/golang/go", "/wiki/Version_1.21", "/search/notes.txt", "/index.html"} {
		if res, body := get(t, c, "https://github.com"+path); res.StatusCode != http.StatusOK || !strings.Contains(body, "Demo page") {
			t.Errorf("%s is no page: %d", path, res.StatusCode)
		}
	}
}
