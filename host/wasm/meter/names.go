package meter

import "fmt"

// nameSection returns the contents of a name section with the module's name and the names of
// functions at their new indices. They make traps readable. Damaged names are omitted, because
// they can't make a module invalid.
func nameSection(s *source, a *addedIndices) []byte {
	var module []byte
	functions := vector{}
	add := func(index uint32, name string) {
		functions.count++
		functions.bytes = uvarint(functions.bytes, index)
		functions.bytes = append(uvarint(functions.bytes, uint32(len(name))), name...)
	}
	yielded := false
	yield := func() {
		if !yielded {
			add(a.yield, exportPrefix+YieldName)
		}
		yielded = true
	}
	r := &reader{b: s.names}
	for r.err == nil && r.remaining() > 0 {
		id := r.byte()
		size := r.u32()
		from := r.pos
		r.skip(uint64(size))
		if r.err != nil {
			break
		}
		sub := &reader{b: r.b[:r.pos], pos: from}
		switch {
		case id == 0 && module == nil:
			if sub.name(); sub.err == nil && sub.remaining() == 0 {
				module = sub.b[from:]
			}
		case id == 1 && functions.count == 0:
			last := -1
			for n := sub.u32(); sub.next(&n); {
				index, name := sub.u32(), sub.name()
				if sub.err != nil || int(index) <= last || int(index) >= len(s.funcs) {
					break
				}
				last = int(index)
				if index >= s.imported {
					yield()
				}
				add(s.newIndex(index), name)
			}
		}
	}
	yield()
	for h, index := range a.helpers {
		if index != 0 {
			add(index, exportPrefix+helperNames[h])
		}
	}
	out := append(uvarint(nil, 4), "name"...)
	sub := func(id byte, contents []byte) {
		out = append(uvarint(append(out, id), uint32(len(contents))), contents...)
	}
	if module != nil {
		sub(0, module)
	}
	sub(1, append(uvarint(nil, functions.count), functions.bytes...))
	return out
}

// globalName returns the name under which the rewriter exports a global.
func globalName(index int) string { return fmt.Sprintf("%s%d", globalOf, index) }
