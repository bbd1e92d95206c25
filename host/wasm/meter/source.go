package meter

// Section ids of the core specification, §5.5.2, and the order that they must
// come in.
const (
	secCustom = iota
	secType
	secImport
	secFunction
	secTable
	secMemory
	secGlobal
	secExport
	secStart
	secElement
	secCode
	secData
	secDataCount
	secTag
)

var order = [...]int{secType: 1, secImport: 2, secFunction: 3, secTable: 4, secMemory: 5, secTag: 6, secGlobal: 7, secExport: 8, secStart: 9, secElement: 10, secDataCount: 11, secCode: 12, secData: 13}

// Bounds on what costs the compiler memory out of proportion to a module's
// size. Browsers have the same ones.
const (
	maxLocals = 50_000 // of a function
	maxValues = 1_000  // parameters, and results, of a function
)

// signature is the type of a function.
type signature struct{ params, results []byte }

// source is a module taken apart, with every index outside of function bodies
// checked and those of functions already moved to make room for yield's import.
type source struct {
	code    []byte
	options Options
	err     error

	types    []signature
	funcs    []uint32 // type of each function, the imported ones first
	imported uint32   // functions
	taken    []bool   // functions that a reference is made to, by index
	globals  []globalType
	tables   int
	memories int
	elements int
	datas    int // as the data count section has it, -1 without one
	bodies   []body

	importedGlobals int
	importedMemory  bool
	firstPages      uint32 // of the memory, from the start
	sharesTables    bool   // a table is imported or exported

	sections [secTag]vector // as they will be, without what is added
	start    *uint32
	names    []byte // contents of the name section
	codeAt   int    // where the contents of the code section begin
	held     []string
}

type globalType struct {
	kind    byte
	mutable bool
}

// vector is a counted vector of encoded entries.
type vector struct {
	count uint32
	bytes []byte
}

// body is where a function's locals and instructions are.
type body struct{ start, end int }

// read takes code apart.
func read(code []byte, o Options) (*source, error) {
	s := &source{code: code, options: o, datas: -1}
	r := &reader{b: code}
	switch {
	case len(code) < 8 || string(code[:4]) != "\x00asm":
		r.malformed("it does not begin as a WebAssembly module does")
	case string(code[4:8]) != "\x01\x00\x00\x00":
		r.fail(ErrUnsupported, "it is WebAssembly of a kind or version other than a core module of version 1")
	case uint64(len(code)) > 1<<31:
		r.fail(ErrForbidden, "it is bigger than 2 GiB")
	}
	r.pos = 8
	last := 0
	bodies := false
	for r.err == nil && r.left() > 0 {
		id := r.byte()
		size := r.u32()
		from := r.pos
		r.skip(uint64(size))
		if r.err != nil {
			break
		}
		if id != secCustom {
			if int(id) >= len(order) || order[id] <= last {
				r.pos = from
				r.malformed("section %d is unknown or out of order", id)
				break
			}
			last = order[id]
		}
		if id == secTag {
			r.fail(ErrUnsupported, "it uses exceptions")
			break
		}
		body := &reader{b: code[:r.pos], pos: from}
		s.section(id, body)
		if body.err == nil && body.left() > 0 && id != secCustom {
			body.malformed("section %d is longer than its contents", id)
		}
		r.err = body.err
		bodies = bodies || id == secCode
	}
	if defined := len(s.funcs) - int(s.imported); r.err == nil && len(s.bodies) != defined {
		r.malformed("it declares %d functions and defines %d", defined, len(s.bodies))
	}
	if v := s.sections[secData]; r.err == nil && s.datas >= 0 && uint32(s.datas) != v.count {
		r.malformed("it announces %d data segments and has %d", s.datas, v.count)
	}
	return s, r.err
}

func (s *source) section(id byte, r *reader) {
	switch id {
	case secCustom:
		from := r.pos
		if r.name() == "name" && s.names == nil && r.err == nil {
			s.names = r.b[r.pos:]
		}
		if r.err != nil {
			r.pos = from
		}
		return
	case secStart:
		n := r.index("function", len(s.funcs))
		s.start = &n
		return
	case secDataCount:
		if s.datas = int(r.u32()); r.err == nil && s.datas > len(s.code) {
			r.malformed("it announces more data segments than it has bytes")
		}
		return
	}
	v := &s.sections[id]
	at := r.pos
	n := r.u32()
	v.count = n
	from := r.pos
	copied := true // the entries stay as they are
	switch id {
	case secType:
		s.readTypes(r, n)
	case secImport:
		s.readImports(r, n)
	case secFunction:
		for r.more(&n) {
			s.funcs = append(s.funcs, r.index("type", len(s.types)))
		}
		s.taken = make([]bool, len(s.funcs))
	case secMemory:
		for r.more(&n) {
			s.memory(r)
		}
	case secData:
		s.readDatas(r, n)
	case secCode:
		s.codeAt = at
		s.readCode(r, n)
		return
	case secTable:
		copied = false
		s.readTables(r, n, v)
	case secGlobal:
		copied = false
		s.readGlobals(r, n, v)
	case secExport:
		copied = false
		s.readExports(r, n, v)
	case secElement:
		copied = false
		s.readElements(r, n, v)
	}
	if copied {
		v.bytes = r.b[from:r.pos]
	}
}

