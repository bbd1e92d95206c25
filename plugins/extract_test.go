package plugins_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
)

// TestExtractWord: what a person sees of a document is its text, and nothing else is.
func TestExtractWord(t *testing.T) {
	run := func(text string) string { return `<w:r><w:t>` + text + `</w:t></w:r>` }
	p := func(inner string) string { return `<w:p>` + inner + `</w:p>` }
	cell := func(inner string) string { return `<w:tc><w:tcPr><w:tcW w:w="1"/></w:tcPr>` + inner + `</w:tc>` }
	box := `<w:txbxContent>` + p(run("boxed")) + `</w:txbxContent>`
	call := reader(t)
	for _, tt := range []struct{ name, body, want string }{
		{"paragraphs", p(run("a")) + p("") + p(run("b")), "a\n\nb"},
		{"tabs and breaks", p(`<w:pPr><w:tabs><w:tab w:val="left" w:pos="5"/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:cr/><w:t>d</w:t><w:ptab/><w:t>e</w:t></w:r>`), "a\tb\nc\nd\te"},
		{"hyphens", p(`<w:r><w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t><w:softHyphen/><w:t>c</w:t></w:r>`), "a\u2011bc"},
		{"white space", p(`<w:r><w:t> a </w:t></w:r><w:r><w:t xml:space="preserve"> b` + "\n" + `c</w:t></w:r>`), "a b c"},
		{"inserted and deleted", p(run("a") + `<w:ins>` + run("b") + `</w:ins><w:del><w:r><w:delText>c</w:delText><w:tab/></w:r></w:del>`), "ab"},
		{"moved", p(`<w:moveFrom>` + run("a") + `</w:moveFrom>` + run("b") + `<w:moveTo>` + run("a") + `</w:moveTo>`), "ba"},
		{"the deleted end of a paragraph", p(`<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>`+run("a")) + p(run("b")), "ab"},
		{"a deleted row", `<w:tbl><w:tr>` + cell(p(run("a"))) + `</w:tr><w:tr><w:trPr><w:del/></w:trPr>` + cell(p(`<w:del><w:r><w:delText>b</w:delText></w:r></w:del>`)) + cell(p("")) + `</w:tr></w:tbl>` + p(run("c")), "a\nc"},
		{"hidden", p(`<w:r><w:rPr><w:vanish/></w:rPr><w:t>a</w:t></w:r><w:r><w:rPr><w:vanish w:val="false"/></w:rPr><w:t>b</w:t></w:r>` + run("c")), "bc"},
		{"a hidden mark of a paragraph", p(`<w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>` + run("a")), "a"},
		{"a field", p(run("on ") + `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>DATE</w:instrText></w:r>` + run("code") + `<w:r><w:fldChar w:fldCharType="separate"/></w:r>` + run("4 May") + `<w:r><w:fldChar w:fldCharType="end"/></w:r>` + run(".")), "on4 May."},
		{"a field in a field", p(`<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>` + run("1") + `<w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>` + run("yes") + `<w:r><w:fldChar w:fldCharType="end"/></w:r>`), "yes"},
		{"a simple field", p(`<w:fldSimple w:instr="PAGE">` + run("7") + `</w:fldSimple>`), "7"},
		{"links, tags and controls", p(`<w:hyperlink r:id="r1">`+run("a")+`</w:hyperlink><w:smartTag>`+run("b")+`</w:smartTag>`) + `<w:sdt><w:sdtPr><w:alias w:val="x"/></w:sdtPr><w:sdtContent>` + p(run("c")) + `</w:sdtContent></w:sdt>`, "ab\nc"},
		{"a table", `<w:tbl><w:tblPr/><w:tblGrid/><w:tr>` + cell(p(run("a"))) + cell(p(run("b"))) + `</w:tr><w:tr>` + cell(p("")) + cell(p(run("c"))+p(run("d"))) + `</w:tr></w:tbl>`, "a\tb\n\tc d"},
		{"a table in a table", `<w:tbl><w:tr>` + cell(`<w:tbl><w:tr>`+cell(p(run("a")))+cell(p(run("b")))+`</w:tr><w:tr>`+cell(p(run("c")))+`</w:tr></w:tbl>`+p("")) + cell(p(run("d"))) + `</w:tr></w:tbl>`, "a b c \td"},
		{"a text box", p(run("a")+`<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>`+box+`</w:drawing></mc:Choice><mc:Fallback><w:pict>`+box+`</w:pict></mc:Fallback></mc:AlternateContent></w:r>`+run("b")) + p(run("c")), "ab\nboxed\nc"},
		{"an old text box", p(`<w:r><w:pict>` + box + `</w:pict></w:r>` + run("a")), "a\nboxed"},
		{"text of other kinds", p(`<w:r><w:drawing><a:t>drawn</a:t></w:drawing><x:t>other</x:t><w:object><w:t>embedded</w:t></w:object></w:r>` + run("a")), "a"},
		{"ruby", p(`<w:r><w:ruby><w:rt>` + run("kan") + `</w:rt><w:rubyBase>` + run("漢") + `</w:rubyBase></w:ruby></w:r>`), "漢"},
		{"symbols", p(`<w:r><w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:font="Symbol" w:char="F063"/><w:sym w:char="2122"/></w:r>`), "✓™"},
		{"a formula", p(`<m:oMath><m:f><m:fPr/><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath>`), "a/b"},
		{"references and sections", p(`<w:r><w:t>a &lt;b&gt; &amp; &#x1F331;&#233;</w:t></w:r><w:r><w:t><![CDATA[<c>]]></w:t></w:r>`), "a <b> & 🌱é<c>"},
		{"comments and instructions", `<!-- <w:p/> --><?x y?>` + p(run("a<!-- > -->b")), "ab"},
		{"nothing after the mark of a note", p(`<w:r><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> </w:t></w:r>` + run("a")), "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			names := ` xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:a="urn:a" xmlns:x="urn:x" xmlns:r="urn:r">`
			body := strings.Replace(paragraphs(tt.body), ">", names, 1)
			r := call(t, "document", docx(t, body))
			if !r.OK {
				t.Fatal(r.Error)
			}
			if d := cmp.Diff(tt.want, r.Payload.(map[string]any)["text"]); d != "" {
				t.Errorf("text (-want +got):\n%s", d)
			}
		})
	}
}

