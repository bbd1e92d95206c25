// Package manifest reads plugin.toml, which describes a plugin, its tools and what
// it needs. Reading is strict: an unknown key is an error with its line and the
// nearest name. An ambiguous value is an error too.
package manifest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"

	"github.com/pelletier/go-toml/v2"

	"errand/host/tool"
	"errand/host/tool/keyline"
	"errand/planner/message"
)

// File is the name of the manifest in a plugin's folder.
const File = "plugin.toml"

// MaxSize is the maximum size of a manifest in bytes.
const MaxSize = 1 << 20

// Manifest is a valid plugin.toml with defaults filled in.
type Manifest struct {
	Schema      int    `toml:"schema" json:"schema"` // 1
	ID          string `toml:"id" json:"id"`         // [a-z][a-z0-9-]{0,31}
	Version     string `toml:"version" json:"version"`
	Description string `toml:"description" json:"description"`
	Module      string `toml:"module" json:"module"`           // file beside the manifest
	SHA256      string `toml:"sha256" json:"sha256,omitempty"` // of the module, in hex; empty: not pinned
	ABI         ABI    `toml:"abi" json:"abi"`                 // wasi | extism | hyper-mcp
	State       State  `toml:"state" json:"state"`
	// Warmup is an exported function of type () or () -> i32. It runs once, before
	// the snapshot that each call starts from. It may be ""; it needs abi extism
	// and state fresh.
	Warmup string            `toml:"warmup" json:"warmup,omitempty"`
	Hosts  []string          `toml:"hosts" json:"hosts"` // patterns
	Paths  []Path            `toml:"paths" json:"paths"`
	Limits Limits            `toml:"limits" json:"limits"`
	Config map[string]Config `toml:"config" json:"config"`
	Tools  []Tool            `toml:"tool" json:"tools"`
	// Phrases call tools in words, where the program's own grammar reads nothing.
	Phrases []Phrase `toml:"phrases" json:"phrases,omitempty"`
}

// ABI is the interface between module and host.
type ABI string

// ABIs.
const (
	WASI   ABI = "wasi"   // a command, JSON on its standard input and output
	Extism ABI = "extism" // functions, as under any Extism host

	// HyperMCP is the Extism ABI with functions that list and call tools of the
	// Model Context Protocol. A tool's function is the plugin's own name for it.
	HyperMCP ABI = "hyper-mcp"
)

// State is whether state is kept between calls.
type State string

// States.
const (
	Fresh  State = "fresh"  // each call begins with a new instance
	Sticky State = "sticky" // calls share an instance, one after the other, until one fails
)

// Path is a set of folders that the plugin requests.
type Path struct {
	Root string `toml:"root" json:"root"` // key of the user's config, or a folder granted at installation
	Mode string `toml:"mode" json:"mode"` // ro | rw; ro where nothing is said, and for every tool of class read
	// Quota limits the bytes that one call may write below the root, and MaxFile
	// the size of each file. Defaults are 1 GiB and 256 MiB, or the quota if that
	// is less. Both are 0 for a read-only root.
	Quota   Size `toml:"quota" json:"quota,omitempty"`
	MaxFile Size `toml:"max_file" json:"max_file,omitempty"`
}

// Limits apply to one call. Except for Fuel, an explicit 0 is refused, because it
// could mean "nothing" or "default".
type Limits struct {
	Memory       Size `toml:"memory" json:"memory"`               // bytes of linear memory; 64 MiB where nothing is said
	TimeoutMS    int  `toml:"timeout_ms" json:"timeout_ms"`       // of tools that say nothing themselves; 30,000 where nothing is said
	Output       Size `toml:"output" json:"output"`               // bytes of output; 1 MiB where nothing is said
	Fuel         int  `toml:"fuel" json:"fuel"`                   // WebAssembly instructions, about; 0: no budget beyond the deadline
	HTTPBody     Size `toml:"http_body" json:"http_body"`         // bytes of one response's body; 50 MiB where nothing is said
	HTTPRequests int  `toml:"http_requests" json:"http_requests"` // 100 where nothing is said
	Vars         Size `toml:"vars" json:"vars"`                   // bytes of all variables, names included; 1 MiB where nothing is said
	LogLines     int  `toml:"log_lines" json:"log_lines"`         // a call may log; 1,000 where nothing is said
	Instances    int  `toml:"instances" json:"instances"`         // calls at the same time, not a limit of one call; default 4
	OpenFiles    int  `toml:"open_files" json:"open_files"`       // files and folders open at once; 256 where nothing is said
}

// Config is a setting for the user.
type Config struct {
	Type    string   `toml:"type" json:"type"` // string | int | bool | secret
	Default any      `toml:"default" json:"default,omitempty"`
	Hosts   []string `toml:"hosts" json:"hosts,omitempty"` // where a secret may be sent
}

