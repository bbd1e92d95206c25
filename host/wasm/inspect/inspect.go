package inspect

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"errand/planner/message"
)

// ABI is the interface between a module and its host.
type ABI string

// ABIs. Only the first two can be run.
const (
	WASI      ABI = "wasi"      // a WASI preview 1 command
	Extism    ABI = "extism"    // an Extism 1.x plugin
	OldExtism ABI = "extism-0"  // an Extism plugin from before 1.0
	Component ABI = "component" // a component (WASI preview 2)
	Unknown   ABI = "unknown"   // a core module of neither kind
)

// Modules that plugins import from.
const (
	ExtismModule = "extism:host/env"
	WASIModule   = "wasi_snapshot_preview1"
)

// Inspection describes a binary.
type Inspection struct {
	ABI       ABI             `json:"abi"`
	Problem   message.Message `json:"problem,omitzero"` // why it can't run
	Cure      message.Message `json:"cure,omitzero"`    // how to fix the problem
	Size      int             `json:"size"`             // bytes
	SHA256    string          `json:"sha256"`           // of the whole file, in hex
	Name      string          `json:"name,omitempty"`   // from the name section
	Toolchain []string        `json:"toolchain"`        // from the producers section: "Go go1.26.0"
	Imports   []Import        `json:"imports"`
	Exports   []Export        `json:"exports"`
	Memory    *Memory         `json:"memory,omitempty"`
	Needs     []string        `json:"needs"` // what its imports can use when granted: "network", "files", …
}

// Import is an import of a module.
type Import struct {
	Module string          `json:"module"`
	Name   string          `json:"name"`
	Kind   string          `json:"kind"`           // func | table | memory | global
	Type   string          `json:"type,omitempty"` // of a function: "(i64) -> (i64)"; of a memory that threads share: "shared"
	Fault  message.Message `json:"fault,omitzero"` // why it can't be linked
}

// Export is an export of a module.
type Export struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	Type string `json:"type,omitempty"`
}

// Memory is the module's own or imported linear memory, in bytes. Max is 0 if the module
// sets no maximum.
type Memory struct {
	Min      uint64 `json:"min"`
	Max      uint64 `json:"max,omitempty"`
	Imported bool   `json:"imported,omitempty"`
}

// PageSize is the unit of WebAssembly's memory, in bytes.
const PageSize = 64 << 10

const (
	magic            = "\x00asm"
	coreVersion      = "\x01\x00\x00\x00"
	componentVersion = "\x0d\x00\x01\x00"
)

// Read inspects b. For a component or an outdated plugin, the inspection has a
// Problem. Other data and damaged modules are errors.
func Read(b []byte) (Inspection, error) {
	i := Inspection{ABI: Unknown, Size: len(b), Toolchain: []string{}, Imports: []Import{}, Exports: []Export{}, Needs: []string{}}
	switch {
	case len(b) == 0:
		return i, message.Error("module.empty_file")
	case len(b) >= 4 && string(b[:4]) != magic, len(b) < 4 && !strings.HasPrefix(magic, string(b)):
		return i, notWebAssembly(b)
	case len(b) < 8:
		return i, errTruncated
	}
	sum := sha256.Sum256(b)
	i.SHA256 = hex.EncodeToString(sum[:])
	switch version := string(b[4:8]); version {
	case coreVersion:
	case componentVersion:
		i.ABI = Component
		i.Problem = message.New("module.component")
		i.Cure = message.New("module.build_core_module")
		return i, nil
	default:
		return i, message.Error("module.unknown_version", "version", fmt.Sprintf("% x", version))
	}
	w := &walk{Inspection: &i}
	if err := w.read(b); err != nil {
		return i, err
	}
	i.classify()
	switch {
	case w.dynamic:
		i.Problem, i.Cure = message.New("module.dynamic_library"), message.New("module.link_statically")
	case i.ABI == Unknown && i.isComponentHalf():
		i.Problem, i.Cure = message.New("module.component_half"), message.New("module.built_for_wasi_2")
	}
	return i, nil
}

