package inspect

import (
	"bytes"
	"errand/planner/message"
)

// others are what is taken for a module by mistake, by how it begins.
var others = []struct{ begins, what string }{
	{"\x1f\x8b", "an archive packed by gzip: errand plugin install takes one; to look inside, unpack it and name its folder"},
	{"PK\x03\x04", "a zip archive: errand plugin install takes one; to look inside, unpack it and name its folder"},
	{"(module", "its text form: assemble it first (wat2wasm FILE.wat -o FILE.wasm)"},
	{"(component", "its text form, of a component; only core modules run here"},
	{"version https://git-lfs", "a pointer of Git LFS to the file: fetch that (git lfs pull)"},
	{"<", "a page or other markup, which a server may have sent in its place: fetch it again"},
}

// notWebAssembly says what a file is instead, where that can be told.
func notWebAssembly(b []byte) error {
	text := bytes.TrimLeft(b[:min(len(b), 4<<10)], " \t\r\n\ufeff")
	for bytes.HasPrefix(text, []byte(";;")) { // comments of the text form
		_, text, _ = bytes.Cut(text, []byte("\n"))
		text = bytes.TrimLeft(text, " \t\r\n")
	}
	for _, o := range others {
		if bytes.HasPrefix(text, []byte(o.begins)) {
			return message.Error("module.not_webassembly_but", "what", o.what)
		}
	}
	return message.Error("module.not_webassembly_it_begins", "value", b[:min(len(b), 4)], "magic", magic)
}
