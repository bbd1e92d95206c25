package inspect

import (
	"fmt"
	"strings"

	"errand/planner/message"
)

// walk fills an inspection section by section.
type walk struct {
	*Inspection
	types []string // of the type section, as text
	funcs []uint32 // type indices of all functions, the imported ones first

	dynamic bool // it is a library for dynamic linking
}

// Limits on the entries of a module, because each takes many times its bytes in the file. They
// are far above those of real modules.
const (
	maxTypes     = 100_000
	maxImports   = 10_000
	maxFunctions = 1_000_000
	maxMemories  = 100
	maxExports   = 50_000
	maxTools     = 100 // of the producers section; the rest is left out
	maxValues    = 50  // that are shown of a function's parameters or results
)

// Section ids of the core specification, §5.5.2.
const (
	sectionCustom   = 0
	sectionType     = 1
	sectionImport   = 2
	sectionFunction = 3
	sectionTable    = 4
	sectionMemory   = 5
	sectionExport   = 7
)

var kinds = [...]string{"func", "table", "memory", "global", "tag"}

func kind(b byte) string {
	if int(b) < len(kinds) {
		return kinds[b]
	}
	return fmt.Sprintf("kind %#x", b)
}

func (w *walk) read(b []byte) error {
	return sections(b, func(id byte, r *reader) error {
		switch id {
		case sectionCustom:
			w.custom(r) // a custom section can't make a module invalid
			return nil
		case sectionType:
			w.typeSection(r)
		case sectionImport:
			w.importSection(r)
		case sectionFunction:
			for n := r.count("function", maxFunctions); n > 0 && r.err == nil; n-- {
				w.funcs = append(w.funcs, r.u32())
			}
		case sectionMemory:
			for n := r.count("memory", maxMemories); n > 0 && r.err == nil; n-- {
				w.Memory = memory(r)
			}
		case sectionExport:
			w.exportSection(r)
		}
		return r.err
	})
}

func (w *walk) typeSection(r *reader) {
	for n := r.count("type", maxTypes); n > 0 && r.err == nil; n-- {
		if form := r.byte(); form != 0x60 && r.err == nil {
			// Types of proposals that the runtime doesn't enable. The rest can't be
			// parsed, and the compiler has a better error.
			return
		}
		w.types = append(w.types, valueTypes(r)+" -> "+valueTypes(r))
	}
}

func valueTypes(r *reader) string {
	var names []string
	for n := r.u32(); n > 0 && r.err == nil; n-- {
		if name := valueType(r); len(names) < maxValues {
			names = append(names, name)
		} else if len(names) == maxValues {
			names = append(names, "…")
		}
	}
	return "(" + strings.Join(names, ", ") + ")"
}

func valueType(r *reader) string {
	switch c := r.byte(); c {
	case 0x7f:
		return "i32"
	case 0x7e:
		return "i64"
	case 0x7d:
		return "f32"
	case 0x7c:
		return "f64"
	case 0x7b:
		return "v128"
	case 0x70:
		return "funcref"
	case 0x6f:
		return "externref"
	case 0x63, 0x64: // a reference to a type, which follows
		r.u64()
		return "ref"
	default:
		return fmt.Sprintf("%#x", c)
	}
}

func (w *walk) typeOf(index uint32) string {
	if uint64(index) < uint64(len(w.types)) {
		return w.types[index]
	}
	return ""
}

func (w *walk) importSection(r *reader) {
	for n := r.count("import", maxImports); n > 0 && r.err == nil; n-- {
		imp := Import{Module: r.name(), Name: r.name()}
		k := r.byte()
		imp.Kind = kind(k)
		switch k {
		case 0:
			index := r.u32()
			w.funcs = append(w.funcs, index)
			imp.Type = w.typeOf(index)
		case 1:
			valueType(r)
			limits(r)
		case 2:
			if r.remaining() > 0 && r.b[r.pos]&2 != 0 {
				imp.Type = sharedMemory
			}
			w.Memory = memory(r)
			w.Memory.Imported = true
		case 3:
			valueType(r)
			r.byte()
		case 4:
			r.byte()
			r.u32()
		default:
			r.fail(message.Error("module.unknown_kind_of_import", "module", imp.Module, "name", imp.Name, "kind", fmt.Sprintf("%#x", k)))
		}
		if r.err == nil {
			w.Imports = append(w.Imports, imp)
		}
	}
}

func (w *walk) exportSection(r *reader) {
	for n := r.count("export", maxExports); n > 0 && r.err == nil; n-- {
		e := Export{Name: r.name()}
		k, index := r.byte(), r.u32()
		e.Kind = kind(k)
		if k == 0 && uint64(index) < uint64(len(w.funcs)) {
			e.Type = w.typeOf(w.funcs[index])
		}
		if r.err == nil {
			w.Exports = append(w.Exports, e)
		}
	}
}

// sharedMemory is the type of a memory that threads share.
const sharedMemory = "shared"

// limits reads a minimum and an optional maximum.
func limits(r *reader) (low, high uint64, bounded bool) {
	flags := r.byte()
	low = r.u64()
	if bounded = flags&1 != 0; bounded {
		high = r.u64()
	}
	return low, high, bounded
}

func memory(r *reader) *Memory {
	low, high, _ := limits(r)
	const most = 1 << 48 / PageSize // beyond any address; keeps the product in range
	return &Memory{Min: min(low, most) * PageSize, Max: min(high, most) * PageSize}
}

// custom reads the name and producers sections.
func (w *walk) custom(r *reader) {
	switch r.name() {
	case "dylink", "dylink.0":
		w.dynamic = true
	case "producers":
		// https://github.com/WebAssembly/tool-conventions/blob/main/ProducersSection.md
		for n := r.u32(); n > 0 && r.err == nil; n-- {
			r.name()
			for m := r.u32(); m > 0 && r.err == nil && len(w.Toolchain) < maxTools; m-- {
				tool := strings.TrimSpace(r.name() + " " + r.name())
				if r.err == nil {
					w.Toolchain = append(w.Toolchain, tool)
				}
			}
		}
	case "name":
		if r.remaining() > 0 && r.byte() == 0 { // the subsection of the module's own name
			r.u32()
			if name := r.name(); r.err == nil {
				w.Name = name
			}
		}
	}
}