// Tool is one tool of the plugin. Its class is enforced: for a tool of class read,
// folders are read-only whatever [Path].Mode says, and HTTP allows only GET and
// HEAD. A sticky plugin keeps one instance for its read tools and one for the
// others.
type Tool struct {
	Name            string               `toml:"name" json:"name"`                   // the plugin's id, or "<id>." and more
	Function        string               `toml:"function" json:"function,omitempty"` // exported function (abi extism), the plugin's own name for the tool (hyper-mcp)
	Description     string               `toml:"description" json:"description"`
	SideEffectClass tool.SideEffectClass `toml:"side_effect_class" json:"side_effect_class"`
	Effect          tool.Effect          `toml:"effect" json:"effect"`
	RetryProfile    tool.RetryProfile    `toml:"retry_profile" json:"retry_profile"`
	TimeoutMS       int                  `toml:"timeout_ms" json:"timeout_ms,omitempty"` // 0: limits.timeout_ms
	CanAchieve      []string             `toml:"can_achieve" json:"can_achieve"`
	Requires        []string             `toml:"requires" json:"requires"`
	Effects         []string             `toml:"effects" json:"effects"`
	Reversible      bool                 `toml:"reversible" json:"reversible,omitempty"` // its answers say how to take the call back
	Reconcile       string               `toml:"reconcile" json:"reconcile,omitempty"`   // the entry that reports the outcome of a call: a tool, a name (wasi), a function (extism)
	Preview         string               `toml:"preview" json:"preview,omitempty"`       // the plugin's read tool that lists what a call would use, before it is approved
	Untrusted       bool                 `toml:"untrusted" json:"untrusted,omitempty"`   // what it answers may be the words of others; see [Manifest.Spec]
	ArgsSchema      string               `toml:"args_schema" json:"args_schema"`
	// Writes are the arguments with the paths that a call changes, or only
	// [tool.AnyPath]. Nil means every argument that is a path, see [Manifest.Spec].
	Writes []string `toml:"writes" json:"writes,omitempty"`
	// WritesItself are those arguments of Writes of whose paths a call changes nothing below.
	WritesItself []string `toml:"writes_itself" json:"writes_itself,omitempty"`
	// ReadsItself are arguments that aren't in Writes, of whose paths a call reads nothing
	// below. Only a bundled plugin's count.
	ReadsItself []string `toml:"reads_itself" json:"reads_itself,omitempty"`
	// Replaces is the boolean argument that lets a call replace files in Writes, see
	// [Tool.MayReplace]. The files that it would replace are shown before approval.
	Replaces string `toml:"replaces" json:"replaces,omitempty"`
	// Argv makes the tool an existing WASI command, see [Tool.CommandLine]: its arguments
	// after the program's name, and its standard input, with placeholders. Nil: the command
	// reads and writes Errand's JSON.
	Argv      []string `toml:"argv" json:"argv,omitempty"`
	Stdin     string   `toml:"stdin" json:"stdin,omitempty"`
	Stdout    string   `toml:"stdout" json:"stdout,omitempty"`         // text | json; text where nothing is said
	ExitCodes []int    `toml:"exit_codes" json:"exit_codes,omitempty"` // of a success, beside 0
	Cases     []Case   `toml:"case" json:"cases"`
}

// Parse parses and validates a manifest. It reports all errors, each on its own
// line that starts with the line number in the manifest. A syntax error is
// reported alone. A byte order mark is permitted.
func Parse(b []byte) (Manifest, error) {
	if len(b) > MaxSize {
		return Manifest{}, message.Error("manifest.too_long", "file", File, "limit", MaxSize)
	}
	if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) {
		return Manifest{}, message.Error("manifest.utf16", "file", File)
	}
	b = bytes.TrimPrefix(b, keyline.Mark)
	if err := keyline.CheckLength(b); err != nil {
		return Manifest{}, err
	}
	m, taken, meant, err := decode(b)
	if err != nil {
		return Manifest{}, err
	}
	at := keyline.Lines(b)
	faults := m.zeros(at)
	m.fill()
	faults = append(append(faults, m.check()...).omitRemoved(append(meant, taken...)), taken...)
	if len(faults) > 0 {
		return Manifest{}, faults.joinErrors(at, b)
	}
	return m, nil
}

// decode decodes a manifest. It returns the removed values with unknown keys or
// wrong types as taken, and the keys that were probably misspelled as meant.
func decode(b []byte) (m Manifest, taken, meant problems, err error) {
	strict := toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields().Decode(&m)
	var doc map[string]any
	if err := toml.Unmarshal(b, &doc); err != nil {
		return m, nil, nil, explain(err)
	}
	var t typeChecker
	t.table(place{}, reflect.TypeFor[Manifest](), doc)
	if strict == nil && len(t.problems) == 0 { // the decoder accepts a number as a size
		return m, nil, nil, nil
	}
	m = Manifest{}
	rest, err := toml.Marshal(doc)
	if err == nil {
		err = toml.Unmarshal(rest, &m)
	}
	if err != nil && len(t.problems) == 0 {
		return m, nil, nil, explain(err)
	}
	return m, t.problems, t.misspelled, nil
}

// TimeoutMS returns the time limit of the tool's calls in milliseconds.
func (m *Manifest) TimeoutMS(t Tool) int { return cmp.Or(t.TimeoutMS, m.Limits.TimeoutMS) }

// Spec returns the tool's spec. The caller adds further hosts and paths. A tool of
// a plugin with hosts, or of class read of a plugin with folders, is always
// untrusted, because its answers may contain others' content.
func (m *Manifest) Spec(t Tool) tool.Spec {
	return tool.Spec{
		Name: t.Name, Description: t.Description, ArgsSchema: json.RawMessage(t.ArgsSchema),
		TimeoutMS: m.TimeoutMS(t), RetryProfile: t.RetryProfile, SideEffectClass: t.SideEffectClass, Effect: t.Effect,
		CanAchieve: t.CanAchieve, Requires: t.Requires, Effects: t.Effects, Hosts: m.Hosts, Reversible: t.Reversible,
		Writes: m.writtenArgs(t), Reach: t.reach(),
		Untrusted: t.Untrusted || len(m.Hosts) > 0 || len(m.Paths) > 0 && t.SideEffectClass == tool.Read,
		Source:    "plugin:" + m.ID, Version: m.Version, Digest: m.SHA256,
	}.WithDefaults()
}
