package stack

import (
	"cmp"
	"debug/dwarf"
	"fmt"
	"slices"

	"errand/host/wasm/inspect"
)

// HasLines reports whether a module has what [Lines] reads.
func HasLines(module []byte) bool {
	return len(inspect.Custom(module, ".debug_line")) > 0 && len(inspect.Custom(module, ".debug_info")) > 0
}

// Lines answers, for each function of a module that has debug sections, where
// in the source it begins, by the name that a stack has for it: "src/lib.rs:12".
// What can't be read is left out.
//
// Where in the function a call was is not known: what runs is not the module as
// it came, and a stack of it has names and no places.
func Lines(module []byte) map[string]string {
	rows, err := lineRows(module)
	if err != nil {
		return nil
	}
	lines := map[string]string{}
	for _, f := range inspect.Functions(module) {
		i, _ := slices.BinarySearchFunc(rows, f.Offset, func(r row, at uint64) int { return cmp.Compare(r.at, at) })
		if i < len(rows) && rows[i].at < f.Offset+uint64(f.Size) {
			lines[f.Name] = rows[i].place
		}
	}
	return lines
}

// row is a place in the code section and where in the source it is from.
type row struct {
	at    uint64
	place string
}

func lineRows(module []byte) (rows []row, err error) {
	defer func() {
		if p := recover(); p != nil { // debug/dwarf on what is no DWARF
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
		for reader.Next(&e) == nil { // until its end, or what can't be read
			if e.File != nil && e.Line > 0 && !e.EndSequence {
				rows = append(rows, row{e.Address, fmt.Sprintf("%s:%d", e.File.Name, e.Line)})
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.at, b.at) })
	return rows, nil
}
