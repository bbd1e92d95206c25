//go:build unix

package plugins_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"errand/build/must"
)

// withSizes is a zip whose list gives its entries other sizes than they have.
func withSizes(content []byte, size uint32) []byte {
	b := bytes.Clone(content)
	for at := 0; ; {
		next := bytes.Index(b[at:], []byte("PK\x01\x02"))
		if next < 0 {
			return b
		}
		at += next + 28
		binary.LittleEndian.PutUint32(b[at-4:], size)
	}
}

// locked is a zip whose list says that its entries are encrypted.
func locked(content []byte) []byte {
	b := bytes.Clone(content)
	for at := 0; ; {
		next := bytes.Index(b[at:], []byte("PK\x01\x02"))
		if next < 0 {
			return b
		}
		at += next + 8
		b[at] |= 1
	}
}

// overlapping is a document with many parts that have the same bytes.
func overlapping(t *testing.T) []byte {
	t.Helper()
	plain := docx(t, paragraphs(hello))
	list := bytes.Index(plain, []byte("PK\x01\x02"))
	end := bytes.Index(plain, []byte("PK\x05\x06"))
	entries := bytes.Clone(plain[list:end])
	out := bytes.Clone(plain[:list])
	for range 500 {
		out = append(out, entries...)
	}
	tail := bytes.Clone(plain[end:])
	binary.LittleEndian.PutUint16(tail[8:], 1500)
	binary.LittleEndian.PutUint16(tail[10:], 1500)
	binary.LittleEndian.PutUint32(tail[12:], uint32(500*len(entries)))
	return append(out, tail...)
}

// storedZip is a zip without compression.
func storedZip(t *testing.T, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		f, err := w.CreateRaw(&zip.FileHeader{
			Name: m.name, Method: zip.Store, CRC32: crc32.ChecksumIEEE([]byte(m.content)),
			CompressedSize64: uint64(len(m.content)), UncompressedSize64: uint64(len(m.content)),
		})
		must.Succeed(t, err)
		io.WriteString(f, m.content)
	}
	must.Succeed(t, w.Close())
	return b.Bytes()
}

// mixed are elements that don't pack too well, so that the ratio is not what refuses them.
func mixed(count int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for range count {
		b.WriteString("<" + string(rune('a'+r.IntN(16))) + "/>")
	}
	return b.String()
}

type hostileFile struct {
	name, kind string
	content    []byte
	code       string
}