// TestExtractSections: the parts of a document follow each other, each once. The prefix of a
// namespace may be any.
func TestExtractSections(t *testing.T) {
	part := func(element, text string) string {
		return `<` + element + ` xmlns="http://purl.oclc.org/ooxml/wordprocessingml/main"><p><r><t>` + text + `</t></r></p></` + element + `>`
	}
	relation := func(id, kind, target string) string { return fmt.Sprintf(relationship, id, kind, target) }
	notes := `<x:footnotes xmlns:x="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><x:footnote x:type="separator"><x:p><x:r><x:t>---</x:t></x:r></x:p></x:footnote><x:footnote x:id="1"><x:p><x:r><x:t>note</x:t></x:r></x:p></x:footnote></x:footnotes>`
	content := docx(t, part("document", "main"),
		member{name: "word/_rels/document.xml.rels", content: fmt.Sprintf(relationships, relation("1", "footnotes", "footnotes.xml")+relation("2", "header", "header10.xml")+relation("3", "header", "header2.xml")+
			relation("4", "header", "/word/header3.xml")+relation("5", "footer", "./footer1.xml")+relation("6", "header", "gone.xml")+`<Relationship Id="7" Type="x/header" Target="http://localhost/h.xml" TargetMode="External"/>`)},
		member{name: "word/header10.xml", content: part("hdr", "ten")}, member{name: "word/header2.xml", content: part("hdr", "two")}, member{name: "word/header3.xml", content: part("hdr", "two")},
		member{name: "word/footer1.xml", content: part("ftr", "foot")}, member{name: "word/footnotes.xml", content: notes}, member{name: "word/comments.xml", content: part("comments", "secret")},
		member{name: "word/header4.xml", content: part("hdr", "of nothing")})
	r := reader(t)(t, "document", content)
	if !r.OK {
		t.Fatal(r.Error)
	}
	got := r.Payload.(map[string]any)
	if d := cmp.Diff("main\n\ntwo\n\nten\n\nfoot\n\nnote", got["text"]); d != "" {
		t.Errorf("text (-want +got):\n%s", d)
	}
	section := func(kind string, start, end float64) any { return args("kind", kind, "start", start, "end", end) }
	if d := cmp.Diff([]any{section("document", 0, 4), section("header", 6, 9), section("header", 11, 14), section("footer", 16, 20), section("footnotes", 22, 26)}, got["sections"]); d != "" {
		t.Errorf("sections (-want +got):\n%s", d)
	}
}

