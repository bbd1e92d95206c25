// Package manifest reads plugin.toml, in which a plugin says what it is, which
// tools it offers and what it needs. Reading is strict: an unknown key is an
// error with its line and the nearest name, and so is every value that could
// be taken in two ways.
package manifest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/pelletier/go-toml/v2"

	"errand/host/tool"
	"errand/host/tool/keyline"
)

// File is the manifest's name in a plugin's folder.
const File = "plugin.toml"

// MaxSize is the most bytes of a manifest.
const MaxSize = 1 << 20

// Manifest is a plugin.toml, checked and with its defaults filled in.
type Manifest struct {
	Schema      int    `toml:"schema" json:"schema"` // 1
	ID          string `toml:"id" json:"id"`         // [a-z][a-z0-9-]{0,31}
	Version     string `toml:"version" json:"version"`
	Description string `toml:"description" json:"description"`
	Module      string `toml:"module" json:"module"`           // file beside the manifest
	SHA256      string `toml:"sha256" json:"sha256,omitempty"` // of the module, in hex; empty: not pinned
	ABI         ABI    `toml:"abi" json:"abi"`                 // wasi | extism | hyper-mcp
	State       State  `toml:"state" json:"state"`
	// Warmup is an exported function of () or () -> i32 that runs once, before the
	// state is kept that each call begins with. "" for none; abi extism, state fresh.
	Warmup string            `toml:"warmup" json:"warmup,omitempty"`
	Hosts  []string          `toml:"hosts" json:"hosts"` // patterns
	Paths  []Path            `toml:"paths" json:"paths"`
	Limits Limits            `toml:"limits" json:"limits"`
	Config map[string]Config `toml:"config" json:"config"`
	Tools  []Tool            `toml:"tool" json:"tools"`
}

// ABI is the way in which the module talks with its host.
type ABI string

// ABIs.
const (
	WASI   ABI = "wasi"   // a command, JSON on its standard input and output
	Extism ABI = "extism" // functions, as under any Extism host

	// HyperMCP is Extism's, with functions that list and call tools of the Model
	// Context Protocol. A tool's function is the plugin's own name for it.
	HyperMCP ABI = "hyper-mcp"
)

// State says what is kept between two calls.
type State string

// States.
const (
	Fresh  State = "fresh"  // each call begins with a new instance
	Sticky State = "sticky" // calls share an instance, one after the other, until one fails
)

// Path is a set of folders that the plugin asks for.
type Path struct {
	Root string `toml:"root" json:"root"` // key of the person's config, or a folder granted at installation
	Mode string `toml:"mode" json:"mode"` // ro | rw; ro where nothing is said, and for every tool of class read
	// Quota is the most bytes that one call may write below the root, and MaxFile
	// the size that no file may grow beyond; 1 GiB and 256 MiB (or the quota, where
	// that is less) where nothing is said. Both are 0 for a root that is ro.
	Quota   Size `toml:"quota" json:"quota,omitempty"`
	MaxFile Size `toml:"max_file" json:"max_file,omitempty"`
}

// Limits bound one call. An explicit 0 is refused for all but Fuel: it could be
// taken for "none" and for "whatever is usual".
type Limits struct {
	Memory       Size `toml:"memory" json:"memory"`               // bytes of linear memory; 64 MiB where nothing is said
	TimeoutMS    int  `toml:"timeout_ms" json:"timeout_ms"`       // of tools that say nothing themselves; 30,000 where nothing is said
	Output       Size `toml:"output" json:"output"`               // bytes of output; 1 MiB where nothing is said
	Fuel         int  `toml:"fuel" json:"fuel"`                   // WebAssembly instructions, about; 0: no budget beyond the deadline
	HTTPBody     Size `toml:"http_body" json:"http_body"`         // bytes of one response's body; 50 MiB where nothing is said
	HTTPRequests int  `toml:"http_requests" json:"http_requests"` // 100 where nothing is said
	Vars         Size `toml:"vars" json:"vars"`                   // bytes of all variables, names included; 1 MiB where nothing is said
	LogLines     int  `toml:"log_lines" json:"log_lines"`         // a call may log; 1,000 where nothing is said
	Instances    int  `toml:"instances" json:"instances"`         // calls side by side, which is no bound of one call; 4 where nothing is said
	OpenFiles    int  `toml:"open_files" json:"open_files"`       // files and folders open at once; 256 where nothing is said
}