// moved answers where the function with the index goes: yield is imported
// after the module's own imports.
func (s *source) moved(index uint32) uint32 {
	if index < s.imported {
		return index
	}
	return index + 1
}

// hold notes why an instance's state can't all be put back.
func (s *source) hold(reason string) {
	for _, h := range s.held {
		if h == reason {
			return
		}
	}
	s.held = append(s.held, reason)
}

func (s *source) readTypes(r *reader, n uint32) {
	for r.more(&n) {
		switch form := r.byte(); form {
		case 0x60:
		case 0x4d, 0x4e, 0x4f, 0x50, 0x5e, 0x5f:
			r.fail(ErrUnsupported, "it declares a type of the garbage collection proposal")
		default:
			r.malformed("%#x is no form of a type", form)
		}
		s.types = append(s.types, signature{params: r.valueTypes(), results: r.valueTypes()})
	}
}

func (r *reader) valueTypes() []byte {
	n := r.u32()
	if n > maxValues {
		r.fail(ErrForbidden, "a function takes or answers %d values, more than the %d allowed", n, maxValues)
	}
	from := r.pos
	for r.more(&n) {
		r.valueType()
	}
	if r.err != nil {
		return nil
	}
	return r.b[from:r.pos]
}

func (s *source) readImports(r *reader, n uint32) {
	for r.more(&n) {
		from := r.pos
		module := r.name()
		r.name()
		if module == YieldModule && r.err == nil {
			r.pos = from
			r.fail(ErrForbidden, "it imports from %q, which is for the host alone", YieldModule)
			return
		}
		switch kind := r.byte(); kind {
		case kindFunc:
			s.funcs = append(s.funcs, r.index("type", len(s.types)))
			s.imported++
		case kindTable:
			r.refType()
			s.limits(r)
			s.tables++
			s.sharesTables = true
			s.hold("it imports a table")
		case kindMemory:
			s.memory(r)
			s.importedMemory = true
			s.hold("it imports its memory")
		case kindGlobal:
			g := r.globalType()
			s.globals = append(s.globals, g)
			s.importedGlobals++
			if g.mutable {
				s.hold("it imports a mutable global")
			}
		case kindTag:
			r.fail(ErrUnsupported, "it uses exceptions")
		default:
			r.malformed("%#x is no kind of an import", kind)
		}
	}
	s.taken = make([]bool, len(s.funcs))
}

// Kinds of imports and exports.
const (
	kindFunc = iota
	kindTable
	kindMemory
	kindGlobal
	kindTag
)

func (r *reader) refType() byte {
	c := r.valueType()
	if r.err == nil && c != funcref && c != externref {
		r.pos--
		r.malformed("%#x is no type of a reference", c)
	}
	return c
}

func (r *reader) globalType() globalType {
	g := globalType{kind: r.valueType()}
	switch m := r.byte(); m {
	case 0, 1:
		g.mutable = m == 1
	default:
		r.malformed("a global is neither mutable nor immutable")
	}
	return g
}

// limits reads a minimum and, where one is stated, a maximum.
func (s *source) limits(r *reader) (low, high uint32, bounded bool) {
	switch flags := r.byte(); flags {
	case 0, 1:
		bounded = flags == 1
	case 2, 3:
		r.fail(ErrUnsupported, "it shares a memory between threads")
	case 4, 5, 6, 7:
		r.fail(ErrUnsupported, "it uses a memory or table of 64 bits")
	default:
		r.malformed("%#x is no form of limits", flags)
	}
	low = r.u32()
	if bounded {
		if high = r.u32(); r.err == nil && high < low {
			r.malformed("limits whose minimum %d is above the maximum %d", low, high)
		}
	}
	return low, high, bounded
}

func (s *source) memory(r *reader) {
	s.firstPages, _, _ = s.limits(r)
	if s.memories++; s.memories > 1 {
		r.fail(ErrUnsupported, "it has more than one memory")
	}
}

// needMemory checks that there is one.
func (s *source) needMemory(r *reader) {
	if s.memories == 0 {
		r.malformed("it uses a memory and has none")
	}
}

func (s *source) readCode(r *reader, n uint32) {
	for r.more(&n) {
		size := r.u32()
		b := body{start: r.pos}
		r.skip(uint64(size))
		b.end = r.pos
		s.bodies = append(s.bodies, b)
	}
}