// isComponentHalf reports whether the module is a part of a WASI 0.2 component: its imports
// or exports have the names of that ABI.
func (i *Inspection) isComponentHalf() bool {
	ofComponent := func(name string) bool {
		return strings.HasPrefix(name, "cabi_") || strings.HasPrefix(name, "cm32p2") || strings.HasPrefix(name, "wasi:") || strings.Contains(name, "#[")
	}
	return slices.ContainsFunc(i.Exports, func(e Export) bool { return ofComponent(e.Name) }) ||
		slices.ContainsFunc(i.Imports, func(m Import) bool { return ofComponent(m.Module) })
}

// classify fills the fields that follow from imports and exports.
func (i *Inspection) classify() {
	for n := range i.Imports {
		i.Imports[n].Fault = i.Imports[n].problem()
	}
	imports := func(module, prefix string) bool {
		return slices.ContainsFunc(i.Imports, func(m Import) bool {
			return m.Module == module && strings.HasPrefix(m.Name, prefix)
		})
	}
	switch {
	case imports(ExtismModule, ""):
		i.ABI = Extism
	case imports("env", "extism_"):
		i.ABI = OldExtism
		i.Problem = message.New("module.old_extism")
		i.Cure = message.New("module.rebuild_with_new_pdk")
	case i.Func("_start") != nil:
		i.ABI = WASI
	}
	if i.Problem.IsZero() && len(i.Funcs()) == 0 {
		i.Problem = message.New("module.no_exported_function")
		i.Cure = message.New("module.build_with_main")
	}
	for _, n := range featureNames {
		if imports(n.module, n.prefix) && !slices.Contains(i.Needs, n.feature) {
			i.Needs = append(i.Needs, n.feature)
		}
	}
}

// featureNames has the features that a module's imports can use if they are granted, and
// the lines of plugin.toml that request them.
var featureNames = []struct{ feature, module, prefix, ask string }{
	{"network", ExtismModule, "http_request", `hosts = ["…"]`},
	{"config", ExtismModule, "config_get", "[config.…]"},
	{"variables", ExtismModule, "var_", `state = "sticky"`},
	{"files", WASIModule, "path_", "[[paths]]"},
	{"clock", WASIModule, "clock_", ""},
	{"random", WASIModule, "random_get", ""},
	{"sockets", WASIModule, "sock_", ""},
}

// Ask is a line of plugin.toml and why it may be needed.
type Ask struct {
	Line string          `json:"line"`
	Why  message.Message `json:"why"`
}

// Asks returns the lines that the module's plugin.toml may need, by its imports and
// exports. A module may import functions that it never calls.
func (i *Inspection) Asks() []Ask {
	asks := []Ask{}
	switch i.ABI {
	case Extism:
		asks = append(asks, Ask{`abi = "extism"`, message.New("module.ask_extism", "module", ExtismModule)})
	case WASI:
		asks = append(asks, Ask{`abi = "wasi"`, message.New("module.ask_wasi")})
	default:
		return asks
	}
	for _, n := range featureNames {
		if n.ask != "" && slices.Contains(i.Needs, n.feature) {
			why := map[string]string{
				"network": "module.ask_network", "config": "module.ask_config", "variables": "module.ask_variables", "files": "module.ask_files",
			}[n.feature]
			asks = append(asks, Ask{n.ask, message.New(why)})
		}
	}
	if i.Memory != nil && i.Memory.Min > 64<<20 {
		asks = append(asks, Ask{fmt.Sprintf("limits.memory = \"%dMiB\"", (i.Memory.Min+1<<20-1)>>20), message.New("module.ask_memory", "default", "64MiB")})
	}
	return asks
}

// Func returns an exported function, or nil.
func (i *Inspection) Func(name string) *Export {
	for n := range i.Exports {
		if e := &i.Exports[n]; e.Kind == "func" && e.Name == name {
			return e
		}
	}
	return nil
}

// Funcs lists the names of the exported functions, sorted.
func (i *Inspection) Funcs() []string { return i.funcs(func(Export) bool { return true }) }

// Entries lists the names of the exported functions that the host can call.
func (i *Inspection) Entries() []string { return i.funcs(Export.Entry) }

func (i *Inspection) funcs(which func(Export) bool) []string {
	names := []string{}
	for _, e := range i.Exports {
		if e.Kind == "func" && which(e) {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Entry reports whether the host can call the function: it has no parameters and returns
// nothing or an exit code.
func (e Export) Entry() bool { return e.Type == "() -> ()" || e.Type == "() -> (i32)" }
