package stack

import (
	"cmp"
	"debug/dwarf"
	"fmt"
	"slices"

	"errand/host/wasm/inspect"
)

// HasLines reports whether a module has the debug sections that [Lines] reads.
func HasLines(module []byte) bool {
	return len(inspect.Custom(module, ".debug_line")) > 0 && len(inspect.Custom(module, ".debug_info")) > 0
}

// Lines returns where each function of a module starts in the source, such as
// "src/lib.rs:12", by the function's name in a stack. It omits functions whose debug
// sections can't be read.
//
// The position of a call inside a function is unknown, because the host runs a
// rewritten module whose stacks have no positions.
func Lines(module []byte) map[string]string {
	rows, err := lineRows(module)
	if err != nil {
		return nil
	}
	lines := map[string]string{}
	for _, f := range inspect.Functions(module) {
		i, _ := slices.BinarySearchFunc(rows, f.Offset, func(r row, at uint64) int { return cmp.Compare(r.address, at) })
		if i < len(rows) && rows[i].address < f.Offset+uint64(f.Size) {
			lines[f.Name] = rows[i].place
		}
	}
	return lines
}

// row maps an offset in the code section to a source line.
type row struct {
	address uint64
	place   string
}

func lineRows(module []byte) (rows []row, err error) {
	defer func() {
		if p := recover(); p != nil { // debug/dwarf may panic on invalid data
			err = fmt.Errorf("%v", p)
		}
	}()
	section := func(name string) []byte { return inspect.Custom(module, name) }
	data, err := dwarf.New(section(".debug_abbrev"), nil, nil, section(".debug_info"), section(".debug_line"), nil, section(".debug_ranges"), section(".debug_str"))
	if err != nil {
		return nil, err
	}
	for _, name := range []string{".debug_addr", ".debug_line_str", ".debug_str_offsets", ".debug_rnglists"} {
		if b := section(name); len(b) > 0 {
			if err := data.AddSection(name, b); err != nil {
				return nil, err
			}
		}
	}
	units := data.Reader()
	for {
		unit, err := units.Next()
		if err != nil || unit == nil {
			break
		}
		units.SkipChildren()
		reader, err := data.LineReader(unit)
		if err != nil || reader == nil {
			continue
		}
		var e dwarf.LineEntry
		for reader.Next(&e) == nil { // until the end or an error
			if e.File != nil && e.Line > 0 && !e.EndSequence {
				rows = append(rows, row{e.Address, fmt.Sprintf("%s:%d", e.File.Name, e.Line)})
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.address, b.address) })
	return rows, nil
}
