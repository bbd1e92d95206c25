package demo

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"path"
	"strings"
)

// fileText is what a file of the demo holds, one way or another.
const fileText = "A demo file, served by Errand on this computer in place of the real one.\n"

// kinds are the extensions of files that the demo makes: a real file of that kind,
// the same each time, that says what it is.
var kinds = map[string]struct {
	mediaType string
	make      func() ([]byte, error)
}{
	".txt":    {"text/plain; charset=utf-8", text(fileText)},
	".md":     {"text/markdown; charset=utf-8", text("# " + fileText)},
	".csv":    {"text/csv; charset=utf-8", text("number,text\r\n1,\"" + strings.TrimSpace(fileText) + "\"\r\n")},
	".json":   {"application/json", text(fmt.Sprintf("{\"demo\": true, \"text\": %q}\n", strings.TrimSpace(fileText)))},
	".pdf":    {"application/pdf", pdf},
	".png":    {"image/png", picture},
	".zip":    {"application/zip", makeZip},
	".tar.gz": {"application/gzip", makeTar},
	".tgz":    {"application/gzip", makeTar},
}

// unmakeableExtensions are extensions of files that the demo can't make and that no page has.
var unmakeableExtensions = strings.Fields(".7z .apk .avi .bin .deb .dmg .doc .docx .epub .exe .flac .gif .gz .iso .jpeg .jpg .mkv .mov .mp3 .mp4 .msi " +
	".odp .ods .odt .ogg .ppt .pptx .rar .rpm .rtf .tar .wav .webm .webp .xls .xlsx .xml .xz .zst")

// file answers for an address that names a file, and reports whether it does. A
// page under that name would be saved as what it is not.
func file(rw http.ResponseWriter, urlPath string) bool {
	name := strings.ToLower(path.Base(urlPath))
	if route[strings.ToLower(path.Base(path.Dir(urlPath)))] { // it is what is searched for
		return false
	}
	ext := path.Ext(name)
	if strings.HasSuffix(name, ".tar.gz") {
		ext = ".tar.gz"
	}
	kind, known := kinds[ext]
	if !known {
		for _, other := range unmakeableExtensions {
			if ext == other {
				http.Error(rw, "the demo has no "+other+" files", http.StatusNotFound)
				return true
			}
		}
		return false
	}
	b, err := kind.make()
	if err != nil {
		http.Error(rw, "the demo file could not be made: "+err.Error(), http.StatusInternalServerError)
		return true
	}
	rw.Header().Set("Content-Type", kind.mediaType)
	rw.Header().Set("Content-Length", fmt.Sprint(len(b)))
	_, _ = rw.Write(b) // the browser may be gone
	return true
}

func text(s string) func() ([]byte, error) { return func() ([]byte, error) { return []byte(s), nil } }

func makeZip() ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("demo.txt")
	if err == nil {
		_, err = w.Write([]byte(fileText))
	}
	if err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}

func makeTar() ([]byte, error) {
	var b bytes.Buffer
	g := gzip.NewWriter(&b)
	t := tar.NewWriter(g)
	if err := t.WriteHeader(&tar.Header{Name: "demo.txt", Mode: 0o644, Size: int64(len(fileText))}); err != nil {
		return nil, err
	}
	if _, err := t.Write([]byte(fileText)); err != nil {
		return nil, err
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	err := g.Close()
	return b.Bytes(), err
}

func picture() ([]byte, error) {
	m := image.NewRGBA(image.Rect(0, 0, 64, 64))
	for y := range 64 {
		for x := range 64 {
			m.Set(x, y, color.RGBA{uint8(4 * x), uint8(4 * y), 160, 255})
		}
	}
	var b bytes.Buffer
	err := png.Encode(&b, m)
	return b.Bytes(), err
}

// pdf is a page with a line of text, with the offsets that readers go by.
func pdf() ([]byte, error) {
	line := "BT /F1 12 Tf 40 780 Td (" + strings.TrimSpace(fileText) + ") Tj ET"
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(line), line),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}
	b := bytes.NewBufferString("%PDF-1.4\n")
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	at := b.Len()
	fmt.Fprintf(b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, at)
	return b.Bytes(), nil
}