// TestExtractTexts: texts, JSON and tables, with what is noted about them.
func TestExtractTexts(t *testing.T) {
	rows := strings.Repeat("1,2\n", 30)
	call := reader(t)
	for _, tt := range []struct {
		name, kind, content, want string
		tags                      []any
		notes                     int
	}{
		{name: "line ends", kind: "text", content: "a\r\nb\rc\n", want: "a\nb\nc\n"},
		{name: "UTF-8 with a mark", kind: "text", content: "\ufeffé", want: "é"},
		{name: "UTF-16", kind: "text", content: string(utf16Of("Привет", binary.LittleEndian)), want: "Привет"},
		{name: "UTF-16, the other order", kind: "text", content: string(utf16Of("Привет", binary.BigEndian)), want: "Привет"},
		{name: "Latin-1", kind: "text", content: "caf\xe9 \x80", want: "café \u0080", tags: []any{"encoding:latin-1"}, notes: 1},
		{name: "control characters in UTF-8", kind: "text", content: "\x1b[1mé", want: "\x1b[1mé"},
		{name: "the letters of a program", kind: "text", content: "MZ is short", want: "MZ is short"},
		{name: "a sign for what can't be read", kind: "text", content: "\ufffd", want: "\ufffd"},
		{name: "numbers and order", kind: "structured", content: `{"b":1.50,"a":[-0,1E+2]}`, want: "{\n  \"b\": 1.50,\n  \"a\": [\n    -0,\n    1E+2\n  ]\n}"},
		{name: "escapes", kind: "structured", content: `"\u041f\ud83c\udf31\/\"\\\n\u0001\ud83c\u0022\ufffd"`, want: `"П🌱/\"\\\n\u0001\ud83c\u0022\ufffd"`},
		{name: "members of one name", kind: "structured", content: `{"a":1,"a":2}`, want: "{\n  \"a\": 1,\n  \"a\": 2\n}"},
		{name: "128 levels", kind: "structured", content: strings.Repeat("[", 128) + strings.Repeat("]", 128), want: nested(128)},
		{name: "quotes", kind: "tabular", content: "a,\"b \"\"c\"\"\",\"d,e\"\n\"f\ng\",h,\"\"\n", want: "a,\"b \"\"c\"\"\",\"d,e\"\n\"f\ng\",h,\n"},
		{name: "no line end at the end", kind: "tabular", content: "a,b", want: "a,b\n"},
		{name: "a line that names the separator", kind: "tabular", content: "sep=;\na,b;c\n", want: "\"a,b\",c\n"},
		{name: "tabs", kind: "tabular", content: "a\tb, c\td\n1\t2\t3\n", want: "a,\"b, c\",d\n1,2,3\n"},
		{name: "quotes in a cell", kind: "tabular", content: "5\" disk,\"a\"b\n", want: "\"5\"\" disk\",ab\n"},
		{name: "twenty notes", kind: "tabular", content: "a\n" + rows, want: "a\n" + rows, notes: 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := call(t, tt.kind, []byte(tt.content))
			if !r.OK {
				t.Fatal(r.Error)
			}
			got := r.Payload.(map[string]any)
			if d := cmp.Diff(tt.want, got["text"]); d != "" {
				t.Errorf("text (-want +got):\n%s", d)
			}
			if tt.tags == nil {
				tt.tags = []any{}
			}
			if d := cmp.Diff(tt.tags, got["tags"]); d != "" || len(got["diagnostics"].([]any)) != tt.notes {
				t.Errorf("tags %v, notes %v", got["tags"], got["diagnostics"])
			}
		})
	}
}

// nested is an empty array in so many others, indented.
func nested(levels int) string {
	var b strings.Builder
	for i := range levels - 1 {
		b.WriteString("[\n" + strings.Repeat("  ", i+1))
	}
	b.WriteString("[]")
	for i := levels - 2; i >= 0; i-- {
		b.WriteString("\n" + strings.Repeat("  ", i) + "]")
	}
	return b.String()
}

