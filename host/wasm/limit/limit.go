// Package limit has the limits of the lists and texts that a plugin provides: in its
// answers, its list of tools and its manifest. The plugin's limit of output bounds texts
// that are not listed here, such as the payload and the text of a content block.
package limit

import "errand/planner/message"

// Limit is the maximum length of a list in items, or of a text in bytes.
type Limit struct {
	Field string // its place, for the plugin's author
	Most  int
	Bytes bool // Most counts bytes, not items
}

// Limits of an answer.
var (
	Facts     = Limit{Field: "facts", Most: 1000}
	Fact      = Limit{Field: "facts[]", Most: 8 << 10, Bytes: true} // more than a path can have
	FactBytes = Limit{Field: "facts", Most: 256 << 10, Bytes: true}
	Undo      = Limit{Field: "undo", Most: 1 << 20, Bytes: true} // an undo may name each of 2,000 files
	Content   = Limit{Field: "content", Most: 1000}
	// BlockField applies to each text of a content block that describes its content: the
	// URI, name, title, description and MIME type.
	BlockField = Limit{Field: "content[]", Most: 8 << 10, Bytes: true}
)

// PreviewEntries is how many entries of a preview's list are looked at. A longer list counts
// as incomplete.
const PreviewEntries = 10_000

// Limits of a plugin's own list of tools.
var (
	Tools       = Limit{Field: "tools", Most: 128}
	ToolName    = Limit{Field: "tools[].name", Most: 256, Bytes: true}
	InputSchema = Limit{Field: "tools[].inputSchema", Most: 128 << 10, Bytes: true}
)

// Limits of a manifest.
var (
	Hosts         = Limit{Field: "hosts", Most: 200}
	Paths         = Limit{Field: "paths", Most: 64}
	Config        = Limit{Field: "config", Most: 100}
	ConfigHosts   = Limit{Field: "config.*.hosts", Most: 200}
	ManifestTools = Limit{Field: "tool", Most: 128}
	CanAchieve    = Limit{Field: "tool.can_achieve", Most: 100}
	Requires      = Limit{Field: "tool.requires", Most: 100}
	Effects       = Limit{Field: "tool.effects", Most: 100}
	Writes        = Limit{Field: "tool.writes", Most: 100}
	Argv          = Limit{Field: "tool.argv", Most: 256}
	ExitCodes     = Limit{Field: "tool.exit_codes", Most: 255}
	Cases         = Limit{Field: "tool.case", Most: 500}

	Phrases        = Limit{Field: "phrases", Most: 50}
	PhraseExamples = Limit{Field: "phrases.examples", Most: 10}
	// Of one text; a longer one is an error of its phrase.
	PhraseExample  = Limit{Field: "phrases.examples[]", Most: 300, Bytes: true}
	PhraseConstant = Limit{Field: "phrases.args.*", Most: 200, Bytes: true}
)

// All lists the limits.
var All = []Limit{
	Facts, Fact, FactBytes, Undo, Content, BlockField,
	Tools, ToolName, InputSchema,
	Hosts, Paths, Config, ConfigHosts, ManifestTools, CanAchieve, Requires, Effects, Writes, Argv, ExitCodes, Cases,
	Phrases, PhraseExamples,
}

// Check returns an error if n items or bytes are too many.
func (l Limit) Check(n int) error {
	switch {
	case n <= l.Most:
		return nil
	case l.Bytes:
		return message.Error("plugin.too_many_bytes", "field", l.Field, "size", n, "limit", l.Most)
	}
	return message.Error("plugin.too_many_items", "field", l.Field, "count", n, "limit", l.Most)
}
