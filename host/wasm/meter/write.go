package meter

// module assembles the rewritten module.
func (w *writer) module(funcs []function) *Module {
	s, a := w.source, w.added
	code := w.codeSection(funcs)

	m := &Module{Fuel: fuelName, NewInstanceReasons: s.newInstanceReasons, shift: shift{imported: s.imported, defined: uint32(len(funcs))}}
	s.addGlobals(a, m)
	yield := a.typeOf(yieldType)
	imports, functions := &s.sections[secImport], &s.sections[secFunction]
	imports.bytes = appendName(clone(imports.bytes), YieldModule)
	imports.bytes = append(appendName(imports.bytes, YieldName), kindFunc)
	imports.bytes = uvarint(imports.bytes, yield)
	imports.count++
	functions.bytes = clone(functions.bytes)
	for h, index := range a.helpers {
		if index != 0 {
			functions.bytes = uvarint(functions.bytes, a.typeOf(helperTypes[h]))
			functions.count++
		}
	}
	types := &s.sections[secType]
	types.bytes = clone(types.bytes)
	for _, t := range a.types {
		types.bytes = append(types.bytes, 0x60)
		types.bytes = append(uvarint(types.bytes, uint32(len(t.params))), t.params...)
		types.bytes = append(uvarint(types.bytes, uint32(len(t.results))), t.results...)
		types.count++
	}

	out := make([]byte, 0, len(code.bytes)+len(s.sections[secData].bytes)+len(s.names)+len(s.code)/8+1<<10)
	out = append(out, s.code[:8]...)
	for _, id := range []byte{secType, secImport, secFunction, secTable, secMemory, secGlobal, secExport, secStart, secElement, secDataCount, secCode, secData} {
		switch v := s.sections[id]; id {
		case secStart:
			if s.start != nil {
				out = section(out, id, nil, uvarint(nil, s.newIndex(*s.start)))
			}
		case secDataCount:
			if s.datas >= 0 {
				out = section(out, id, nil, uvarint(nil, uint32(s.datas)))
			}
		case secCode:
			out = section(out, id, uvarint(nil, code.count), code.bytes)
		default:
			if v.count > 0 {
				out = section(out, id, uvarint(nil, v.count), v.bytes)
			}
		}
	}
	m.Code = section(out, secCustom, nil, nameSection(s, a))
	return m
}

// clone copies the module's bytes, so that an append can't overwrite them.
func clone(b []byte) []byte { return append(make([]byte, 0, len(b)+64), b...) }

func section(out []byte, id byte, count, contents []byte) []byte {
	out = uvarint(append(out, id), uint32(len(count)+len(contents)))
	return append(append(out, count...), contents...)
}

func appendName(out []byte, name string) []byte {
	return append(uvarint(out, uint32(len(name))), name...)
}

// codeSection rewrites all bodies.
func (w *writer) codeSection(funcs []function) vector {
	v := vector{count: uint32(len(funcs))}
	for _, index := range w.added.helpers {
		if index != 0 {
			v.count++
		}
	}
	w.bytes(&v, funcs)
	for h, index := range w.added.helpers {
		if index != 0 {
			b := helper(h).body(w.added)
			v.bytes = append(uvarint(v.bytes, uint32(len(b))), b...)
		}
	}
	return v
}

func (w *writer) bytes(v *vector, funcs []function) {
	size := 0
	for i := range funcs {
		size += funcs[i].body.end - funcs[i].body.start
	}
	v.bytes = make([]byte, 0, size+size/8)
	for i := range funcs {
		w.function(&funcs[i])
		v.bytes = uvarint(v.bytes, uint32(len(w.out)))
		v.bytes = append(v.bytes, w.out...)
	}
}

// addGlobals appends the added globals. It exports them and the module's mutable globals.
func (s *source) addGlobals(a *addedIndices, m *Module) {
	globals, exports := &s.sections[secGlobal], &s.sections[secExport]
	export := func(name string, index uint32) {
		exports.bytes = append(appendName(exports.bytes, name), kindGlobal)
		exports.bytes = uvarint(exports.bytes, index)
		exports.count++
	}
	add := func(name string, index uint32, kind byte, value code) {
		globals.bytes = append(globals.bytes, kind, 1)
		globals.bytes = append(append(globals.bytes, value...), opEnd)
		globals.count++
		export(name, index)
	}
	for i := s.importedGlobals; i < len(s.globals); i++ {
		g := s.globals[i]
		if g.mutable && g.kind >= F64 && g.kind <= I32 {
			export(globalName(i), uint32(i))
			m.Globals = append(m.Globals, Global{Name: globalName(i), Type: g.kind})
		}
	}
	var zero, remaining, pages code
	zero.i64(0)
	add(fuelName, a.fuel, I64, zero)
	if a.recursive {
		m.Stack = stackName
		remaining.i64(int64(s.options.Stack))
		add(stackName, a.stack, I64, remaining)
	}
	if a.owned {
		m.Pages = pagesName
		pages.i32(int32(s.firstPages))
		add(pagesName, a.pages, I32, pages)
		m.Globals = append(m.Globals, Global{Name: pagesName, Type: I32})
	}
}
