package plugins_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

const (
	mainType      = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
	relationships = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">%s</Relationships>`
	relationship  = `<Relationship Id="%s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" Target="%s"/>`
	wordNames     = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`
)

// contentTypes is the list of the types in a document whose main part has a type.
func contentTypes(main string) member {
	return member{name: "[Content_Types].xml", content: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="` + main + `"/></Types>`}
}

var mainPart = member{name: "_rels/.rels", content: fmt.Sprintf(relationships, fmt.Sprintf(relationship, "r", "officeDocument", "word/document.xml"))}

// docx is a document with a main part, and other parts beside it.
func docx(t *testing.T, xml string, others ...member) []byte {
	t.Helper()
	return zipOf(t, append([]member{contentTypes(mainType), mainPart, {name: "word/document.xml", content: xml}}, others...)...)
}

// paragraphs is the main part of a document, with something in its body.
func paragraphs(body string) string {
	return `<w:document ` + wordNames + `><w:body>` + body + `</w:body></w:document>`
}

const hello = `<w:p><w:r><w:t>hello</w:t></w:r></w:p>`

// packable is a text of about so many bytes that packs to a ninetieth.
func packable(size int, word string) string {
	r := rand.New(rand.NewPCG(3, 4))
	run := strings.Repeat(word, 256/len(word))
	var b strings.Builder
	for b.Len() < size {
		fmt.Fprintf(&b, "%s%x", run, r.IntN(1<<8))
	}
	return b.String()
}

func utf16Of(s string, order binary.AppendByteOrder) []byte {
	b := order.AppendUint16(nil, 0xfeff)
	for _, c := range s { // of the basic plane
		b = order.AppendUint16(b, uint16(c))
	}
	return b
}