// TestExtractPlaces: an error says where in the file it is, in bytes of the file.
func TestExtractPlaces(t *testing.T) {
	call := reader(t)
	for _, tt := range []struct {
		name, kind, content  string
		line, column, offset float64
	}{
		{"cut off", "structured", "{\n  \"é\": [1", 2, 10, 12},
		{"with a mark", "structured", "\ufeff[1 2]", 1, 4, 6},
		{"in UTF-16", "structured", string(utf16Of("[\"я\" 2]", binary.LittleEndian)), 1, 6, 12},
		{"in Latin-1", "structured", "[\"\xe9\" 2]", 1, 6, 5},
		{"after a character of two halves", "structured", "[\"🌱\" 2]", 1, 6, 8},
		{"a quotation mark", "tabular", "a,b\r\n1,\"2", 2, 3, 7},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := call(t, tt.kind, []byte(tt.content))
			if codeOf(r) != "parse_failed" || !r.Error.Recoverable {
				t.Fatalf("%v, %+v", r.Payload, r.Error)
			}
			want := []any{tt.line, tt.column, tt.offset}
			p := r.Error.Message.Params
			if d := cmp.Diff(fmt.Sprint(want), fmt.Sprint([]any{p["line"], p["column"], p["offset"]})); d != "" {
				t.Errorf("place (-want +got):\n%s", d)
			}
		})
	}
}

// TestExtractIsBounded: small files whose text would be large are cut, and so are large ones.
func TestExtractIsBounded(t *testing.T) {
	call := reader(t)
	wide := strings.Repeat("[", 127) + strings.Repeat("1,", 2<<20) + "1" + strings.Repeat("]", 127)
	for _, tt := range []struct{ name, kind, content string }{
		{"indented JSON", "structured", wide},
		{"5 MiB of Latin-1", "text", strings.Repeat("\xe9", 5<<20)},
		{"5 MiB of UTF-16", "text", "\xff\xfe" + strings.Repeat("\x00\x4e", 5<<19-1)},
		{"a table of commas", "tabular", strings.Repeat("a,b\n", 5<<18)},
		{"a long document", "document", string(docx(t, paragraphs("<w:p><w:r><w:t>"+packable(10<<20, "long ")+"</w:t></w:r></w:p>")))},
	} {
		for _, most := range []int{1000, 1_000_000} {
			r := call(t, tt.kind, []byte(tt.content), "max_chars", most)
			checkExtracted(t, tt.kind, []byte(tt.content), most, r)
			if !r.OK || r.Payload.(map[string]any)["truncated"] != true {
				t.Errorf("%s, %d characters: %v", tt.name, most, r.Error)
			}
		}
	}
}

// TestExtractPaths: a file is read by its name, in the granted folders alone.
func TestExtractPaths(t *testing.T) {
	root, call := desk(t)
	outside := filepath.Join(t.TempDir(), "secret.txt")
	write(t, outside, "secret")
	must.Succeed(t, os.Symlink(outside, filepath.Join(root, "link.txt")))
	write(t, filepath.Join(root, "A.JSON"), "[1]")
	write(t, filepath.Join(root, "a.pdf"), "text")
	write(t, filepath.Join(root, "large.txt"), strings.Repeat("a", 5<<20+1))
	must.Succeed(t, os.Mkdir(filepath.Join(root, "folder.txt"), 0o700))
	for _, tt := range []struct{ path, kind, code string }{
		{filepath.Join(root, "A.JSON"), "", ""},
		{filepath.Join(root, "a.pdf"), "", "unsupported_file_type"},
		{filepath.Join(root, "a.pdf"), "text", ""},
		{filepath.Join(root, "large.txt"), "", "file_too_large"},
		{filepath.Join(root, "folder.txt"), "", "not_a_file"},
		{filepath.Join(root, "none.txt"), "", "not_found"},
		{filepath.Join(root, "link.txt"), "", "not_permitted"},
		{outside, "", "path_outside_roots"},
	} {
		pairs := []any{"path", tt.path}
		if tt.kind != "" {
			pairs = append(pairs, "kind", tt.kind)
		}
		if r := call("extract.text", pairs...); codeOf(r) != tt.code {
			t.Errorf("%s: %v, want %q", tt.path, r.Error, tt.code)
		}
	}
}