func hostileDocuments(t *testing.T) []hostileFile {
	t.Helper()
	tooMany := make([]member, 10_001)
	for i := range tooMany {
		tooMany[i].name = fmt.Sprint(i)
	}
	entity := func(doctype, body string) []byte { return docx(t, doctype+paragraphs(body)) }
	declared := withSizes(docx(t, paragraphs(hello)), 60<<20)
	laughs := `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>`
	outside := member{name: "_rels/.rels", content: fmt.Sprintf(relationships, `<Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="http://localhost/a.xml" TargetMode="External"/>`)}
	above := member{name: "_rels/.rels", content: fmt.Sprintf(relationships, fmt.Sprintf(relationship, "r", "officeDocument", "../../../etc/passwd"))}
	header := member{name: "word/_rels/document.xml.rels", content: fmt.Sprintf(relationships, fmt.Sprintf(relationship, "h", "header", "header1.xml"))}
	names := strings.Builder{}
	for i := range 1001 {
		fmt.Fprintf(&names, ` xmlns:n%d="x"`, i)
	}
	return []hostileFile{
		{"a bomb of text", "document", docx(t, paragraphs("<w:p><w:r><w:t>"+strings.Repeat("a", 8<<20)+"</w:t></w:r></w:p>")), "parse_failed"},
		{"a bomb of elements", "document", docx(t, paragraphs(strings.Repeat(hello, 1<<17))), "parse_failed"},
		{"a bomb in a part that is not read", "document", docx(t, paragraphs(hello), member{name: "word/media/a.bmp", content: strings.Repeat("\x00", 8<<20)}), "parse_failed"},
		{"a bomb with a small size in its header", "document", withSizes(docx(t, paragraphs("<w:p>"+strings.Repeat(" ", 8<<20)+"</w:p>")), 500), "parse_failed"},
		{"parts of large sizes", "document", declared, "parse_failed"},
		{"many parts", "document", docx(t, paragraphs(hello), tooMany...), "parse_failed"},
		{"parts with the same bytes", "document", overlapping(t), "parse_failed"},
		{"two parts of one name", "document", docx(t, paragraphs(hello), member{name: "word/Document.xml", content: paragraphs(hello)}), "parse_failed"},
		{"many elements", "document", docx(t, paragraphs(mixed(2_000_001))), "parse_failed"},
		{"a large comment", "document", docx(t, "<!--"+packable(20<<20, "-")+"-->"), "parse_failed"},
		{"text outside of words", "document", docx(t, paragraphs(packable(20<<20, "a"))), "parse_failed"},
		{"many references", "document", docx(t, paragraphs(packable(30<<20, "&amp;"))), "parse_failed"},
		{"deep XML", "document", docx(t, paragraphs(strings.Repeat("<w:sdt>", 255)+strings.Repeat("</w:sdt>", 255))), "parse_failed"},
		{"very deep XML", "document", docx(t, paragraphs(strings.Repeat("<w:sdt>", 100_000))), "parse_failed"},
		{"a large tag", "document", docx(t, `<w:document a="`+mixed(100_000)+`"/>`), "parse_failed"},
		{"many prefixes", "document", docx(t, `<w:document `+wordNames+names.String()+`/>`), "parse_failed"},
		{"an outside entity", "document", entity(`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>`, `<w:p><w:r><w:t>&e;</w:t></w:r></w:p>`), "parse_failed"},
		{"many laughs", "document", entity(laughs, `<w:p><w:r><w:t>&c;</w:t></w:r></w:p>`), "parse_failed"},
		{"an entity without definition", "document", docx(t, paragraphs(`<w:p><w:r><w:t>&xxe;</w:t></w:r></w:p>`)), "parse_failed"},
		{"a DOCTYPE in a header", "document", docx(t, paragraphs(hello), header, member{name: "word/header1.xml", content: `<!DOCTYPE x><w:hdr ` + wordNames + `/>`}), "parse_failed"},
		{"a DOCTYPE in the list of types", "document", zipOf(t, member{name: "[Content_Types].xml", content: "<!DOCTYPE x>" + contentTypes(mainType).content}, mainPart, member{name: "word/document.xml", content: paragraphs(hello)}), "parse_failed"},
		{"a zero character", "document", docx(t, paragraphs(`<w:p><w:r><w:t>&#0;</w:t></w:r></w:p>`)), "parse_failed"},
		{"half a character", "document", docx(t, paragraphs(`<w:p><w:r><w:t>&#xD800;</w:t></w:r></w:p>`)), "parse_failed"},
		{"XML in UTF-16", "document", docx(t, string(utf16Of(paragraphs(hello), binary.LittleEndian))), "parse_failed"},
		{"XML that is not UTF-8", "document", docx(t, paragraphs("<w:p><w:r><w:t>caf\xe9</w:t></w:r></w:p>")), "parse_failed"},
		{"XML that is cut off", "document", docx(t, paragraphs(hello)[:140]), "parse_failed"},
		{"tags that don't match", "document", docx(t, paragraphs("<w:p></w:r>")), "parse_failed"},
		{"a zip as the main part", "document", docx(t, string(docx(t, paragraphs(hello)))), "parse_failed"},
		{"no main part", "document", zipOf(t, contentTypes(mainType), mainPart), "unsupported_file_type"},
		{"no text", "document", docx(t, paragraphs("<w:p/>")), "parse_failed"},
		{"a changed byte", "document", bytes.Replace(storedZip(t, contentTypes(mainType), mainPart, member{name: "word/document.xml", content: paragraphs(hello)}), []byte("hello"), []byte("jello"), 1), "parse_failed"},
		{"half of a document", "document", docx(t, paragraphs(hello))[:400], "parse_failed"},
		{"a few bytes", "document", []byte("PK\x03\x04\x14"), "parse_failed"},
		{"a text", "document", []byte("hello"), "parse_failed"},
		{"a main part outside", "document", zipOf(t, contentTypes(mainType), outside, member{name: "word/document.xml", content: paragraphs(hello)}), "unsupported_file_type"},
		{"a main part above", "document", zipOf(t, contentTypes(mainType), above), "unsupported_file_type"},
		{"zips in a zip", "document", zipOf(t, member{name: "a.docx", content: string(docx(t, paragraphs(hello)))}), "unsupported_file_type"},
		{"macros", "document", zipOf(t, contentTypes("application/vnd.ms-word.document.macroEnabled.main+xml"), mainPart, member{name: "word/document.xml", content: paragraphs(hello)}), "unsupported_file_type"},
		{"macros with an ordinary type", "document", docx(t, paragraphs(hello), member{name: "word/vbaProject.bin", content: "x"}), "unsupported_file_type"},
		{"a template", "document", zipOf(t, contentTypes(strings.Replace(mainType, "document.main", "template.main", 1)), mainPart, member{name: "word/document.xml", content: paragraphs(hello)}), "unsupported_file_type"},
		{"an encrypted document", "document", append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), make([]byte, 2000)...), "unsupported_file_type"},
		{"encrypted parts", "document", locked(docx(t, paragraphs(hello))), "unsupported_file_type"},
		{"an OpenDocument text", "document", zipOf(t, member{name: "mimetype", content: "application/vnd.oasis.opendocument.text"}, member{name: "content.xml", content: "<a/>"}), "unsupported_file_type"},
		{"6 MiB", "document", make([]byte, 6<<20), "file_too_large"},
	}
}