// Config is a value that the person may set.
type Config struct {
	Type    string   `toml:"type" json:"type"` // string | int | bool | secret
	Default any      `toml:"default" json:"default,omitempty"`
	Hosts   []string `toml:"hosts" json:"hosts,omitempty"` // where a secret may be sent
}

// Tool is one tool that the plugin offers. What its class says is held: a tool
// of class read finds its folders read-only, whatever [Path].Mode says, and may
// only get and head over HTTP. A sticky plugin keeps one instance for its read
// tools and one for the others.
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
	Reconcile       string               `toml:"reconcile" json:"reconcile,omitempty"`   // the entry that says what came of a call: a tool, a name (wasi), a function (extism)
	Untrusted       bool                 `toml:"untrusted" json:"untrusted,omitempty"`   // what it answers may be the words of others; see [Manifest.Spec]
	ArgsSchema      string               `toml:"args_schema" json:"args_schema"`
	Cases           []Case               `toml:"case" json:"cases"`
}

// Parse reads and checks a manifest. All faults are reported together, each on
// a line of its own that begins with the line of the manifest; of a text that is
// no TOML only where it stops being any. A byte order mark is no fault.
func Parse(b []byte) (Manifest, error) {
	if len(b) > MaxSize {
		return Manifest{}, fmt.Errorf("%s is longer than %d bytes", File, MaxSize)
	}
	if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) {
		return Manifest{}, fmt.Errorf("%s:1: it is written in UTF-16; save it as UTF-8", File)
	}
	b = bytes.TrimPrefix(b, keyline.Mark)
	m, taken, meant, err := decode(b)
	if err != nil {
		return Manifest{}, err
	}
	at := keyline.Of(b)
	faults := m.zeros(at)
	m.fill()
	faults = append(append(faults, m.check()...).without(append(meant, taken...)), taken...)
	if len(faults) > 0 {
		return Manifest{}, faults.in(at, b)
	}
	return m, nil
}

// ParseBundled reads the manifest of a bundled plugin, which [Parse] accepted when
// the program was built and tested. It leaves out the checks, which are most of
// the time: the program reads these manifests at every start.
func ParseBundled(b []byte) (Manifest, error) {
	m, taken, _, err := decode(b)
	if err == nil && len(taken) > 0 {
		err = taken.in(keyline.Of(b), b)
	}
	m.fill()
	return m, err
}

// decode reads a manifest, and leaves out, as taken, what isn't of its keys and
// types; meant are the keys that are misspelt there.
func decode(b []byte) (m Manifest, taken, meant faults, err error) {
	strict := toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields().Decode(&m)
	var doc map[string]any
	if err := toml.Unmarshal(b, &doc); err != nil {
		return m, nil, nil, explain(err)
	}
	var t typing
	t.table(place{}, reflect.TypeFor[Manifest](), doc)
	if strict == nil && len(t.faults) == 0 { // the decoder takes a number for a size
		return m, nil, nil, nil
	}
	m = Manifest{}
	rest, err := toml.Marshal(doc)
	if err == nil {
		err = toml.Unmarshal(rest, &m)
	}
	if err != nil && len(t.faults) == 0 {
		return m, nil, nil, explain(err)
	}
	return m, t.faults, t.meant, nil
}

// TimeoutMS is the most milliseconds that a call of the tool may take.
func (m *Manifest) TimeoutMS(t Tool) int { return cmp.Or(t.TimeoutMS, m.Limits.TimeoutMS) }

// Spec is what the tool says of itself to the rest of the program. Hosts and
// paths beyond the plugin's own are the caller's to fill in. A tool of a plugin
// with hosts, and one of class read of a plugin with folders, is untrusted
// whatever the manifest says: its answers may be what others wrote.
func (m *Manifest) Spec(t Tool) tool.Spec {
	return tool.Spec{
		Name: t.Name, Description: t.Description, ArgsSchema: json.RawMessage(t.ArgsSchema),
		TimeoutMS: m.TimeoutMS(t), RetryProfile: t.RetryProfile, SideEffectClass: t.SideEffectClass, Effect: t.Effect,
		CanAchieve: t.CanAchieve, Requires: t.Requires, Effects: t.Effects, Hosts: m.Hosts, Reversible: t.Reversible,
		Untrusted: t.Untrusted || len(m.Hosts) > 0 || len(m.Paths) > 0 && t.SideEffectClass == tool.Read,
		Source:    "plugin:" + m.ID, Version: m.Version, Digest: m.SHA256,
	}.WithDefaults()
}
