package inspect

import (
	"bytes"

	"errand/planner/message"
)

// otherFormats has formats that are often mistaken for modules, by their first bytes.
var otherFormats = []struct{ begins, code string }{
	{"\x1f\x8b", "module.is_gzip"},
	{"PK\x03\x04", "module.is_zip"},
	{"(module", "module.is_text_form"},
	{"(component", "module.is_component_text"},
	{"version https://git-lfs", "module.is_lfs_pointer"},
	{"<", "module.is_markup"},
}

// notWebAssembly returns the error for a file that is not a module. It names the format
// if that is known.
func notWebAssembly(b []byte) error {
	text := bytes.TrimLeft(b[:min(len(b), 4<<10)], " \t\r\n\ufeff")
	for bytes.HasPrefix(text, []byte(";;")) { // comments of the text form
		_, text, _ = bytes.Cut(text, []byte("\n"))
		text = bytes.TrimLeft(text, " \t\r\n")
	}
	for _, o := range otherFormats {
		if bytes.HasPrefix(text, []byte(o.begins)) {
			return message.Error(o.code)
		}
	}
	return message.Error("module.not_webassembly", "start", b[:min(len(b), 4)], "magic", magic)
}