func hostileTexts() []hostileFile {
	little := binary.LittleEndian
	deep := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	return []hostileFile{
		{"zero bytes", "text", []byte("a\x00b"), "parse_failed"},
		{"zero bytes beside a letter of Latin-1", "text", []byte("a\x00b\xe9"), "parse_failed"},
		{"control characters", "text", []byte("caf\xe9 \x01\x02 and more"), "parse_failed"},
		{"half of UTF-16", "text", append(utf16Of("hello", little), 'x'), "parse_failed"},
		{"half a character in UTF-16", "text", append(utf16Of("hello", little), 0x3d, 0xd8), "parse_failed"},
		{"two halves in the wrong order", "text", append(utf16Of("a", little), 0x00, 0xdc, 0x3d, 0xd8), "parse_failed"},
		{"UTF-32", "text", []byte("\xff\xfe\x00\x00h\x00\x00\x00"), "parse_failed"},
		{"marked as UTF-8", "text", []byte("\xef\xbb\xbfcaf\xe9"), "parse_failed"},
		{"white space", "text", []byte(" \r\n\t"), "parse_failed"},
		{"nothing", "text", nil, "parse_failed"},
		{"PDF", "text", []byte("%PDF-1.7\n"), "unsupported_file_type"},
		{"PNG", "text", []byte("\x89PNG\r\n\x1a\n"), "unsupported_file_type"},
		{"JPEG", "text", []byte("\xff\xd8\xff\xe0"), "unsupported_file_type"},
		{"GIF", "tabular", []byte("GIF89a"), "unsupported_file_type"},
		{"a program for Windows", "text", []byte("MZ\x90\x00\x03\x00"), "unsupported_file_type"},
		{"a program for Linux", "structured", []byte("\x7fELF\x02"), "unsupported_file_type"},
		{"gzip", "tabular", []byte("\x1f\x8b\x08"), "unsupported_file_type"},
		{"a zip as a table", "tabular", []byte("PK\x03\x04\x14"), "unsupported_file_type"},
		{"an old document", "text", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "unsupported_file_type"},
		{"one byte too many", "text", bytes.Repeat([]byte("a"), 5<<20+1), "file_too_large"},
		{"JSON of 100,000 levels", "structured", deep(100_000), "parse_failed"},
		{"JSON of 129 levels", "structured", deep(129), "parse_failed"},
		{"5 MiB of brackets", "structured", bytes.Repeat([]byte("["), 5<<20), "parse_failed"},
		{"JSON that is cut off", "structured", []byte(`{"a": [1, 2`), "parse_failed"},
		{"JSON twice", "structured", []byte(`{} {}`), "parse_failed"},
		{"a control character in JSON", "structured", []byte("\"a\x01\""), "parse_failed"},
		{"a wrong escape", "structured", []byte(`"\x41"`), "parse_failed"},
		{"a number with a zero", "structured", []byte(`[01]`), "parse_failed"},
		{"a comma too many", "structured", []byte(`[1,]`), "parse_failed"},
		{"JavaScript", "structured", []byte(`{a: 1}`), "parse_failed"},
		{"an open quotation mark", "tabular", []byte("a,b\n\"1,2\n" + strings.Repeat("3,4\n", 10_000)), "parse_failed"},
		{"a huge cell", "tabular", []byte("a,b\n1," + strings.Repeat("x", 2<<20)), "parse_failed"},
		{"a huge quoted cell", "tabular", []byte("a,b\n1,\"" + strings.Repeat("x\n", 2<<20)), "parse_failed"},
		{"many cells", "tabular", bytes.Repeat([]byte(","), 5<<20), "parse_failed"},
	}
}

// TestExtractHostile: a file that is made to do harm is refused with its code, within two
// seconds of the processor's time. The plugin has 64 MiB of memory; if it needed more, the code
// would be another.
func TestExtractHostile(t *testing.T) {
	call := reader(t)
	call(t, "text", []byte("the plugin is compiled first"))
	for _, tt := range append(hostileDocuments(t), hostileTexts()...) {
		t.Run(tt.name, func(t *testing.T) {
			began := processorTime(t)
			r := call(t, tt.kind, tt.content)
			took := processorTime(t) - began
			if codeOf(r) != tt.code {
				t.Errorf("code %q, want %q: %v", codeOf(r), tt.code, r.Error)
			}
			if t.Logf("%v, %d bytes: %v", took, len(tt.content), r.Error); took > 2*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// processorTime is how long this process has computed.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	must.Succeed(t, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
