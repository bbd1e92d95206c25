package rights

import (
	"encoding/json"
	"strings"

	"errand/host/tool"
	"errand/host/wasm/manifest"
)

// part is a property of a tool that lets it run, or be believed, beyond the calls of its
// class.
type part struct {
	level, code string // of [Part], and of the message that describes it
	has         func(t manifest.Tool) bool
}

var toolParts = []part{
	{"preview", "rights.part_preview", func(t manifest.Tool) bool { return t.Preview != "" }},
	{"reconcile", "rights.part_reconcile", func(t manifest.Tool) bool { return t.Reconcile != "" }},
	{"reversible", "rights.part_reversible", func(t manifest.Tool) bool { return t.Reversible }},
	{"replaces", "rights.part_replaces", func(t manifest.Tool) bool { return t.Replaces != "" }},
	{"retries", "rights.part_retries", func(t manifest.Tool) bool { return t.RetryProfile != tool.RetryNone && t.RetryProfile != "" }},
}

// phraseName returns the text of a phrase on one line, and its constants.
func phraseName(p manifest.Phrase) string {
	name := strings.Join(strings.Fields(p.Text), " ")
	if len(p.Args) == 0 {
		return name
	}
	constants, err := json.Marshal(p.Args)
	if err != nil { // the manifest permits numbers, booleans and texts
		return name
	}
	return name + " " + string(constants)
}
