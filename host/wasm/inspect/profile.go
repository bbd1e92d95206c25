package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Profile lists the sizes of a module's parts.
type Profile struct {
	Sections  []Part `json:"sections"`  // in the order of the file, custom ones by their names
	Functions []Part `json:"functions"` // the module's own, largest first
	Debug     int    `json:"debug"`     // bytes of sections that map code to source lines
	Named     bool   `json:"named"`     // it has a name section, so stacks have names
}

// Part is a part of a module.
type Part struct {
	Name string `json:"name"`
	Size int    `json:"size"` // bytes
}

// sectionNames are those of the core specification and of the tags and data
// counts beside it.
var sectionNames = [...]string{
	"custom", "type", "import", "function", "table", "memory", "global", "export", "start", "element", "code", "data", "data count", "tag",
}

// Section ids that only a profile looks into.
const (
	sectionCode   = 10
	nameFunctions = 1 // subsection of the name section
)

// maxSections limits the list of sections; the others share one line. Real modules have
// a dozen.
const maxSections = 100

// section adds a section's size to the part of its name.
func (p *Profile) section(name string, size int) {
	if len(p.Sections) >= maxSections {
		name = "others"
	}
	at := slices.IndexFunc(p.Sections, func(s Part) bool { return s.Name == name })
	if at < 0 {
		at = len(p.Sections)
		p.Sections = append(p.Sections, Part{Name: name})
	}
	p.Sections[at].Size += size
}

// Measure returns the sizes of a module's parts. Unlike [Read] it reads each function and
// the names, which takes milliseconds.
func Measure(b []byte) (Profile, error) {
	p := Profile{Sections: []Part{}, Functions: []Part{}}
	if len(b) < 8 {
		return p, errTruncated
	}
	imported := 0
	names := map[uint32]string{}
	err := sections(b, func(id byte, r *reader) error {
		size := len(r.b)
		name := fmt.Sprintf("section %d", id)
		if int(id) < len(sectionNames) {
			name = sectionNames[id]
		}
		switch id {
		case sectionCustom:
			if name = r.name(); isDebug(name) {
				p.Debug += size
			}
			if name == "name" {
				p.Named = true
				functionNames(r, names)
			}
			r.err = nil // a custom section can't make a module invalid
		case sectionImport:
			w := walk{Inspection: &Inspection{}}
			w.importSection(r)
			imported = len(w.funcs)
		case sectionCode:
			for n := r.count("function", maxFunctions); n > 0 && r.err == nil; n-- {
				p.Functions = append(p.Functions, Part{Size: len(r.bytes(r.u32()))})
			}
		}
		p.section(name, size)
		return r.err
	})
	for i := range p.Functions {
		f := &p.Functions[i]
		if f.Name = names[uint32(imported+i)]; f.Name == "" {
			f.Name = fmt.Sprintf("function %d", imported+i)
		}
	}
	slices.SortStableFunc(p.Functions, func(a, b Part) int { return cmp.Compare(b.Size, a.Size) })
	return p, err
}

// Function is a function that the module defines.
type Function struct {
	Name   string // from the name section, else its number
	Offset uint64 // of its body in the code section, as debug sections count
	Size   int
}

// Functions returns a module's own functions in order, or nil if b is not a
// module.
func Functions(b []byte) []Function {
	var all []Function
	imported := 0
	names := map[uint32]string{}
	if len(b) < 8 {
		return nil
	}
	_ = sections(b, func(id byte, r *reader) error {
		switch id {
		case sectionCustom:
			if r.name() == "name" {
				functionNames(r, names)
			}
		case sectionImport:
			w := walk{Inspection: &Inspection{}}
			w.importSection(r)
			imported = len(w.funcs)
		case sectionCode:
			for n := r.count("function", maxFunctions); n > 0 && r.err == nil; n-- {
				size := r.u32()
				at := uint64(r.pos)
				all = append(all, Function{Offset: at, Size: len(r.bytes(size))})
			}
		}
		return nil
	})
	for i := range all {
		if all[i].Name = names[uint32(imported+i)]; all[i].Name == "" {
			all[i].Name = fmt.Sprintf("$%d", imported+i)
		}
	}
	return all
}

// Custom returns the content of a module's custom section, or nil.
func Custom(b []byte, name string) (content []byte) {
	if len(b) < 8 {
		return nil
	}
	_ = sections(b, func(id byte, r *reader) error {
		if id == sectionCustom && r.name() == name && r.err == nil {
			content = r.b[r.pos:]
		}
		return nil
	})
	return content
}

// functionNames reads the subsection of a name section that has functions' names, at most
// [maxFunctions].
func functionNames(r *reader, names map[uint32]string) {
	for r.remaining() > 0 && r.err == nil {
		id := r.byte()
		sub := &reader{b: r.bytes(r.u32())}
		if id != nameFunctions {
			continue
		}
		for n := sub.u32(); n > 0 && sub.err == nil && len(names) < maxFunctions; n-- {
			index := sub.u32()
			name := sub.name()
			if sub.err == nil {
				names[index] = strings.Clone(name)
			}
		}
	}
}
